import CLinux
import Glibc

/// Replaces files as a whole: a reader sees the old contents or the new ones, never a part.
///
/// The new file is written beside the old one and renamed over it, so that a failure leaves the old
/// file unchanged. A symbolic link is itself replaced, not the file that the link leads to.
package enum FileReplacement {
    /// Replaces a file, or makes it, with a mode; by default readable by the user only.
    ///
    /// With `isSynced` the contents survive a loss of power: they are on the disk before the rename.
    package static func write(
        _ bytes: [UInt8], to path: [UInt8], mode: UInt32 = 0o600, isSynced: Bool
    ) throws(SystemError) {
        var temporary = temporaryName(beside: path)
        let descriptor = try reporting { clinux_make_temporary(&temporary) }
        do throws(SystemError) {
            if mode != 0o600 { try reporting { fchmod(descriptor, mode) } }
            try fill(descriptor, with: bytes, isSynced: isSynced)
            try reporting { path.withPathString { rename(temporary, $0) } }
        } catch {
            unlink(temporary)
            throw error
        }
        if isSynced { syncFolder(of: path) }
    }

    /// A pattern of mkostemp(3) beside a file: the name of the file, cut where the pattern would have more
    /// than 143 bytes, the longest name of eCryptfs.
    package static func temporaryName(beside path: [UInt8]) -> [CChar] {
        let start = path.lastIndex(of: separator).map { $0 + 1 } ?? 0
        let suffix = Array(".XXXXXX".utf8)
        var end = min(path.count, start + 143 - suffix.count)
        // A part of a character is no name for some file systems.
        while end < path.count, end > start, path[end] & 0xC0 == 0x80 { end -= 1 }
        return (path[..<end] + suffix + [0]).map { CChar(bitPattern: $0) }
    }

    /// Writes and closes a file.
    private static func fill(
        _ descriptor: Int32, with bytes: [UInt8], isSynced: Bool
    ) throws(SystemError) {
        do throws(SystemError) {
            try writeAll(bytes, to: descriptor)
            if isSynced { try reporting { retrying { fsync(descriptor) } } }
        } catch {
            close(descriptor)
            throw error
        }
        // Some file systems report a full disk only at this point.
        try reporting { close(descriptor) }
    }

    /// Makes the rename last, where the file system can.
    package static func syncFolder(of path: [UInt8]) {
        let folder = path.lastIndex(of: separator).map { Array(path[...$0]) } ?? [UInt8(ascii: ".")]
        let descriptor = folder.withPathString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Makes a folder and its parents, accessible by the user only; existing folders keep their mode.
    ///
    /// Reports no errors, because opening a file in the folder does.
    package static func makeFolders(_ path: [UInt8]) {
        do throws(SystemError) {
            try reporting { path.withPathString { mkdir($0, 0o700) } }
            return
        } catch { guard error.code == ENOENT else { return } }
        guard let end = path.lastIndex(of: separator), end > 0 else { return }
        makeFolders(Array(path[..<end]))
        _ = path.withPathString { mkdir($0, 0o700) }
    }

    private static let separator = UInt8(ascii: "/")
}

extension [UInt8] {
    /// Calls `body` with the bytes of a path as a C string, which ends at the first NUL.
    package func withPathString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (self + [0]).withUnsafeBytes { buffer in
            // The buffer is never empty, because it contains the terminating NUL.
            body(buffer.assumingMemoryBound(to: CChar.self).baseAddress.unsafelyUnwrapped)
        }
    }
}
