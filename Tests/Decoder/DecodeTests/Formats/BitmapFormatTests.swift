import Geometry
import ImageTypes
import TestKit
import Testing

/// The formats with decoders of our own, compared with ImageMagick.
@Suite struct BitmapFormatTests {
    private static let size = PixelSize(width: 45, height: 31)
    private static let opaque = [
        "-size", "45x31", "gradient:red-blue", "-swirl", "120", "-depth", "8",
    ]
    private static let translucent =
        opaque + [
            "(", "-size", "45x31", "gradient:white-black", ")", "-alpha", "off", "-compose",
            "copy-opacity", "-composite",
        ]

    struct Variant: CustomTestStringConvertible, Sendable {
        var name: String
        var format: String
        var arguments: [String]
        var hasAlpha = false
        var tolerance = 0

        var testDescription: String { name }

        init(
            _ name: String, _ format: String, _ arguments: [String] = [], alpha: Bool = false,
            within tolerance: Int = 0
        ) {
            (self.name, self.format, self.arguments) = (name, format, arguments)
            (hasAlpha, self.tolerance) = (alpha, tolerance)
        }
    }

    @Test(arguments: [
        Variant("a.bmp", "BMP", ["-type", "truecolor"]),
        Variant("a.bmp2", "BMP", ["-type", "truecolor"]),
        Variant("b.bmp2", "BMP", ["-colors", "200", "-type", "palette"]),
        Variant("a.bmp3", "BMP", ["-type", "truecolor"]),
        Variant("b.bmp3", "BMP", ["-colors", "16", "-type", "palette", "-compress", "none"]),
        Variant("c.bmp3", "BMP", ["-colors", "200", "-type", "palette", "-compress", "none"]),
        Variant("d.bmp3", "BMP", ["-colors", "200", "-type", "palette", "-compress", "rle"]),
        Variant("e.bmp3", "BMP", ["-monochrome", "-compress", "none"]),
        Variant("f.bmp3", "BMP", ["-colorspace", "gray"]),
        Variant("g.bmp", "BMP", ["-define", "bmp:subtype=RGB565"], within: 1),
        Variant("h.bmp", "BMP", ["-define", "bmp:subtype=RGB555"], within: 1),
        Variant("j.bmp", "BMP", alpha: true, within: 1),
        Variant("a.tga", "TGA", ["-type", "truecolor", "-compress", "none"]),
        Variant("b.tga", "TGA", ["-type", "truecolor", "-compress", "rle"]),
        Variant("c.tga", "TGA", ["-colors", "200", "-type", "palette", "-compress", "none"]),
        Variant("d.tga", "TGA", ["-colors", "200", "-type", "palette", "-compress", "rle"]),
        Variant("e.tga", "TGA", ["-colorspace", "gray", "-compress", "none"]),
        Variant("f.tga", "TGA", ["-colorspace", "gray", "-compress", "rle"]),
        Variant("g.tga", "TGA", ["-compress", "none"], alpha: true, within: 1),
        Variant("h.tga", "TGA", ["-compress", "rle"], alpha: true, within: 1),
        Variant("i.tga", "TGA", ["-orient", "TopLeft", "-compress", "rle"]),
        Variant("j.tga", "TGA", ["-orient", "BottomLeft", "-compress", "rle"]),
        Variant("a.pbm", "PNM", ["-monochrome"]),
        Variant("b.pbm", "PNM", ["-monochrome", "-compress", "none"]),
        Variant("a.pgm", "PNM", ["-colorspace", "gray"]),
        Variant("b.pgm", "PNM", ["-colorspace", "gray", "-compress", "none"]),
        Variant("c.pgm", "PNM", ["-colorspace", "gray", "-depth", "16"], within: 1),
        Variant("d.pgm", "PNM", ["-colorspace", "gray", "-depth", "4"], within: 1),
        Variant("a.ppm", "PNM"),
        Variant("b.ppm", "PNM", ["-compress", "none"]),
        Variant("c.ppm", "PNM", ["-depth", "16"], within: 1),
        Variant("a.pam", "PNM"),
        Variant("b.pam", "PNM", alpha: true, within: 1),
        Variant("c.pam", "PNM", ["-colorspace", "gray"], alpha: true, within: 1),
        Variant("d.pam", "PNM", ["-depth", "16"], alpha: true, within: 2),
        Variant("a.pfm", "PFM", ["-colorspace", "RGB", "-endian", "lsb"], within: 1),
        Variant("b.pfm", "PFM", ["-colorspace", "RGB", "-endian", "msb"], within: 1),
        Variant("c.pfm", "PFM", ["-colorspace", "LinearGray"], within: 1),
        Variant("a.ico", "ICO", alpha: true, within: 1),
        Variant("b.ico", "ICO", ["-colors", "16"]),
        Variant("c.ico", "ICO", ["-colors", "200"]),
        Variant("a.cur", "ICO", alpha: true, within: 1),
    ])
    func pixelsMatchImageMagick(_ variant: Variant) throws {
        let picture = variant.hasAlpha ? Self.translucent : Self.opaque
        let file = Reference.make(picture + variant.arguments, variant.name)
        let result = try Decoding(file)
        #expect(result.info?.format == variant.format && result.info?.size == Self.size)
        #expect(result.message == nil && result.failure == nil)
        let bitmap = try #require(result.bitmaps.last)
        let folder = TemporaryFolder()
        let isLight = variant.format == "PFM"
        // ImageMagick applies the row order of a TGA only with -auto-orient.
        let reading = isLight ? ["-set", "colorspace", "RGB"] : ["-auto-orient"]
        let wanted = Reference(
            [folder.file(variant.name, file)] + reading + ["-colorspace", "sRGB"], Self.size)
        Conformance.expect(
            variant.format, "\(variant.name) \(variant.arguments.joined(separator: " "))",
            bitmap.largestDifference(from: wanted), atMost: variant.tolerance, from: "ImageMagick")
        #expect(!variant.hasAlpha || (0..<31).contains { bitmap.pixel(20, $0).a < 128 })
    }

