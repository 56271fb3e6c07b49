import CLinux
import Glibc
import ImageWire
import SystemCalls

/// The contents of a small file, or the names in a folder.
struct SmallFile {
    /// For a folder each name with a NUL after it, sorted; hidden names are left out.
    let bytes: [UInt8]
    /// Who can change the contents.
    let trust: FileTrust

    /// A folder is read if its path ends with a separator.
    ///
    /// Throws EFBIG above `limit` bytes, and ENXIO for what is neither a file nor a folder.
    init(_ path: [UInt8], limit: Int) throws(SystemError) {
        // Without waiting for the other end of a pipe.
        let descriptor = try reporting {
            path.withPathString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
        }
        defer { close(descriptor) }
        var info = stat()
        try reporting { fstat(descriptor, &info) }
        trust = FileTrust(owner: info.st_uid, mode: info.st_mode, user: getuid())
        switch info.st_mode & S_IFMT {
        case S_IFREG:
            guard info.st_size <= limit else { throw SystemError(code: EFBIG) }
            bytes = try readToEnd(of: descriptor, limit: limit)
        case S_IFDIR where path.last == UInt8(ascii: "/"):
            bytes = try Self.names(path, limit: limit)
        case S_IFDIR: throw SystemError(code: EISDIR)
        default: throw SystemError(code: ENXIO)
        }
    }

    private static func names(_ path: [UInt8], limit: Int) throws(SystemError) -> [UInt8] {
        let stream = try reporting { path.withPathString { opendir($0) } }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        var length = 0
        while let entry = try nextEntry(of: stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard name.first != UInt8(ascii: ".") else { continue }
            length += name.count + 1
            guard length <= limit else { throw SystemError(code: EFBIG) }
            names.append(name + [0])
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }.flatMap(\.self)
    }
}
