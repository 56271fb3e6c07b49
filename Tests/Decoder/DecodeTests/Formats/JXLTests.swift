import Geometry
import ImageTypes
import Metadata
import RasterPipeline
import TestKit
import Testing

@testable import Codecs

/// JPEG XL, compared with libjxl's tools.
@Suite struct JXLTests {
    private let bench = Workbench()
    private let photo = TestPicture.photograph(203, 131)

    @Test(arguments: [
        ("-d 1", false), ("-d 3 -e 3", false), ("-d 0", false), ("-d 0 -e 1", false),
        ("-d 1 -p", false), ("-d 1", true), ("-d 0", true), ("-d 1 -m 1", false),
        ("--container=1 -d 0", false),
    ])
    func pixelsMatchDjxl(options: String, hasAlpha: Bool) throws {
        bench.put("in.png", hasAlpha ? photo.fadingPNG() : photo.png())
        try bench.run(
            "cjxl --quiet \(options) in.png it.jxl && djxl --quiet it.jxl it.png && "
                + "convert it.png it.pam")
        let result = try Decoding(bench.bytes("it.jxl"))
        let bitmap = try #require(result.bitmaps.last)
        #expect(result.info?.format == "JPEG XL")
        #expect(bitmap.format == (hasAlpha ? .argb32 : .rgb24))
        Conformance.expect(
            "JPEG XL", options + (hasAlpha ? " alpha" : ""),
            bitmap.largestDifference(from: try bench.pixels("it.pam")), atMost: 1.01, from: "djxl")
        #expect(result.message == nil)
    }

    @Test(arguments: [0, 2], [8, 16])
    func greyAndManyBitsComeOutRight(_ colorType: Int, _ bits: Int) throws {
        var samples: [UInt8] = []
        for place in stride(from: 0, to: photo.pixels.count, by: colorType == 0 ? 3 : 1) {
            samples += bits == 8 ? [photo.pixels[place]] : [photo.pixels[place], 99]
        }
        bench.put(
            "in.png",
            TestPicture.png(samples, photo.size, colorType: colorType, bitDepth: bits))
        try bench.run("cjxl --quiet -d 0 in.png it.jxl && convert in.png it.pam")
        let bitmap = try #require(try Decoding(bench.bytes("it.jxl")).bitmaps.last)
        #expect(bitmap.largestDifference(from: try bench.pixels("it.pam")) <= 1)
    }

    @Test func floatsAreLinearLight() throws {
        // cjxl of Debian 12 scales PFM values, so all values here are brighter than white.
        var pixels = Array("PF\n8 8\n-1.0\n".utf8)
        for place in 0..<(64 * 3) {
            let light: Float = place / 3 % 8 < 4 ? 0x1p30 : 0x1p33
            withUnsafeBytes(of: light.bitPattern) { pixels += $0 }
        }
        bench.put("in.pfm", pixels)
        try bench.run("cjxl --quiet -d 0 -x color_space=RGB_D65_SRG_Rel_Lin in.pfm it.jxl")
        let file = bench.bytes("it.jxl")
        try file.withUnsafeBytes { bytes in
            let rows = try JXLCodec(bytes).rows()
            #expect(rows.layout == .rgbFloat)
            #expect(rows.peak > 1)
        }
        let bitmap = try #require(try Decoding(file).bitmaps.last)
        #expect(bitmap.pixel(6, 6).r >= 250)
    }

