// WaylandGenerator SIDE MANIFEST OUTPUT: writes the Swift bindings of one side, `client` or
// `server`, for the descriptions that the manifest lists.

import Glibc
import SystemCalls

func interfaces(listedIn path: String) throws(GeneratorError) -> [Interface] {
    let text: [UInt8]
    do throws(SystemError) {
        text = try File.read(path)
    } catch { throw File.failure("read", path, error) }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    var interfaces: [Interface] = []
    for source in try Manifest(String(decoding: text, as: UTF8.self), file: path).sources {
        let file = File.first(
            of: source.paths, in: source.package.map(DescriptionFolder.locate) ?? folder)
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try File.read(file)
        } catch {
            let failure = File.failure("read", file, error)
            guard let package = source.package else { throw failure }
            throw GeneratorError("\(failure); \(DescriptionFolder.advice(package))")
        }
        let described = try DescriptionReader.read(bytes, file: file)
        interfaces.merge(source.versions?.limiting(described) ?? described)
    }
    try interfaces.validate()
    return interfaces
}

func generate(_ arguments: ArraySlice<String>) throws(GeneratorError) {
    let fields = Array(arguments)
    guard fields.count == 3, let side = Side(rawValue: fields[0]) else {
        throw GeneratorError("usage: WaylandGenerator client|server MANIFEST OUTPUT")
    }
    let interfaces = try interfaces(listedIn: fields[1])
    try File.write(Generator.source(for: interfaces, side: side), to: fields[2])
}

do {
    try generate(CommandLine.arguments.dropFirst())
} catch {
    let line = Array("error: \(error)\n".utf8)
    write(STDERR_FILENO, line, line.count)
    exit(1)
}
