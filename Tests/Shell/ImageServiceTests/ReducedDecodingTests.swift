import Geometry
import ImageTypes
import Testing

@testable import ImageService

/// Which pictures of a slideshow are decoded for the screen alone.
@Suite struct ReducedDecodingTests {
    private var reduction = ReducedDecoding()

    private func info(_ width: Int, _ height: Int) -> PictureInfo {
        PictureInfo(
            size: PixelSize(width: width, height: height), orientation: .upright, format: "JPEG")
    }

    @Test mutating func aPhotographTakesAsMuchAsTheScreen() {
        #expect(reduction.begin(1) == nil)
        reduction.side = 1920
        #expect(reduction.begin(1) == 1920)
        let bytes = reduction.note(info(6000, 4000), of: 1)
        // 1920 × 1280 pixels and a third more for the mip levels.
        #expect(bytes.map { (9_800_000...13_500_000).contains($0) } == true)
        #expect(reduction.side(of: 1) == 1920)
    }

    @Test mutating func aSmallPictureIsWhole() {
        reduction.side = 1920
        _ = reduction.begin(1)
        _ = reduction.note(info(1920, 1080), of: 1)
        #expect(reduction.side(of: 1) == nil)
        let again = reduction.need(1, side: 100_000)
        #expect(!again)
    }

    @Test mutating func whatIsLookedAtCloserIsDecodedWholeOnce() {
        reduction.side = 1920
        _ = reduction.begin(1)
        _ = reduction.note(info(6000, 4000), of: 1)
        var again = reduction.need(1, side: 1950)
        #expect(!again)
        again = reduction.need(1, side: 2000)
        #expect(again)
        again = reduction.need(1, side: 3000)
        #expect(!again)
        #expect(reduction.begin(1) == nil)
        // Another time the picture is one of the slideshow again.
        reduction.keepOnly([2])
        #expect(reduction.begin(1) == 1920)
    }

    @Test mutating func aLargerScreenNeedsNoWholePictures() {
        reduction.side = 1920
        _ = reduction.begin(1)
        _ = reduction.note(info(6000, 4000), of: 1)
        reduction.side = 3840
        let again = reduction.need(1, side: 3840)
        #expect(again && reduction.begin(1) == 3840)
    }

    /// The first picture is decoded before the size of the screen is known.
    @Test mutating func aWholePictureOfASlideshowIsWasteful() {
        let large = PixelSize(width: 6000, height: 4000)
        let small = PixelSize(width: 2000, height: 9)
        _ = reduction.begin(1)
        #expect(!reduction.isWasteful(1, large))
        reduction.side = 1920
        #expect(reduction.isWasteful(1, large) && !reduction.isWasteful(1, small))
        _ = reduction.begin(1)
        #expect(!reduction.isWasteful(1, large))
        let again = reduction.need(1, side: 4000)
        #expect(again && !reduction.isWasteful(1, large))
    }

    @Test mutating func aChangedFileBeginsAnew() {
        reduction.side = 1920
        _ = reduction.begin(1)
        _ = reduction.note(info(6000, 4000), of: 1)
        _ = reduction.need(1, side: 4000)
        reduction.forget([1])
        #expect(reduction.begin(1) == 1920)
    }
}