    @Test func profilesAreApplied() throws {
        let flat = TestPicture(size: PixelSize(width: 64, height: 64)) { _, _ in (220, 40, 90) }
        bench.put("in.png", flat.png())
        bench.put("it.icc", TestProfile.exchanged)
        try bench.run("cjxl --quiet -d 0 -x icc_pathname=it.icc in.png it.jxl")
        let (_, r, g, b) = try #require(try Decoding(bench.bytes("it.jxl")).bitmaps.last).pixel(
            9, 9)
        #expect(abs(r - 40) < 12 && abs(g - 220) < 4 && abs(b - 90) < 6)
    }

    @Test(arguments: [
        "RGB_D65_202_Rel_PeQ", "RGB_D65_202_Rel_HLG", "RGB_D65_SRG_Rel_Lin", "RGB_D65_DCI_Rel_SRG",
    ])
    func encodedColorSpacesAreApplied(_ space: String) throws {
        let card = TestPicture.card(64, 48)
        bench.put("in.ppm", Array("P6\n64 48\n255\n".utf8) + card.pixels)
        try bench.run("cjxl --quiet -d 0 -x color_space=\(space) in.ppm it.jxl")
        let file = bench.bytes("it.jxl")
        let bitmap = try #require(try Decoding(file).bitmaps.last)
        // Each colour space maps the same samples to different colours.
        let (_, r, g, b) = bitmap.pixel(10, 10)
        let wanted = card.color(10, 10)
        let differences = [r - wanted.r, g - wanted.g, b - wanted.b].map { abs($0) }
        #expect(differences.reduce(0, +) > 12)
        try file.withUnsafeBytes { bytes in
            guard case .encoded(let encoding) = try JXLCodec(bytes).rows().color else {
                Issue.record("no encoding")
                return
            }
            let expected: ColorEncoding.Transfer =
                switch space.suffix(3) {
                case "PeQ": .perceptualQuantizer
                case "HLG": .hybridLogGamma
                case "Lin": .linear
                default: .sRGB
                }
            #expect(encoding.transfer == expected)
        }
    }

    @Test(arguments: Orientation.allCases)
    func theLibraryAppliesTheOrientation(_ orientation: Orientation) throws {
        let card = TestPicture.card(96, 64)
        bench.put(
            "in.jpg", card.stored(as: orientation).jpeg(quality: 100, orientation: orientation))
        try bench.run("cjxl --quiet in.jpg it.jxl")
        let result = try Decoding(bench.bytes("it.jxl"))
        #expect(result.info?.size == card.size)
        let bitmap = try #require(result.bitmaps.last)
        for (x, y) in [(20, 16), (76, 16), (20, 48), (76, 48)] {
            let (_, r, g, b) = bitmap.pixel(x, y)
            let wanted = card.color(x, y)
            #expect(abs(r - wanted.r) < 12 && abs(g - wanted.g) < 12 && abs(b - wanted.b) < 12)
        }
    }

    @Test func theDateIsFound() throws {
        bench.put("in.png", photo.png())
        try bench.run("cjxl --quiet --container=1 -d 0 in.png it.jxl")
        let jpeg = TestPicture.dated("2026:11:21 09:30:00")
        // In a JPEG, "Exif" and two zeros precede the TIFF structure; in the box, four zero bytes.
        let exif = [0, 0, 0, 0] + jpeg[12..<76]
        let box = [0, 0, 0, UInt8(exif.count + 8)] + Array("Exif".utf8) + exif
        #expect(
            try Decoding(bench.bytes("it.jxl") + box).info?.taken
                == CaptureTime(wallClock: 1_795_253_400))
    }

    // MARK: Animations

    private func animation() throws -> [UInt8] {
        try bench.run(
            "convert -size 64x48 -delay 10 xc:red -delay 4 xc:lime -delay 25 xc:blue -loop 3 in.gif "
                + "&& cjxl --quiet -d 0 in.gif it.jxl")
        return bench.bytes("it.jxl")
    }

    @Test func animationsPlayAsTheFileSays() throws {
        try animation().withUnsafeBytes { bytes in
            let codec = try JXLCodec(bytes)
            #expect(codec.isAnimated)
            let frames = try codec.frames()
            #expect(frames.size == PixelSize(width: 64, height: 48))
            let samples = frames.layout.bytesPerPixel
            var canvas = [UInt8](repeating: 0, count: 64 * 48 * samples)
            for _ in 0..<2 {
                for (channel, duration) in [100.0, 40, 250].enumerated() {
                    #expect(try frames.next(&canvas) == duration)
                    #expect((0..<3).allSatisfy { canvas[$0] == ($0 == channel ? 255 : 0) })
                }
                #expect(try frames.next(&canvas) == nil)
                frames.rewind()
            }
        }
    }

    @Test func aStillIsNotAnimated() throws {
        bench.put("in.png", photo.png())
        try bench.run("cjxl --quiet in.png it.jxl")
        let isAnimated = try bench.bytes("it.jxl").withUnsafeBytes { try JXLCodec($0).isAnimated }
        #expect(!isAnimated)
    }

    // MARK: Bad input

    @Test(arguments: ["-d 1 -p", "-d 0", "-d 1 --container=1"])
    func damagedFilesDoNotCrashTheDecoder(_ options: String) throws {
        let photo = TestPicture.photograph(600, 400)
        bench.put("in.png", photo.png())
        try bench.run("cjxl --quiet \(options) in.png it.jxl")
        let file = bench.bytes("it.jxl")
        let shown = try RobustnessChecks.truncate(
            file, size: photo.size, at: [0.0001, 0.001, 0.01, 0.1, 0.5, 0.8, 0.95])
        #expect(shown >= 1)
        try RobustnessChecks.damage(file, seed: 11)
        try RobustnessChecks.damage(file, seed: 4321, bytes: 3)
    }
}
