import DecodeClient
import Geometry
import Glibc
import ImageTypes
import TestKit
import Testing

@testable import Codecs

/// OpenEXR files, compared with ImageMagick (which uses OpenEXR's C++ library), or written by the tests.
@Suite struct EXRTests {
    private static let size = PixelSize(width: 76, height: 54)
    private let bench = Workbench()
    private let card = TestPicture.card(76, 54)

    /// The linear value of an 8-bit sRGB value (IEC 61966-2-1).
    private static func light(_ number: Int) -> Float {
        let value = Double(number) / 255
        return value <= 0.04045 ? Float(value / 12.92) : Float(pow((value + 0.055) / 1.055, 2.4))
    }

    /// The red, green and blue channels of a card in linear light, multiplied by `alpha`.
    private func channels(
        _ card: TestPicture, _ kind: TestEXR.Kind = .half, prefix: String = "", alpha: Float = 1
    ) -> [TestEXR.Channel] {
        [
            .init(prefix + "R", kind) { alpha * Self.light(card.color($0, $1).r) },
            .init(prefix + "G", kind) { alpha * Self.light(card.color($0, $1).g) },
            .init(prefix + "B", kind) { alpha * Self.light(card.color($0, $1).b) },
        ]
    }

    private func part(_ card: TestPicture, _ kind: TestEXR.Kind = .half) -> TestEXR.Part {
        TestEXR.Part(card.size, channels(card, kind))
    }

    private func shown(_ part: TestEXR.Part) throws -> Bitmap {
        let result = try Decoding(TestEXR.encode([part]))
        #expect(result.info?.format == "OpenEXR" && result.message == nil)
        return try #require(result.bitmaps.last)
    }

    // MARK: Comparison with ImageMagick

    struct Variant: CustomTestStringConvertible, Sendable {
        var options: String
        var tiling: String?
        var hasAlpha: Bool
        /// The error from 16-bit linear values in dark sRGB tones; more for lossy codecs and alpha.
        var tolerance: Int

        init(
            _ options: String = "", tiling: String? = nil, alpha: Bool = false,
            within tolerance: Int = 1
        ) {
            (self.options, self.tiling) = (options, tiling)
            (hasAlpha, self.tolerance) = (alpha, alpha ? max(tolerance, 2) : tolerance)
        }

        var testDescription: String { "\(options) \(tiling ?? "")" }
    }

    @Test(arguments: [
        Variant("-compress none"), Variant("-compress zips"), Variant("-compress zip"),
        Variant("-compress piz"), Variant("-compress pxr24"),
        Variant("-compress none", alpha: true), Variant("-compress piz", alpha: true),
        Variant("-define exr:color-type=Y"),
        Variant("-define exr:color-type=YC -compress none", within: 24),
        Variant("-define exr:color-type=YC -compress piz", within: 24),
        Variant(tiling: "-o -z none -t 16 16"), Variant(tiling: "-o -z rle -t 32 20"),
        Variant(tiling: "-o -z zip -t 64 64"),
        Variant(tiling: "-o -z piz -t 64 64"), Variant(tiling: "-o -z pxr24 -t 64 64"),
        Variant(tiling: "-o -z b44 -t 17 19", within: 2),
        Variant(tiling: "-o -z b44a -t 64 64", within: 2),
        Variant(tiling: "-m -d -z zip -t 16 16"), Variant(tiling: "-m -u -z rle -t 16 16"),
        Variant(tiling: "-r -u -z piz -t 16 16"),
        Variant(tiling: "-o -z zip -t 16 16", alpha: true),
        Variant(tiling: "-o -z rle -t 16 16", alpha: true),
        Variant(tiling: "-o -z b44a -t 16 16", alpha: true),
    ])
    func pixelsMatchImageMagick(_ variant: Variant) throws {
        let fading =
            variant.hasAlpha
            ? "\\( -size 76x54 gradient:white-gray30 \\) -alpha off -compose copy-opacity -composite"
            : ""
        try bench.run(
            "convert -size 76x54 gradient:'#c82020-#2040c0' -swirl 120 \(fading)"
                + " -depth 16 source.png"
                + " && convert source.png -colorspace RGB \(variant.options) a.exr")
        if let tiling = variant.tiling { try bench.run("exrmaketiled \(tiling) a.exr t.exr") }
        let file = bench.bytes(variant.tiling == nil ? "a.exr" : "t.exr")
        let result = try Decoding(file)
        #expect(result.info?.format == "OpenEXR" && result.info?.size == Self.size)
        #expect(result.message == nil && result.failure == nil)
        let bitmap = try #require(result.bitmaps.last)
        #expect(bitmap.format == (variant.hasAlpha ? .argb32 : .rgb24))
        // ImageMagick does not treat the colour as premultiplied, so divide by alpha. The reference is
        // what was written: ImageMagick 7 reads neither luma with chroma nor levels as they are.
        let division = variant.hasAlpha ? ["-channel", "RGB", "-fx", "u/u.a", "+channel"] : []
        let luma = "0.2126 0.7152 0.0722 "
        let gray =
            variant.options.hasSuffix("=Y") ? ["-color-matrix", luma + luma + luma] : []
        let wanted = Reference(
            [bench.folder / "source.png", "-colorspace", "RGB"] + division + gray
                + ["-colorspace", "sRGB"], Self.size)
        Conformance.expect(
            "OpenEXR", "\(variant.options) \(variant.tiling ?? "")",
            bitmap.largestDifference(from: wanted), atMost: variant.tolerance, from: "ImageMagick")
    }

