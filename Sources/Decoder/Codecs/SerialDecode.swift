import CLinux
import ImageWire
import Geometry
import ImageTypes
import Threads

/// Decodes a picture strip by strip into a store: upright, in the screen's colours, with its
/// reductions.
struct SerialDecode {
    private let source: any RowSource
    private let converter: RowConverter
    /// What converts the colours.
    private let workers: WorkerPool
    /// Colours are converted on all processors, and bands of pictures decoded.
    static let workers = WorkerPool(width: Int(clinux_processor_count()))
    /// Does everything on the caller's thread: for any number of callers.
    static let alone = WorkerPool(width: 1)

    /// With another source's converter, where their colours are the same.
    init(
        _ source: any RowSource, _ converter: RowConverter? = nil,
        on workers: WorkerPool = Self.workers
    ) {
        self.source = source
        self.workers = workers
        self.converter = converter ?? RowConverter(source)
    }

    var format: PixelFormat { converter.format }

    /// Where there is something to convert a strip has so many pixels that sharing it out is worth a
    /// thread's waking.
    private static let sharedPixels = 1 << 18
    private static let highestStrip = 128

    private var stripHeight: Int {
        let least = OrientedWriter.stripHeight
        guard !converter.isNeedless else { return least }
        let wanted = Self.sharedPixels / max(source.size.width, 1) / least * least
        return min(max(wanted, least), Self.highestStrip)
    }

    /// Fills the finest level and builds the others.
    ///
    /// Where the rows end early the rest stays black (or clear).
    private func run(
        _ store: PixelStore, _ pyramid: Pyramid, _ orientation: Orientation, _ sink: some DecodeSink
    ) throws(Stopped) {
        let level = store.levels[0]
        let stored = source.size
        let writer = OrientedWriter(store, orientation: orientation)
        let stripHeight = stripHeight
        let words = ScratchRows(writer.isDirect ? 0 : stored.width * 4, count: stripHeight)
        let samples = ScratchRows(
            converter.isNeedless ? 0 : stored.width * source.layout.bytesPerPixel,
            count: stripHeight)
        var y = 0
        while y < stored.height {
            guard sink.shouldContinue() else {
                pyramid.abandon()
                throw Stopped()
            }
            let wanted = min(stripHeight, stored.height - y)
            let targets =
                writer.isDirect
                ? (0..<wanted).map { store.row(y + $0, of: level) }
                : words.rows.prefix(wanted).map { $0.assumingMemoryBound(to: UInt32.self) }
            let count = read(into: targets, samples, from: y)
            if !writer.isDirect { writer.write(targets, count: count, from: y) }
            if count == 0 { break }
            for row in y..<(y + count) { store.relieve(after: row, of: level) }
            y += count
            if writer.isTopDown { pyramid.complete(rows: y) }
        }
        if format == .rgb24 { writer.blacken(from: y) }
        pyramid.complete(rows: level.size.height)
        pyramid.finish()
    }

    /// Decodes all rows into a store that has the size for them, whose levels `pyramid` builds; whether it
    /// came to the end, and was not told to stop.
    func fill(
        _ store: PixelStore, _ pyramid: Pyramid, _ orientation: Orientation,
        _ sink: some DecodeSink
    ) throws(DecodeFailure) -> Bool {
        let level = store.levels[0]
        let isPlaced = converter.isNeedless && orientation == .upright
        do throws(DecodeFailure) {
            try source.begin(
                isPlaced ? RowPlace(base: store.row(0, of: level), stride: level.stride) : nil)
        } catch {
            pyramid.abandon()
            throw error
        }
        do throws(Stopped) {
            try run(store, pyramid, orientation, sink)
        } catch { return false }
        return true
    }

    /// Decodes all rows into sealed memory of their own, with their reductions, of which the first is
    /// halved `exponent` times; nil when told to stop.
    ///
    /// `open` starts the decoding: libraries that do all of it then find the memory being made present
    /// at the same time, unless that and the reductions are to wait for `start`. The rows come along, to
    /// be let go once the memory is handed over: what a library frees then may take long. The memory says
    /// that `told` was followed, where that is not what was.
    static func seal(
        as size: PixelSize, from exponent: Int, _ orientation: Orientation, _ sink: some DecodeSink,
        told: Orientation? = nil, smallestSide: Int = PixelLayout.smallestSide,
        reducingAfter start: Signal? = nil,
        open: () throws(DecodeFailure) -> SerialDecode
    ) throws(DecodeFailure) -> (memory: Int32, rows: any RowSource)? {
        let store = try PixelStore(size: size, from: exponent, smallestSide: smallestSide)
        let pyramid = Pyramid(store, after: start)
        let decoding: SerialDecode
        do throws(DecodeFailure) {
            decoding = try open()
        } catch {
            pyramid.abandon()
            throw error
        }
        guard try decoding.fill(store, pyramid, orientation, sink) else { return nil }
        let memory = try store.seal(as: decoding.format, orientation: told ?? orientation)
        return (memory, decoding.source)
    }

    /// As the other one, of what is started already.
    func seal(
        as size: PixelSize, from exponent: Int, _ orientation: Orientation, _ sink: some DecodeSink,
        told: Orientation? = nil, smallestSide: Int = PixelLayout.smallestSide
    ) throws(DecodeFailure) -> Int32? {
        try Self.seal(
            as: size, from: exponent, orientation, sink, told: told, smallestSide: smallestSide,
            open: { self }
        )?.memory
    }

    /// Decodes rows from `y` on, as words; how many came.
    func read(
        into targets: [UnsafeMutablePointer<UInt32>], _ samples: borrowing ScratchRows,
        from y: Int
    ) -> Int {
        guard !converter.isNeedless else {
            return source.read(targets.map { UnsafeMutableRawPointer($0) })
        }
        let raw = Array(samples.rows.prefix(targets.count))
        let count = source.read(raw)
        let strip = ConvertedStrip(
            converter: converter, source: raw, target: targets, width: source.size.width, y: y)
        // Two pieces for each thread: few, since each is asked for with a lock.
        let pieces = min(count, workers.width * 2)
        guard pieces > 0 else { return 0 }
        workers.run(pieces) { strip.convert(count * $0 / pieces..<count * ($0 + 1) / pieces) }
        return count
    }
}

/// The rows of a strip on their way from samples to words.
///
/// `@unchecked Sendable`: each piece converts rows of its own, and the rows are lent until all are
/// done.
private struct ConvertedStrip: @unchecked Sendable {
    let converter: RowConverter
    let source: [UnsafeMutableRawPointer]
    let target: [UnsafeMutablePointer<UInt32>]
    let width: Int
    let y: Int

    func convert(_ rows: Range<Int>) {
        for row in rows {
            converter.convert(source[row], to: target[row], width: width, y: y + row)
        }
    }
}

/// Rows in ordinary memory.
struct ScratchRows: ~Copyable {
    let rows: [UnsafeMutableRawPointer]

    /// None where they have no bytes.
    init(_ bytes: Int, count: Int) {
        rows =
            bytes == 0
            ? [] : (0..<count).map { _ in .allocate(byteCount: bytes, alignment: 16) }
    }

    deinit {
        for row in rows { row.deallocate() }
    }
}
