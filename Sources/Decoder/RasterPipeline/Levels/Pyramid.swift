import Geometry
import ImageTypes
import Synchronization
import Threads

/// Builds the coarser levels of a store on a second thread while the finest is being decoded.
///
/// The levels are built in chunks of rows, so that the finer rows are still in a processor's cache.
/// The decoding thread helps once it has decoded all rows. A chunk is built by the thread that has
/// claimed it.
final class Pyramid: Sendable {
    private let store: PixelStore
    private let chunks: Int
    /// The next unclaimed chunk.
    private let next = Atomic(0)
    /// Rows of the finest level that are complete, counted from the top.
    private let ready = Atomic(0)
    private let isAbandoned = Atomic(false)
    private let wake = Signal()
    /// The second thread waits for this signal, to leave the processor to more urgent work.
    private let start: Signal?
    private let done = Signal()
    /// Whether the second thread could be started; otherwise `finish` does its work.
    private let hasThread = Atomic(false)

    /// Rows of the finest level: two of the bands that `Reduction` can reduce on their own.
    private static let chunkHeight = 2 * OrientedWriter.rowsPerBand

    /// Starts the second thread, which also populates the memory ahead of the decoder.
    ///
    /// The thread begins its work once `start` is raised or the finest level is complete. Nobody
    /// else may wait for `start`.
    init(_ store: PixelStore, after start: Signal? = nil) {
        self.store = store
        chunks = (store.levels[0].size.height + Self.chunkHeight - 1) / Self.chunkHeight
        self.start = start
        let isStarted = Thread.start { [self] in
            start?.wait()
            store.prefault { !isAbandoned.load(ordering: .relaxed) && !isComplete }
            build()
            done.raise()
        }
        hasThread.store(isStarted, ordering: .relaxed)
    }

    private var isComplete: Bool {
        ready.load(ordering: .acquiring) >= store.levels[0].size.height
    }

    /// Publishes that the first `count` rows of the finest level are complete.
    func complete(rows count: Int) {
        ready.store(count, ordering: .releasing)
        wake.raise()
    }

    /// Builds the remaining levels; all rows of the finest level have to be complete.
    func finish() {
        start?.raise()
        build()
        if hasThread.load(ordering: .relaxed) { done.wait() }
        Reduction.reduceCoarseLevels(of: store)
    }

    /// Cancels the work; returns when the second thread has stopped.
    func abandon() {
        isAbandoned.store(true, ordering: .releasing)
        start?.raise()
        wake.raise()
        if hasThread.load(ordering: .relaxed) { done.wait() }
    }

    /// Claims and builds chunks until none are left.
    private func build() {
        let height = store.levels[0].size.height
        while !isAbandoned.load(ordering: .acquiring) {
            let chunk = next.add(1, ordering: .relaxed).oldValue
            guard chunk < chunks else { return }
            let end = min((chunk + 1) * Self.chunkHeight, height)
            while ready.load(ordering: .acquiring) < end {
                if isAbandoned.load(ordering: .acquiring) { return }
                wake.wait()
            }
            let rows = chunk * Self.chunkHeight..<end
            Reduction.reduceFineLevels(rows, in: store)
            store.leave(rows, of: store.levels[0])
        }
    }
}