    /// OpenEXRCore supports DWA since about version 3.3; older versions give an error message.
    @Test(arguments: ["dwaa", "dwab"])
    func dwaCompressionIsDecodedOrRefused(_ name: String) throws {
        bench.put("in.png", card.png())
        try bench.run(
            "convert in.png -colorspace RGB a.exr"
                + " && exrmaketiled -o -z \(name) -t 64 64 a.exr t.exr")
        let result = try Decoding(bench.bytes("t.exr"))
        if let bitmap = result.bitmaps.last {
            #expect(bitmap.largestDifference(from: card) <= 12)
        } else {
            let reason = "this version of OpenEXR does not support its compression"
            #expect(result.failure == .damaged(reason: reason))
        }
    }

    // MARK: Hand-made files

    @Test(arguments: [TestEXR.Kind.half, .float], [nil, 16, 100])
    func everyKindOfSampleComesOutRight(_ kind: TestEXR.Kind, _ tile: Int?) throws {
        var part = part(card, kind)
        part.tile = tile
        let bitmap = try shown(part)
        #expect(bitmap.format == .rgb24)
        #expect(bitmap.largestDifference(from: card) <= 1)
    }

    @Test func integerChannelsAreLinearLight() throws {
        let part = TestEXR.Part(
            card.size,
            ["R", "G", "B"].map { name in .init(name, .uint) { x, _ in x < 40 ? 0 : 1 } })
        let bitmap = try shown(part)
        #expect(bitmap.pixel(3, 3) == (255, 0, 0, 0))
        #expect(bitmap.pixel(60, 3) == (255, 255, 255, 255))
    }

    @Test func aSingleChannelIsGrey() throws {
        for name in ["Y", "Z", "depth.V"] {
            let part = TestEXR.Part(card.size, [.init(name, .float) { _, _ in Self.light(90) }])
            let (a, r, g, b) = try shown(part).pixel(9, 9)
            #expect((a, r, g, b) == (255, 90, 90, 90))
        }
    }

    @Test func aRedChannelAloneIsRed() throws {
        let part = TestEXR.Part(card.size, [.init("R") { _, _ in 1 }])
        #expect(try shown(part).pixel(9, 9) == (255, 255, 0, 0))
    }

    @Test func aLayerIsShownWithoutChannelsOutsideLayers() throws {
        var part = TestEXR.Part(card.size, channels(card, prefix: "beauty.left."))
        #expect(try shown(part).largestDifference(from: card) <= 1)
        part.channels.append(.init("zebra.R") { _, _ in 0 })
        #expect(try shown(part).largestDifference(from: card) <= 1)
        // Channels outside any layer take precedence.
        let black = TestPicture(size: card.size) { _, _ in (0, 0, 0) }
        part = TestEXR.Part(
            card.size, channels(black) + channels(card, prefix: "beauty."))
        #expect(try shown(part).largestDifference(from: black) == 0)
    }

