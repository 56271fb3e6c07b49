import FileAccess
import Glibc
import SystemCalls

/// A given path that could not be read, in whole or in part.
struct UnreadPath: Hashable {
    /// Whether the path does not answer for now: its server tells when it does.
    let isStalled: Bool
    /// Whether the pictures that were listed before stay listed.
    let isKept: Bool
    /// Whether the file system of the path is not mounted, so that the path leads to another folder.
    var isUnmounted = false

    /// A path that is gone loses its pictures, unless they are to stay; one that cannot be read, as on a
    /// network share that is disconnected, keeps them.
    init(_ error: SystemError, keepsVanished: Bool) {
        isStalled = error == FolderClient.stalled
        isKept = keepsVanished || ![ENOENT, ENOTDIR].contains(error.code)
    }
}

/// A folder that other computers may change.
struct RemoteFolder: Hashable {
    var path: [UInt8]
    /// When the folder was last written; nil if unknown.
    var modified: FileModification?
}

/// When a folder was last written.
struct FileModification: Hashable {
    var seconds, nanoseconds: Int
}

/// When paths that could not be read, and folders that other computers may change, are looked at again.
///
/// Times are in milliseconds of the system's monotonic clock.
struct LookSchedule: Hashable {
    /// The pauses between looks at paths that could not be read; the last one repeats.
    var pauses: [Double] = [2000, 8000, 30_000, 60_000]
    /// The time between two looks at remote folders.
    var remotePause = 30_000.0
    /// The time in which a new file must not change.
    var restPause = 2000.0

    /// The next look; nil without a reason for one.
    private(set) var time: Double?
    /// How often unread paths were looked at in turn.
    private var looks = 0

    /// Plans the next look after everything was read, or looked at.
    mutating func plan(hasUnread: Bool, hasRemote: Bool, hasArrivals: Bool, now: Double) {
        if !hasUnread { looks = 0 }
        let times = [
            hasUnread ? pauses[min(looks, pauses.count - 1)] : nil, hasRemote ? remotePause : nil,
            hasArrivals ? restPause : nil,
        ]
        time = times.compactMap(\.self).min().map { now + $0 }
    }

    /// Whether a look is due; counts the look.
    mutating func isDue(at now: Double) -> Bool {
        guard let time, time <= now else { return false }
        looks += 1
        self.time = nil
        return true
    }
}
