import Glibc
import SystemCalls

/// Reads and writes whole files.
enum File {
    /// The first of the paths that exists in a folder, or the first path if none does.
    static func first(of paths: [String], in folder: String) -> String {
        let files = paths.map { "\(folder)/\($0)" }
        return files.first { access($0, F_OK) == 0 } ?? files[0]
    }

    static func read(_ path: String) throws(SystemError) -> [UInt8] {
        let descriptor = try reporting { open(path, O_RDONLY | O_CLOEXEC) }
        defer { close(descriptor) }
        return try readToEnd(of: descriptor)
    }

    static func write(_ text: String, to path: String) throws(GeneratorError) {
        let descriptor: Int32
        do throws(SystemError) {
            descriptor = try reporting {
                open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
            }
        } catch { throw failure("open", path, error) }
        defer { close(descriptor) }
        do throws(SystemError) {
            try writeAll(Array(text.utf8), to: descriptor)
        } catch { throw failure("write", path, error) }
    }

    /// The message for a call that failed.
    static func failure(_ verb: String, _ path: String, _ error: SystemError) -> GeneratorError {
        GeneratorError("\(path): cannot \(verb): \(error)")
    }
}
