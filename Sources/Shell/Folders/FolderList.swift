import Glibc
package import SystemCalls

/// The subfolders of a folder, for a person who chooses a folder.
package struct FolderList: Sendable {
    /// From the root on, without a separator at the end.
    package let path: FilePath
    /// In the order of their names, without hidden ones.
    package private(set) var folders: [Subfolder] = []
    /// Whether files can be written into the folder.
    package private(set) var isWritable = false
    /// Why the folder cannot be read; nil if it can.
    package private(set) var problem: SystemError?

    /// More subfolders are left out.
    private static let most = 2000

    /// Reads a folder; waits for the file system.
    package init(reading path: FilePath) {
        self.path = Self.path(of: path)
        do throws(SystemError) {
            folders = try Self.folders(in: path).sorted(by: .environment)
            isWritable = path.withCString { access($0, W_OK | X_OK) } == 0
        } catch { problem = error }
    }

    /// A path without separators at its end.
    package static func path(of folder: FilePath) -> FilePath {
        let trimmed = folder.bytes.reversed().drop { $0 == UInt8(ascii: "/") }
        return trimmed.isEmpty ? folder : FilePath(Array(trimmed.reversed()))
    }

    private static func folders(in path: FilePath) throws(SystemError) -> [Subfolder] {
        let stream = try reporting { path.withCString { opendir($0) } }
        defer { closedir(stream) }
        let prefix = path.folderPrefix
        var folders: [Subfolder] = []
        while folders.count < most, let entry = try nextEntry(of: stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            let folder = Subfolder(name: name, prefix: prefix)
            if name.first != UInt8(ascii: "."), isFolder(entry.pointee.d_type, folder.path) {
                folders.append(folder)
            }
        }
        return folders
    }

    /// Links to folders count.
    private static func isFolder(_ type: UInt8, _ path: FilePath) -> Bool {
        switch Int(type) {
        case Int(DT_DIR): return true
        case Int(DT_LNK), Int(DT_UNKNOWN):
            var info = stat()
            return path.withCString { stat($0, &info) } == 0 && info.st_mode & S_IFMT == S_IFDIR
        default: return false
        }
    }
}