    @Test(arguments: ["a.bmp", "d.bmp3", "a.tga", "b.tga", "a.ppm", "b.ppm", "a.pfm", "a.ico"])
    func damagedFilesDoNotCrashTheDecoder(_ name: String) throws {
        let compression =
            ["b.ppm": ["-compress", "none"], "b.tga": ["-compress", "rle"]][name]
            ?? (name == "d.bmp3" ? ["-colors", "99", "-type", "palette", "-compress", "rle"] : [])
        let file = Reference.make(Self.opaque + compression, name)
        #expect(try Damage.isSurvived(file, from: 3))
        if name != "a.ico" {
            let cut = try Decoding(Array(file.prefix(file.count * 2 / 3)))
            #expect(cut.bitmaps.count == 1)
            #expect(cut.message?.contains("cut short") == true)
        }
    }

    @Test func absurdSizesAreRefused() throws {
        var bitmap = Reference.make(Self.opaque, "a.bmp")
        bitmap.replaceSubrange(18..<26, with: [0, 0, 1, 0, 0, 0, 1, 0])
        let failure = DecodeFailure.tooLarge(width: 65536, height: 65536, most: 512_000_000)
        #expect(try Decoding(bitmap).failure == failure)
        #expect(try Decoding(Array("P6 65536 65536 255 abc".utf8)).failure == failure)
        #expect(try Decoding(Array("P6 99999999999999999999 1 255 abc".utf8)).failure != nil)
        let qoi = TestQOI.header(65536, 65536, channels: 3) + [0]
        #expect(try Decoding(qoi).failure == failure)
    }

    // MARK: BMP

    @Test func topDownBitmapsAreDecoded() throws {
        let file = BitmapFile.make(
            2, -2, 24, pixels: [1, 2, 3, 4, 5, 6, 0, 0, 7, 8, 9, 0, 0, 0, 0, 0])
        let bitmap = try #require(try Decoding(file).bitmaps.last)
        #expect(bitmap.pixel(0, 0) == (255, 3, 2, 1))
        #expect(bitmap.pixel(0, 1) == (255, 9, 8, 7))
    }

    @Test func rle4RunsAndDeltasAreDecoded() throws {
        // A run that alternates 1 and 2, a delta to the right and up, literals, end of bitmap.
        let runs: [UInt8] = [3, 0x12, 0, 2, 1, 1, 0, 3, 0x21, 0x20, 0, 1]
        let file = BitmapFile.make(
            7, 2, 4, method: 2, palette: [0, 0xFF0000, 0x00FF00], pixels: runs)
        let result = try Decoding(file)
        #expect(result.message == nil)
        let bitmap = try #require(result.bitmaps.last)
        let lower = (0..<7).map {
            bitmap.pixel($0, 1).r / 255 * 1 + bitmap.pixel($0, 1).g / 255 * 2
        }
        let upper = (0..<7).map {
            bitmap.pixel($0, 0).r / 255 * 1 + bitmap.pixel($0, 0).g / 255 * 2
        }
        #expect(lower == [1, 2, 1, 0, 0, 0, 0])
        #expect(upper == [0, 0, 0, 0, 2, 1, 2])
    }

    @Test func tenBitFieldsAreScaled() throws {
        let masks = [0x3FF0_0000, 0xFFC00, 0x3FF]
        let word = 0x200 << 20 | 0x3FF << 10 | 0x100
        let file = BitmapFile.make(
            1, 1, 32, method: 3, masks: masks, pixels: BitmapFile.little(word))
        let pixel = try #require(try Decoding(file).bitmaps.last).pixel(0, 0)
        #expect(abs(pixel.r - 128) <= 1 && pixel.g == 255 && abs(pixel.b - 64) <= 1)
    }

