import Geometry
import ImageTypes
import TestKit
import Testing

/// Pictures decoded by the decoder process, compared with the encoded pixels.
@Suite struct FormatTests {
    @Test(arguments: Orientation.allCases)
    func everyOrientationComesOutUpright(_ orientation: Orientation) throws {
        let card = TestPicture.card(72, 40)
        let file = card.stored(as: orientation).jpeg(quality: 100, orientation: orientation)
        let result = try Decoding(file)
        #expect(result.info?.orientation == orientation)
        #expect(result.info?.size == card.size)
        let bitmap = try #require(result.bitmaps.last)
        // The card's colours meet inside the JPEG blocks at the middle, which causes slight ringing.
        Conformance.expect(
            "JPEG", "orientation \(orientation.rawValue)", bitmap.largestDifference(from: card),
            atMost: 39, from: "the upright picture")
        #expect(result.message == nil && result.failure == nil)
    }

    @Test(arguments: Orientation.allCases)
    func orientedPicturesAreExactAtEveryPixel(_ orientation: Orientation) throws {
        // Grey has no chroma subsampling and flat blocks have no ringing: exact up to rounding.
        let card = TestPicture(size: PixelSize(width: 48, height: 24)) { x, y in
            let level = UInt8((x / 8 * 37 + y / 8 * 91) % 256)
            return (level, level, level)
        }
        let stored = card.stored(as: orientation)
        let grey = stride(from: 0, to: stored.pixels.count, by: 3).map { stored.pixels[$0] }
        let file = TestPicture.jpeg(
            grey, stored.size, components: 1, quality: 100, orientation: orientation)
        let bitmap = try #require(try Decoding(file).bitmaps.last)
        #expect(bitmap.largestDifference(from: card) <= 2)
    }

