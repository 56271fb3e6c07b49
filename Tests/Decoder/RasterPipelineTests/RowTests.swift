import Geometry
import ImageTypes
import RasterPipeline
import Testing

/// Streams and parts of rows, and what a picture may be.
@Suite struct RowTests {
    private let size = PixelSize(width: 20, height: 12)

    /// The row that `read` fills; empty if `read` returns false.
    private func row(_ read: (UnsafeMutablePointer<UInt32>) -> Bool) -> [UInt32] {
        [UInt32](unsafeUninitializedCapacity: size.width) { buffer, count in
            if let base = buffer.baseAddress, read(base) { count = size.width }
        }
    }

    @Test func aStreamPreparesItsRowsOnce() throws {
        let rows = RowPattern(size)
        let stream = try RowStream(rows)
        #expect(stream.size == size && stream.format == .rgb24)
        for y in 0..<size.height {
            let pixels = row { stream.read($0) }
            #expect(pixels == (0..<size.width).map { RowPattern.pixel($0, y) })
        }
        #expect(rows.places.count == 1 && rows.places.allSatisfy { $0 == nil })
        #expect(stream.isComplete)
    }

    /// Without scaling, missing rows are black; a picture without rows is an error.
    @Test func missingRowsAreBlack() throws {
        var pixels: [UInt32] = []
        let rows = try RowStream(RowPattern(size, available: 5))
        let isWhole = try rows.scale(to: size) { pixels += $0 }
        #expect(!isWhole && pixels.count == size.width * size.height)
        #expect(pixels[4 * size.width + 3] == RowPattern.pixel(3, 4))
        #expect(pixels.dropFirst(5 * size.width).allSatisfy { $0 == 0xFF00_0000 })
        #expect(throws: DecodeFailure.cutShort) {
            try RowStream(RowPattern(size, available: 0)).scale(to: size) { _ in }
        }
    }

    @Test func remainingRowsBeginAfterTheSkippedOnes() {
        let rows = RemainingRows(RowPattern(size), leaving: 7, 3)
        #expect(rows.size == PixelSize(width: 20, height: 3))
        for y in 7..<10 {
            let pixels = row { rows.read([UnsafeMutableRawPointer($0)]) == 1 }
            #expect(pixels.count == size.width && pixels.last == RowPattern.pixel(19, y))
        }
    }

    @Test func theFinestMipLevelIsOneThatCanBeDisplayed() throws {
        let side = PictureLimits.side
        for (width, mipLevel) in [(1, 0), (side, 0), (side + 1, 1), (2 * side + 1, 2)] {
            let size = PixelSize(width: width, height: 2)
            #expect(try DecodeSettings.finestMipLevel(for: size, most: .max) == mipLevel)
        }
        let large = PixelSize(width: 11, height: 10)
        #expect(throws: DecodeFailure.tooLarge(width: 11, height: 10, most: 100)) {
            try DecodeSettings.finestMipLevel(for: large, most: 100)
        }
        #expect(throws: DecodeFailure.self) {
            try DecodeSettings.finestMipLevel(for: PixelSize(width: 0, height: 10), most: 100)
        }
    }
}