    /// Colours in the file are premultiplied in linear light.
    @Test func alphaIsPremultiplied() throws {
        let half = channels(card, .float, alpha: 0.5)
        let part = TestEXR.Part(card.size, half + [.init("A") { x, _ in x < 70 ? 0.5 : 0 }])
        let bitmap = try shown(part)
        #expect(bitmap.format == .argb32)
        for (x, y) in [(10, 10), (60, 10), (10, 40), (60, 40)] {
            let (wanted, seen) = (card.color(x, y), bitmap.pixel(x, y))
            #expect(seen.a == 128)
            #expect(abs(seen.r * 2 - wanted.r) <= 3 && abs(seen.g * 2 - wanted.g) <= 3)
            #expect(abs(seen.b * 2 - wanted.b) <= 3)
        }
        #expect(bitmap.pixel(72, 5) == (0, 0, 0, 0))
    }

    /// Luminance at full resolution, RY and BY subsampled; green follows from luminance.
    @Test(arguments: [1, 2, 4]) func luminanceAndChromaAreConverted(_ apart: Int) throws {
        let (r, g, b) = (Self.light(200), Self.light(120), Self.light(40))
        let luma = 0.2126 * r + 0.7152 * g + 0.0722 * b
        let size = PixelSize(width: 64, height: 40)
        let part = TestEXR.Part(
            size,
            [
                .init("Y", .float) { x, _ in x < 32 ? luma : 0.5 },
                .init("RY", .float, apart: apart) { x, _ in x < 32 ? (r - luma) / luma : 0 },
                .init("BY", .float, apart: apart) { x, _ in x < 32 ? (b - luma) / luma : 0 },
            ])
        let bitmap = try shown(part)
        #expect(bitmap.pixel(10, 11) == (255, 200, 120, 40))
        #expect((187...188).contains(bitmap.pixel(63, 39).g))
    }

    @Test(arguments: [nil, 16])
    func theDisplayWindowIsShown(_ tile: Int?) throws {
        // A data window inside the display window, both with negative origins.
        var part = part(card, .float)
        part.tile = tile
        part.data = PixelRect(x: -20, y: -10, width: 76, height: 54)
        part.display = PixelRect(x: -30, y: -30, width: 120, height: 90)
        var bitmap = try shown(part)
        #expect(bitmap.size == PixelSize(width: 120, height: 90))
        #expect(bitmap.pixel(5, 40) == (255, 0, 0, 0) && bitmap.pixel(40, 10) == (255, 0, 0, 0))
        #expect(bitmap.pixel(100, 40) == (255, 0, 0, 0) && bitmap.pixel(40, 80) == (255, 0, 0, 0))
        for (x, y) in [(0, 0), (75, 0), (0, 53), (75, 53), (30, 20)] {
            let (wanted, seen) = (card.color(x, y), bitmap.pixel(x + 10, y + 20))
            #expect(abs(seen.r - wanted.r) <= 1 && abs(seen.g - wanted.g) <= 1)
            #expect(abs(seen.b - wanted.b) <= 1)
        }
        // A data window larger than the display window.
        part.display = PixelRect(x: 0, y: 5, width: 30, height: 20)
        bitmap = try shown(part)
        #expect(bitmap.size == PixelSize(width: 30, height: 20))
        for (x, y) in [(0, 0), (29, 19)] {
            let (wanted, seen) = (card.color(x + 20, y + 15), bitmap.pixel(x, y))
            #expect(abs(seen.r - wanted.r) <= 1 && abs(seen.b - wanted.b) <= 1)
        }
        // A data window outside the display window: the data window is shown.
        part.display = PixelRect(x: 1000, y: 1000, width: 30, height: 20)
        #expect(try shown(part).largestDifference(from: card) <= 1)
    }

