import Geometry
import Glibc
import ImageTypes
import Synchronization

/// A strip of the finest level, and what it is reduced to, in memory that stays in a processor's cache
/// until it is handed over.
final class BandLevels: LevelRows {
    let levels: [Bitmap.Level]
    /// The strip's first row, a multiple of `OrientedWriter.stripHeight`.
    private var top = 0
    /// Where the levels' rows are, from the finest on.
    private let bases: [UnsafeMutableRawPointer]

    init(_ levels: [Bitmap.Level]) {
        self.levels = levels
        bases = levels.prefix(Reduction.stripDepth + 1).indices.map { index in
            let count = levels[index].stride * max(1, OrientedWriter.stripHeight >> index)
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

    /// Puts a strip that was reduced into a store, which has the same levels.
    func write(_ rows: Range<Int>, to store: PixelStore) {
        for index in bases.indices {
            store.write(
                Reduction.part(of: rows, index, in: levels), of: levels[index], from: bases[index])
        }
    }
}

/// Hands strips over to a store that several threads write to, each with one of these.
///
/// The kernel lets one at a time write, and others wait; a strip for which there is no time now is kept
/// while the next one is decoded.
struct BandWriter: ~Copyable {
    private let store: PixelStore
    private var free: [BandLevels]
    private var full: [(strip: BandLevels, rows: Range<Int>)] = []

    /// With memory for so many strips.
    init(_ store: PixelStore, strips: Int = 2) {
        self.store = store
        free = (0..<strips).map { _ in BandLevels(store.levels) }
    }

    /// The rows of a strip of the finest level, to be filled before the next is begun.
    mutating func begin(_ rows: Range<Int>) -> [UnsafeMutablePointer<UInt32>] {
        if free.isEmpty { finish() }
        full.append((free.removeLast(), rows))
        return full[full.count - 1].strip.begin(rows)
    }

    /// The strip was filled.
    mutating func end() {
        guard let (strip, rows) = full.last else { return }
        Reduction.reduceStrips(rows, in: strip)
        let isDone: Void? = store.writing.withLockIfAvailable { _ in writeAll() }
        if isDone != nil { free += full.map(\.strip); full = [] }
    }

    /// Writes what is left.
    mutating func finish() {
        store.writing.withLock { _ in writeAll() }
        release()
    }

    private mutating func release() {
        free += full.map(\.strip)
        full = []
    }

    private func writeAll() {
        for (strip, rows) in full { strip.write(rows, to: store) }
    }
}
