/// An operation that the kernel asks of the file system; the raw value is its number in linux/fuse.h.
package enum Operation: UInt32, CaseIterable, Sendable {
    /// Finds a name in a folder. Each part of a path is looked up each time, as nothing is cached.
    case lookup = 1
    /// stat(2) of a file that was looked up.
    case getattr = 3
    case readlink = 5
    case open = 14
    case read = 15
    case statfs = 17
    /// The last descriptor of a file was closed; no process waits for the answer.
    case release = 18
    /// A descriptor is closed; close(2) waits for the answer.
    case flush = 25
    case opendir = 27
    case readdir = 28
    case releasedir = 29
}