    /// Pixels outside the data window are transparent if the file has alpha.
    @Test func pixelsOutsideTheDataWindowAreTransparent() throws {
        var part = TestEXR.Part(card.size, channels(card) + [.init("A") { _, _ in 1 }])
        part.display = PixelRect(x: -5, y: -5, width: 90, height: 60)
        #expect(try shown(part).pixel(2, 2) == (0, 0, 0, 0))
        #expect(try shown(part).pixel(20, 20).a == 255)
    }

    @Test(
        arguments: [
            // Display P3 red lies outside sRGB; ACES2065-1 has imaginary primaries.
            (
                [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.3127, 0.329], [0.5, 0.5, 0.5],
                [188, 188, 188]
            ),
            (
                [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.3127, 0.329], [0.8225, 0.0332, 0.0171],
                [255, 0, 0]
            ),
            (
                [0.7347, 0.2653, 0, 1, 0.0001, -0.077, 0.32168, 0.33767], [0.5, 0.5, 0.5],
                [188, 188, 188]
            ),
            (
                [0.7347, 0.2653, 0, 1, 0.0001, -0.077, 0.32168, 0.33767], [0.4396, 0.0898, 0.0174],
                [255, 0, 0]
            ),
            ([0, 0, 0, 0, 0, 0, 0, 0], [0.5, 0.5, 0.5], [188, 188, 188]),
        ] as [([Float], [Float], [Int])])
    func chromaticitiesAreApplied(
        _ coordinates: [Float], _ light: [Float], _ wanted: [Int]
    ) throws {
        var part = TestEXR.Part(
            PixelSize(width: 9, height: 9),
            zip(["R", "G", "B"], light).map { name, light in
                .init(name, .float) { _, _ in light }
            })
        part.chromaticities = coordinates
        let (_, r, g, b) = try shown(part).pixel(4, 4)
        #expect(abs(r - wanted[0]) <= 1 && abs(g - wanted[1]) <= 20 && abs(b - wanted[2]) <= 20)
        #expect(wanted[0] == 255 || (abs(g - wanted[1]) <= 1 && abs(b - wanted[2]) <= 1))
    }

    @Test func brightLightIsToneMapped() throws {
        let part = TestEXR.Part(
            card.size,
            ["R", "G", "B"].map { name in
                .init(name) { x, _ in x < 10 ? 0.25 : x < 40 ? 1 : x < 70 ? 8 : .infinity }
            })
        let bitmap = try shown(part)
        let steps = [5, 20, 50, 72].map { bitmap.pixel($0, 9).r }
        // Dark values are unchanged; brighter values stay in order.
        #expect(abs(steps[0] - 137) <= 1)
        #expect(steps[1] > 200 && steps[1] < 250 && steps[2] > steps[1] && steps[3] == 255)
    }

    @Test func aSmallSurfaceGetsAMipLevelFirst() throws {
        let large = TestPicture.card(401, 303)
        var part = part(large)
        (part.tile, part.levels) = (64, 10)
        let result = try Decoding(
            TestEXR.encode([part]), target: PixelSize(width: 90, height: 70))
        #expect(result.bitmaps.count == 2)
        let first = try #require(result.bitmaps.first)
        #expect(first.levels.first?.mipLevel == 2)
        #expect(first.levels.first?.size == PixelSize(width: 101, height: 76))
        for (x, y) in [(20, 20), (80, 20), (20, 60), (80, 60)] {
            let (wanted, seen) = (large.color(4 * x, 4 * y), first.pixel(x, y))
            #expect(abs(seen.r - wanted.r) <= 1 && abs(seen.g - wanted.g) <= 1)
        }
        #expect(try #require(result.bitmaps.last).largestDifference(from: large) <= 1)
    }

    @Test func theFirstFlatPartIsShown() throws {
        let black = TestPicture(size: PixelSize(width: 20, height: 9)) { _, _ in (0, 0, 0) }
        var other = part(black)
        // All parts of a file have the same display window.
        other.display = PixelRect(card.size)
        var deep = other
        deep.type = "deepscanline"
        for parts in [[part(card), other], [deep, part(card), other]] {
            let result = try Decoding(TestEXR.encode(parts))
            #expect(result.info?.size == card.size)
            #expect(try #require(result.bitmaps.last).largestDifference(from: card) <= 1)
        }
    }