    @Test func fieldsMayHoldAlpha() throws {
        let masks = [0x0F00, 0x00F0, 0x000F, 0xF000]
        let file = BitmapFile.make(
            2, 1, 16, method: 6, masks: masks, pixels: [0x0F, 0xFF, 0xF0, 0x50])
        let bitmap = try #require(try Decoding(file).bitmaps.last)
        #expect(bitmap.pixel(0, 0) == (255, 255, 0, 255))
        #expect(bitmap.pixel(1, 0) == (85, 0, 85, 0))
    }

    @Test func theFourthByteOfAPlainBitmapIsIgnored() throws {
        let file = BitmapFile.make(1, 1, 32, pixels: [10, 20, 30, 40])
        let bitmap = try #require(try Decoding(file).bitmaps.last)
        #expect(bitmap.pixel(0, 0).a == 255 && bitmap.pixel(0, 0).r == 30)
    }

    // MARK: ICO

    @Test func theLargestPictureOfAnIconIsShown() throws {
        let folder = TemporaryFolder()
        let small = folder.file("s.png", TestPicture.card(16, 16).png())
        let large = folder.file("l.png", TestPicture.card(48, 48).png())
        let file = Reference.make([small, large, small], "a.ico")
        let result = try Decoding(file)
        #expect(result.info?.size == PixelSize(width: 48, height: 48))
        let card = TestPicture.card(48, 48)
        #expect(try #require(result.bitmaps.last).largestDifference(from: card) == 0)
    }

    @Test func anIconMayHoldAPNG() throws {
        let card = TestPicture.card(256, 256)
        let png = card.png()
        let entry: [UInt8] = [0, 0, 0, 0, 1, 0, 32, 0] + BitmapFile.little(png.count)
        let file: [UInt8] = [0, 0, 1, 0, 1, 0] + entry + [22, 0, 0, 0] + png
        let bitmap = try #require(try Decoding(file).bitmaps.last)
        #expect(bitmap.largestDifference(from: card) == 0)
    }

    // MARK: TGA

    /// Bits 4 and 5 of the descriptor give the corner of the first pixel.
    @Test(arguments: [(0x00, 0, 1), (0x10, 1, 1), (0x20, 0, 0), (0x30, 1, 0)])
    func theFirstPixelOfATGAIsInItsCorner(_ descriptor: UInt8, _ x: Int, _ y: Int) throws {
        let header: [UInt8] = [0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, 8, descriptor]
        let bitmap = try #require(try Decoding(header + [250, 50, 100, 0]).bitmaps.last)
        #expect(bitmap.pixel(x, y).r == 250)
        #expect(bitmap.pixel(1 - x, y).r == 50)
        #expect(bitmap.pixel(x, 1 - y).r == 100)
    }

    // MARK: PNM

    @Test func commentsAndOddLimitsAreRead() throws {
        let text = "P3 # kind\n# size\n2\t1 # and\n5\n5 0 1\n# half\n2 3 4"
        let bitmap = try #require(try Decoding(Array(text.utf8)).bitmaps.last)
        #expect(bitmap.pixel(0, 0) == (255, 255, 0, 51))
        #expect(bitmap.pixel(1, 0) == (255, 102, 153, 204))
        let bits = try #require(try Decoding(Array("P1\n4 1\n0110".utf8)).bitmaps.last)
        #expect((0..<4).map { bits.pixel($0, 0).r } == [255, 0, 0, 255])
    }

    // MARK: QOI

    @Test func everyStepOfQOIIsExact() throws {
        let photo = TestPicture.photograph(61, 43)
        let bitmap = try #require(try Decoding(TestQOI.encode(photo)).bitmaps.last)
        #expect(bitmap.format == .rgb24 && bitmap.largestDifference(from: photo) == 0)
        let card = TestPicture.card(64, 40)
        let flat = try #require(try Decoding(TestQOI.encode(card)).bitmaps.last)
        #expect(flat.largestDifference(from: card) == 0)
    }

    @Test func aTruncatedQOIWithAlphaIsShown() throws {
        let steps: [UInt8] = [0xFF, 200, 100, 50, 128, 0xC0, 0xFE, 1, 2, 3]
        let file = TestQOI.header(2, 2, channels: 4) + steps
        let result = try Decoding(file)
        let bitmap = try #require(result.bitmaps.last)
        #expect(bitmap.pixel(0, 0) == (128, 100, 50, 25))
        #expect(bitmap.pixel(1, 0) == (128, 100, 50, 25))
        #expect(bitmap.pixel(0, 1).a == 128)
        #expect(result.message?.contains("cut short") == true)
    }
}
