import DecodeClient
import Geometry
import Glibc
import ImageTypes
import TestKit
import Testing

@testable import Codecs
@testable import RasterPipeline

/// Grey pixels whose profile is one of greys or of RGB, in files that store greys or colours.
///
/// All profiles are linear: the value 128 is 188 on the curve of sRGB.
@Suite struct GrayProfileTests {
    private static let gray = TestProfile.gray(gamma: 1)
    private static let rgb = TestProfile.matrix(.red, .green, .blue, gamma: 1)
    private static let size = PixelSize(width: 64, height: 64)
    private static let count = size.width * size.height

    /// A file of pixels of 128, opaque or with an alpha of 128.
    struct File: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var hasAlpha = false
        var make: @Sendable (Workbench) throws -> [UInt8]

        init(
            _ name: String, alpha: Bool = false,
            _ make: @escaping @Sendable (Workbench) throws -> [UInt8]
        ) {
            (testDescription, hasAlpha, self.make) = (name, alpha, make)
        }
    }

    private static func png(_ colorType: Int, bits: Int = 8, _ profile: [UInt8]) -> [UInt8] {
        let samples = [0: 1, 2: 3, 4: 2, 6: 4][colorType] ?? 1
        let pixels = [UInt8](repeating: 128, count: count * samples * bits / 8)
        let file = TestPicture.png(pixels, size, colorType: colorType, bitDepth: bits)
        return TestPicture.png(file, with: [("iCCP", profile)])
    }

    private static func tiff(
        _ samples: Int, bits: Int = 8, alpha: Bool = false, _ profile: [UInt8]
    ) -> [UInt8] {
        var page = TestTIFF.Page(
            width: 64, height: 64, bits: bits, samples: samples, photometric: samples > 2 ? 2 : 1,
            pixels: [UInt8](repeating: 128, count: count * samples * bits / 8))
        page.fields = [.init(34675, bytes: profile, type: 7)]
        if alpha { page.fields.append(.init(338, shorts: [2])) }
        return TestTIFF.encode([page])
    }

    /// A BMP of version 5 with 24 bits, or with a palette of greys.
    private static func bmp(bits: Int, _ profile: [UInt8]) -> [UInt8] {
        func little(_ value: Int) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let palette = bits == 8 ? (0..<256).flatMap { little($0 * 0x10101) } : []
        let pixels = [UInt8](repeating: 128, count: count * bits / 8)
        let start = 14 + 124 + palette.count
        var header = little(124) + little(64) + little(64) + [1, 0, UInt8(bits), 0]
        header += [UInt8](repeating: 0, count: 124 - header.count)
        // "MBED", and the place of the profile, which counts from the header.
        header.replaceSubrange(56..<60, with: little(0x4D42_4544))
        header.replaceSubrange(
            112..<120, with: little(start - 14 + pixels.count) + little(profile.count))
        let file = Array("BM".utf8) + little(start + pixels.count + profile.count) + little(0)
        return file + little(start) + header + palette + pixels + profile
    }

    private static func jp2(_ colorType: Int, _ profile: [UInt8]) -> File {
        File("JP2 of PNG type \(colorType)", alpha: colorType > 2) { bench in
            let samples = [0: 1, 2: 3, 4: 2, 6: 4][colorType] ?? 1
            let pixels = [UInt8](repeating: 128, count: count * samples)
            bench.put("a.png", TestPicture.png(pixels, size, colorType: colorType))
            try bench.run("opj_compress -i a.png -o a.jp2")
            return try JP2Profile.put(profile, in: bench.bytes("a.jp2"))
        }
    }

    /// A file that a tool makes of a PNG with a profile of greys.
    private static func made(_ tool: String, _ name: String, alpha: Bool = false) -> File {
        File("\(tool)\(alpha ? " with alpha" : "")", alpha: alpha) { bench in
            bench.put("a.png", png(alpha ? 4 : 0, gray))
            bench.put("gray.icc", gray)
            try bench.run(tool)
            return bench.bytes(name)
        }
    }

    private static let files: [File] = [
        File("PNG, grey") { _ in png(0, gray) },
        File("PNG, grey with alpha", alpha: true) { _ in png(4, gray) },
        File("PNG, grey of 16 bits with alpha", alpha: true) { _ in png(4, bits: 16, gray) },
        File("PNG, RGB") { _ in png(2, gray) },
        File("PNG, RGB of 16 bits") { _ in png(2, bits: 16, gray) },
        File("PNG, RGB with alpha", alpha: true) { _ in png(6, gray) },
        File("PNG, grey, RGB profile") { _ in png(0, rgb) },
        File("PNG, grey with alpha, RGB profile", alpha: true) { _ in png(4, bits: 16, rgb) },
        File("JPEG, grey") { _ in jpeg(1, gray) },
        File("JPEG, grey, RGB profile") { _ in jpeg(1, rgb) },
        File("JPEG, YCbCr") { _ in jpeg(3, gray) },
        File("TIFF, grey") { _ in tiff(1, gray) },
        File("TIFF, grey, RGB profile") { _ in tiff(1, rgb) },
        File("TIFF, grey of 16 bits, RGB profile") { _ in tiff(1, bits: 16, rgb) },
        File("TIFF, grey with alpha", alpha: true) { _ in tiff(2, alpha: true, gray) },
        File("TIFF, grey of 16 bits with alpha", alpha: true) { _ in
            tiff(2, bits: 16, alpha: true, gray)
        },
        File("TIFF, grey with alpha, RGB profile", alpha: true) { _ in tiff(2, alpha: true, rgb) },
        File("TIFF, RGB") { _ in tiff(3, gray) },
        File("BMP") { _ in bmp(bits: 24, gray) },
        File("BMP with a palette") { _ in bmp(bits: 8, gray) },
        File("APNG", alpha: true) { _ in
            let frame = TestAnimation.Frame((128, 128, 128, 128), 64, 64)
            return TestPicture.png(TestAnimation.apng([frame, frame]), with: [("iCCP", gray)])
        },
        made("cwebp -quiet -lossless -metadata icc a.png -o a.webp", "a.webp"),
        made("cwebp -quiet -lossless -metadata icc a.png -o a.webp", "a.webp", alpha: true),
        made("cwebp -quiet -q 90 -metadata icc a.png -o a.webp", "a.webp"),
        made("avifenc -s 10 -y 444 --icc gray.icc a.png a.avif", "a.avif"),
        made("avifenc -s 10 -y 420 --icc gray.icc a.png a.avif", "a.avif"),
        made("avifenc -s 10 -y 400 --icc gray.icc a.png a.avif", "a.avif"),
        made("heif-enc -A -q 95 a.png -o a.avif", "a.avif"),
        made("heif-enc -q 95 a.png -o a.heic", "a.heic"),
        made("cjxl --quiet -d 0 a.png a.jxl", "a.jxl"),
        made("cjxl --quiet -d 0 a.png a.jxl", "a.jxl", alpha: true),
        jp2(0, gray), jp2(0, rgb), jp2(2, gray), jp2(4, gray), jp2(4, rgb),
    ]

    private static func jpeg(_ components: Int, _ profile: [UInt8]) -> [UInt8] {
        let pixels = [UInt8](repeating: 128, count: count * components)
        let file = TestPicture.jpeg(pixels, size, components: components, quality: 100)
        return TestPicture.jpeg(file, withProfile: profile)
    }

    /// Also where the viewer would take planes, which are not converted.
    @Test(arguments: files) func theSpaceOfTheProfileDecides(file: File) throws {
        let bytes = try file.make(Workbench())
        let client = try DecodeClient(
            DecoderLauncher(DecoderProgram(Binaries.decoder)), patience: 20_000)
        let decoding = Decoding(client, id: 1, bytes, acceptsPlanes: true)
        let bitmap = try #require(decoding.bitmaps.last, "\(String(describing: decoding.failure))")
        #expect(bitmap.format == (file.hasAlpha ? .argb32 : .rgb24))
        let (a, r, g, b) = bitmap.pixel(40, 40)
        // With alpha the pixels are premultiplied.
        let wanted = file.hasAlpha ? 94 : 188
        #expect(abs(a - (file.hasAlpha ? 128 : 255)) <= 1)
        #expect([r, g, b].allSatisfy { abs($0 - wanted) <= 3 }, "\(r) \(g) \(b)")
    }

    /// A profile of greys says nothing about colours, in whichever format.
    @Test(arguments: ["it.png", "it.jpg", "it.webp", "it.avif", "it.tif"])
    func coloursIgnoreAProfileOfGreys(name: String) throws {
        let bench = Workbench()
        // One coloured pixel in 64 rows makes it a picture with colours.
        let picture = TestPicture(size: Self.size) { _, y in
            y == 63 ? (10, 200, 30) : (128, 128, 128)
        }
        bench.put("plain.png", picture.png())
        bench.put("gray.icc", Self.gray)
        let file: [UInt8]
        switch name {
        case "it.png": file = TestPicture.png(picture.png(), with: [("iCCP", Self.gray)])
        case "it.jpg":
            file = TestPicture.jpeg(picture.jpeg(quality: 100), withProfile: Self.gray)
        case "it.avif":
            try bench.run("avifenc -s 10 --lossless --icc gray.icc plain.png it.avif")
            file = bench.bytes(name)
        case "it.webp":
            try bench.run("cwebp -quiet -lossless plain.png -o plain.webp")
            try bench.run("webpmux -set icc gray.icc plain.webp -o it.webp")
            file = bench.bytes(name)
        default:
            var page = TestTIFF.Page(
                width: 64, height: 64, bits: 8, samples: 3, photometric: 2, pixels: picture.pixels)
            page.fields = [.init(34675, bytes: Self.gray, type: 7)]
            file = TestTIFF.encode([page])
        }
        let bitmap = try #require(try Decoding(file).bitmaps.last)
        #expect(bitmap.largestDifference(from: picture) <= 8)
    }

    /// Each frame is shown as a still picture with its pixels would be.
    @Test func framesOfAnAnimationHaveTheProfile() throws {
        let frames = [
            TestAnimation.Frame((128, 128, 128, 255), 8, 8),
            TestAnimation.Frame((10, 200, 30, 255), 8, 8),
            TestAnimation.Frame((128, 128, 128, 255), 8, 8),
        ]
        let file = TestPicture.png(TestAnimation.apng(frames), with: [("iCCP", Self.gray)])
        let played = try AnimationPlayback(file, 3)
        let pixels = played.frames.map { $0.bitmap.pixel(4, 4) }
        #expect(pixels.count == 3)
        #expect(pixels[0].r == pixels[2].r && abs(pixels[0].r - 188) <= 1)
        #expect(pixels[1] == (255, 10, 200, 30))
    }

    /// A file that is decoded tile by tile has its colours in the overview and in the tiles.
    @Test func tilesHaveTheProfile() throws {
        let picture = TestPicture(size: PixelSize(width: 400, height: 300)) { _, _ in
            (128, 128, 128)
        }
        let file = TestPicture.jpeg(picture.jpeg(quality: 100), withProfile: Self.gray)
        let descriptor = Decoding.file(file)
        defer { close(descriptor) }
        let tiled = try #require(try TiledJPEG(descriptor, largerThan: 0))
        let sink = TileSink()
        #expect(try tiled.decode(for: picture.size, to: sink) == nil)
        let overview = try TileSink.pixels(sink.memory[0], tiled.info).pixels
        let rect = PixelRect(x: 100, y: 100, width: 40, height: 40)
        let tile = try sink.pixels(of: PictureTile(mipLevel: 0, rect: rect), tiled).pixels
        for pixel in overview + tile { #expect(abs(Int(pixel & 255) - 188) <= 2) }
    }

    /// Greys need no conversion where it would only round, so that their planes are shown.
    @Test func profilesLikeSRGBAreSkipped() {
        #expect(RowConverter.showsUnchanged(.profile(TestProfile.standard), as: .gray8))
        #expect(!RowConverter.showsUnchanged(.profile(Self.rgb), as: .gray8))
        #expect(!RowConverter.showsUnchanged(.profile(Self.gray), as: .gray8))
        #expect(!RowConverter.showsUnchanged(.profile(Self.gray), as: .bgrx8))
    }

    /// Damaged profiles of both spaces are ignored, or convert to something.
    @Test func damagedProfilesDoNoHarm() throws {
        for profile in [Self.gray, Self.rgb] {
            for seed in 1...40 {
                let damaged = Damage.strike(profile, seed: seed, times: 6, from: 36)
                for layout in [SampleLayout.gray8, .gray16, .rgba8, .bgrx8, .rgb16, .rgba16] {
                    let converter = RowConverter(
                        layout, .profile(damaged), isGray: true, screen: [])
                    // Decoders fill the fourth sample of pixels without alpha.
                    let sample: UInt64 =
                        layout == .bgrx8 ? 0xFF80_8080_FF80_8080 : 0x8080_8080_8080_8080
                    let row = [UInt64](repeating: sample, count: 300)
                    var pixels = [UInt32](repeating: 0, count: 300)
                    converter.convert(row, to: &pixels, width: 300, y: 0)
                    let alphas: Set<UInt32> = layout.hasAlpha ? [128] : [255]
                    #expect(Set(pixels.map { $0 >> 24 }) == alphas)
                }
            }
        }
    }
}
