package import Geometry
package import ImageTypes
import Synchronization
package import Threads

/// Decodes bands of a picture into a store, on any thread.
package protocol BandDecoding: Sendable {
    /// What the rows are read from.
    associatedtype Source
    /// Decodes `rows` band by band, as long as `isWanted` returns true for the next band.
    ///
    /// `rows` are rows of the picture as stored; they start at a band, and are the next rows of
    /// `source`. Returns the end of the decoded rows.
    func decode(
        _ rows: Range<Int>, from source: Source, while isWanted: (Range<Int>) -> Bool
    ) -> Int
    /// Makes the missing rows from `first` on opaque black, unless the picture has alpha.
    func blacken(from first: Int)
    /// Computes the levels that `decode` has not computed, once all rows are decoded.
    func finish(on workers: WorkerPool)
    /// Seals the store; returns a new descriptor, which the caller owns.
    func seal() throws(DecodeFailure) -> Int32
}

/// How far a picture is decoded that several threads decode.
package protocol DecodeProgress: Sendable {
    /// The number of threads with the helpers, also those that have not begun.
    var threads: Int { get }
    /// The time in seconds that is left after `delay` seconds until all rows are decoded, if the first thread
    /// decodes alone until then, and all threads from then on at its pace.
    ///
    /// Nil before that thread has decoded any rows.
    func secondsLeft(after delay: Double) -> Double?
    /// Whether the first thread and one helper end together if the helper decodes from now on what is below
    /// the given share of the rows.
    func isMiddle(of rest: Double) -> Bool
}

