import FileAccess
import Glibc
import ImageWire
import Testing

@testable import DecodeClient

/// The requests that are made before the decoder has its file.
@Suite struct FileDeliveryTests {
    private func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }

    /// The decoder's info may arrive before the file server's reply, and the backing file follows the
    /// info at once.
    @Test func aKeptRequestKeepsItsDescriptor() throws {
        let delivery = FileDelivery(nil)
        delivery.hold(.open(id: 1), .file(Array("/nothing.png".utf8)))
        let backingFile = anyDescriptor()
        #expect(delivery.keep(.backingFile(id: 1), owning: backingFile))
        let followers = delivery.takeFollowers()
        try #require(followers.count == 1)
        #expect(followers[0].descriptor == backingFile && isOpen(backingFile))
        close(backingFile)
    }

    /// The end of a pipe tells that the other end is closed; the number of a descriptor may be in use again.
    @Test func requestsThatAreDroppedCloseTheirDescriptors() throws {
        let delivery = FileDelivery(nil)
        delivery.hold(.open(id: 1), .file(Array("/nothing.png".utf8)))
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        _ = ends.map { fcntl($0, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        #expect(delivery.keep(.backingFile(id: 1), owning: ends[1]))
        var end = pollfd(fd: ends[0], events: 0, revents: 0)
        #expect(poll(&end, 1, 0) == 0)
        delivery.drop()
        // A process that another test is just starting may have a copy for a moment.
        #expect(poll(&end, 1, 5000) == 1 && end.revents & Int16(POLLHUP) != 0)
        #expect(delivery.takeFollowers().isEmpty)
    }

    private func anyDescriptor() -> Int32 { open("/dev/null", O_RDONLY | O_CLOEXEC) }
}
