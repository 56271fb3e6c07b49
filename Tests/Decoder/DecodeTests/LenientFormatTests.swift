import Geometry
import ImageTypes
import RasterPipeline
import TestKit
import Testing

@testable import Codecs

/// Files that break the rules of their format in ways that other programs accept.
@Suite struct LenientFormatTests {
    // MARK: Alpha that is 0 everywhere

    /// Two pixels of alpha 0 and their colours; the alpha of the second one is at `place`.
    struct Invisible: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var file: [UInt8]
        /// Sets a bit of alpha.
        var place: Int
        var bit: UInt8
        /// The first pixel, whose alpha is the one declared or 255.
        var red: Int
        /// What is left of the second pixel's red with its only bit of alpha.
        var partial: ClosedRange<Int>
    }

    /// A TGA of two pixels; `start` are the first three bytes, `palette` those of the palette's fields.
    private static func tga(
        _ start: [UInt8], palette: [UInt8] = [0, 0, 0, 0, 0], depth: UInt8, alpha: UInt8,
        _ data: [UInt8]
    ) -> [UInt8] {
        start + palette + [0, 0, 0, 0, 2, 0, 1, 0, depth, 0x20 | alpha] + data
    }

    private static let invisible: [Invisible] = [
        Invisible(
            testDescription: "BMP of 32 bits",
            file: BitmapFile.make(
                2, 1, 32, method: 6, masks: [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000],
                pixels: [10, 20, 200, 0, 10, 20, 200, 0]), place: -1, bit: 0x80, red: 200,
            partial: 98...102),
        Invisible(
            testDescription: "BMP of 16 bits",
            file: BitmapFile.make(
                2, 1, 16, method: 6, masks: [0x7C00, 0x03E0, 0x1F, 0x8000],
                pixels: [0, 0x7C, 0, 0x7C]), place: -1, bit: 0x80, red: 255, partial: 255...255),
        Invisible(
            testDescription: "TGA of 32 bits",
            file: tga([0, 0, 2], depth: 32, alpha: 8, [10, 20, 200, 0, 10, 20, 200, 0]),
            place: -1, bit: 0x80, red: 200, partial: 98...102),
        Invisible(
            testDescription: "TGA of 16 bits",
            file: tga([0, 0, 2], depth: 16, alpha: 1, [0, 0x7C, 0, 0x7C]), place: -1, bit: 0x80,
            red: 255, partial: 255...255),
        Invisible(
            testDescription: "TGA of 32 bits in packets",
            file: tga([0, 0, 10], depth: 32, alpha: 8, [1, 10, 20, 200, 0, 10, 20, 200, 0]),
            place: -1, bit: 0x80, red: 200, partial: 98...102),
        Invisible(
            testDescription: "TGA of grey with alpha",
            file: tga([0, 0, 3], depth: 16, alpha: 8, [200, 0, 200, 0]), place: -1, bit: 0x80,
            red: 200, partial: 98...102),
        Invisible(
            testDescription: "TGA with a palette",
            file: tga(
                [0, 1, 1], palette: [0, 0, 2, 0, 32], depth: 8, alpha: 8,
                [10, 20, 200, 0, 10, 20, 200, 0, 0, 1]), place: -3, bit: 0x80, red: 200,
            partial: 98...102),
    ]

    @Test(arguments: invisible) func alphaOfZeroEverywhereIsIgnored(_ picture: Invisible) throws {
        let shown = try #require(try Decoding(picture.file).bitmaps.last)
        #expect(shown.format == .rgb24)
        for x in 0..<2 {
            #expect(shown.pixel(x, 0).a == 255 && shown.pixel(x, 0).r == picture.red)
        }
        // One bit of alpha shows that the others are meant.
        var file = picture.file
        file[file.count + picture.place] |= picture.bit
        let declared = try #require(try Decoding(file).bitmaps.last)
        #expect(declared.format == .argb32)
        #expect(declared.pixel(0, 0) == (0, 0, 0, 0))
        #expect(picture.partial.contains(declared.pixel(1, 0).r))
    }

    /// The missing part of a file has no alpha.
    @Test func aTruncatedFileWithoutVisiblePixelsIsShown() throws {
        for picture in Self.invisible where !picture.testDescription.contains("palette") {
            let result = try Decoding(Array(picture.file.dropLast(2)))
            #expect(result.message?.contains("cut short") == true)
            #expect(try #require(result.bitmaps.last).pixel(0, 0).r == picture.red)
        }
    }

    // MARK: BMP

    /// An offset of the pixels that is missing, or lies in the headers.
    @Test(arguments: [0, 14, 30, 53]) func pixelsFollowThePalette(offset: UInt8) throws {
        let files = [
            BitmapFile.make(2, 1, 24, pixels: [1, 2, 3, 4, 5, 6, 0, 0]),
            BitmapFile.make(2, 1, 8, palette: [0x030201, 0x060504], pixels: [0, 1, 0, 0]),
            BitmapFile.make(
                2, 1, 32, method: 3, masks: [0xFF0000, 0xFF00, 0xFF],
                pixels: [1, 2, 3, 0, 4, 5, 6, 0]),
        ]
        for var file in files {
            file.replaceSubrange(10..<14, with: [offset, 0, 0, 0])
            let result = try Decoding(file)
            #expect(result.message == nil && result.failure == nil)
            let bitmap = try #require(result.bitmaps.last)
            #expect(bitmap.pixel(0, 0) == (255, 3, 2, 1))
            #expect(bitmap.pixel(1, 0) == (255, 6, 5, 4))
            // Without pixels there is nothing to show.
            #expect(try Decoding(Array(file.prefix(54))).failure == .cutShort)
        }
    }

    // MARK: GIF

    /// A canvas that is smaller than the first frame, as browsers enlarge it.
    @Test(arguments: [
        (10, 10, 0, 0, 40, 30, 40, 30), (10, 50, 0, 0, 40, 30, 40, 50),
        (10, 10, 5, 3, 40, 30, 45, 33), (0, 0, 5, 3, 40, 30, 45, 33),
        // The frame is not larger: what lies beyond the canvas is cut off.
        (40, 30, 5, 3, 40, 30, 40, 30),
    ])
    func theCanvasHoldsTheFirstFrame(
        _ width: Int, _ height: Int, _ left: Int, _ top: Int, _ columns: Int, _ rows: Int,
        _ shownWidth: Int, _ shownHeight: Int
    ) throws {
        let frame = TestGIF.Frame(
            left: left, top: top, width: columns, height: rows,
            indices: (0..<columns * rows).map { $0 % columns == columns - 1 ? 2 : 1 })
        let small = TestGIF.Frame(left: 0, top: 0, width: 2, height: 2, indices: [3, 3, 3, 3])
        let palette: [UInt32] = [0, 0xFF0000, 0x00FF00, 0x0000FF]
        let file = TestGIF.encode(width, height, palette, [frame, small])
        let size = PixelSize(width: shownWidth, height: shownHeight)
        let played = try AnimationPlayback(file, 2)
        #expect(played.info?.size == size && played.frames.count == 2)
        for bitmap in played.frames.map(\.bitmap) {
            #expect(bitmap.size == size)
            let right = min(left + columns, shownWidth) - 1
            let isCut = left + columns > shownWidth
            #expect(bitmap.pixel(right, top + 1).g == (isCut ? 0 : 255))
            #expect(bitmap.pixel(left + 4, top + 4).r == 255)
        }
        #expect(played.frames[1].bitmap.pixel(1, 1).b == 255)
        let still = try Decoding(TestGIF.encode(width, height, palette, [frame]))
        #expect(still.info?.size == size && still.message == nil)
    }

    /// The offsets of all blocks of a GIF, its trailer included.
    private func blocks(_ file: [UInt8]) -> [Int] {
        func table(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
        var (offset, found) = (13 + table(file[10]), [Int]())
        while offset < file.count, file[offset] != 0x3B {
            found.append(offset)
            offset += file[offset] == 0x21 ? 2 : 10 + table(file[offset + 9]) + 1
            while file[offset] != 0 { offset += Int(file[offset]) + 1 }
            offset += 1
        }
        return found + [offset]
    }

    @Test(arguments: [1, 3]) func zerosBetweenBlocksAreSkipped(count: Int) throws {
        let frames = (0..<3).map {
            TestGIF.Frame(
                left: 0, top: 0, width: 20, height: 20,
                indices: [UInt8](repeating: UInt8($0), count: 400))
        }
        let file = TestGIF.encode(
            20, 20, [0xFF0000, 0x00FF00, 0x0000FF, 0], frames, loop: ("NETSCAPE2.0", 5))
        let places = blocks(file)
        // The loop, three frames and the trailer.
        #expect(places.count == 5)
        for place in places {
            let zeros = [UInt8](repeating: 0, count: count)
            let changed = file.inserting(zeros, at: place)
            let outline = try changed.withUnsafeBytes { try GIFOutline($0) }
            #expect(outline.frameCount == 3 && outline.loops == 6, "at \(place)")
            let result = try Decoding(changed)
            #expect(result.message == nil && result.bitmaps.last?.pixel(5, 5).r == 255)
        }
        // Zeros up to the end of the file are no frame.
        let ended = Array(file.dropLast()) + [UInt8](repeating: 0, count: 500)
        #expect(try ended.withUnsafeBytes { try GIFOutline($0) }.frameCount == 3)
    }

    // MARK: PNM

    /// Comments touch the numbers; the pixels of all files are (35, 10, 200) and (0, 0, 0), or grey.
    @Test(arguments: [
        ("P6#kind\n2#width\n1 #height\n255#most\n", [35, 10, 200, 0, 0, 0] as [UInt8]),
        ("P6\n2 1#made by\r255\n", [35, 10, 200, 0, 0, 0]),
        ("P3\n2#w\n1#h\n255#m\n35#red\n10 200#blue\n0 0#g\n0#b", []),
        ("P7\nWIDTH 2#w\nHEIGHT 1#h\nDEPTH#d\n3\nMAXVAL 255#m\nENDHDR\n", [35, 10, 200, 0, 0, 0]),
        ("P5#\n2 1#c\n255\n", [35, 0]), ("P2#\n2 1#c\n255#\n35#\n0#", []),
    ])
    func commentsMayTouchNumbers(_ header: String, _ pixels: [UInt8]) throws {
        let result = try Decoding(Array(header.utf8) + pixels)
        #expect(result.info?.format == "PNM" && result.message == nil)
        let bitmap = try #require(result.bitmaps.last, "\(String(describing: result.failure))")
        #expect(bitmap.size == PixelSize(width: 2, height: 1))
        let isGray = header.hasPrefix("P5") || header.hasPrefix("P2")
        #expect(bitmap.pixel(0, 0) == (isGray ? (255, 35, 35, 35) : (255, 35, 10, 200)))
        #expect(bitmap.pixel(1, 0) == (255, 0, 0, 0))
    }

    @Test func commentsMayTouchBitsAndScales() throws {
        let bits = try #require(try Decoding(Array("P1#k\n4 1#s\n01#x\r10#".utf8)).bitmaps.last)
        #expect((0..<4).map { bits.pixel($0, 0).r } == [255, 0, 0, 255])
        let raw = try #require(try Decoding(Array("P4\n4 1#s\n".utf8) + [0x60]).bitmaps.last)
        #expect((0..<4).map { raw.pixel($0, 0).r } == [255, 0, 0, 255])
        // One float of 1.
        let light = try #require(
            try Decoding(Array("Pf#k\n1 1#s\n-1#m\n".utf8) + [0, 0, 0x80, 0x3F]).bitmaps.last)
        #expect(light.pixel(0, 0) == (255, 255, 255, 255))
    }

    /// A comment without an end leaves nothing to show.
    @Test(arguments: ["P6#", "P6 2#", "P6 2 1#a", "P6 2 1 255#a", "P5 1 1 255#a\n", "Pf 1 1 -1#"])
    func endlessCommentsAreCutShort(text: String) throws {
        #expect(try Decoding(Array(text.utf8)).failure == .cutShort)
    }
}
