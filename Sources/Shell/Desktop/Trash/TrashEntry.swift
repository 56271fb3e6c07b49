package import Folders
package import ImageWire
import Glibc

/// A file in a trash folder, as the trash specification of freedesktop.org has it: the file itself in
/// `files`, and where it was in `info`.
package struct TrashEntry: Hashable, Sendable {
    /// The trash folder, such as `~/.local/share/Trash`.
    package let folder: FilePath
    /// The name in `files`; that in `info` is the same with `.trashinfo`.
    package let name: [UInt8]
    /// Which file the entry is, so that another one of its name is not taken for it.
    package let identity: FileIdentity

    package init(folder: FilePath, name: [UInt8], identity: FileIdentity) {
        (self.folder, self.name, self.identity) = (folder, name, identity)
    }

    package var file: FilePath { folder.appending(Array("files/".utf8) + name) }
    package var info: FilePath {
        folder.appending(Array("info/".utf8) + name + Array(".trashinfo".utf8))
    }

    /// Whether the file of the entry is still in the trash.
    package var isThere: Bool { FileIdentity(of: file) == identity }
}

extension FileIdentity {
    /// The file at a path, a link as itself; nil if there is none.
    package init?(of path: FilePath) {
        guard let info = FileStatus.withoutLinks(path) else { return nil }
        self.init(info)
    }
}

/// The status of files (stat(2)).
enum FileStatus {
    /// The status of the file at a path, of a link its own; nil if there is none.
    static func withoutLinks(_ path: FilePath) -> stat? {
        var info = stat()
        return path.withCString { lstat($0, &info) } == 0 ? info : nil
    }
}
