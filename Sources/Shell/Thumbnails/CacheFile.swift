import CLinux
import Glibc
import SystemCalls

/// File access of the cache; failures are silent.
enum CacheFile {
    /// Writes a file atomically, readable by the user only.
    static func write(_ bytes: [UInt8], to path: [UInt8]) {
        var temporary = (path + Array(".XXXXXX".utf8) + [0]).map { CChar(bitPattern: $0) }
        let descriptor = clinux_make_temporary(&temporary)
        guard descriptor >= 0 else { return }
        let isWritten = (try? writeAll(bytes, to: descriptor)) != nil
        // Some file systems report a full disk only at this point.
        let isClosed = close(descriptor) == 0
        let isKept =
            isWritten && isClosed && withCString(path) { rename(temporary, $0) == 0 }
        if !isKept { unlink(temporary) }
    }

    /// Makes a folder and its parents, accessible by the user only.
    static func makeFolders(_ path: [UInt8]) {
        do throws(SystemError) {
            try reporting { withCString(path) { mkdir($0, 0o700) } }
            return
        } catch { guard error.code == ENOENT else { return } }
        guard let end = path.lastIndex(of: UInt8(ascii: "/")), end > 0 else { return }
        makeFolders(Array(path[..<end]))
        _ = withCString(path) { mkdir($0, 0o700) }
    }

    static func withCString<Result>(
        _ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result
    ) -> Result {
        (path + [0]).withUnsafeBytes { buffer in
            // The buffer is never empty, because it contains the terminating NUL.
            body(buffer.assumingMemoryBound(to: CChar.self).baseAddress.unsafelyUnwrapped)
        }
    }
}