    @Test(arguments: [false, true])
    func progressiveAndBaselineLookAlike(_ progressive: Bool) throws {
        let photo = TestPicture.photograph(320, 200)
        let bitmap = try #require(
            try Decoding(photo.jpeg(quality: 98, progressive: progressive)).bitmaps.last)
        #expect(bitmap.largestDifference(from: photo) < 24)
    }

    @Test func invertedCMYKIsConverted() throws {
        // Adobe stores CMYK inverted: 255 is no coverage (white), K = 0 is full black.
        let samples: [UInt8] = (0..<64).flatMap { index -> [UInt8] in
            index % 8 < 4 ? [255, 255, 255, 255] : [255, 255, 255, 0]
        }
        let size = PixelSize(width: 8, height: 8)
        let bitmap = try #require(
            try Decoding(TestPicture.jpeg(samples, size, components: 4, quality: 100)).bitmaps.last)
        #expect(bitmap.pixel(1, 1).r > 245)
        #expect(bitmap.pixel(6, 6).r < 10)
    }

    @Test(arguments: [false, true])
    func pngIsExact(_ interlaced: Bool) throws {
        let photo = TestPicture.photograph(123, 77)
        let result = try Decoding(photo.png(interlaced: interlaced))
        let bitmap = try #require(result.bitmaps.last)
        #expect(bitmap.format == .rgb24)
        #expect(bitmap.largestDifference(from: photo) == 0)
        #expect(bitmap.pixel(0, 0).a == 255)
    }

    @Test func alphaIsPremultiplied() throws {
        let samples: [UInt8] = [255, 128, 0, 128, 10, 20, 30, 0, 200, 100, 50, 255, 1, 2, 3, 4]
        let bitmap = try #require(
            try Decoding(
                TestPicture.png(samples, PixelSize(width: 2, height: 2), colorType: 6)
            ).bitmaps.last)
        #expect(bitmap.format == .argb32)
        #expect(bitmap.pixel(0, 0) == (128, 128, 64, 0))
        #expect(bitmap.pixel(1, 0) == (0, 0, 0, 0))
        #expect(bitmap.pixel(0, 1) == (255, 200, 100, 50))
    }

    @Test func sixteenBitsGreyAndPalettesComeOutRight() throws {
        let size = PixelSize(width: 2, height: 1)
        let deep = TestPicture.png(
            [0xFF, 0xFF, 0x80, 0, 0, 0, 0x40, 0x40, 0, 0, 0xC0, 0xC0], size, colorType: 2,
            bitDepth: 16)
        let bitmap = try #require(try Decoding(deep).bitmaps.last)
        // 0x8000 lies between 127 and 128 and is dithered to one of them.
        let first = bitmap.pixel(0, 0)
        #expect(first == (255, 255, 128, 0) || first == (255, 255, 127, 0))
        #expect(bitmap.pixel(1, 0) == (255, 64, 0, 192))
        let grey = try #require(
            try Decoding(TestPicture.png([7, 250], size, colorType: 0)).bitmaps.last)
        #expect(grey.pixel(1, 0) == (255, 250, 250, 250))
        var palette = [UInt8](repeating: 0, count: 768)
        palette.replaceSubrange(15..<18, with: [9, 99, 199])
        let indexed = try #require(
            try Decoding(
                TestPicture.png([5, 0], size, colorType: 3, palette: palette)
            ).bitmaps.last)
        #expect(indexed.pixel(0, 0) == (255, 9, 99, 199))
    }

    @Test func mipLevelsAreMeansOfFourPixels() throws {
        let photo = TestPicture.photograph(201, 131)
        let bitmap = try #require(try Decoding(photo.png()).bitmaps.last)
        #expect(bitmap.levels.map(\.mipLevel) == [0, 1, 2])
        #expect(bitmap.levels[1].size == PixelSize(width: 101, height: 66))
        for (x, y) in [(0, 0), (50, 33), (100, 65), (100, 10), (3, 65)] {
            var sum = 0
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                sum += photo.color(min(2 * x + dx, 200), min(2 * y + dy, 130)).r
            }
            #expect(abs(bitmap.pixel(x, y, level: 1).r - (sum + 2) / 4) <= 0)
        }
    }

    @Test func aSmallSurfaceGetsAReducedPictureFirst() throws {
        let photo = TestPicture.photograph(1600, 1200)
        let result = try Decoding(
            photo.jpeg(quality: 85), target: PixelSize(width: 200, height: 150))
        #expect(result.bitmaps.count == 2)
        #expect(result.bitmaps.first?.levels.first?.mipLevel == 3)
        #expect(result.bitmaps.first?.size == photo.size)
        #expect(result.bitmaps.last?.levels.first?.mipLevel == 0)
        // Without a saving from the reduction, only the full picture is decoded.
        let large = try Decoding(
            photo.jpeg(quality: 85), target: PixelSize(width: 800, height: 600))
        #expect(large.bitmaps.count == 1)
    }

    @Test func veryWidePicturesAreShownReduced() throws {
        let strip = TestPicture(size: PixelSize(width: 40000, height: 2)) { x, _ in
            (UInt8(x / 200), 50, 50)
        }
        let bitmap = try #require(try Decoding(strip.png()).bitmaps.last)
        #expect(bitmap.size == strip.size)
        #expect(bitmap.levels[0].size == PixelSize(width: 20000, height: 1))
        #expect(abs(bitmap.pixel(10000, 0).r - 100) <= 1)
    }

    /// A truncated progressive picture is shown; `PreviewDeliveryTests` tests its previews.
    @Test func aTruncatedProgressivePictureIsShown() throws {
        let picture = TestPicture.card(2400, 1600)
        let file = picture.jpeg(quality: 92, orientation: .rotatedLeft, progressive: true)
        let decoding = try Decoding(file)
        #expect(decoding.bitmaps.last?.levels[0].mipLevel == 0 && decoding.message == nil)
        let cut = try Decoding(Array(file.prefix(file.count / 3)))
        #expect(!cut.bitmaps.isEmpty && cut.message != nil)
    }
}
