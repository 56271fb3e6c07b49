import Folders
import Glibc
import Localization
import SystemCalls

/// Reads and writes the small files of a trash folder.
enum TrashFiles {
    /// The contents of a regular file; nil for a link, another kind of file, and a longer one.
    static func contents(of path: FilePath, limit: Int) -> [UInt8]? {
        let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let descriptor = path.withCString { open($0, flags) }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.isRegularFile else { return nil }
        return try? readToEnd(of: descriptor, limit: limit)
    }

    /// Gives a file new contents, as a whole.
    static func replace(_ path: FilePath, with bytes: [UInt8]) throws(TrashError) {
        do throws(SystemError) {
            try FileReplacement.write(bytes, to: path.bytes, isSynced: true)
        } catch { throw .failed(localized("the trash cannot be changed: \(error)")) }
    }
}
