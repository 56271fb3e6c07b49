import Geometry
import ImageTypes
import TestKit
import Testing

/// Tests for all formats: pixels match another decoder, profiles are applied, and orientation is applied
/// once.
@Suite struct ConformanceTests {
    private let bench = Workbench()
    private let photo = TestPicture.photograph(203, 131)

    private func putPhoto() {
        bench.put("in.ppm", Array("P6\n203 131\n255\n".utf8) + photo.pixels)
    }

    @Test(arguments: [
        "-sample 1x1", "-sample 2x1", "-sample 2x2", "-sample 1x2", "-sample 4x1",
        "-sample 2x2 -progressive", "-progressive", "-grayscale", "-grayscale -progressive",
        "-rgb", "-arithmetic", "-arithmetic -progressive", "-restart 1", "-restart 3B -progressive",
        "-optimize -quality 20", "-quality 100 -dct float",
    ])
    func jpegMatchesDjpeg(options: String) throws {
        putPhoto()
        try bench.run(
            "cjpeg \(options) -outfile it.jpg in.ppm && djpeg -pnm -outfile it.pnm it.jpg")
        let bitmap = try #require(try Decoding(bench.bytes("it.jpg")).bitmaps.last)
        Conformance.expect(
            "JPEG", options, bitmap.largestDifference(from: try bench.pixels("it.pnm")), atMost: 0,
            from: "djpeg")
    }

    @Test(
        arguments: [
            "-type grayscale -define png:color-type=0", "-monochrome -define png:color-type=0",
            "-colors 4 -define png:color-type=3", "-colors 16 -define png:color-type=3",
            "-colors 100 -define png:color-type=3", "-define png:color-type=2",
            "-define png:color-type=2 -define png:bit-depth=16",
            "-type grayscale -define png:color-type=0 -define png:bit-depth=16",
            "-transparent white -define png:color-type=6",
            "-alpha set -channel A -evaluate multiply 0.4",
            "-type grayscale -alpha set -channel A -evaluate multiply 0.4 -define png:color-type=4",
            "-colors 200 -transparent black -define png:color-type=3",
        ], ["none", "PNG"])
    func pngMatchesImageMagick(options: String, interlacing: String) throws {
        putPhoto()
        let file = "\(options) -interlace \(interlacing)"
        try bench.run(
            "convert in.ppm \(file) it.png && convert it.png -colorspace sRGB -depth 16 it.pam")
        let bitmap = try #require(try Decoding(bench.bytes("it.png")).bitmaps.last)
        let isDeep = options.contains("bit-depth=16")
        let hasAlpha = options.contains("alpha") || options.contains("transparent")
        Conformance.expect(
            "PNG", interlacing == "none" ? options : options + ", interlaced",
            bitmap.largestDifference(from: try bench.pixels("it.pam")),
            atMost: isDeep ? 1 : hasAlpha ? 0.51 : 0.01, from: "ImageMagick")
    }

    /// With a profile that swaps red and blue, stored blue is shown as red.
    @Test(arguments: [
        "it.jpg", "it.png", "it.tif", "it.webp", "it.jp2", "it.avif", "it.heic", "it.jxl",
        "it.psb.tif",
    ])
    func aProfileThatSwapsRedAndBlueIsApplied(name: String) throws {
        let blue = TestPicture(size: PixelSize(width: 64, height: 48)) { _, _ in (10, 20, 240) }
        bench.put("blue.png", TestPicture.png(blue.png(), with: [("iCCP", TestProfile.swapped)]))
        bench.put("swapped.icc", TestProfile.swapped)
        switch name {
        case "it.avif": try bench.run("heif-enc -A -q 95 -p chroma=444 blue.png -o it.avif")
        case "it.heic": try bench.run("heif-enc -q 95 -p chroma=444 blue.png -o it.heic")
        case "it.jxl": try bench.run("cjxl --quiet -d 0 blue.png it.jxl")
        case "it.webp":
            try bench.run("cwebp -quiet -lossless -metadata icc blue.png -o it.webp")
        case "it.jp2":
            bench.put("plain.png", blue.png())
            try bench.run("opj_compress -i plain.png -o plain.jp2")
            bench.put(name, try JP2Profile.put(TestProfile.swapped, in: bench.bytes("plain.jp2")))
        default:
            bench.put("plain.png", blue.png())
            let depth = name == "it.psb.tif" ? "-depth 16" : ""
            try bench.run("convert plain.png -profile swapped.icc -quality 100 \(depth) \(name)")
        }
        let result = try Decoding(bench.bytes(name))
        let (_, r, g, b) = try #require(
            result.bitmaps.last, "\(String(describing: result.failure))"
        )
        .pixel(30, 20)
        let difference = [abs(r - 240), abs(g - 20), abs(b - 10)].max() ?? 256
        Conformance.expect(
            result.info?.format ?? name, "a profile that swaps red and blue", difference, atMost: 8,
            from: "the intended colours")
    }

    /// The orientation in PNG's eXIf chunk; other formats have orientation tests of their own.
    @Test(arguments: Orientation.allCases)
    func pngIsOrientedOnce(_ orientation: Orientation) throws {
        let card = TestPicture.card(48, 32)
        let exif: [UInt8] =
            Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1]
            + [0, orientation.rawValue, 0, 0, 0, 0, 0, 0]
        let file = TestPicture.png(card.stored(as: orientation).png(), with: [("eXIf", exif)])
        let result = try Decoding(file)
        #expect(result.info?.orientation == orientation && result.info?.size == card.size)
        Conformance.expect(
            "PNG", "orientation \(orientation.rawValue)",
            try #require(result.bitmaps.last).largestDifference(from: card), atMost: 0,
            from: "the upright picture")
    }
}
