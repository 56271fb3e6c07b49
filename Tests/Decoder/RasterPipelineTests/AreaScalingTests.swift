import Geometry
import ImageTypes
import Testing

@testable import RasterPipeline

/// Means of areas: in linear light if opaque, in encoded values with alpha.
@Suite struct AreaScalingTests {
    private static let sizes = [(1, 1), (3, 2), (7, 3), (50, 1), (600, 256)]

    private static func scaled(
        _ rows: [[UInt32]], to target: PixelSize, _ format: PixelFormat
    ) -> [UInt32] {
        var scaling = AreaScaling(
            from: PixelSize(width: rows[0].count, height: rows.count), to: target, format: format)
        var pixels: [UInt32] = []
        for row in rows {
            row.withUnsafeBufferPointer { scaling.add($0) { pixels += $0 } }
        }
        return pixels
    }

    private static func scaled(
        _ pixel: UInt32, _ format: PixelFormat, _ source: Int, _ target: Int
    ) -> Set<UInt32> {
        let rows = [[UInt32]](repeating: [UInt32](repeating: pixel, count: source), count: 3)
        let pixels = scaled(rows, to: PixelSize(width: target, height: 2), format)
        #expect(pixels.count == 2 * target)
        return Set(pixels)
    }

    @Test(arguments: sizes)
    func aUniformColorStays(_ source: Int, _ target: Int) {
        for value in UInt32(0)...255 {
            let opaque = 0xFF00_0000 | value << 16 | (255 - value) << 8 | value
            #expect(Self.scaled(opaque, .rgb24, source, target) == [opaque])
            let premultiplied = value << 24 | (value / 2) << 16 | value
            #expect(Self.scaled(premultiplied, .argb32, source, target) == [premultiplied])
        }
    }

    /// The mean of black and white in linear light is 188, and 128 in encoded values.
    @Test func opaquePixelsAreAveragedInLinearLight() {
        for (format, wanted) in [(PixelFormat.rgb24, UInt32(188)), (.argb32, 128)] {
            let pixels = Self.scaled(
                [[0xFF00_0000, 0xFFFF_FFFF]], to: PixelSize(width: 1, height: 1), format)
            #expect(pixels == [0xFF00_0000 | wanted << 16 | wanted << 8 | wanted])
        }
    }
}
