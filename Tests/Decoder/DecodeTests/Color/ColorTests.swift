import DecodeClient
import Geometry
import ImageTypes
import TestKit
import Testing

@testable import RasterPipeline

/// Colour profiles and other colour information of pictures.
@Suite struct ColorTests {
    private static let size = PixelSize(width: 16, height: 16)

    private static func plain(_ r: UInt8, _ g: UInt8, _ b: UInt8) -> TestPicture {
        TestPicture(size: size) { _, _ in (r, g, b) }
    }

    private func color(_ file: [UInt8]) throws -> (r: Int, g: Int, b: Int) {
        let decoding = try Decoding(file)
        let bitmap = try #require(decoding.bitmaps.last, "\(String(describing: decoding.failure))")
        #expect(bitmap.format == .rgb24)
        let (_, r, g, b) = bitmap.pixel(7, 7)
        return (r, g, b)
    }

    private func isNear(
        _ color: (r: Int, g: Int, b: Int), _ r: Int, _ g: Int, _ b: Int, _ tolerance: Int = 4
    ) -> Bool {
        abs(color.r - r) <= tolerance && abs(color.g - g) <= tolerance
            && abs(color.b - b) <= tolerance
    }

    @Test func aProfileIsApplied() throws {
        let blue = Self.plain(0, 0, 255)
        let jpeg = TestPicture.jpeg(blue.jpeg(quality: 100), withProfile: TestProfile.swapped)
        #expect(isNear(try color(jpeg), 255, 0, 0))
        let png = TestPicture.png(blue.png(), with: [("iCCP", TestProfile.swapped)])
        #expect(isNear(try color(png), 255, 0, 0))
        // A large picture is decoded in two passes.
        let large = TestPicture(size: PixelSize(width: 1600, height: 1200)) { _, _ in (0, 0, 255) }
        let decoding = try Decoding(
            TestPicture.jpeg(large.jpeg(), withProfile: TestProfile.swapped),
            target: PixelSize(width: 200, height: 150))
        #expect(decoding.bitmaps.count == 2)
        for bitmap in decoding.bitmaps {
            let (_, r, g, b) = bitmap.pixel(50, 50)
            #expect(isNear((r, g, b), 255, 0, 0))
        }
    }

    /// The screen profile swaps red and blue for all formats; a picture with the same profile is unchanged.
    @Test func theScreenProfileIsApplied() throws {
        let screen = try #require(ScreenProfile(TestProfile.swapped))
        let blue = Self.plain(0, 0, 255)
        let svg =
            "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>"
            + "<rect width='9' height='9' fill='blue' fill-opacity='0.5'/></svg>"
        let deep = TestPicture.png(
            (0..<256).flatMap { _ in [0, 0, 0, 0, 255, 255] as [UInt8] }, Self.size, colorType: 2,
            bitDepth: 16)
        let light = "PF\n16 16\n-1\n"
        let floats = (0..<256).flatMap { _ in [0, 0, 1] as [Float] }.flatMap {
            withUnsafeBytes(of: $0.bitPattern.littleEndian) { Array($0) }
        }
        let preview = TestPicture(size: PixelSize(width: 160, height: 120)) { _, _ in (0, 0, 255) }
        let raw = TestDNG.encode(
            TestPicture.card(320, 240), preview: preview.jpeg(quality: 100),
            previewSize: preview.size)
        let files: [([UInt8], Int, Int)] = [
            (blue.jpeg(quality: 100), 255, 0), (blue.png(), 255, 0), (Array(svg.utf8), 128, 0),
            (deep, 255, 0), (Array(light.utf8) + floats, 255, 0),
            (TestPicture.jpeg(blue.jpeg(quality: 100), withProfile: TestProfile.swapped), 0, 255),
            // The preview of the raw file.
            (raw, 255, 0),
        ]
        let client = try DecodeClient(
            DecoderLauncher(DecoderProgram(Binaries.decoder), screen: screen))
        for (number, (file, red, blue)) in files.enumerated() {
            let decoding = Decoding(client, id: number, file)
            let (_, r, g, b) = try #require(decoding.bitmaps.first).pixel(7, 7)
            #expect(isNear((r, g, b), red, 0, blue), "\(number): \(r) \(g) \(b)")
            if decoding.info?.isTiled == true { client.cancel() }
        }
    }

