import Geometry
import Glibc
import ImageTypes
import RasterPipeline
import TestKit
import Testing

@testable import Codecs

/// Radiance HDR files, written by the tests according to the Radiance manual.
@Suite struct RadianceTests {
    private let bench = Workbench()

    /// The encodings of scan lines.
    enum Coding: CaseIterable { case plain, oldRuns, newRuns }

    /// The RGBE bytes of a linear colour below 2^127.
    private static func bytes(_ light: SIMD3<Float>) -> [UInt8] {
        let most = light.max()
        guard most > 0 else { return [0, 0, 0, 0] }
        let exponent = Int(most.exponent) + 1
        let factor = Float(sign: .plus, exponent: 8 - exponent, significand: 1)
        return (0..<3).map { UInt8(light[$0] * factor) } + [UInt8(exponent + 128)]
    }

    private static func scanLine(_ pixels: [[UInt8]], _ coding: Coding) -> [UInt8] {
        switch coding {
        case .plain: return pixels.flatMap { $0 }
        case .oldRuns:
            var result: [UInt8] = []
            var index = 0
            while index < pixels.count {
                let run = pixels[index...].prefix { $0 == pixels[index] }.count
                result += pixels[index]
                // A second run pixel encodes the high byte of the count.
                if run > 1 { result += [1, 1, 1, UInt8((run - 1) & 255)] }
                if run > 256 { result += [1, 1, 1, UInt8((run - 1) >> 8)] }
                index += run
            }
            return result
        case .newRuns:
            var result: [UInt8] = [2, 2, UInt8(pixels.count >> 8), UInt8(pixels.count & 255)]
            for sample in 0..<4 {
                var index = 0
                while index < pixels.count {
                    let value = pixels[index][sample]
                    let run = pixels[index...].prefix(127).prefix { $0[sample] == value }.count
                    result += run > 2 ? [UInt8(128 + run), value] : [1, value]
                    index += run > 2 ? run : 1
                }
            }
            return result
        }
    }

    /// A file with these scan lines.
    private static func file(
        _ lines: [[SIMD3<Float>]], _ coding: Coding, resolution: String? = nil, header: String = ""
    ) -> [UInt8] {
        let size = resolution ?? "-Y \(lines.count) +X \(lines.first?.count ?? 0)"
        return Array("#?RADIANCE\n\(header)FORMAT=32-bit_rle_rgbe\n\n\(size)\n".utf8)
            + lines.flatMap { Self.scanLine($0.map(Self.bytes), coding) }
    }

    /// The colours of a card in linear light.
    private func light(_ card: TestPicture) -> [[SIMD3<Float>]] {
        (0..<card.size.height).map { y in
            (0..<card.size.width).map { x in
                let (r, g, b) = card.color(x, y)
                return SIMD3(Self.light(r), Self.light(g), Self.light(b))
            }
        }
    }

    /// The linear value of an 8-bit sRGB value (IEC 61966-2-1).
    private static func light(_ number: Int) -> Float {
        let value = Double(number) / 255
        return value <= 0.04045
            ? Float(value / 12.92) : Float(exp((log(value + 0.055) - log(1.055)) * 2.4))
    }

    @Test(arguments: Coding.allCases)
    func everyCodingIsDecoded(_ coding: Coding) throws {
        let card = TestPicture.card(400, 24)
        let result = try Decoding(Self.file(light(card), coding))
        #expect(result.info?.format == "Radiance HDR")
        let bitmap = try #require(result.bitmaps.last)
        // The shared exponent makes dark samples coarse beside a bright sample.
        Conformance.expect(
            "Radiance HDR", "\(coding)", bitmap.largestDifference(from: card), atMost: 14,
            from: "the encoded pixels")
        #expect(result.message == nil)
    }

    @Test(
        arguments: [
            ("-Y", "+X", 1), ("-Y", "-X", 2), ("+Y", "-X", 3), ("+Y", "+X", 4), ("+X", "-Y", 5),
            ("-X", "-Y", 6), ("-X", "+Y", 7), ("+X", "+Y", 8),
        ] as [(String, String, UInt8)])
    func allEightResolutionsAreUpright(lines: String, pixels: String, exif: UInt8) throws {
        let card = TestPicture.card(48, 32)
        let stored = card.stored(as: try #require(Orientation(rawValue: exif)))
        let file = Self.file(
            light(stored), .newRuns,
            resolution: "\(lines) \(stored.size.height) \(pixels) \(stored.size.width)")
        let bitmap = try #require(try Decoding(file).bitmaps.last)
        #expect(bitmap.largestDifference(from: card) <= 14)
    }

    @Test func exposuresAreDividedOut() throws {
        let lines = [[SIMD3<Float>]](
            repeating: .init(repeating: SIMD3(2, 2, 2), count: 16), count: 9)
        let file = Self.file(lines, .newRuns, header: "EXPOSURE=4\nEXPOSURE= 2\n")
        let bitmap = try #require(try Decoding(file).bitmaps.last)
        // The product of the exposures is 8, so 2 becomes 0.25 in linear light.
        #expect(abs(bitmap.pixel(3, 3).r - 137) <= 1)
    }

    @Test func aFewSparksDoNotDarkenTheRest() throws {
        var lines = [[SIMD3<Float>]](
            repeating: .init(repeating: SIMD3(0.9, 0.9, 0.9), count: 100), count: 100)
        lines[50][50] = SIMD3(90000, 90000, 90000)
        let file = Self.file(lines, .newRuns)
        let peak = try file.withUnsafeBytes { try RadianceCodec($0).rows().peak }
        #expect(peak == 1)
        let bitmap = try #require(try Decoding(file).bitmaps.last)
        #expect(bitmap.pixel(50, 50).r == 255)
        #expect(abs(bitmap.pixel(10, 10).r - 243) <= 2)
    }

    @Test func filesFromImageMagickAreRead() throws {
        let photo = TestPicture.photograph(202, 60)
        bench.put("in.png", photo.png())
        try bench.run("convert in.png -colorspace RGB it.hdr")
        let bitmap = try #require(try Decoding(bench.bytes("it.hdr")).bitmaps.last)
        #expect(bitmap.size == photo.size)
        #expect(bitmap.pixel(100, 30).a == 255)
    }

    // MARK: Bad input

    @Test(arguments: Coding.allCases)
    func damagedFilesDoNotCrashTheDecoder(_ coding: Coding) throws {
        let card = TestPicture.card(120, 80)
        let file = Self.file(light(card), coding)
        let shown = try RobustnessChecks.truncate(
            file, size: card.size, at: [0.001, 0.02, 0.1, 0.5, 0.8, 0.95])
        #expect(shown >= 3)
        try RobustnessChecks.damage(file, seed: 31)
        try RobustnessChecks.damage(file, seed: 777, bytes: 3)
    }

    @Test func anAbsurdSizeIsRefused() throws {
        let file = Self.file([], .plain, resolution: "-Y 2000000000 +X 2000000000")
        #expect(
            try Decoding(file).failure
                == .tooLarge(width: 2_000_000_000, height: 2_000_000_000, most: 512_000_000))
    }
}
