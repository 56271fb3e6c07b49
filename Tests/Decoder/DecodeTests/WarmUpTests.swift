import DecodeService
import Geometry
import ImageTypes
import Testing

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
}
