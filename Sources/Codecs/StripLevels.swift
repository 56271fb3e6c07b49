import Geometry
import Glibc
import Pictures

/// A strip of the finest level, and what it is reduced to, in memory that stays in a processor's cache
/// until it is handed over.
final class StripLevels: LevelRows {
    let levels: [Bitmap.Level]
    /// The strip's first row, a multiple of `UprightWriter.stripHeight`.
    private var top = 0
    /// Where the levels' rows are, from the finest on.
    private let bases: [UnsafeMutableRawPointer]

    init(_ levels: [Bitmap.Level]) {
        self.levels = levels
        bases = levels.prefix(Reduction.stripDepth + 1).indices.map { index in
            let count = levels[index].stride * max(1, UprightWriter.stripHeight >> index)
            let base = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 64)
            // What lies between rows is handed over too.
            memset(base, 0, count)
            return base
        }
    }

    deinit {
        for base in bases { base.deallocate() }
    }

    func row(_ y: Int, of level: Bitmap.Level) -> UnsafeMutablePointer<UInt32> {
        let index = level.exponent - levels[0].exponent
        return (bases[index] + (y - top >> index) * level.stride)
            .assumingMemoryBound(to: UInt32.self)
    }

    func relieve(after y: Int, of level: Bitmap.Level) {}

    /// The rows of a strip of the finest level, to be filled.
    func begin(_ rows: Range<Int>) -> [UnsafeMutablePointer<UInt32>] {
        top = rows.lowerBound
        return rows.map { row($0, of: levels[0]) }
    }

    /// Reduces the strip and puts everything into a store, which has the same levels.
    func finish(_ rows: Range<Int>, in store: PixelStore) {
        Reduction.reduceStrips(rows, in: self)
        for index in bases.indices {
            store.write(
                Reduction.part(of: rows, index, in: levels), of: levels[index], from: bases[index])
        }
    }
}
