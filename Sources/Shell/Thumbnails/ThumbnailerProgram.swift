import DecodeClient
import FileAccess
import Glibc
import ImageTypes
import ImageWire
import SystemCalls
import Threads

/// `vitrine-thumbnailer` from its arguments to its exit code: writes the thumbnail of one picture for a
/// file manager, which keeps the cache itself.
package enum ThumbnailerProgram {
    private static let usage = """
        Usage: vitrine-thumbnailer [-s SIZE] PICTURE OUTPUT.png

        Writes a thumbnail of a picture. The longest side has at most SIZE pixels, by default 128.

        """
    private static let sides = 1...4096

    private struct Failure: Error {
        var text: String
        var code: Int32 = 1
    }

    private struct Order {
        var side = 128
        var paths: [[UInt8]] = []
    }

    /// Runs the program; returns the exit code of the process.
    package static func run(_ arguments: [[UInt8]]) -> Int32 {
        do throws(Failure) {
            let options = arguments.prefix { $0 != Array("--".utf8) }
            if options.contains(where: { $0 == Array("--help".utf8) }) {
                try write(Array(usage.utf8), to: 1, named: "standard output")
                return 0
            }
            let order = try parse(arguments)
            try save(try thumbnail(of: order.paths[0], side: order.side), to: order.paths[1])
            return 0
        } catch {
            // Names may have any characters, as those that control a terminal.
            let line = "vitrine-thumbnailer: \(PrintableText.text(error.text))\n"
            try? writeAll(Array(line.utf8), to: 2)
            return error.code
        }
    }

    private static func parse(_ arguments: [[UInt8]]) throws(Failure) -> Order {
        var order = Order()
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch String(decoding: argument, as: UTF8.self) {
            case "-s":
                let text = String(decoding: rest.popFirst() ?? [], as: UTF8.self)
                guard let side = Int(text), sides.contains(side) else {
                    throw Failure(
                        text:
                            "-s takes \(sides.lowerBound) to \(sides.upperBound) pixels, not “\(text)”",
                        code: 2)
                }
                order.side = side
            case "--":
                order.paths += rest
                rest = []
            case let option where option.hasPrefix("-"):
                throw Failure(
                    text: "unknown option \(option); see vitrine-thumbnailer --help", code: 2)
            default: order.paths.append(argument)
            }
        }
        guard order.paths.count == 2 else {
            throw Failure(
                text: "a picture and an output file are needed; see vitrine-thumbnailer --help",
                code: 2)
        }
        return order
    }

    /// The bytes of a PNG file, all of them made by this process: whoever reads the file needs no
    /// sandbox for it.
    private static func thumbnail(of path: [UInt8], side: Int) throws(Failure) -> [UInt8] {
        let name = String(decoding: path, as: UTF8.self)
        let decoder = ThumbnailDecoder(
            .installed, limits: .standard, screen: nil, files: nil, wakeup: Wakeup())
        switch decoder.ask(side: side, .file(path), isCancelled: { false }) {
        case .success(let made)?:
            // The file manager would take the part for the whole picture.
            guard made.isWhole else { throw Failure(text: "\(name): the file is incomplete") }
            return PNGPicture.encode(made.sRGB ?? made.bitmap)
        case .failure(let failure)?: throw Failure(text: "\(name): \(failure)")
        case nil: throw Failure(text: "\(name): cancelled")
        }
    }

    /// Writes into the existing file, which the file manager may have opened already.
    private static func save(_ bytes: [UInt8], to path: [UInt8]) throws(Failure) {
        let name = String(decoding: path, as: UTF8.self)
        let descriptor: Int32
        do throws(SystemError) {
            descriptor = try reporting {
                path.withPathString { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) }
            }
        } catch { throw Failure(text: "\(name): \(error.pathMessage)") }
        defer { close(descriptor) }
        try write(bytes, to: descriptor, named: name)
    }

    private static func write(
        _ bytes: [UInt8], to descriptor: Int32, named name: String
    ) throws(Failure) {
        do throws(SystemError) { try writeAll(bytes, to: descriptor) } catch {
            throw Failure(text: "\(name): cannot be written: \(error)")
        }
    }
}
