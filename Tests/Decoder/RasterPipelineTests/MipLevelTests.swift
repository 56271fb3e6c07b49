import Geometry
import Glibc
import ImageTypes
import Synchronization
import Testing
import Threads

@testable import RasterPipeline

@Suite struct MipLevelTests {
    private static let sizes = [
        (1, 1), (2, 1), (1, 2), (3, 3), (7, 5), (8, 2), (9, 4), (16, 16), (17, 33), (31, 15),
        (63, 64), (300, 77), (1000, 49),
    ].map { PixelSize(width: $0.0, height: $0.1) }

    private func fill(_ levels: some LevelRows) {
        var word: UInt32 = 1
        let fine = levels.levels[0]
        for y in 0..<fine.size.height {
            let row = levels.row(y, of: fine)
            for x in 0..<fine.size.width {
                word = word &* 1_664_525 &+ 1_013_904_223
                row[x] = word ^ word >> 13
            }
        }
    }

    /// Rounded to nearest per channel; the last column and row are repeated for odd sizes.
    @Test(arguments: sizes.dropFirst()) func aPixelIsTheMeanOfFour(size: PixelSize) throws {
        let store = try PixelStore(size: size, from: 0, smallestSide: 1)
        fill(store)
        let (fine, coarse) = (store.levels[0], store.levels[1])
        Reduction.reduce(rows: 0..<coarse.size.height, of: coarse, from: fine, in: store)
        for y in 0..<coarse.size.height {
            for x in 0..<coarse.size.width {
                let right = min(2 * x + 1, size.width - 1), below = min(2 * y + 1, size.height - 1)
                let four = [(2 * x, 2 * y), (right, 2 * y), (2 * x, below), (right, below)]
                    .map { store.row($0.1, of: fine)[$0.0] }
                for shift: UInt32 in [0, 8, 16, 24] {
                    let sum = four.reduce(0) { $0 + Int($1 >> shift & 255) }
                    #expect(Int(store.row(y, of: coarse)[x] >> shift & 255) == (sum + 2) / 4)
                }
            }
        }
    }

    /// Reduction band by band gives the same bits as reduction at once.
    @Test(arguments: sizes) func bandsMatchTheWhole(size: PixelSize) throws {
        let whole = try PixelStore(size: size, from: 0, smallestSide: 1)
        fill(whole)
        Reduction.reduceFineLevels(0..<size.height, in: whole)
        Reduction.reduceCoarseLevels(of: whole)
        let store = try PixelStore(size: size, from: 0, smallestSide: 1)
        var bands = BandWriter(store)
        var y = 0
        while y < size.height {
            let rows = y..<min(y + OrientedWriter.rowsPerBand, size.height)
            for (row, target) in zip(rows, bands.begin(rows)) {
                target.update(from: whole.row(row, of: whole.levels[0]), count: size.width)
            }
            // Sometimes another thread holds the lock for writing.
            if y.isMultiple(of: 3 * OrientedWriter.rowsPerBand) {
                let (isHeld, isOver) = (Signal(), Signal())
                Thread.start {
                    store.writing.withLock { _ in
                        isHeld.raise()
                        isOver.wait()
                    }
                }
                isHeld.wait()
                bands.end()
                isOver.raise()
            } else {
                bands.end()
            }
            y = rows.upperBound
        }
        bands.finish()
        Reduction.reduceCoarseLevels(of: store)
        #expect(store.levels == whole.levels)
        for level in store.levels {
            for y in 0..<level.size.height {
                let same =
                    memcmp(store.row(y, of: level), whole.row(y, of: level), level.size.width * 4)
                    == 0
                #expect(same, "\(level.mipLevel), \(y)")
            }
        }
    }
}
