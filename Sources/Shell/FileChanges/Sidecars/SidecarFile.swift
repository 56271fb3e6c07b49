import CLinux
import Glibc
import ImageWire
import Localization
import SystemCalls

/// Reads and writes the small files beside pictures.
enum SidecarFile {
    /// A larger file is not read, in bytes: the journal keeps the contents of before and after.
    static let limit = 256 << 10

    /// The contents; nil if there is no such file.
    static func read(_ path: [UInt8]) throws(ChangeFailure) -> [UInt8]? {
        do throws(SystemError) {
            let descriptor = try reporting {
                path.withPathString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
            }
            defer { close(descriptor) }
            var info = stat()
            try reporting { fstat(descriptor, &info) }
            guard info.isRegularFile, info.st_size <= limit else {
                throw SystemError(code: EFBIG)
            }
            return try readToEnd(of: descriptor, limit: limit)
        } catch {
            switch error.code {
            case ENOENT: return nil
            case EFBIG:
                throw .refused(reason: localized("its sidecar is too large, or is not a file"))
            default: throw .system(code: error.code)
            }
        }
    }

    /// Writes a new file, synced, with the attributes of the file `like`.
    static func write(
        _ bytes: [UInt8], to path: [UInt8], like: [UInt8]?
    ) throws(ChangeFailure) {
        let memory = try reportingChange { clinux_memfd_create("sidecar") }
        defer { close(memory) }
        do throws(SystemError) { try writeAll(bytes, to: memory) } catch {
            throw .system(code: error.code)
        }
        let model = like.map { $0.withPathString { open($0, O_RDONLY | O_CLOEXEC) } } ?? -1
        defer { if model >= 0 { close(model) } }
        try FileCopy.make(path, from: memory, like: model, keepsTimes: false)
    }
}
