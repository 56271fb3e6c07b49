import Geometry
import Pictures

/// Halves levels of a picture: each pixel is the mean of the four it stands for.
enum Reduction {
    /// Computes rows of `coarse` from the level just finer.
    static func reduce(
        rows: Range<Int>, of coarse: Bitmap.Level, from fine: Bitmap.Level, in store: PixelStore
    ) {
        let whole = fine.size.width / 2
        for y in rows {
            let upper = store.row(2 * y, of: fine)
            let lower = store.row(min(2 * y + 1, fine.size.height - 1), of: fine)
            let target = store.row(y, of: coarse)
            for x in 0..<whole {
                target[x] = mean(upper[2 * x], upper[2 * x + 1], lower[2 * x], lower[2 * x + 1])
            }
            if whole < coarse.size.width {
                let (a, b) = (upper[2 * whole], lower[2 * whole])
                target[whole] = mean(a, a, b, b)
            }
            store.relieve(after: y, of: coarse)
        }
    }

    /// So many times 16 rows can be halved on their own.
    private static let stripDepth = 4

    /// Computes what rows of the finest level make of the first coarser ones; they begin at a multiple of
    /// `UprightWriter.stripHeight`, and end at one or with the picture.
    static func reduceStrips(_ rows: Range<Int>, in store: PixelStore) {
        let isLast = rows.upperBound == store.levels[0].size.height
        for index in 1..<max(1, min(store.levels.count, stripDepth + 1)) {
            let level = store.levels[index]
            let end = isLast ? level.size.height : rows.upperBound >> index
            reduce(
                rows: rows.lowerBound >> index..<end, of: level, from: store.levels[index - 1],
                in: store)
        }
    }

    /// Computes all levels that are coarser than those of `reduceStrips`.
    static func reduceRest(of store: PixelStore) {
        for index in stripDepth + 1..<max(stripDepth + 1, store.levels.count) {
            let level = store.levels[index]
            reduce(
                rows: 0..<level.size.height, of: level, from: store.levels[index - 1], in: store)
        }
    }

    /// The mean of four pixels by channel, rounded to nearest: two channels at a time in 16 bits
    /// each.
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
