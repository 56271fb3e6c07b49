import Geometry
import ImageTypes
import ImageWire
import RasterPipeline
import Testing

@Suite struct UprightPixelsTests {
    @Test func theMemoryHasThePixelsTheirMipLevelsAndACopy() throws {
        let size = PixelSize(width: 130, height: 70)
        let sealed = try Self.sealed(size, .mirrored)
        #expect(sealed.header.size == size && sealed.header.orientation == .mirrored)
        #expect(sealed.header.format == .rgb24)
        #expect(sealed.pixel(129, 69) == RowPattern.pixel(0, 69))
        #expect(sealed.pixelOfCopy(129, 69) == RowPattern.pixel(0, 69))
        #expect(sealed.header.levels.map(\.size.width) == [130, 65, 33])
    }

    /// Where the first stored pixel is, the second one of the first row, and the first one of the second
    /// row, by orientation (Exif 2.32, 4.6.4).
    private static let places: [Orientation: [(x: Int, y: Int)]] = [
        .upright: [(0, 0), (1, 0), (0, 1)], .mirrored: [(4, 0), (3, 0), (4, 1)],
        .upsideDown: [(4, 2), (3, 2), (4, 1)], .mirroredUpsideDown: [(0, 2), (1, 2), (0, 1)],
        .transposed: [(0, 0), (0, 1), (1, 0)], .rotatedLeft: [(4, 0), (4, 1), (3, 0)],
        .transversed: [(4, 2), (4, 1), (3, 2)], .rotatedRight: [(0, 2), (0, 1), (1, 2)],
    ]

    @Test(arguments: Orientation.allCases, [PixelFormat.rgb24, .argb32])
    func rowsAreWrittenUpright(_ orientation: Orientation, _ format: PixelFormat) throws {
        let size = PixelSize(width: 5, height: 3)
        let sealed = try Self.sealed(size, orientation, format)
        #expect(sealed.header.format == format)
        let places = try #require(Self.places[orientation])
        let (first, second, below) = (places[0], places[1], places[2])
        let stored = orientation.upright(size)
        for y in 0..<stored.height {
            for x in 0..<stored.width {
                let column = first.x + x * (second.x - first.x) + y * (below.x - first.x)
                let row = first.y + x * (second.y - first.y) + y * (below.y - first.y)
                #expect(sealed.pixel(column, row) == RowPattern.pixel(x, y))
                #expect(sealed.pixelOfCopy(column, row) == RowPattern.pixel(x, y))
            }
        }
    }

    private static func sealed(
        _ size: PixelSize, _ orientation: Orientation, _ format: PixelFormat = .rgb24
    ) throws -> SealedPixels {
        let pixels = try UprightPixels(size, format, orientation, withSRGBCopy: true)
        let stored = orientation.upright(size)
        for y in 0..<stored.height {
            let row = (0..<stored.width).map { RowPattern.pixel($0, y) }
            row.withUnsafeBufferPointer { pixels.add($0) }
        }
        return try SealedPixels(try pixels.seal())
    }
}
