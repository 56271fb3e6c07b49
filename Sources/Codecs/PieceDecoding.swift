import CLinux
import Geometry
import Pictures
import Synchronization
import Threads

/// Some of a picture's rows, which can be decoded beside the others.
struct RowPiece {
    /// Of the picture as stored, perhaps reduced; they begin at a multiple of
    /// `UprightWriter.stripHeight`.
    var rows: Range<Int>
    /// As many rows as that.
    var source: any RowSource
}

/// Decodes a picture's pieces on all processors: upright, in the screen's colours, with its reductions.
///
/// What comes is what `StripDecoding` makes of the picture in one piece.
struct PieceDecoding<Sink: DecodeSink> {
    enum Outcome {
        /// Sealed memory.
        case sealed(Int32, isComplete: Bool)
        case stopped
        /// A piece came to its end too early; in one piece there may be more of it.
        case broken
    }

    private let job: PieceJob<Sink>
    private let workers: WorkerPool

    /// The picture's size, upright; its finest level is halved `exponent` times.
    init(
        _ pieces: [RowPiece], as size: PixelSize, from exponent: Int, _ orientation: Orientation,
        _ sink: Sink, on workers: WorkerPool = StripDecoding.workers
    ) throws(DecodeFailure) {
        self.workers = workers
        let converter = RowConverter(pieces[0].source)
        let store = try PixelStore(size: size, from: exponent)
        job = PieceJob(
            pieces: pieces, converter: converter, store: store, orientation: orientation, sink: sink
        )
    }

    func seal() throws(DecodeFailure) -> Outcome {
        let (job, store) = (job, job.store)
        workers.run(job.pieces.count) { job.decode($0) }
        guard !job.isBroken.load(ordering: .acquiring) else { return .broken }
        guard !job.isStopped.load(ordering: .acquiring) else { return .stopped }
        if !job.writer.isTopDown {
            let bands = workers.width * 2
            workers.run(bands) { band in
                Reduction.reduceStrips(Self.strips(band, of: bands, in: store), in: store)
            }
        }
        Reduction.reduceRest(of: store)
        let isComplete = job.pieces.allSatisfy(\.source.isComplete)
        let memory = try store.seal(as: job.converter.format, orientation: job.orientation)
        return .sealed(memory, isComplete: isComplete)
    }

    /// The rows of one of so many bands, which begin where strips do.
    private static func strips(_ band: Int, of bands: Int, in store: PixelStore) -> Range<Int> {
        let height = store.levels[0].size.height
        let strips = (height + UprightWriter.stripHeight - 1) / UprightWriter.stripHeight
        let start = strips * band / bands * UprightWriter.stripHeight
        let end = strips * (band + 1) / bands * UprightWriter.stripHeight
        return start..<max(start, min(end, height))
    }
}

/// What the threads share.
///
/// `@unchecked Sendable`: a piece's rows are read, and its part of the store is written, by the one
/// thread that decodes it; the sink is asked by the thread that has the first piece; the rest is
/// constant or atomic.
private final class PieceJob<Sink: DecodeSink>: @unchecked Sendable {
    let pieces: [RowPiece]
    let converter: RowConverter
    let store: PixelStore
    let orientation: Orientation
    let sink: Sink
    let writer: UprightWriter
    let isStopped = Atomic(false)
    let isBroken = Atomic(false)

    init(
        pieces: [RowPiece], converter: RowConverter, store: PixelStore, orientation: Orientation,
        sink: Sink
    ) {
        self.pieces = pieces
        self.converter = converter
        self.store = store
        self.orientation = orientation
        self.sink = sink
        writer = UprightWriter(store, orientation: orientation)
    }

    func decode(_ number: Int) {
        let (rows, source) = (pieces[number].rows, pieces[number].source)
        let decoding = StripDecoding(source, converter, on: StripDecoding.alone)
        let height = UprightWriter.stripHeight
        let width = source.size.width
        // Upright ones are handed over with their reductions, strip by strip.
        var strips = StripWriter(store, strips: writer.isDirect ? 2 : 0)
        let words = ScratchRows(writer.isDirect ? 0 : width * 4, count: height)
        let samples = ScratchRows(
            converter.isNeedless ? 0 : width * source.layout.bytesPerPixel, count: height)
        var y = rows.lowerBound
        while y < rows.upperBound {
            if number == 0, !sink.shouldContinue() {
                isStopped.store(true, ordering: .relaxed)
            }
            guard !isStopped.load(ordering: .relaxed), !isBroken.load(ordering: .relaxed) else {
                return
            }
            let strip = y..<min(y + height, rows.upperBound)
            let targets =
                writer.isDirect
                ? strips.begin(strip)
                : words.rows.prefix(strip.count).map { $0.assumingMemoryBound(to: UInt32.self) }
            guard decoding.read(into: targets, samples, from: y) == strip.count else {
                isBroken.store(true, ordering: .relaxed)
                return
            }
            if writer.isDirect {
                strips.end()
            } else {
                writer.write(targets, count: strip.count, from: y)
                // While they are in the processor's cache.
                if writer.isTopDown { Reduction.reduceStrips(strip, in: store) }
            }
            y = strip.upperBound
        }
        strips.finish()
    }
}
