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

    @Test func requestsThatAreDroppedCloseTheirDescriptors() {
        let delivery = FileDelivery(nil)
        delivery.hold(.open(id: 1), .file(Array("/nothing.png".utf8)))
        let backingFile = anyDescriptor()
        #expect(delivery.keep(.backingFile(id: 1), owning: backingFile))
        delivery.drop()
        #expect(!isOpen(backingFile))
        #expect(delivery.takeFollowers().isEmpty)
    }

    private func anyDescriptor() -> Int32 { open("/dev/null", O_RDONLY | O_CLOEXEC) }
}
