import Geometry
import ImageService
import ImageTypes
import SceneModel
import Testing

@Suite struct PixelCacheTests {
    private var cache = PixelCache()

    @Test mutating func eachBitmapHasASourceOfItsOwn() throws {
        #expect(cache.source(of: 7) == nil)
        cache.insert(Self.bitmap(2), of: 7, isAnimated: false)
        let first = try #require(cache.source(of: 7))
        #expect(first.picture == 7)
        #expect(cache.bitmap(first)?.size.width == 2)
        cache.insert(Self.bitmap(4), of: 7, isAnimated: false)
        let second = try #require(cache.source(of: 7))
        #expect(second != first)
        #expect(cache.bitmap(first) == nil)
        #expect(cache.bitmap(second)?.size.width == 4)
        #expect(cache.bitmap(7)?.size.width == 4)
    }

    @Test mutating func aPictureIsCompleteUntilItIsInvalidated() {
        cache.insert(Self.bitmap(2), of: 1, isAnimated: true)
        #expect(!cache.isComplete(1) && !cache.isAnimated(1))
        cache.complete(1)
        #expect(cache.isComplete(1) && cache.isAnimated(1))
        cache.invalidate(1)
        #expect(!cache.isComplete(1) && !cache.isAnimated(1))
        #expect(cache.bitmap(1) != nil)
    }

    /// The picture may have been dropped while its last pixels were decoded.
    @Test mutating func aPictureWithoutPixelsIsNeverComplete() {
        cache.complete(1)
        #expect(!cache.isComplete(1))
        #expect(cache.consumeUnprefaulted().isEmpty)
    }

    @Test mutating func picturesAreDropped() {
        for id in 1...4 { cache.insert(Self.bitmap(2), of: id, isAnimated: false) }
        cache.keepOnly([1, 2, 3])
        cache.remove([3])
        #expect((1...4).map { cache.bitmap($0) != nil } == [true, true, false, false])
    }

    @Test mutating func eachPictureIsPrefaultedOnce() {
        for id in 1...3 { cache.insert(Self.bitmap(2), of: id, isAnimated: false) }
        cache.complete(1)
        cache.complete(3)
        #expect(cache.consumeUnprefaulted().count == 2)
        #expect(cache.consumeUnprefaulted().isEmpty)
    }

    /// The memory of one pixel, which all bitmaps share: the cache does not read pixels.
    private final class OnePixel: PixelMemory {
        var bytes: UnsafeRawBufferPointer { Self.pixel }

        // Never written and never freed.
        nonisolated(unsafe) private static let pixel = UnsafeRawBufferPointer(
            UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 4))
    }

    private static func bitmap(_ side: Int) -> Bitmap {
        let level = Bitmap.Level(
            mipLevel: 0, size: PixelSize(width: 1, height: 1), stride: 4, offset: 0)
        return Bitmap(
            size: PixelSize(width: side, height: side), format: .rgb24, levels: [level],
            memory: OnePixel())
    }
}
