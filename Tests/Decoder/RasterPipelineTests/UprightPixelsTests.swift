import Geometry
import ImageTypes
import ImageWire
import RasterPipeline
import Testing

@Suite struct UprightPixelsTests {
    @Test func theMemoryHasThePixelsTheirMipLevelsAndACopy() throws {
        let size = PixelSize(width: 130, height: 70)
        let pixels = (0..<(130 * 70)).map { RowPattern.pixel($0 % 130, $0 / 130) }
        let memory = try UprightPixels(pixels, size, .rgb24).seal(
            orientation: .rotatedLeft, withSRGBCopy: true)
        let sealed = try SealedPixels(memory)
        #expect(sealed.header.size == size && sealed.header.orientation == .rotatedLeft)
        #expect(sealed.header.format == .rgb24)
        #expect(sealed.pixel(129, 69) == RowPattern.pixel(129, 69))
        #expect(sealed.pixelOfCopy(129, 69) == RowPattern.pixel(129, 69))
        #expect(sealed.header.levels.map(\.size.width) == [130, 65, 33])
    }
}