/// Decodes a picture from the top down on one thread, and from the bottom up on helper threads.
///
/// The helpers start once an index of the rows in the file exists. They decode bands until they
/// meet the first thread. The result does not depend on the shares of the threads.
package final class ParallelDecode<Bands: BandDecoding>: DecodeProgress {
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
        /// When the first thread has claimed its first rows.
        var start: ContinuousClock.Instant?
        /// Rows that the first thread has decoded.
        var done = 0

        var isHelpWanted: Bool { !isBroken && !isAbandoned }
    }

    private let progress: Mutex<Progress>
    private let bandEnded = Signal()
    private let decoding: Bands
    private let height: Int
    private let workers: WorkerPool

    /// The least number of rows that is worth a decoder of its own.
    private static var minBandHeight: Int { 64 }

    /// Decodes `height` rows, as the file has them.
    package init(_ decoding: Bands, height: Int, on workers: WorkerPool = SerialDecode.workers) {
        (self.decoding, self.height, self.workers) = (decoding, height, workers)
        progress = Mutex(Progress(bottom: height))
    }

    // MARK: The first thread

    /// Decodes the picture into sealed memory; nil if the sink stops the decoding.
    ///
    /// `source` has all rows of the picture. The caller owns the returned descriptor. Call this
    /// once.
    package func seal(
        _ source: Bands.Source, _ sink: some DecodeSink
    ) throws(DecodeFailure) -> Int32? {
        var isStopped = false
        func mayContinue() -> Bool {
            isStopped = isStopped || !sink.shouldContinue()
            return !isStopped
        }
        var end = decoding.decode(0..<height, from: source) { mayContinue() && claim($0) }
        let (top, isBroken) = endHelp(at: end)
        var wanted = top
        if isBroken, end == top {
            wanted = height
            end = decoding.decode(end..<wanted, from: source) { _ in mayContinue() }
        }
        guard !isStopped else { return nil }
        if end < wanted { decoding.blacken(from: end) }
        decoding.finish(on: workers)
        return try decoding.seal()
    }

    package var threads: Int { workers.width }

    package func secondsLeft(after delay: Double) -> Double? {
        progress.withLock { progress in
            guard let start = progress.start, progress.done > 0 else { return nil }
            let rowsPerSecond =
                Double(progress.done) / max((ContinuousClock.now - start) / .seconds(1), 1e-6)
            let left = Double(progress.bottom - progress.done) - rowsPerSecond * delay
            return max(0, left) / (rowsPerSecond * Double(threads))
        }
    }

    package func isMiddle(of rest: Double) -> Bool {
        let done = progress.withLock { $0.done }
        return 2 * rest * Double(height) >= Double(height + done)
    }

    /// Claims rows for the first thread; false if a helper has claimed them.
    private func claim(_ rows: Range<Int>) -> Bool {
        progress.withLock { progress in
            guard rows.lowerBound < progress.bottom else { return false }
            if progress.start == nil { progress.start = .now }
            (progress.done, progress.top) = (rows.lowerBound, rows.upperBound)
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
    ///
    /// Bands begin at multiples of `step` rows, and not below the row `lastStart`. `decode` decodes a band, while `isWanted` returns true for
    /// the next part of the band, and returns whether all rows are complete.
    package func help(
        step rows: Int, lastStart: Int? = nil,
        _ decode:
            @escaping @Sendable (
                _ band: Range<Int>, _ bands: Bands, _ isWanted: (Range<Int>) -> Bool
            ) -> Bool
    ) {
        // Bands also begin at multiples of `OrientedWriter.rowsPerBand`.
        let step = rows << max(0, Self.bandAlignmentLog2 - rows.trailingZeroBitCount)
        workers.run(workers.width - 1) { [self] _ in
            while let band = claimBand(step, lastStart) {
                let isDone = decode(band, decoding) { _ in
                    progress.withLock { $0.isHelpWanted }
                }
                progress.withLock {
                    $0.bands -= 1
                    if !isDone { $0.isBroken = true }
                }
                bandEnded.raise()
            }
        }
    }

    private static var bandAlignmentLog2: Int { OrientedWriter.rowsPerBand.trailingZeroBitCount }

    /// Claims the lowest free rows, or nil if too few are left.
    ///
    /// A band is one thread's share of the remaining rows, so that all threads end together.
    private func claimBand(_ step: Int, _ lastStart: Int?) -> Range<Int>? {
        progress.withLock { progress in
            let remaining = progress.bottom - progress.top
            guard progress.isHelpWanted, remaining > Self.minBandHeight else { return nil }
            let share = max(remaining / (workers.width + 1), Self.minBandHeight)
            let start = min(progress.bottom - share, lastStart ?? .max) / step * step
            guard start >= progress.top else { return nil }
            defer { progress.bottom = start }
            progress.bands += 1
            return start..<progress.bottom
        }
    }
}

extension ParallelDecode where Bands == BandedDecode {
    /// Allocates the store of a picture, whose finest level is halved `mipLevel` times.
    ///
    /// `size` is the upright size of the full picture in pixels; `source` is halved `mipLevel`
    /// times as well.
    package convenience init(
        _ source: any RowSource, as size: PixelSize, from mipLevel: Int,
        _ orientation: Orientation, on workers: WorkerPool = SerialDecode.workers
    ) throws(DecodeFailure) {
        let bands = BandedDecode(
            try PixelStore(size: size, from: mipLevel), RowConverter(source), orientation)
        self.init(bands, height: source.size.height, on: workers)
    }

    /// Decodes bands from the rows of `index`, which are halved `mipLevel` times.
    package func help(_ index: any RowIndex, reducedBy mipLevel: Int) {
        help(
            step: index.step(reducedBy: mipLevel), lastStart: index.lastStart(reducedBy: mipLevel)
        ) { band, bands, isWanted in
            guard let source = try? index.rows(band, reducedBy: mipLevel),
                source.size.width == bands.width
            else { return false }
            let end = bands.decode(band, from: source, while: isWanted)
            return end == band.upperBound && source.isComplete
        }
    }
}

extension ParallelDecode where Bands == PlanarDecode {
    /// Writes bands from the rows of `source`.
    package func help(_ source: any RandomPlaneSource) {
        help(step: 16) { band, bands, isWanted in
            bands.decode(band, from: source.planes(from: band.lowerBound), while: isWanted)
                == band.upperBound
        }
    }

    /// Decodes bands from the planes of `index`.
    package func help(_ index: any PlaneIndex) {
        help(
            step: index.step(reducedBy: 0), lastStart: index.lastStart(reducedBy: 0)
        ) { band, bands, isWanted in
            guard let source = try? index.planes(band), bands.fits(source) else { return false }
            let end = bands.decode(band, from: source, while: isWanted)
            return end == band.upperBound && source.isComplete
        }
    }
}
