package import Geometry
package import ImageTypes
import Synchronization
package import Threads

/// Decodes a picture from the top down on one thread, and from the bottom up on helper threads.
///
/// The helpers start once an index of the rows in the file exists. They decode bands until they
/// meet the first thread. The result is the same as that of `SerialDecode`.
package final class ParallelDecode: Sendable {
    /// The progress of all threads, in rows of the picture as stored.
    private struct Progress {
        /// Rows above this one belong to the first thread.
        var top = 0
        /// Rows from this one on belong to the helpers.
        var bottom: Int
        /// The number of bands that are being decoded.
        var bands = 0
        /// Whether a band has ended early.
        var isBroken = false
        /// Whether the helpers' rows are not used any more.
        var isAbandoned = false

        var isHelpWanted: Bool { !isBroken && !isAbandoned }
    }

    private let progress: Mutex<Progress>
    private let bandEnded = Signal()
    private let decoding: BandedDecode
    private let stored: PixelSize
    private let mipLevel: Int
    private let orientation: Orientation
    private let workers: WorkerPool

    /// The least number of rows that is worth a decoder of its own.
    private static let minBandHeight = 64

    /// Allocates the store of a picture, whose finest level is halved `mipLevel` times.
    ///
    /// `size` is the upright size of the full picture in pixels; `source` is halved `mipLevel`
    /// times as well.
    package init(
        _ source: any RowSource, as size: PixelSize, from mipLevel: Int,
        _ orientation: Orientation, on workers: WorkerPool = SerialDecode.workers
    ) throws(DecodeFailure) {
        decoding = BandedDecode(
            try PixelStore(size: size, from: mipLevel), RowConverter(source), orientation)
        stored = source.size
        progress = Mutex(Progress(bottom: stored.height))
        (self.mipLevel, self.orientation, self.workers) = (mipLevel, orientation, workers)
    }

    // MARK: The first thread

    /// Decodes the picture into sealed memory; nil if the sink stops the decoding.
    ///
    /// `source` has all rows of the picture. The caller owns the descriptor `memory`. Call this
    /// once.
    package func seal(
        _ source: any RowSource, _ sink: some DecodeSink
    ) throws(DecodeFailure) -> (memory: Int32, isComplete: Bool)? {
        var isStopped = false
        func mayContinue() -> Bool {
            isStopped = isStopped || !sink.shouldContinue()
            return !isStopped
        }
        var end = decoding.decode(0..<stored.height, from: source) { mayContinue() && claim($0) }
        let (top, isBroken) = endHelp(at: end)
        var wanted = top
        if isBroken, end == top {
            wanted = stored.height
            end = decoding.decode(end..<wanted, from: source) { _ in mayContinue() }
        }
        guard !isStopped else { return nil }
        if end < wanted { decoding.blacken(from: end) }
        decoding.finish(on: workers)
        let memory = try decoding.store.seal(
            as: decoding.converter.format, orientation: orientation)
        return (memory, source.isComplete)
    }

    /// Claims rows for the first thread; false if a helper has claimed them.
    private func claim(_ rows: Range<Int>) -> Bool {
        progress.withLock { progress in
            guard rows.lowerBound < progress.bottom else { return false }
            progress.top = rows.upperBound
            return true
        }
    }

    /// Waits for the helpers' bands once the first thread has decoded the rows up to `end`.
    ///
    /// Returns how many rows the first thread has claimed, and whether a helper's band is
    /// incomplete.
    private func endHelp(at end: Int) -> (top: Int, isBroken: Bool) {
        progress.withLock { if end < $0.bottom { $0.isAbandoned = true } }
        while progress.withLock({ $0.bands > 0 }) { bandEnded.wait() }
        return progress.withLock { ($0.top, $0.isBroken) }
    }

    // MARK: The helpers

    /// Decodes bands on all processors but one, until they meet the first thread.
    package func help(_ index: any RowIndex) {
        let rows = index.step(reducedBy: mipLevel)
        // Bands also begin at multiples of `OrientedWriter.rowsPerBand`.
        let step = rows << max(0, Self.bandAlignmentLog2 - rows.trailingZeroBitCount)
        workers.run(workers.width - 1) { _ in
            while let band = claimBand(step) {
                let isDone = decode(band, index)
                progress.withLock {
                    $0.bands -= 1
                    if !isDone { $0.isBroken = true }
                }
                bandEnded.raise()
            }
        }
    }

    private static let bandAlignmentLog2 = OrientedWriter.rowsPerBand.trailingZeroBitCount

    /// Claims the lowest free rows, or nil if too few are left.
    ///
    /// A band is one thread's share of the remaining rows, so that all threads end together.
    private func claimBand(_ step: Int) -> Range<Int>? {
        progress.withLock { progress in
            let remaining = progress.bottom - progress.top
            guard progress.isHelpWanted, remaining > Self.minBandHeight else { return nil }
            let share = max(remaining / (workers.width + 1), Self.minBandHeight)
            let start = (progress.bottom - share) / step * step
            guard start >= progress.top else { return nil }
            defer { progress.bottom = start }
            progress.bands += 1
            return start..<progress.bottom
        }
    }

    /// Decodes a band; returns whether all its rows are complete.
    private func decode(_ band: Range<Int>, _ index: any RowIndex) -> Bool {
        guard let source = try? index.rows(band, reducedBy: mipLevel),
            source.size.width == stored.width
        else { return false }
        let end = decoding.decode(band, from: source) { _ in
            progress.withLock { $0.isHelpWanted }
        }
        return end == band.upperBound && source.isComplete
    }
}
