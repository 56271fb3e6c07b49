import CLinux
import Glibc

// Transfers that continue after short counts and interruptions, and that wait where a descriptor does
// not block: a pipe or a terminal may have got that flag from another program that shares it.

/// Fills `buffer` with the bytes of a file from `offset` on; the position of the file stays.
///
/// Returns the number of bytes: fewer than requested at the end of the file, and after an error in
/// the middle. Throws if the first read fails.
package func readBytes(
    of descriptor: Int32, from offset: Int = 0, into buffer: UnsafeMutableRawBufferPointer
) throws(SystemError) -> Int {
    var done = 0
    while done < buffer.count {
        let count = retrying {
            pread(
                descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done,
                off_t(offset + done))
        }
        if count < 0, done == 0 { throw .last }
        if count <= 0 { break }
        done += count
    }
    return done
}

/// The first `limit` bytes of a file; fewer if the file is shorter or cannot be read further.
package func firstBytes(of descriptor: Int32, limit: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
        let bytes = UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: limit)
        count = (try? readBytes(of: descriptor, into: bytes)) ?? 0
    }
}

/// Reads from the current position what is there, and waits for the first byte; returns 0 at the end.
package func readAvailable(
    of descriptor: Int32, into buffer: inout [UInt8]
) throws(SystemError) -> Int {
    while true {
        let count = retrying { read(descriptor, &buffer, buffer.count) }
        if count >= 0 { return count }
        try wait(for: POLLIN, of: descriptor, after: .last)
    }
}

/// Waits until a descriptor that does not block is ready; throws any other error.
private func wait(
    for events: Int32, of descriptor: Int32, after error: SystemError
) throws(SystemError) {
    guard error.code == EAGAIN else { throw error }
    waitUntilReady(descriptor, for: events)
}

/// Reads from the current position to the end of a file or pipe.
///
/// Throws the error of a failed read, and EFBIG for more than `limit` bytes.
package func readToEnd(of descriptor: Int32, limit: Int = .max) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = try readAvailable(of: descriptor, into: &chunk)
        if count == 0 { return bytes }
        bytes += chunk[..<count]
        guard bytes.count <= limit else { throw SystemError(code: EFBIG) }
    }
}

/// Writes all bytes at the current position; throws the error of a failed write.
package func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    var done = 0
    while done < bytes.count {
        let count = bytes.withUnsafeBytes { buffer in
            retrying {
                write(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
            }
        }
        guard count >= 0 else {
            try wait(for: POLLOUT, of: descriptor, after: .last)
            continue
        }
        // A write of nothing has no error number; a further one would not end.
        guard count > 0 else { throw SystemError(code: EIO) }
        done += count
    }
}

/// Maps the first `length` bytes of a file for reading and writing, shared with other processes.
///
/// The caller unmaps the memory with munmap(2).
package func mapShared(
    _ descriptor: Int32, length: Int
) throws(SystemError) -> UnsafeMutableRawPointer {
    let base = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let base, base != MAP_FAILED else { throw .last }
    return base
}
