import DecodeService
import Geometry
import Glibc
import ImageTypes
import SystemCalls
import Testing

@testable import ImageWire

/// The picture with which a fork server warms up.
@Suite struct WarmUpTests {
    @Test func thePictureIsValid() throws {
        let decoded = try Decoding(GreyJPEG.bytes)
        #expect(decoded.failure == nil && decoded.message == nil)
        let bitmap = try #require(decoded.bitmaps.last)
        #expect(bitmap.size == PixelSize(width: 64, height: 64))
        #expect(bitmap.pixel(0, 0) == (255, 128, 128, 128))
        #expect(bitmap.pixel(63, 63) == (255, 128, 128, 128))
    }

    /// The warm-up takes the way of a thumbnail to its end.
    @Test func aThumbnailOfThePictureIsMade() throws {
        let (ours, theirs) = try PacketSocket.pair()
        defer { close(ours) }
        DecoderServer.warmUp(for: theirs)
        close(theirs)
        var replies: [DecodeReply] = []
        while case .message(let bytes, let descriptor) = PacketSocket.receive(
            from: ours, limit: longestMessage)
        {
            if descriptor >= 0 { close(descriptor) }
            replies.append(try DecodeReply(bytes))
        }
        guard case .info(0, let info)? = replies.first,
            case .pixels(0, isFinal: true)? = replies.dropFirst().first
        else { throw WireError() }
        #expect(info.size == PixelSize(width: 64, height: 64))
        #expect(replies.last == .finished(id: 0, message: nil) && replies.count == 3)
    }
}