    /// An sRGB screen profile, the usual case, leaves the pixels unchanged.
    @Test(arguments: [SampleLayout.bgrx8, .premultipliedBGRA8])
    func anIdentityScreenProfileIsSkipped(_ layout: SampleLayout) {
        #expect(RowConverter(layout, .standard, screen: TestProfile.standard).isIdentity)
        #expect(!RowConverter(layout, .standard, screen: TestProfile.swapped).isIdentity)
    }

    @Test func aProfileIsAppliedToADeepPicture() throws {
        let samples: [UInt8] = (0..<256).flatMap { _ in [0, 0, 0, 0, 255, 255] as [UInt8] }
        let png = TestPicture.png(samples, Self.size, colorType: 2, bitDepth: 16)
        let color = try color(TestPicture.png(png, with: [("iCCP", TestProfile.swapped)]))
        #expect(isNear(color, 255, 0, 0))
    }

    @Test func aProfileDoesNotChangeAlpha() throws {
        let samples: [UInt8] = (0..<256).flatMap { _ in [0, 0, 255, 128] as [UInt8] }
        let png = TestPicture.png(samples, Self.size, colorType: 6)
        let decoding = try Decoding(TestPicture.png(png, with: [("iCCP", TestProfile.swapped)]))
        let (a, r, g, b) = try #require(decoding.bitmaps.last).pixel(3, 3)
        #expect(a == 128 && abs(r - 128) <= 3 && g <= 3 && b <= 3)
    }

    @Test func greyProfilesAreApplied() throws {
        let jpeg = TestPicture.jpeg(
            [UInt8](repeating: 128, count: 256), Self.size, components: 1, quality: 100)
        // The linear value 128 / 255 is 188 on the sRGB curve.
        let linear = try color(TestPicture.jpeg(jpeg, withProfile: TestProfile.gray(gamma: 1)))
        #expect(isNear(linear, 188, 188, 188, 2))
        #expect(isNear(try color(jpeg), 128, 128, 128, 1))
    }

    /// A profile for other channels, or invalid data, is ignored.
    @Test(arguments: [
        TestProfile.gray(gamma: 1), Array("no profile".utf8),
        Array(TestProfile.swapped.prefix(200)),
        TestProfile.swapped.map { $0 ^ 0x55 },
    ])
    func invalidProfilesAreIgnored(profile: [UInt8]) throws {
        let file = TestPicture.jpeg(
            Self.plain(10, 200, 30).jpeg(quality: 100), withProfile: profile)
        #expect(isNear(try color(file), 10, 200, 30))
    }

