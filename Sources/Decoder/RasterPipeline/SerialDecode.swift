import CLinux
package import Geometry
package import ImageTypes
import ImageWire
package import Threads

/// Decodes a picture band by band into a store: upright, in the screen's colours, with mip levels.
package struct SerialDecode {
    private let source: any RowSource
    private let converter: RowConverter
    /// The threads that convert the colours.
    private let workers: WorkerPool
    /// One worker per processor, to convert colours and to decode bands.
    package static let workers = WorkerPool(width: Int(clinux_processor_count()))
    /// Works on the caller's thread; any number of callers may use this pool.
    package static let alone = WorkerPool(width: 1)

    /// Reads `source`; `converter` may be that of another source with the same colours.
    package init(
        _ source: any RowSource, _ converter: RowConverter? = nil,
        on workers: WorkerPool = Self.workers
    ) {
        self.source = source
        self.workers = workers
        self.converter = converter ?? RowConverter(source)
    }

    var format: PixelFormat { converter.format }

    /// Pixels of a band whose colours are converted: enough to be worth waking other threads.
    private static let sharedPixels = 1 << 18
    private static let maxBandHeight = 128

    private var bandHeight: Int {
        let least = OrientedWriter.rowsPerBand
        guard !converter.isIdentity else { return least }
        let wanted = Self.sharedPixels / max(source.size.width, 1) / least * least
        return min(max(wanted, least), Self.maxBandHeight)
    }

    /// Fills the finest level and builds the others.
    ///
    /// If the rows end early the rest is black, or transparent.
    private func run(
        _ store: PixelStore, _ pyramid: Pyramid, _ orientation: Orientation, _ sink: some DecodeSink
    ) throws(Stopped) {
        let level = store.levels[0]
        let stored = source.size
        let writer = OrientedWriter(store, orientation: orientation)
        let bandHeight = bandHeight
        let pixels = ScratchRows(writer.isDirect ? 0 : stored.width * 4, count: bandHeight)
        let samples = ScratchRows(
            converter.isIdentity ? 0 : stored.width * source.layout.bytesPerPixel,
            count: bandHeight)
        var y = 0
        while y < stored.height {
            guard sink.shouldContinue() else {
                pyramid.abandon()
                throw Stopped()
            }
            let wanted = min(bandHeight, stored.height - y)
            let targets =
                writer.isDirect
                ? (0..<wanted).map { store.row(y + $0, of: level) }
                : pixels.rows.prefix(wanted).map { $0.assumingMemoryBound(to: UInt32.self) }
            let count = read(into: targets, samples, from: y)
            if !writer.isDirect { writer.write(targets, count: count, from: y) }
            if count == 0 { break }
            for row in y..<(y + count) { store.releasePages(after: row, of: level) }
            y += count
            if writer.isTopDown { pyramid.complete(rows: y) }
        }
        if format == .rgb24 { writer.blacken(from: y) }
        pyramid.complete(rows: level.size.height)
        pyramid.finish()
    }

    /// Decodes all rows into a store, whose levels `pyramid` builds; false if the sink stops it.
    ///
    /// The store has the size of the rows once they are upright.
    func fill(
        _ store: PixelStore, _ pyramid: Pyramid, _ orientation: Orientation,
        _ sink: some DecodeSink
    ) throws(DecodeFailure) -> Bool {
        let level = store.levels[0]
        let isPlaced = converter.isIdentity && orientation == .upright
        do throws(DecodeFailure) {
            try source.prepare(
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

    /// Decodes all rows into new sealed memory, with mip levels from `mipLevel` on.
    ///
    /// `size` is the upright size of the full picture in pixels. `open` starts the decoding. While
    /// a library decodes the whole picture in `open`, the memory is populated at the same time;
    /// with `start`, populating and reducing wait for that signal. The header of the memory has the
    /// orientation `reported` instead of `orientation` if it is not nil.
    ///
    /// Returns nil if the sink stops the decoding. The caller owns the descriptor `memory`, and
    /// should free `rows` only after delivering it, since a library may take long to free memory.
    package static func seal(
        as size: PixelSize, from mipLevel: Int, _ orientation: Orientation, _ sink: some DecodeSink,
        reporting reported: Orientation? = nil, smallestSide: Int = PixelLayout.smallestSide,
        reducingAfter start: Signal? = nil,
        open: () throws(DecodeFailure) -> SerialDecode
    ) throws(DecodeFailure) -> (memory: Int32, rows: any RowSource)? {
        let store = try PixelStore(size: size, from: mipLevel, smallestSide: smallestSide)
        let pyramid = Pyramid(store, after: start)
        let decoding: SerialDecode
        do throws(DecodeFailure) {
            decoding = try open()
        } catch {
            pyramid.abandon()
            throw error
        }
        guard try decoding.fill(store, pyramid, orientation, sink) else { return nil }
        let memory = try store.seal(as: decoding.format, orientation: reported ?? orientation)
        return (memory, decoding.source)
    }

    /// Decodes all rows into new sealed memory, for a decode that has been started.
    ///
    /// The parameters are those of the static method.
    package func seal(
        as size: PixelSize, from mipLevel: Int, _ orientation: Orientation, _ sink: some DecodeSink,
        reporting reported: Orientation? = nil, smallestSide: Int = PixelLayout.smallestSide
    ) throws(DecodeFailure) -> Int32? {
        try Self.seal(
            as: size, from: mipLevel, orientation, sink, reporting: reported,
            smallestSide: smallestSide, open: { self }
        )?.memory
    }

    /// Decodes the rows from `y` on as 32-bit pixels; returns their number.
    func read(
        into targets: [UnsafeMutablePointer<UInt32>], _ samples: borrowing ScratchRows,
        from y: Int
    ) -> Int {
        guard !converter.isIdentity else {
            return source.read(targets.map { UnsafeMutableRawPointer($0) })
        }
        let raw = Array(samples.rows.prefix(targets.count))
        let count = source.read(raw)
        let band = ConvertedBand(
            converter: converter, source: raw, target: targets, width: source.size.width, y: y)
        // Two jobs for each thread: few, since a thread takes each job under a lock.
        let jobs = min(count, workers.width * 2)
        guard jobs > 0 else { return 0 }
        workers.run(jobs) { band.convert(count * $0 / jobs..<count * ($0 + 1) / jobs) }
        return count
    }
}

/// A band of rows that are converted from samples to pixels.
///
/// `@unchecked Sendable`: each job converts rows of its own, and the memory is valid until all jobs
/// are done.
private struct ConvertedBand: @unchecked Sendable {
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
package struct ScratchRows: ~Copyable {
    package let rows: [UnsafeMutableRawPointer]

    /// Allocates rows of `bytes` bytes each; no rows if `bytes` is 0.
    package init(_ bytes: Int, count: Int) {
        rows =
            bytes == 0
            ? [] : (0..<count).map { _ in .allocate(byteCount: bytes, alignment: 16) }
    }

    deinit {
        for row in rows { row.deallocate() }
    }
}
