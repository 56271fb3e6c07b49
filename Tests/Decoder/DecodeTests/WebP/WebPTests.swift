import Geometry
import ImageTypes
import RasterPipeline
import TestKit
import Testing

@testable import Codecs

/// WebP, compared with libwebp's tools.
@Suite struct WebPTests {
    private let bench = Workbench()
    private let photo = TestPicture.photograph(201, 133)

    @Test(arguments: [
        ("-q 80", false, 1), ("-q 30 -segments 4 -sharp_yuv", false, 1), ("-lossless", false, 1),
        ("-lossless -z 0", false, 1), ("-near_lossless 40", false, 1), ("-q 80", true, 1),
        ("-q 60 -alpha_q 40", true, 1), ("-lossless", true, 1), ("-lossless -exact", true, 1),
        ("-resize 1 1", false, 1), ("-resize 640 1", true, 1),
    ])
    func pixelsMatchDwebp(
        options: String, hasAlpha: Bool, tolerance: Float
    ) throws {
        bench.put("in.png", hasAlpha ? photo.fadingPNG() : photo.png())
        try bench.run(
            "cwebp -quiet \(options) in.png -o it.webp && dwebp -quiet it.webp -pam -o it.pam")
        let result = try Decoding(bench.bytes("it.webp"))
        let bitmap = try #require(result.bitmaps.last)
        #expect(result.info?.format == "WebP")
        #expect(bitmap.format == (hasAlpha ? .argb32 : .rgb24))
        // libwebp truncates when it premultiplies.
        Conformance.expect(
            "WebP", options + (hasAlpha ? " alpha" : ""),
            bitmap.largestDifference(from: try bench.pixels("it.pam")), atMost: tolerance,
            from: "dwebp")
        #expect(result.message == nil)
    }