    @Test func aDamagedProfileIsIgnored() throws {
        var state: UInt64 = 7
        for _ in 0..<60 {
            var profile = TestProfile.swapped
            for _ in 0..<8 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                profile[Int(state >> 33) % profile.count] = UInt8(truncatingIfNeeded: state >> 24)
            }
            let file = TestPicture.jpeg(Self.plain(10, 200, 30).jpeg(), withProfile: profile)
            let decoding = try Decoding(file)
            #expect(decoding.failure == nil)
        }
    }

    // MARK: PNG colour chunks

    private func number(_ value: Double) -> [UInt8] {
        let whole = Int((value * 100_000).rounded())
        return (0..<4).map { UInt8(truncatingIfNeeded: whole >> (24 - 8 * $0)) }
    }

    @Test func gammaIsApplied() throws {
        let file = Self.plain(128, 128, 128).png()
        let linear = TestPicture.png(file, with: [("gAMA", number(1))])
        #expect(isNear(try color(linear), 188, 188, 188, 2))
        // The usual gAMA value for sRGB changes nothing.
        let usual = TestPicture.png(file, with: [("gAMA", number(0.45455))])
        #expect(try color(usual) == (128, 128, 128))
        // The sRGB chunk takes precedence over gAMA.
        let both = TestPicture.png(file, with: [("sRGB", [0]), ("gAMA", number(1))])
        #expect(try color(both) == (128, 128, 128))
    }

    @Test func chromaticitiesAreApplied() throws {
        // The white point, then red, green and blue with red and blue exchanged.
        let primaries = [0.3127, 0.3290, 0.15, 0.06, 0.30, 0.60, 0.64, 0.33].flatMap(number)
        let file = TestPicture.png(
            Self.plain(0, 0, 255).png(), with: [("gAMA", number(0.45455)), ("cHRM", primaries)])
        #expect(isNear(try color(file), 255, 0, 0))
        // Chromaticities of zero are invalid.
        let odd = TestPicture.png(
            Self.plain(9, 9, 200).png(),
            with: [("gAMA", number(0.45455)), ("cHRM", [UInt8](repeating: 0, count: 32))])
        #expect(try color(odd) == (9, 9, 200))
    }

    @Test func codePointsAreApplied() throws {
        // Display P3 red lies outside sRGB; a light grey is equal in both.
        let red = TestPicture.png(
            Self.plain(200, 50, 50).png(), with: [("cICP", [12, 13, 0, 1])])
        let seen = try color(red)
        #expect(seen.r > 205 && seen.g < 45)
        let grey = TestPicture.png(
            Self.plain(180, 180, 180).png(), with: [("cICP", [12, 13, 0, 1])])
        #expect(isNear(try color(grey), 180, 180, 180, 2))
        // cICP takes precedence over a profile.
        let both = TestPicture.png(
            Self.plain(0, 0, 255).png(),
            with: [("cICP", [1, 13, 0, 1]), ("iCCP", TestProfile.swapped)])
        #expect(isNear(try color(both), 0, 0, 255))
    }

    /// In the perceptual quantizer, 58 % is diffuse white (203 cd/m²); brighter values stay distinct.
    @Test func highDynamicRangeIsToneMapped() throws {
        func deep(_ part: Double) -> [UInt8] {
            let value = Int(part * 65535)
            let sample = [UInt8(value >> 8), UInt8(value & 255)]
            let samples = (0..<256).flatMap { _ in sample + sample + sample }
            return TestPicture.png(
                TestPicture.png(samples, Self.size, colorType: 2, bitDepth: 16),
                with: [("cICP", [9, 16, 0, 1])])
        }
        let dark = try color(deep(0.30))
        let white = try color(deep(0.5807))
        let bright = try color(deep(0.70))
        let brightest = try color(deep(0.752))
        // 8 cd/m² is 3.9 % of diffuse white (203 cd/m²), which is 55 of 255 on the sRGB curve.
        #expect((40...70).contains(dark.r) && abs(dark.r - dark.b) <= 2)
        #expect((215...245).contains(white.r))
        #expect(bright.r > white.r && brightest.r > bright.r && brightest.r >= 254)
    }

    // MARK: Depth

    /// A gradient that would show bands at 8 bits has the correct mean in every column range.
    @Test func sixteenBitsAreDithered() throws {
        let size = PixelSize(width: 256, height: 64)
        let samples = (0..<size.height).flatMap { _ in
            (0..<size.width).flatMap { x -> [UInt8] in
                let value = 0x4000 + x * 4
                let sample = [UInt8(value >> 8), UInt8(value & 255)]
                return sample + sample + sample
            }
        }
        let bitmap = try #require(
            try Decoding(TestPicture.png(samples, size, colorType: 2, bitDepth: 16)).bitmaps.last)
        for start in stride(from: 0, to: 256, by: 16) {
            var sum = 0
            for x in start..<(start + 16) {
                for y in 0..<64 { sum += bitmap.pixel(x, y).r }
            }
            let mean = Double(sum) / (16 * 64)
            let wanted = (Double(0x4000) + (Double(start) + 7.5) * 4) / 257
            #expect(abs(mean - wanted) < 0.06)
        }
        // A flat area with an exact 8-bit value is not dithered.
        let even = (0..<size.width * size.height).flatMap { _ in [UInt8](repeating: 77, count: 6) }
        let plain = try #require(
            try Decoding(TestPicture.png(even, size, colorType: 2, bitDepth: 16)).bitmaps.last)
        #expect((0..<256).allSatisfy { plain.pixel($0, $0 / 4) == (255, 77, 77, 77) })
    }
}
