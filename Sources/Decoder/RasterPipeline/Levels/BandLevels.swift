import Geometry
import Glibc
import ImageTypes
import Synchronization

/// A band of the finest level and its reductions, in memory of its own.
///
/// The memory is small enough to stay in the processor's cache until the band is written to a
/// store.
final class BandLevels: LevelRows {
    let levels: [Bitmap.Level]
    /// The band's first row in the finest level, a multiple of `OrientedWriter.rowsPerBand`.
    private var top = 0
    /// The memory of each level's rows, the finest first.
    private let bases: [UnsafeMutableRawPointer]

    init(_ levels: [Bitmap.Level]) {
        self.levels = levels
        bases = levels.prefix(Reduction.fineLevels + 1).indices.map { index in
            let count = levels[index].stride * max(1, OrientedWriter.rowsPerBand >> index)
            let base = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 64)
            // The padding between rows is written to the store too.
            memset(base, 0, count)
            return base
        }
    }

    deinit {
        for base in bases { base.deallocate() }
    }

    func row(_ y: Int, of level: Bitmap.Level) -> UnsafeMutablePointer<UInt32> {
        let index = level.mipLevel - levels[0].mipLevel
        return (bases[index] + (y - top >> index) * level.stride)
            .assumingMemoryBound(to: UInt32.self)
    }

    func releasePages(after y: Int, of level: Bitmap.Level) {}

    /// Starts a band; the caller fills the returned rows of the finest level.
    func begin(_ rows: Range<Int>) -> [UnsafeMutablePointer<UInt32>] {
        top = rows.lowerBound
        return rows.map { row($0, of: levels[0]) }
    }

    /// Writes a reduced band to a store, which has the same levels.
    func write(_ rows: Range<Int>, to store: PixelStore) {
        for index in bases.indices {
            store.write(
                Reduction.part(of: rows, index, in: levels), of: levels[index], from: bases[index])
        }
    }
}

/// Writes bands to a store that is shared by several threads; each thread has its own writer.
///
/// The kernel lets only one thread write at a time and blocks the others. While another thread
/// writes, a band is therefore kept, and the next one is decoded.
struct BandWriter: ~Copyable {
    private let store: PixelStore
    private var free: [BandLevels]
    private var full: [(band: BandLevels, rows: Range<Int>)] = []

    /// Allocates the memory of `count` bands.
    init(_ store: PixelStore, bands count: Int = 2) {
        self.store = store
        free = (0..<count).map { _ in BandLevels(store.levels) }
    }

    /// Starts a band; the caller fills the returned rows of the finest level.
    ///
    /// `end` must be called before the next band is started.
    mutating func begin(_ rows: Range<Int>) -> [UnsafeMutablePointer<UInt32>] {
        if free.isEmpty { finish() }
        full.append((free.removeLast(), rows))
        return full[full.count - 1].band.begin(rows)
    }

    /// Reduces the filled band, and writes all kept bands unless another thread is writing.
    mutating func end() {
        guard let (band, rows) = full.last else { return }
        Reduction.reduceFineLevels(rows, in: band)
        let isDone: Void? = store.writing.withLockIfAvailable { _ in writeAll() }
        if isDone != nil { free += full.map(\.band); full = [] }
    }

    /// Writes the bands that are still kept.
    mutating func finish() {
        store.writing.withLock { _ in writeAll() }
        release()
    }

    private mutating func release() {
        free += full.map(\.band)
        full = []
    }

    private func writeAll() {
        for (band, rows) in full { band.write(rows, to: store) }
    }
}
