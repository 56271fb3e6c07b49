import Geometry
import TestKit
import Testing

@testable import RasterPipeline

/// Linear light in float samples, for several formats.
@Suite struct LinearLightTests {
    enum Format: CaseIterable { case pfm, grayPFM, tiff }

    private let size = PixelSize(width: 100, height: 90)

    /// A grey picture; `light` gives the linear value at (x, y).
    private func file(_ format: Format, _ light: (Int, Int) -> Float) -> [UInt8] {
        var samples: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width {
                let row = format == .tiff ? y : size.height - 1 - y
                let bits = light(x, row).bitPattern
                let sample = withUnsafeBytes(of: bits.littleEndian) { Array($0) }
                samples += format == .grayPFM ? sample : sample + sample + sample
            }
        }
        let start = "\(size.width) \(size.height)\n-1.0\n"
        switch format {
        case .pfm: return Array("PF\n\(start)".utf8) + samples
        case .grayPFM: return Array("Pf\n\(start)".utf8) + samples
        case .tiff:
            var page = TestTIFF.Page(
                width: size.width, height: size.height, bits: 32, samples: 3, photometric: 2,
                pixels: samples)
            page.fields = [.init(339, shorts: [3, 3, 3])]
            return TestTIFF.encode([page])
        }
    }

    @Test(arguments: Format.allCases) func aFewSparksDoNotDarkenTheRest(_ format: Format) throws {
        let file = file(format) { x, y in x == 50 && y == 50 ? 90000 : 0.9 }
        let bitmap = try #require(try Decoding(file).bitmaps.last)
        #expect(bitmap.pixel(50, 50).r == 255)
        #expect(abs(bitmap.pixel(10, 10).r - 243) <= 2)
    }

    @Test(arguments: Format.allCases) func infiniteLightIsWhite(_ format: Format) throws {
        let file = file(format) { x, y in
            y < 20 ? 4 : x < 50 ? (y < 30 ? .infinity : 0.5) : (y < 30 ? -.infinity : .nan)
        }
        let bitmap = try #require(try Decoding(file).bitmaps.last)
        #expect(bitmap.pixel(10, 25) == (255, 255, 255, 255))
        #expect(abs(bitmap.pixel(10, 60).r - 188) <= 2)
        #expect(bitmap.pixel(70, 25) == (255, 0, 0, 0))
        #expect(bitmap.pixel(70, 60) == (255, 0, 0, 0))
    }

    /// Conversion of infinite values from other primaries must not give NaN.
    @Test func infiniteLightOfOtherPrimariesIsWhiteToo() {
        let mapping = ToneMapping(primaries: .bt2020, peak: 4)
        var numbers: [UInt16] = [0, 0, 0]
        mapping.map(SIMD4(.infinity, .infinity, .infinity, 0), to: &numbers)
        #expect(numbers.allSatisfy { $0 > 65000 })
        mapping.map(SIMD4(.nan, 0.5, -.infinity, 0), to: &numbers)
        #expect(numbers[1] > 30000 && numbers[2] == 0)
    }
}
