import CLinux
import Glibc
import Synchronization
import SystemCalls

/// Folders of strangers, such as a medium that a visitor of a kiosk has plugged in.
///
/// A symbolic link on such a medium may lead to any file of the user. Nothing below these folders is
/// reached through a link.
enum UntrustedFolders {
    private static let folders = Mutex<[[UInt8]]>([])
    /// The most folders; further ones replace the oldest.
    private static let most = 64

    /// Adds a folder, a path without a trailing separator.
    static func add(_ folder: [UInt8]) {
        folders.withLock { folders in
            guard !folder.isEmpty, !folders.contains(folder) else { return }
            if folders.count == most { folders.removeFirst() }
            folders.append(folder)
        }
    }

    /// Whether a path leads into such a folder, or to the folder itself.
    static func contain(_ path: [UInt8]) -> Bool {
        folders.withLock { folders in
            folders.contains { folder in
                path.starts(with: folder)
                    && (path.count == folder.count || path[folder.count] == UInt8(ascii: "/"))
            }
        }
    }

    /// stat(2) of a path that is followed only if it is trusted; returns 0, or -1 with the number of the error set.
    static func status(of path: [UInt8], _ info: inout stat) -> Int32 {
        let isTrusted = !contain(path)
        return path.withPathString {
            isTrusted ? stat($0, &info) : clinux_stat_without_links($0, &info)
        }
    }
}
