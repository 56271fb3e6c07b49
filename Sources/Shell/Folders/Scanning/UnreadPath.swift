import FileAccess
import Glibc
import SystemCalls

/// A path that could not be read: a given one, or that of a folder found in a given one.
struct UnreadPath: Hashable {
    let path: FilePath
    /// The number of the given path.
    let root: Int
    /// Whether the path does not answer for now: its server tells when it does.
    let isStalled: Bool
    /// Whether the pictures that were listed before stay listed.
    let isKept: Bool
    /// Whether the file system of the path is not mounted, so that the path leads to another folder.
    var isUnmounted = false

    /// A path that is gone loses its pictures, unless they are to stay; one that cannot be read, as on a
    /// network share that is disconnected, keeps them.
    init(_ path: FilePath, root: Int, _ error: SystemError, keepsVanished: Bool) {
        (self.path, self.root) = (path, root)
        isStalled = error == FolderClient.stalled
        isKept = keepsVanished || ![ENOENT, ENOTDIR].contains(error.code)
    }

    /// Whether the pictures of a folder stay listed, because the folder may not have been read.
    func keeps(_ folder: Folder) -> Bool {
        guard isKept, folder.root == root else { return false }
        return folder.isGivenFile || folder.prefix.starts(with: path.bytes)
    }

    /// Whether to look whether the path can be read.
    var isLookedAt: Bool { !isStalled && !isUnmounted }
}
