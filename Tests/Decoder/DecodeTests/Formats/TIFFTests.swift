import Geometry
import ImageTypes
import TestKit
import Testing

/// TIFF, compared with ImageMagick.
@Suite struct TIFFTests {
    private static let size = PixelSize(width: 75, height: 53)
    /// A picture with many colours; `translucent` adds an alpha gradient.
    private static let opaque = [
        "-size", "75x53", "gradient:red-blue", "-swirl", "120", "-depth", "8",
    ]
    private static let translucent =
        opaque + [
            "(", "-size", "75x53", "gradient:white-black", ")", "-alpha", "off", "-compose",
            "copy-opacity", "-composite",
        ]

    struct Variant: CustomTestStringConvertible, Sendable {
        var name: String
        var arguments: [String]
        var hasAlpha = false
        /// The error from rounding, dithering of deep samples and lossy codecs.
        var tolerance = 0

        var testDescription: String { name }

        init(_ name: String, _ arguments: [String], alpha: Bool = false, within tolerance: Int = 0)
        {
            (self.name, self.arguments, hasAlpha, self.tolerance) = (
                name, arguments, alpha, tolerance
            )
        }
    }

    @Test(arguments: [
        Variant("plain", ["-compress", "none"]),
        Variant("lzw", ["-compress", "lzw"]),
        Variant("deflate", ["-compress", "zip"]),
        Variant("packbits", ["-compress", "rle"]),
        Variant("zstd", ["-compress", "zstd"]),
        Variant("lzma", ["-compress", "lzma"]),
        Variant("webp", ["-compress", "webp"], within: 24),
        Variant("jpeg", ["-compress", "jpeg", "-quality", "98"], within: 4),
        Variant("big endian", ["-endian", "msb", "-depth", "16"], within: 1),
        Variant("bits 16", ["-depth", "16"], within: 1),
        Variant("bits 12", ["-depth", "12"], within: 1),
        Variant("bits 10", ["-depth", "10"], within: 1),
        Variant("bits 4", ["-depth", "4"]),
        Variant("bits 2", ["-depth", "2"]),
        Variant("planes", ["-interlace", "plane", "-compress", "lzw"]),
        Variant("planes of 16 bits", ["-interlace", "plane", "-depth", "16"], within: 1),
        Variant("tiles", ["-define", "tiff:tile-geometry=32x16", "-compress", "zip"]),
        Variant("strips", ["-define", "tiff:rows-per-strip=7"]),
        Variant("one strip", ["-define", "tiff:rows-per-strip=53", "-compress", "lzw"]),
        Variant("grey", ["-colorspace", "gray", "-depth", "8"]),
        Variant("grey of 16 bits", ["-colorspace", "gray", "-depth", "16"], within: 1),
        Variant("grey of 4 bits", ["-colorspace", "gray", "-depth", "4"]),
        Variant(
            "grey, white is 0",
            ["-colorspace", "gray", "-define", "quantum:polarity=min-is-white"]),
        Variant("two colours", ["-monochrome", "-compress", "none"]),
        Variant("fax 3", ["-monochrome", "-compress", "fax"]),
        Variant("fax 4", ["-monochrome", "-compress", "group4"]),
        Variant("palette", ["-colors", "200", "-type", "palette"], within: 1),
        Variant("palette of 4 bits", ["-colors", "12", "-type", "palette"], within: 1),
        Variant("straight alpha", ["-define", "tiff:alpha=unassociated"], alpha: true, within: 1),
        Variant(
            "premultiplied alpha", ["-define", "tiff:alpha=associated"], alpha: true, within: 2),
        Variant(
            "alpha of 16 bits", ["-define", "tiff:alpha=unassociated", "-depth", "16"],
            alpha: true, within: 2),
        Variant(
            "grey with alpha",
            ["-colorspace", "gray", "-define", "tiff:alpha=unassociated", "-depth", "8"],
            alpha: true, within: 1),
        Variant(
            "planes with alpha",
            ["-interlace", "plane", "-define", "tiff:alpha=unassociated"], alpha: true, within: 1),
        Variant("CMYK", ["-colorspace", "cmyk"], within: 1),
        Variant("CMYK in planes", ["-colorspace", "cmyk", "-interlace", "plane"], within: 1),
        Variant(
            "floats",
            ["-colorspace", "RGB", "-define", "quantum:format=floating-point", "-depth", "32"],
            within: 1),
        Variant(
            "grey floats of 16 bits",
            [
                "-colorspace", "LinearGray", "-define", "quantum:format=floating-point", "-depth",
                "16",
            ], within: 1),
    ])
    func pixelsMatchImageMagick(_ variant: Variant) throws {
        let picture = variant.hasAlpha ? Self.translucent : Self.opaque
        let file = Reference.make(picture + variant.arguments, "a.tif")
        let result = try Decoding(file)
        #expect(result.info?.format == "TIFF" && result.info?.size == Self.size)
        #expect(result.message == nil && result.failure == nil)
        let bitmap = try #require(result.bitmaps.last)
        #expect(bitmap.format == (variant.hasAlpha ? .argb32 : .rgb24))
        let folder = TemporaryFolder()
        let isLight = variant.name.contains("floats")
        // Floats are linear light here, but ImageMagick reads floats as encoded values.
        let reading = isLight ? ["-set", "colorspace", "RGB"] : []
        let wanted = Reference(
            [folder.file("a.tif", file)] + reading + ["-colorspace", "sRGB"], Self.size)
        Conformance.expect(
            "TIFF", variant.name, bitmap.largestDifference(from: wanted), atMost: variant.tolerance,
            from: "ImageMagick")
    }

