import Glibc
import SystemCalls

/// Reads the names in a folder, as opendir(3) and readdir(3) give them.
struct FolderReader: ~Copyable {
    enum Kind {
        case file
        case folder
        /// A symbolic link; the type of its target is unknown.
        case link
        /// A pipe, a socket or a device.
        case other
    }

    struct Item {
        var name: [UInt8]
        var kind: Kind
        var inode: UInt64
    }

    private let stream: OpaquePointer

    init(_ path: FilePath) throws(SystemError) {
        stream = try reporting { path.withCString { opendir($0) } }
    }

    deinit { closedir(stream) }

    /// The folder's identity, independent of its path; nil if the system reports none.
    var identity: FolderIdentity? {
        var info = stat()
        guard fstat(dirfd(stream), &info) == 0 else { return nil }
        return FolderIdentity(device: info.st_dev, inode: info.st_ino)
    }

    /// The next item that is not hidden; nil at the end and after a read error.
    func next() -> Item? {
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name -> [UInt8] in
                name.withMemoryRebound(to: UInt8.self, capacity: 1) { start in
                    guard start.pointee != UInt8(ascii: ".") else { return [] }
                    let length = strlen(UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self))
                    return Array(UnsafeBufferPointer(start: start, count: length))
                }
            }
            guard !name.isEmpty else { continue }
            let kind = kind(of: entry.pointee.d_type, name)
            return Item(name: name, kind: kind, inode: UInt64(entry.pointee.d_ino))
        }
        return nil
    }

    private func kind(of type: UInt8, _ name: [UInt8]) -> Kind {
        switch Int(type) {
        case Int(DT_REG): return .file
        case Int(DT_DIR): return .folder
        case Int(DT_LNK): return .link
        case Int(DT_UNKNOWN): break
        default: return .other
        }
        // Some file systems do not store the type in the folder.
        var info = stat()
        guard status(of: name, &info, flags: AT_SYMLINK_NOFOLLOW) else { return .other }
        switch info.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        case S_IFLNK: return .link
        default: return .other
        }
    }

    /// Date and size of the file, following links; nil if there is no file.
    func details(of name: [UInt8]) -> Entry.Details? {
        var info = stat()
        return status(of: name, &info, flags: 0) ? Entry.Details(info) : nil
    }

    /// Whether the name is a folder, following links.
    func isFolder(_ name: [UInt8]) -> Bool {
        var info = stat()
        return status(of: name, &info, flags: 0) && info.st_mode & S_IFMT == S_IFDIR
    }

    private func status(of name: [UInt8], _ info: inout stat, flags: Int32) -> Bool {
        FilePath(name).withCString { fstatat(dirfd(stream), $0, &info, flags) == 0 }
    }
}

/// Identifies a folder independently of its path.
struct FolderIdentity: Hashable {
    var device: UInt
    var inode: UInt
}

extension Entry.Details {
    init(_ info: stat) {
        modified = Timestamp(seconds: info.st_mtim.tv_sec, nanoseconds: info.st_mtim.tv_nsec)
        size = info.st_size
    }
}
