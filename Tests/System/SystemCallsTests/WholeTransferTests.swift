import CLinux
import Glibc
import SystemCalls
import Testing
import Threads

@Suite struct WholeTransferTests {
    /// Calls `body` with a memory file and closes the file.
    private func withFile(_ body: (Int32) throws -> Void) throws {
        let descriptor = try reporting { clinux_memfd_create("test") }
        defer { close(descriptor) }
        try body(descriptor)
    }

    /// More than one chunk of `readToEnd`.
    private static let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    @Test func filesAreWrittenAndReadCompletely() throws {
        try withFile { file in
            try writeAll(Self.bytes, to: file)
            #expect(firstBytes(of: file, limit: 1 << 20) == Self.bytes)
            #expect(firstBytes(of: file, limit: 10) == Array(Self.bytes[..<10]))
            lseek(file, 0, SEEK_SET)
            #expect(try readToEnd(of: file) == Self.bytes)
        }
    }

    @Test func readsBeginAtTheirOffset() throws {
        try withFile { file in
            try writeAll(Self.bytes, to: file)
            var buffer = [UInt8](repeating: 0, count: 10)
            let count = try buffer.withUnsafeMutableBytes {
                try readBytes(of: file, from: Self.bytes.count - 4, into: $0)
            }
            #expect(count == 4 && Array(buffer[..<4]) == Self.bytes.suffix(4))
        }
    }

    @Test func longFilesAreRefused() throws {
        try withFile { file in
            try writeAll(Self.bytes, to: file)
            lseek(file, 0, SEEK_SET)
            #expect(throws: SystemError(code: EFBIG)) { try readToEnd(of: file, limit: 1000) }
        }
    }

    @Test func failuresAreReported() throws {
        let unreadable = try reporting { open("/dev/null", O_WRONLY | O_CLOEXEC) }
        defer { close(unreadable) }
        #expect(throws: SystemError(code: EBADF)) { try readToEnd(of: unreadable) }
        #expect(firstBytes(of: unreadable, limit: 10).isEmpty)
        let full = try reporting { open("/dev/full", O_RDWR | O_CLOEXEC) }
        defer { close(full) }
        #expect(throws: SystemError(code: ENOSPC)) { try writeAll([1], to: full) }
        try writeAll([], to: -1)
        #expect(throws: SystemError(code: EINVAL)) { try mapShared(full, length: 0) }
    }

    /// The flag of a pipe or a terminal may come from another program that shares it.
    @Test func descriptorsThatDoNotBlockAreWaitedFor() throws {
        var ends: [Int32] = [-1, -1]
        try reporting { pipe(&ends) }
        let (reading, writing) = (ends[0], ends[1])
        defer { close(reading) }
        for end in ends { try reporting { clinux_set_nonblocking(end, 1) } }
        // More than a pipe holds, so that both sides have to wait for the other one.
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13 >> 3) }
        let isWriting = Thread.start {
            usleep(20_000)
            try? writeAll(bytes, to: writing)
            close(writing)
        }
        try #require(isWriting)
        #expect(try readToEnd(of: reading) == bytes)
    }

    @Test func mappingsShareTheFile() throws {
        try withFile { file in
            try writeAll([1, 2, 3], to: file)
            let memory = try mapShared(file, length: 3)
            defer { munmap(memory, 3) }
            memory.storeBytes(of: 9, as: UInt8.self)
            #expect(firstBytes(of: file, limit: 3) == [9, 2, 3])
        }
    }
}