    @Test func bigTIFFIsTIFF() throws {
        let file = Reference.make(Self.opaque + ["-compress", "lzw"], "a.tiff64")
        let result = try Decoding(file)
        #expect(file[2] == 43)
        let wanted = Reference(Self.opaque, Self.size)
        #expect(try #require(result.bitmaps.last).largestDifference(from: wanted) <= 1)
    }

    // L*a*b* is relative to D50; the table has the values of sRGB colours. In dark tones one 8-bit Lab
    // step is several sRGB steps.
    @Test(arguments: [8, 16], [false, true])
    func labIsConverted(_ bits: Int, _ isICC: Bool) throws {
        let colors: [(lab: (Double, Double, Double), rgb: (Int, Int, Int))] = [
            ((100, 0, 0), (255, 255, 255)), ((0, 0, 0), (0, 0, 0)),
            ((53.59, 0, 0), (128, 128, 128)),
            ((54.29, 80.81, 69.89), (255, 0, 0)), ((87.82, -79.27, 80.99), (0, 255, 0)),
            ((29.57, 68.30, -112.03), (0, 0, 255)),
        ]
        let samples = colors.flatMap { color -> [UInt8] in
            let (l, a, b) = color.lab
            let parts: [Int]
            if bits == 8 {
                let offset = isICC ? 128.0 : 0
                parts = [l * 2.55, a + offset, b + offset].map { Int($0.rounded()) }
                return parts.map { UInt8(truncatingIfNeeded: $0) }
            }
            let offset = isICC ? 32768.0 : 0
            parts = [
                Int(l / 100 * (isICC ? 65280 : 65535)), Int(a * 256 + offset),
                Int(b * 256 + offset),
            ]
            return parts.flatMap {
                [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
            }
        }
        let file = TestTIFF.encode([
            TestTIFF.Page(
                width: colors.count, height: 1, bits: bits, samples: 3, photometric: isICC ? 9 : 8,
                pixels: samples)
        ])
        let bitmap = try #require(try Decoding(file).bitmaps.last)
        for (x, color) in colors.enumerated() {
            let (_, r, g, b) = bitmap.pixel(x, 0)
            let differences = [r - color.rgb.0, g - color.rgb.1, b - color.rgb.2].map(abs)
            #expect(try #require(differences.max()) <= (bits == 8 ? 16 : 2), "\(color.lab)")
        }
    }

    @Test(arguments: Orientation.allCases)
    func theOrientationIsAppliedOnce(_ orientation: Orientation) throws {
        let card = TestPicture.card(40, 24)
        let stored = card.stored(as: orientation)
        let folder = TemporaryFolder()
        let source = folder.file("a.png", stored.png())
        let name = [
            "TopLeft", "TopRight", "BottomRight", "BottomLeft", "LeftTop", "RightTop",
            "RightBottom", "LeftBottom",
        ][Int(orientation.rawValue) - 1]
        for extra in [[], ["-sampling-factor", "2x2", "-colorspace", "YCbCr"]] {
            let file = Reference.make([source] + extra + ["-orient", name], "a.tif")
            let result = try Decoding(file)
            #expect(result.info?.orientation == orientation)
            let bitmap = try #require(result.bitmaps.last)
            Conformance.expect(
                "TIFF", "orientation \(orientation.rawValue) \(extra.joined(separator: " "))",
                bitmap.largestDifference(from: card), atMost: extra.isEmpty ? 0 : 8,
                from: "the upright picture")
        }
    }

    /// The directory is last in the file, after more than 64 KiB of pixels.
    @Test func theDateIsFoundAfterThePixels() throws {
        var page = TestTIFF.Page(
            width: 200, height: 200, bits: 8, samples: 3, photometric: 2,
            pixels: [UInt8](repeating: 9, count: 120_000))
        page.fields = [.init(306, bytes: Array("2026:11:21 09:30:00\0".utf8), type: 2)]
        #expect(
            try Decoding(TestTIFF.encode([page])).info?.taken
                == CaptureTime(wallClock: 1_795_253_400))
    }

