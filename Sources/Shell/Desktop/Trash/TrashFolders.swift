import Folders
import Glibc
import SystemCalls

/// The trash folders in which a file of this user can be.
enum TrashFolders {
    /// The trash in the home folder; nil without a home.
    static func home(_ variable: (String) -> String? = Environment.value) -> FilePath? {
        if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") {
            return FilePath(data).appending(Array("Trash".utf8))
        }
        guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
        return FilePath(home).appending(Array(".local/share/Trash".utf8))
    }

    /// The trash folders that exist and may have the file at a path, whose folder is on `device`.
    static func candidates(for path: FilePath, on device: UInt64) -> [FilePath] {
        var folders = [home()].compactMap(\.self)
        if let top = top(of: path, on: device) {
            let user = Array("\(getuid())".utf8)
            if isShared(top.appending(Array(".Trash".utf8))) {
                folders.append(top.appending(Array(".Trash/".utf8) + user))
            }
            folders.append(top.appending(Array(".Trash-".utf8) + user))
        }
        return folders.filter { isOwn($0) }
    }

    /// The uppermost folder of the file system of the file at an absolute path.
    static func top(of path: FilePath, on device: UInt64) -> FilePath? {
        let separator = UInt8(ascii: "/")
        guard path.bytes.first == separator else { return nil }
        var top: FilePath?
        var end = path.bytes.count
        while let slash = path.bytes[..<end].lastIndex(of: separator) {
            let folder = FilePath(Array(path.bytes[..<max(slash, 1)]))
            var info = stat()
            guard folder.withCString({ stat($0, &info) }) == 0, UInt64(info.st_dev) == device else {
                return top
            }
            top = folder
            guard slash > 0 else { return top }
            end = slash
        }
        return top
    }

    /// Whether the trash of all users is what the specification demands: a folder, no link, with the
    /// sticky bit.
    private static func isShared(_ folder: FilePath) -> Bool {
        FileStatus.withoutLinks(folder).map { $0.isFolder && $0.st_mode & S_ISVTX != 0 } ?? false
    }

    /// Whether a trash folder belongs to this user, and is no link, except for that in the home folder.
    private static func isOwn(_ folder: FilePath) -> Bool {
        var info = stat()
        let status =
            folder == home()
            ? folder.withCString { stat($0, &info) } : folder.withCString { lstat($0, &info) }
        return status == 0 && info.isFolder && info.st_uid == getuid()
    }
}
