import CLinux
import Glibc

/// File access of the cache; failures are silent.
enum CacheFile {
    /// The first `limit` bytes of a file, or all bytes of a shorter one.
    static func read(_ descriptor: Int32, _ limit: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            while count < limit {
                let length = pread(
                    descriptor, buffer.baseAddress?.advanced(by: count), limit - count, count)
                if length < 0 && errno == EINTR { continue }
                if length <= 0 { return }
                count += length
            }
        }
    }

    /// Writes a file atomically, readable by the user only.
    static func write(_ bytes: [UInt8], to path: [UInt8]) {
        var temporary = (path + Array(".XXXXXX".utf8) + [0]).map { CChar(bitPattern: $0) }
        let descriptor = clinux_make_temporary(&temporary)
        guard descriptor >= 0 else { return }
        let isWritten = writeAll(bytes, to: descriptor)
        // Some file systems report a full disk only at this point.
        let isClosed = close(descriptor) == 0
        let isKept =
            isWritten && isClosed && withCString(path) { rename(temporary, $0) == 0 }
        if !isKept { unlink(temporary) }
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var done = 0
        return bytes.withUnsafeBytes { bytes in
            while done < bytes.count {
                let count = Glibc.write(
                    descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
                if count < 0 && errno == EINTR { continue }
                if count <= 0 { return false }
                done += count
            }
            return true
        }
    }

    /// Makes a folder and its parents, accessible by the user only.
    static func makeFolders(_ path: [UInt8]) {
        if withCString(path, { mkdir($0, 0o700) }) == 0 || errno != ENOENT { return }
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