    /// Reduced copies are either further pages or sub-directories of the page.
    @Test(arguments: [false, true])
    func aPyramidIsDecodedFromItsSmallerPage(_ isSub: Bool) throws {
        let colors: [[UInt8]] = [[200, 0, 0], [0, 200, 0], [0, 0, 200]]
        let pages = colors.enumerated().map { index, color in
            let side = 512 >> index
            var page = TestTIFF.Page(
                width: side, height: side, bits: 8, samples: 3, photometric: 2,
                pixels: (0..<(side * side)).flatMap { _ in color })
            page.fields = [TestTIFF.Field(254, longs: [index == 0 ? 0 : 1])]
            return page
        }
        let file =
            isSub
            ? TestTIFF.encode([pages[0]], subPages: [pages[1], pages[2]]) : TestTIFF.encode(pages)
        let result = try Decoding(file, target: PixelSize(width: 100, height: 100))
        #expect(result.info?.size == PixelSize(width: 512, height: 512))
        #expect(result.bitmaps.count == 2)
        let first = try #require(result.bitmaps.first)
        #expect(first.levels.first?.mipLevel == 2)
        #expect(first.pixel(9, 9) == (255, 0, 0, 200))
        #expect(try #require(result.bitmaps.last).pixel(9, 9) == (255, 200, 0, 0))
    }

    @Test func theFirstPageIsShown() throws {
        let file = Reference.make(
            ["-size", "20x10", "xc:red", "-size", "30x5", "xc:blue"], "a.tif")
        let result = try Decoding(file)
        #expect(result.info?.size == PixelSize(width: 20, height: 10))
        #expect(try #require(result.bitmaps.last).pixel(3, 3) == (255, 255, 0, 0))
    }

    @Test func aTruncatedFileIsHandled() throws {
        // The directory comes after the strips, so a truncated file has no directory.
        let file = Reference.make(Self.opaque + ["-compress", "none"], "a.tif")
        var shortened = file
        shortened.replaceSubrange(
            2000..<6000, with: [UInt8](repeating: 0, count: 4000))
        #expect(try Decoding(shortened).bitmaps.count == 1)
        let cut = try Decoding(Array(file.prefix(file.count / 2)))
        #expect(cut.failure != nil && cut.failure != .crashed)
    }

    @Test func aDamagedStripLeavesTheOthers() throws {
        let file = Reference.make(
            Self.opaque + ["-compress", "zip", "-define", "tiff:rows-per-strip=5"], "a.tif")
        var struck = file
        for place in 352..<360 { struck[place] ^= 0xA5 }
        let result = try Decoding(struck)
        #expect(result.message?.contains("cut short") == true)
        let wanted = Reference(Self.opaque, Self.size)
        let last = try #require(result.bitmaps.last).pixel(70, 52)
        #expect(last == wanted.word(70, 52))
    }

    @Test(arguments: [["-compress", "lzw"], ["-compress", "jpeg"], ["-compress", "group4"]])
    func damagedFilesDoNotCrashTheDecoder(_ compression: [String]) throws {
        let file = Reference.make(
            Self.opaque + compression + ["-define", "tiff:tile-geometry=32x32"], "a.tif")
        #expect(try Damage.isSurvived(file, from: 4))
    }

    @Test func anAbsurdSizeIsRefused() throws {
        var file = Reference.make(Self.opaque + ["-compress", "none"], "a.tif")
        let directory = (0..<4).reduce(0) { $0 | Int(file[4 + $1]) << (8 * $1) }
        for entry in 0..<Int(file[directory]) {
            let place = directory + 2 + entry * 12
            // Width and height.
            if file[place + 1] == 1, file[place] < 2 {
                file.replaceSubrange((place + 2)..<(place + 4), with: [4, 0])
                file.replaceSubrange((place + 8)..<(place + 12), with: [0, 0, 1, 0])
            }
        }
        #expect(
            try Decoding(file).failure == .tooLarge(width: 65536, height: 65536, most: 512_000_000))
    }
}
