import Geometry
import ImageTypes

/// Gives access to the rows of a picture's mip levels.
protocol LevelRows {
    var levels: [Bitmap.Level] { get }
    /// Row `y` of a level, counted from the picture's top.
    func row(_ y: Int, of level: Bitmap.Level) -> UnsafeMutablePointer<UInt32>
    /// May release resident pages; called after each row, while rows of a level are used in order.
    func releasePages(after y: Int, of level: Bitmap.Level)
}

/// Builds mip levels: each pixel is the mean of four pixels of the next finer level.
enum Reduction {
    /// Computes rows of `coarse` from `fine`, which is the next finer level.
    static func reduce(
        rows: Range<Int>, of coarse: Bitmap.Level, from fine: Bitmap.Level,
        in store: some LevelRows
    ) {
        let whole = fine.size.width / 2
        for y in rows {
            let upper = store.row(2 * y, of: fine)
            let lower = store.row(min(2 * y + 1, fine.size.height - 1), of: fine)
            let target = store.row(y, of: coarse)
            var x = 0
            while x + 4 <= whole {
                let (above, below) = (eight(upper + 2 * x), eight(lower + 2 * x))
                UnsafeMutableRawPointer(target + x).storeBytes(
                    of: mean(above.evenHalf, above.oddHalf, below.evenHalf, below.oddHalf),
                    as: SIMD4<UInt32>.self)
                x += 4
            }
            while x < whole {
                target[x] = mean(upper[2 * x], upper[2 * x + 1], lower[2 * x], lower[2 * x + 1])
                x += 1
            }
            if whole < coarse.size.width {
                let (a, b) = (upper[2 * whole], lower[2 * whole])
                target[whole] = mean(a, a, b, b)
            }
            store.releasePages(after: y, of: coarse)
        }
    }

    /// How many times a band of `OrientedWriter.rowsPerBand` rows can be halved on its own.
    static let fineLevels = 4

    /// The rows of level `index` that are made of `rows` of the finest level.
    static func part(of rows: Range<Int>, _ index: Int, in levels: [Bitmap.Level]) -> Range<Int> {
        let isLast = rows.upperBound == levels[0].size.height
        return rows.lowerBound
            >> index..<(isLast ? levels[index].size.height : rows.upperBound >> index)
    }

    /// Reduces rows of the finest level to the next `fineLevels` coarser levels.
    ///
    /// The rows begin at a multiple of `OrientedWriter.rowsPerBand`, and end at one or with the
    /// picture.
    static func reduceFineLevels(_ rows: Range<Int>, in store: some LevelRows) {
        let levels = store.levels
        for index in 1..<max(1, min(levels.count, fineLevels + 1)) {
            reduce(
                rows: part(of: rows, index, in: levels), of: levels[index],
                from: levels[index - 1], in: store)
        }
    }

    /// Computes all levels that are coarser than those of `reduceFineLevels`.
    static func reduceCoarseLevels(of store: PixelStore) {
        for index in fineLevels + 1..<max(fineLevels + 1, store.levels.count) {
            let level = store.levels[index]
            reduce(
                rows: 0..<level.size.height, of: level, from: store.levels[index - 1], in: store)
        }
    }

    @inline(__always)
    private static func eight(_ pixels: UnsafePointer<UInt32>) -> SIMD8<UInt32> {
        UnsafeRawPointer(pixels).loadUnaligned(as: SIMD8<UInt32>.self)
    }

    /// The means of four pixels each, by the method for single pixels.
    @inline(__always)
    private static func mean(
        _ a: SIMD4<UInt32>, _ b: SIMD4<UInt32>, _ c: SIMD4<UInt32>, _ d: SIMD4<UInt32>
    ) -> SIMD4<UInt32> {
        let mask = SIMD4<UInt32>(repeating: 0x00FF_00FF)
        let half = SIMD4<UInt32>(repeating: 0x0002_0002)
        func sum(
            _ a: SIMD4<UInt32>, _ b: SIMD4<UInt32>, _ c: SIMD4<UInt32>, _ d: SIMD4<UInt32>
        ) -> SIMD4<UInt32> {
            let upper: SIMD4<UInt32> = (a & mask) &+ (b & mask)
            let lower: SIMD4<UInt32> = (c & mask) &+ (d & mask)
            return upper &+ lower &+ half
        }
        let even = sum(a, b, c, d)
        let odd = sum(a &>> 8, b &>> 8, c &>> 8, d &>> 8)
        return (even &>> 2 & mask) | (odd &>> 2 & mask) &<< 8
    }

    /// The mean of four pixels by channel, rounded to nearest.
    ///
    /// Two channels are computed at a time, in 16 bits each.
    @inline(__always)
    private static func mean(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 {
        let mask: UInt32 = 0x00FF_00FF
        let half: UInt32 = 0x0002_0002
        let even = (a & mask) &+ (b & mask) &+ (c & mask) &+ (d & mask) &+ half
        let odd =
            (a &>> 8 & mask) &+ (b &>> 8 & mask) &+ (c &>> 8 & mask) &+ (d &>> 8 & mask) &+ half
        return (even &>> 2 & mask) | (odd &>> 2 & mask) &<< 8
    }
}