    @Test(arguments: Orientation.allCases)
    func exifOrientationIsApplied(_ orientation: Orientation) throws {
        let card = TestPicture.card(72, 40)
        bench.put("in.png", card.stored(as: orientation).png())
        bench.put(
            "exif",
            Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1]
                + [0, orientation.rawValue, 0, 0, 0, 0, 0, 0])
        try bench.run(
            "cwebp -quiet -lossless in.png -o it.webp && webpmux -set exif exif it.webp -o out.webp"
        )
        let result = try Decoding(bench.bytes("out.webp"))
        #expect(result.info?.orientation == orientation)
        #expect(try #require(result.bitmaps.last).largestDifference(from: card) == 0)
    }

    @Test(arguments: [false, true])
    func profilesAreApplied(_ hasAlpha: Bool) throws {
        let color: [UInt8] = hasAlpha ? [220, 40, 90, 128] : [220, 40, 90]
        let size = PixelSize(width: 16, height: 16)
        bench.put(
            "in.png",
            TestPicture.png(
                (0..<256).flatMap { _ in color }, size, colorType: hasAlpha ? 6 : 2))
        bench.put("icc", TestProfile.exchanged)
        try bench.run(
            "cwebp -quiet -lossless in.png -o it.webp && webpmux -set icc icc it.webp -o out.webp")
        let (a, r, g, b) = try #require(
            try Decoding(bench.bytes("out.webp")).bitmaps.last
        ).pixel(8, 8)
        let alpha = hasAlpha ? 128 : 255
        #expect(a == alpha)
        #expect(abs(r - 40 * alpha / 255) < 12 && abs(g - 220 * alpha / 255) < 4)
        #expect(abs(b - 90 * alpha / 255) < 6)
    }

    // MARK: Animations

    /// Three frames of one colour each; the second is smaller than the canvas.
    private func animation() throws -> [UInt8] {
        let colors: [(Int, Int, Int, String)] = [
            (64, 48, 0, "+100+0+0+0+b"), (16, 12, 1, "+40+20+10+1+b"), (64, 48, 2, "+250+0+0+0-b"),
        ]
        var frames = ""
        for (index, (width, height, channel, place)) in colors.enumerated() {
            let flat = TestPicture(size: PixelSize(width: width, height: height)) { _, _ in
                (channel == 0 ? 200 : 0, channel == 1 ? 200 : 0, channel == 2 ? 200 : 0)
            }
            bench.put("\(index).png", flat.png())
            try bench.run("cwebp -quiet -lossless \(index).png -o \(index).webp")
            frames += " -frame \(index).webp \(place)"
        }
        try bench.run("webpmux\(frames) -loop 3 -bgcolor 255,255,255,255 -o it.webp")
        return bench.bytes("it.webp")
    }

    @Test func animationsPlayAsTheFileSays() throws {
        try animation().withUnsafeBytes { bytes in
            let codec = try WebPCodec(bytes)
            #expect(codec.isAnimated)
            let frames = try codec.frames()
            #expect(frames.loops == 3)
            #expect(frames.size == PixelSize(width: 64, height: 48))
            var canvas = [UInt32](repeating: 0, count: 64 * 48)
            for round in 0..<2 {
                #expect(try frames.next(&canvas) == 100, "\(round)")
                #expect(canvas.allSatisfy { $0 == 0xFFC8_0000 })
                #expect(try frames.next(&canvas) == 40)
                #expect(canvas[15 * 64 + 25] == 0xFF00_C800)
                #expect(canvas[0] == 0xFFC8_0000)
                #expect(try frames.next(&canvas) == 250)
                #expect(canvas.allSatisfy { $0 == 0xFF00_00C8 })
                #expect(try frames.next(&canvas) == nil)
                frames.rewind()
            }
        }
    }

    @Test func aTruncatedAnimationPlaysItsCompleteFrames() throws {
        let file = try animation()
        try Array(file.prefix(file.count - 20)).withUnsafeBytes { bytes in
            let frames = try WebPCodec(bytes).frames()
            var canvas = [UInt32](repeating: 0, count: 64 * 48)
            #expect(try frames.next(&canvas) == 100)
            #expect(try frames.next(&canvas) == 40)
            #expect(try frames.next(&canvas) == nil)
        }
    }

    @Test func theStillIsTheFirstFrame() throws {
        let bitmap = try #require(try Decoding(try animation()).bitmaps.last)
        #expect(bitmap.pixel(30, 20) == (255, 200, 0, 0))
    }

    // MARK: Bad input

    @Test(arguments: ["-q 80", "-lossless"])
    func aTruncatedFileIsShownInPart(_ options: String) throws {
        bench.put("in.png", photo.png())
        try bench.run("cwebp -quiet \(options) in.png -o it.webp")
        let file = bench.bytes("it.webp")
        let shown = try RobustnessChecks.truncate(
            file, size: photo.size, at: [0.001, 0.01, 0.1, 0.5, 0.8, 0.95])
        #expect(shown >= 2)
        let half = try #require(
            try Decoding(Array(file.prefix(file.count * 9 / 10))).bitmaps.last)
        #expect(abs(half.pixel(100, 4).r - photo.color(100, 4).r) < 60)
        #expect(half.pixel(100, 132) == (255, 0, 0, 0))
    }

    @Test(arguments: ["-q 80", "-lossless", "-q 80 -alpha_q 90"], [1 as UInt64, 77])
    func damagedFilesDoNotCrashTheDecoder(_ options: String, _ seed: UInt64) throws {
        bench.put("in.png", options.contains("alpha") ? photo.fadingPNG() : photo.png())
        try bench.run("cwebp -quiet \(options) in.png -o it.webp")
        try RobustnessChecks.damage(bench.bytes("it.webp"), seed: seed)
    }

    @Test(arguments: [5 as UInt64, 99])
    func damagedAnimationsDoNotCrashTheDecoder(_ seed: UInt64) throws {
        let file = try animation()
        try RobustnessChecks.damage(file, seed: seed)
        for part in [0.1, 0.3, 0.5, 0.9] {
            let result = try Decoding(Array(file.prefix(Int(Double(file.count) * part))))
            #expect(result.failure != .crashed)
            #expect(result.failure != nil || !result.bitmaps.isEmpty)
        }
    }
}
