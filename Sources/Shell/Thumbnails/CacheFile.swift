import CLinux
import Glibc

/// Files as the cache reads and writes them; whatever fails, fails silently.
enum CacheFile {
    /// The first `limit` bytes of a file, fewer where it is shorter.
    static func read(_ descriptor: Int32, _ limit: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            while count < limit {
                let got = pread(
                    descriptor, buffer.baseAddress?.advanced(by: count), limit - count, count)
                if got < 0 && errno == EINTR { continue }
                if got <= 0 { return }
                count += got
            }
        }
    }

    /// Writes a file that is there whole or not at all, readable by the user alone.
    static func write(_ bytes: [UInt8], to path: [UInt8]) {
        var temporary = (path + Array(".XXXXXX".utf8) + [0]).map { CChar(bitPattern: $0) }
        let descriptor = clinux_make_temporary(&temporary)
        guard descriptor >= 0 else { return }
        let isWritten = writeAll(bytes, to: descriptor)
        // Some systems tell only now that there is no room.
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

    /// Makes a folder and those it lies in, for the user alone.
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
            // Never empty: the terminating NUL is in it.
            body(buffer.assumingMemoryBound(to: CChar.self).baseAddress.unsafelyUnwrapped)
        }
    }
}
