import CLinux
import Glibc
import ImageTypes
import ImageWire
import SystemCalls

/// Reads the names in a folder, as opendir(3) and readdir(3) give them.
struct FolderReader: ~Copyable {
    private enum Kind {
        case file
        case folder
        /// A symbolic link; the type of its target is unknown.
        case link
        /// A pipe, a socket or a device.
        case other
    }

    private let stream: OpaquePointer
    private let followsLinks: Bool
    private let wantsDetails: Bool
    private let wantsSubfolders: Bool

    init(_ path: [UInt8], wantsDetails: Bool, wantsSubfolders: Bool) throws(SystemError) {
        followsLinks = !UntrustedFolders.contain(path)
        stream = try Self.open(path, followsLinks: followsLinks)
        self.wantsDetails = wantsDetails
        self.wantsSubfolders = wantsSubfolders
    }

    deinit { closedir(stream) }

    private static func open(
        _ path: [UInt8], followsLinks: Bool
    ) throws(SystemError) -> OpaquePointer {
        guard !followsLinks else {
            return try reporting { path.withPathString { opendir($0) } }
        }
        let descriptor = try reporting {
            path.withPathString { clinux_open_without_links($0, O_RDONLY | O_DIRECTORY) }
        }
        do throws(SystemError) { return try reporting { fdopendir(descriptor) } } catch {
            close(descriptor)
            throw error
        }
    }

    /// The folder's identity, independent of its path; throws if the system reports none.
    func identity() throws(SystemError) -> FileIdentity {
        var info = stat()
        try reporting { fstat(dirfd(stream), &info) }
        return FileIdentity(info)
    }

    var origin: FolderOrigin { FolderOrigin(of: dirfd(stream)) }

    /// The next picture or wanted subfolder that is not hidden; nil at the end.
    ///
    /// Throws where the system cannot read on: the rest of the folder is unknown then, not empty.
    func next() throws(SystemError) -> FolderItem? {
        while let entry = try nextEntry(of: stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name -> [UInt8] in
                name.withMemoryRebound(to: UInt8.self, capacity: 1) { start in
                    guard start.pointee != UInt8(ascii: ".") else { return [] }
                    let length = strlen(UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self))
                    return Array(UnsafeBufferPointer(start: start, count: length))
                }
            }
            guard !name.isEmpty else { continue }
            let kind = kind(of: entry.pointee.d_type, name)
            if let item = item(name, kind, UInt64(entry.pointee.d_ino)) { return item }
        }
        return nil
    }

    private func item(_ name: [UInt8], _ kind: Kind, _ inode: UInt64) -> FolderItem? {
        if kind == .folder {
            return wantsSubfolders ? FolderItem(.folder, name: name, inode: inode) : nil
        }
        if kind == .link, !followsLinks { return nil }
        if kind == .link, wantsSubfolders, isFolder(name) {
            return FolderItem(.linkedFolder, name: name, inode: inode)
        }
        // Links are followed later, when the picture is opened.
        guard kind == .file || kind == .link, PictureFormat.matches(name: name) else { return nil }
        return FolderItem(
            .picture, name: name, inode: inode, details: wantsDetails ? details(of: name) : nil)
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
    private func details(of name: [UInt8]) -> FileDetails? {
        var info = stat()
        let flags = followsLinks ? 0 : AT_SYMLINK_NOFOLLOW
        return status(of: name, &info, flags: flags) ? FileDetails(info) : nil
    }

    /// Whether the name is a folder, following links.
    private func isFolder(_ name: [UInt8]) -> Bool {
        var info = stat()
        return status(of: name, &info, flags: 0) && info.isFolder
    }

    private func status(of name: [UInt8], _ info: inout stat, flags: Int32) -> Bool {
        name.withPathString { fstatat(dirfd(stream), $0, &info, flags) == 0 }
    }
}

extension FileDetails {
    init(_ info: stat) {
        self.init(
            seconds: info.st_mtim.tv_sec, nanoseconds: info.st_mtim.tv_nsec, size: info.st_size)
    }
}
