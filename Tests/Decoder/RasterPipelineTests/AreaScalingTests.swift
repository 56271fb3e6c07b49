import Geometry
import ImageTypes
import Testing

@testable import RasterPipeline

/// Means of areas: in linear light if opaque, in encoded values with alpha.
@Suite struct AreaScalingTests {
    private static let sizes = [(1, 1), (3, 2), (7, 3), (50, 1), (600, 256)]

    private static func scaled(
        _ pixel: UInt32, _ format: PixelFormat, _ source: Int, _ target: Int
    ) -> Set<UInt32> {
        var scaling = AreaScaling(
            from: PixelSize(width: source, height: 3), to: PixelSize(width: target, height: 2),
            format: format)
        let row = [UInt32](repeating: pixel, count: source)
        for _ in 0..<3 { row.withUnsafeBufferPointer { scaling.add($0) } }
        #expect(scaling.pixels.count == 2 * target)
        return Set(scaling.pixels)
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
            var scaling = AreaScaling(
                from: PixelSize(width: 2, height: 1), to: PixelSize(width: 1, height: 1),
                format: format)
            [0xFF00_0000, 0xFFFF_FFFF].withUnsafeBufferPointer { scaling.add($0) }
            #expect(scaling.pixels == [0xFF00_0000 | wanted << 16 | wanted << 8 | wanted])
        }
    }
}