    // MARK: Bad input

    @Test func deepPixelsAreRefused() throws {
        var deep = part(card)
        deep.type = "deepscanline"
        let failure = try Decoding(TestEXR.encode([deep])).failure
        #expect(failure == .damaged(reason: "deep pixel data is not supported"))
    }

    @Test(arguments: [nil, 16])
    func aTruncatedFileIsShownInPart(_ tile: Int?) throws {
        var part = part(card)
        part.tile = tile
        let file = TestEXR.encode([part])
        let result = try Decoding(Array(file.prefix(file.count / 2)))
        #expect(result.message?.contains("cut short") == true)
        let bitmap = try #require(result.bitmaps.last)
        #expect(abs(bitmap.pixel(5, 5).r - card.color(5, 5).r) <= 1)
        #expect(bitmap.pixel(70, 50) == (255, 0, 0, 0))
    }

    @Test(arguments: ["-compress none", "-compress zip", "-compress piz", "-compress b44"])
    func damagedFilesDoNotCrashTheDecoder(_ options: String) throws {
        bench.put("in.png", TestPicture.photograph(120, 90).png())
        try bench.run(
            "convert in.png \(options) a.exr && exrmaketiled -z piz -t 32 32 a.exr t.exr")
        for (name, seed) in [("a.exr", 3), ("t.exr", 71)] as [(String, UInt64)] {
            let file = bench.bytes(name)
            let shown = try RobustnessChecks.truncate(
                file, size: PixelSize(width: 120, height: 90), at: [0.001, 0.02, 0.1, 0.5, 0.95])
            #expect(shown >= 1)
            try RobustnessChecks.damage(file, seed: seed)
            try RobustnessChecks.damage(file, seed: seed + 500, bytes: 3)
        }
    }

    @Test func absurdSizesAreRefused() throws {
        var display = part(card)
        display.display = PixelRect(x: 0, y: 0, width: 2_000_000, height: 2_000_000)
        #expect(
            try Decoding(TestEXR.encode([display])).failure
                == .tooLarge(width: 2_000_000, height: 2_000_000, most: 512_000_000))
        var file = TestEXR.encode([part(card)])
        let name = Array("dataWindow\0box2i\0".utf8)
        let box = try #require(file.indices.first { file[$0...].starts(with: name) })
        let corner = box + name.count + 4 + 8
        file.replaceSubrange(corner..<(corner + 8), with: [0, 0, 1, 0, 0, 0, 1, 0])
        let failure = try Decoding(file).failure
        #expect(failure == .tooLarge(width: 65537, height: 65537, most: 128_000_000))
    }

    /// Float pixels need four times the memory, so the pixel limit is a quarter.
    @Test func aQuarterOfThePixelsIsTheLimit() throws {
        let file = TestEXR.encode([part(card)])
        var limits = DecodeLimits.standard
        limits.pixels = card.size.width * card.size.height * 4
        let exact = Decoding(
            try DecodeClient(DecoderLauncher(DecoderProgram(Binaries.decoder), limits: limits)),
            id: 1, file)
        #expect(exact.failure == nil && exact.bitmaps.count == 1)
        limits.pixels -= 4
        let less = Decoding(
            try DecodeClient(DecoderLauncher(DecoderProgram(Binaries.decoder), limits: limits)),
            id: 1, file)
        #expect(less.failure == .tooLarge(width: 76, height: 54, most: limits.pixels / 4))
    }

    /// A file without any chunk of pixels is not shown.
    @Test(arguments: [nil, 16]) func aFileWithoutChunksFails(_ tile: Int?) throws {
        var lacking = part(card)
        lacking.tile = tile
        let file = TestEXR.encode([lacking])
        let count = tile.map { (75 / $0 + 1) * (53 / $0 + 1) } ?? 54
        let table = try #require(
            (0..<file.count).first { start in
                let place = file[start..<min(start + 8, file.count)].reversed().reduce(0) {
                    $0 << 8 | Int($1)
                }
                return place == start + 8 * count
            })
        #expect(try Decoding(Array(file.prefix(table + 8 * count))).failure == .cutShort)
    }
}
