import Geometry
import ImageTypes
import Synchronization
import Threads

/// Decodes a picture from its first row down, while other threads, once it is known where its rows begin
/// in the file, decode bands of it from its last row up, until they meet.
///
/// What comes is what `SerialDecode` makes of the picture.
final class ParallelDecode: Sendable {
    /// How far everybody is, in rows of the picture as stored.
    private struct Progress {
        /// Rows before this one are the first thread's.
        var top = 0
        /// Rows from this one on are the others'.
        var bottom: Int
        /// Bands that are being decoded.
        var bands = 0
        /// Whether a band came to its end too early.
        var isBroken = false
        /// Whether nothing is made of the others' rows any more.
        var isAbandoned = false

        var isHelpWanted: Bool { !isBroken && !isAbandoned }
    }

    private let progress: Mutex<Progress>
    private let bandEnded = Signal()
    private let decoding: BandedDecode
    private let stored: PixelSize
    private let exponent: Int
    private let orientation: Orientation
    private let workers: WorkerPool

    /// Fewer rows are not worth a decoder of their own.
    private static let leastBand = 64

    /// The picture's size, upright; its finest level is halved `exponent` times, as `source` is.
    init(
        _ source: any RowSource, as size: PixelSize, from exponent: Int,
        _ orientation: Orientation, on workers: WorkerPool = SerialDecode.workers
    ) throws(DecodeFailure) {
        decoding = BandedDecode(
            try PixelStore(size: size, from: exponent), RowConverter(source), orientation)
        stored = source.size
        progress = Mutex(Progress(bottom: stored.height))
        (self.exponent, self.orientation, self.workers) = (exponent, orientation, workers)
    }

    // MARK: The first thread

    /// Decodes the picture, all rows of which `source` has, into sealed memory; nil when told to stop.
    ///
    /// Call it once.
    func seal(
        _ source: any RowSource, _ sink: some DecodeSink
    ) throws(DecodeFailure) -> (memory: Int32, isComplete: Bool)? {
        var isStopped = false
        func mayGoOn() -> Bool {
            isStopped = isStopped || !sink.shouldContinue()
            return !isStopped
        }
        var end = decoding.decode(0..<stored.height, from: source) { mayGoOn() && take($0) }
        let (top, isBroken) = endHelp(at: end)
        var wanted = top
        if isBroken, end == top {
            wanted = stored.height
            end = decoding.decode(end..<wanted, from: source) { _ in mayGoOn() }
        }
        guard !isStopped else { return nil }
        if end < wanted { decoding.blacken(from: end) }
        decoding.finish(on: workers)
        let memory = try decoding.store.seal(
            as: decoding.converter.format, orientation: orientation)
        return (memory, source.isComplete)
    }

    /// Whether a strip is nobody else's.
    private func take(_ strip: Range<Int>) -> Bool {
        progress.withLock { progress in
            guard strip.lowerBound < progress.bottom else { return false }
            progress.top = strip.upperBound
            return true
        }
    }

    /// Waits for all bands that were begun, where rows up to `end` are there.
    ///
    /// Returns how many were taken, and whether the rest is not there after all.
    private func endHelp(at end: Int) -> (top: Int, isBroken: Bool) {
        progress.withLock { if end < $0.bottom { $0.isAbandoned = true } }
        while progress.withLock({ $0.bands > 0 }) { bandEnded.wait() }
        return progress.withLock { ($0.top, $0.isBroken) }
    }

    // MARK: The others

    /// Decodes bands of the picture on all processors but one, until the first thread is met.
    func help(_ index: any RowIndex) {
        let rows = index.step(reducedBy: exponent)
        // Bands begin where strips do, too.
        let step = rows << max(0, Self.stripExponent - rows.trailingZeroBitCount)
        workers.run(workers.width - 1) { _ in
            while let band = takeBand(step) {
                let isDone = decode(band, index)
                progress.withLock {
                    $0.bands -= 1
                    if !isDone { $0.isBroken = true }
                }
                bandEnded.raise()
            }
        }
    }

    private static let stripExponent = OrientedWriter.stripHeight.trailingZeroBitCount

    /// The lowest rows that nobody has: everybody's share of what is left, so that all end at once.
    private func takeBand(_ step: Int) -> Range<Int>? {
        progress.withLock { progress in
            let left = progress.bottom - progress.top
            guard progress.isHelpWanted, left > Self.leastBand else { return nil }
            let share = max(left / (workers.width + 1), Self.leastBand)
            let start = (progress.bottom - share) / step * step
            guard start >= progress.top else { return nil }
            defer { progress.bottom = start }
            progress.bands += 1
            return start..<progress.bottom
        }
    }

    /// Whether all its rows are there.
    private func decode(_ band: Range<Int>, _ index: any RowIndex) -> Bool {
        guard let source = try? index.rows(band, reducedBy: exponent),
            source.size.width == stored.width
        else { return false }
        let end = decoding.decode(band, from: source) { _ in
            progress.withLock { $0.isHelpWanted }
        }
        return end == band.upperBound && source.isComplete
    }
}
