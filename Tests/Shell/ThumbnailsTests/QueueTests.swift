import DecodeClient
import Geometry
import Glibc
import ImageTypes
import TestKit
import Testing

@testable import Thumbnails

/// Thumbnails through the real decoder.
@Suite struct QueueTests {
    private let stage = QueueStage()
    private let card = TestPicture.card(800, 500)

    @Test(arguments: Orientation.allCases)
    func thumbnailsAreUprightAndOfTheRightSize(_ orientation: Orientation) throws {
        let file = card.stored(as: orientation).jpeg(quality: 95, orientation: orientation)
        stage.add(0, "a.jpg", file)
        stage.get([0], side: 200, stage.queue())
        let bitmap = try #require(stage.bitmaps[0])
        #expect(bitmap.size == PixelSize(width: 256, height: 160))
        for (x, y) in [(30, 30), (220, 30), (30, 130), (220, 130)] {
            #expect(bitmap.isNear(x, y, card.color(x * 800 / 256, y * 500 / 160)))
        }
    }

    /// Large PNGs are scaled row by row, as they are stored.
    @Test(arguments: Orientation.allCases)
    func largePNGsAreUprightToo(_ orientation: Orientation) throws {
        let bare = card.stored(as: orientation).png()
        let exif: [UInt8] =
            Array("eXIfMM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1]
            + [0, orientation.rawValue, 0, 0, 0, 0, 0, 0]
        // Behind the header; the checksum may be wrong.
        let length = [0, 0, 0, UInt8(exif.count - 4)]
        stage.add(0, "a.png", Array(bare[..<33]) + length + exif + [0, 0, 0, 0] + bare[33...])
        stage.get([0], side: 128, stage.queue())
        let bitmap = try #require(stage.bitmaps[0])
        #expect(bitmap.size == PixelSize(width: 128, height: 80))
        for (x, y) in [(30, 20), (100, 20), (30, 60), (100, 60)] {
            #expect(bitmap.isNear(x, y, card.color(x * 800 / 128, y * 500 / 80), within: 2))
        }
    }

    /// More than the largest size of the cache is decoded for exactly this size, and is not stored.
    @Test func aLargerSideIsDecodedExactly() throws {
        stage.add(0, "a.png", TestPicture.card(2000, 1250).png())
        let queue = stage.queue()
        stage.get([0], side: 1024, queue)
        #expect(stage.bitmaps[0]?.size == PixelSize(width: 1024, height: 640))
        #expect(stage.waitFor(stage.thumbnailPath(0, "xx-large")) != nil)
        let sharp = stage.wants([0], side: 1500)
        queue.want(sharp)
        stage.run(queue) { queue.isSettled(sharp[0]) }
        #expect(stage.bitmaps[0]?.size.width == 1500)
        // Another queue takes the stored one first.
        let other = stage.queue()
        let want = stage.wants([0], side: 1200)
        stage.order = []
        other.want(want)
        stage.run(other) { other.isSettled(want[0]) }
        #expect(stage.order == [0, 0] && stage.bitmaps[0]?.size.width == 1200)
    }

    /// The file has become unreadable: the thumbnail stays.
    @Test func withoutSharperPixelsTheThumbnailStays() throws {
        let path = stage.add(0, "a.png", TestPicture.card(2000, 1250).png())
        let queue = stage.queue()
        stage.get([0], side: 1024, queue)
        unlink(path)
        let want = stage.wants([0], side: 1500)
        queue.want(want)
        stage.run(queue) { queue.isSettled(want[0]) }
        #expect(queue.isSettled(want[0]) && queue.brokenReason(want[0].key) == nil)
        #expect(queue.bitmap(want[0].key)?.size.width == 1024)
    }

    /// Requests beyond the budget wait; the nearest one is made.
    @Test func theBudgetCountsTheShapesOfLargePictures() throws {
        for index in 0..<3 {
            stage.add(index, "\(index).png", TestPicture.card(2000, 500).png())
        }
        let queue = stage.queue(budget: 16 << 20)
        // 2000 × 500 with mip levels take 5.3 MB, a square would take 21 MB.
        var wants = stage.wants([0, 1, 2], side: 2000)
        for index in wants.indices { wants[index].proportion = 0.25 }
        queue.want(wants)
        stage.run(queue) { wants.prefix(2).allSatisfy { queue.isSettled($0) } }
        #expect(wants.prefix(2).allSatisfy { queue.isSettled($0) })
        #expect(queue.bytesInMemory <= 16 << 20)
    }

    @Test func interlacedPNGsAreScaledToo() throws {
        stage.add(0, "a.png", card.png(interlaced: true))
        stage.get([0], side: 128, stage.queue())
        let bitmap = try #require(stage.bitmaps[0])
        #expect(bitmap.size == PixelSize(width: 128, height: 80))
        #expect(bitmap.isNear(30, 60, card.color(188, 375), within: 2))
    }

    @Test func aTruncatedLargePNGShowsItsFirstRows() throws {
        let file = TestPicture.photograph(900, 600).png()
        stage.add(0, "a.png", Array(file.prefix(file.count / 2)))
        stage.get([0], side: 128, stage.queue())
        let bitmap = try #require(stage.bitmaps[0])
        #expect(bitmap.color(60, 10).r > 0)
        #expect(bitmap.color(60, 84) == (0, 0, 0))
    }

    /// A picture file whose second half is missing.
    private func half(_ format: String) -> [UInt8] {
        let (width, height) = (400, 300)
        let row = [UInt8](repeating: 200, count: width * 3)
        let pixels = (0..<(height / 2)).flatMap { _ in row }
        switch format {
        case "jpg", "png":
            let picture = TestPicture.photograph(width, height)
            let file = format == "jpg" ? picture.jpeg() : picture.png()
            return Array(file.prefix(file.count / 2))
        case "bmp":
            func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 255) } }
            let sizes = little(54) + little(40) + little(width) + little(height)
            let head = Array("BM".utf8) + little(54 + width * height * 3) + little(0)
            let rest = [1, 0, 24, 0] + [UInt8](repeating: 0, count: 24) + pixels
            return head + sizes + rest
        default:
            var page = TestTIFF.Page(
                width: width, height: height, bits: 8, samples: 3, photometric: 2, pixels: pixels)
            // The second strip lies past the end.
            page.fields = [
                .init(273, longs: [8, 1 << 24]), .init(278, longs: [height / 2]),
                .init(279, longs: [pixels.count, pixels.count]),
            ]
            return TestTIFF.encode([page])
        }
    }

    @Test(arguments: ["jpg", "png", "bmp", "tif"])
    func truncatedPicturesAreShownButNotCached(_ format: String) throws {
        stage.add(0, "a.\(format)", half(format))
        stage.add(1, "b.jpg", card.jpeg())
        let queue = stage.queue(workers: 1)
        stage.get([0], side: 128, queue)
        #expect(stage.bitmaps[0]?.size == PixelSize(width: 128, height: 96))
        stage.get([1], side: 128, queue)
        _ = try #require(stage.waitFor(stage.thumbnailPath(1, "normal")))
        #expect(QueueStage.contents(stage.thumbnailPath(0, "normal")) == nil)
    }

    @Test func smallPicturesKeepTheirSizeAndPixels() throws {
        let small = TestPicture.photograph(90, 60)
        stage.add(0, "a.png", small.png())
        let queue = stage.queue()
        stage.get([0], side: 128, queue)
        let bitmap = try #require(stage.bitmaps[0])
        #expect(bitmap.size == small.size)
        #expect(bitmap.isNear(45, 30, small.color(45, 30), within: 0))
        #expect(queue.bytesInMemory == bitmap.memory.bytes.count)
    }

    /// A reduced checkerboard has half of the linear light, not half of the encoded value.
    @Test func fineDetailKeepsItsBrightness() throws {
        let board = TestPicture(size: PixelSize(width: 512, height: 512)) { x, y in
            let level: UInt8 = (x + y).isMultiple(of: 2) ? 255 : 0
            return (level, level, level)
        }
        stage.add(0, "a.png", board.png())
        let queue = stage.queue()
        stage.get([0], side: 256, queue)
        let bitmap = try #require(stage.bitmaps[0])
        #expect(bitmap.isNear(100, 100, (188, 188, 188), within: 1))
        #expect(queue.averageColor(picture: 0) == 0xFFBC_BCBC)
    }

    @Test func thumbnailsAreCachedAndReadAgain() throws {
        let path = stage.add(0, "a b.jpg", card.jpeg())
        stage.get([0], side: 128, stage.queue())
        let kept = stage.thumbnailPath(0, "normal")
        let file = try PNGFile(try #require(stage.waitFor(kept)))
        #expect(file.text("Thumb::MTime") == Array("1600000000".utf8))
        #expect(file.text("Thumb::URI") == FileURI.uri(of: Array(path.utf8)))
        #expect(file.text("Thumb::Image::Width") == Array("800".utf8))
        var info = Glibc.stat()
        #expect(stat(kept, &info) == 0 && info.st_mode & 0o777 == 0o600)
        #expect(stat(stage.cacheFolder + "/thumbnails", &info) == 0)
        #expect(info.st_mode & 0o777 == 0o700)
        let made = try #require(stage.bitmaps[0])
        // From here on only the cache has the pixels.
        TestFile.write(Array("no picture".utf8), to: path)
        stage.setModified(path, 1_600_000_000)
        stage.get([0], side: 128, stage.queue())
        let read = try #require(stage.bitmaps[0])
        #expect(read.size == made.size)
        for (x, y) in [(3, 3), (64, 40), (120, 70)] {
            #expect(read.isNear(x, y, made.color(x, y), within: 0))
        }
        // A larger cached thumbnail serves a smaller request.
        stage.get([0], side: 64, stage.queue())
        #expect(stage.bitmaps[0]?.size == made.size)
    }

    @Test func alphaSurvivesTheCache() throws {
        let size = PixelSize(width: 200, height: 200)
        let samples = (0..<40_000).flatMap { _ -> [UInt8] in [200, 100, 50, 128] }
        let path = stage.add(0, "a.png", TestPicture.png(samples, size, colorType: 6))
        stage.get([0], side: 128, stage.queue())
        #expect(stage.bitmaps[0]?.isNear(60, 60, (100, 50, 25), within: 1) == true)
        _ = stage.waitFor(stage.thumbnailPath(0, "normal"))
        TestFile.write([1], to: path)
        stage.setModified(path, 1_600_000_000)
        stage.get([0], side: 128, stage.queue())
        #expect(stage.bitmaps[0]?.format == .argb32)
        #expect(stage.bitmaps[0]?.isNear(60, 60, (100, 50, 25), within: 1) == true)
    }

    /// The test profile swaps red and blue.
    ///
    /// Thumbnails are converted to it whether they are decoded, cached or not reduced at all; those in
    /// the cache stay in sRGB.
    @Test func thumbnailsAreConvertedToTheScreenProfile() throws {
        let screen = try #require(ScreenProfile(TestProfile.swapped))
        func blue(_ side: Int) -> [UInt8] {
            TestPicture(size: PixelSize(width: side, height: side)) { _, _ in (0, 0, 255) }.png()
        }
        stage.add(0, "large.png", blue(300))
        stage.add(1, "small.png", blue(60))
        let half = [[UInt8]](repeating: [0, 0, 255, 128], count: 300 * 300).flatMap(\.self)
        let square = PixelSize(width: 300, height: 300)
        stage.add(2, "clear.png", TestPicture.png(half, square, colorType: 6))
        for _ in 0..<2 {
            stage.get([0, 1, 2], side: 128, stage.queue(screen: screen))
            for (index, red) in [255, 255, 128].enumerated() {
                let bitmap = try #require(stage.bitmaps[index])
                #expect(bitmap.isNear(30, 30, (red, 0, 0), within: 4))
            }
            for index in 0..<3 { _ = stage.waitFor(stage.thumbnailPath(index, "normal")) }
        }
        stage.get([0, 1], side: 128, stage.queue())
        for index in 0..<2 {
            #expect(stage.bitmaps[index]?.isNear(30, 30, (0, 0, 255), within: 1) == true)
        }
    }

    @Test func aSmallerOneIsShownUntilTheSharperOneIsThere() throws {
        stage.add(0, "a.jpg", card.jpeg())
        stage.get([0], side: 128, stage.queue())
        _ = stage.waitFor(stage.thumbnailPath(0, "normal"))
        let queue = stage.queue()
        var sizes: [Int] = []
        queue.want(stage.wants([0], side: 512))
        stage.run(queue) {
            guard let width = queue.bitmap(ThumbnailKey(picture: 0))?.size.width else {
                return false
            }
            if sizes.last != width { sizes.append(width) }
            return width == 512
        }
        #expect(sizes == [128, 512])
    }

    @Test func requestsKeepTheirOrderAndOldOnesAreDropped() {
        let file = TestPicture.photograph(1200, 900).jpeg()
        for index in 0..<24 { stage.add(index, "\(index).jpg", file) }
        let queue = stage.queue(workers: 1, cached: false)
        queue.want(stage.wants(Array(0..<12), side: 128))
        queue.want(stage.wants(Array((12..<24).reversed()), side: 128))
        stage.run(queue) { stage.order.count == 12 }
        stage.run(queue, seconds: 0.2) { false }
        #expect(stage.order == Array((12..<24).reversed()))
    }

    @Test func memoryStaysWithinTheBudget() {
        let file = TestPicture.photograph(256, 256).png()
        for index in 0..<30 { stage.add(index, "\(index).png", file) }
        let queue = stage.queue(budget: 2 << 20)
        for start in stride(from: 0, to: 30, by: 3) {
            stage.get([start, start + 1, start + 2], side: 256, queue)
            #expect(stage.bitmaps.count == 3)
            #expect(queue.bytesInMemory <= 2 << 20)
        }
        #expect(queue.bitmap(ThumbnailKey(picture: 29)) != nil)
        #expect(queue.bitmap(ThumbnailKey(picture: 0)) == nil)
        #expect(queue.averageColor(picture: 0) != nil)
    }

    @Test func onlyTheNamedThumbnailsStayWhenMemoryIsShort() throws {
        let file = TestPicture.photograph(256, 256).png()
        for index in 0..<6 { stage.add(index, "\(index).png", file) }
        let queue = stage.queue()
        stage.get(Array(0..<6), side: 256, queue)
        let held = queue.bytesInMemory
        queue.releaseMemory(keeping: [ThumbnailKey(picture: 1), ThumbnailKey(picture: 4)])
        #expect(queue.bytesInMemory == held / 3)
        for index in 0..<6 {
            let isThere = queue.bitmap(ThumbnailKey(picture: index)) != nil
            #expect(isThere == [1, 4].contains(index))
        }
        // Nothing is made again unless somebody wants it again.
        stage.order = []
        stage.run(queue, seconds: 0.3) { false }
        #expect(stage.order == [])
        stage.get([0], side: 256, queue)
        #expect(queue.bitmap(ThumbnailKey(picture: 0)) != nil)
    }

    @Test func aNewRevisionIsDecodedAgain() throws {
        let path = stage.add(0, "a.jpg", card.jpeg())
        let queue = stage.queue()
        stage.get([0], side: 128, queue)
        let blue = TestPicture(size: PixelSize(width: 300, height: 200)) { _, _ in (0, 0, 255) }
        TestFile.write(blue.jpeg(), to: path)
        queue.want(stage.wants([0], side: 128, revision: 1))
        #expect(queue.bitmap(ThumbnailKey(picture: 0, revision: 1)) == nil)
        stage.run(queue) { queue.bitmap(ThumbnailKey(picture: 0, revision: 1)) != nil }
        #expect(queue.averageColor(picture: 0) == 0xFF00_00FE)
    }

    @Test func standardInputHasThumbnailsToo() throws {
        let path = stage.add(0, "a.jpg", card.jpeg())
        let descriptor = open(path, O_RDONLY)
        let queue = ThumbnailQueue(
            program: DecoderProgram(Binaries.decoder), cache: stage.cache, budget: 1 << 24
        ) { _ in .memory(descriptor) }
        stage.get([0], side: 128, queue)
        #expect(stage.bitmaps[0]?.size == PixelSize(width: 128, height: 80))
        close(descriptor)
    }
}
