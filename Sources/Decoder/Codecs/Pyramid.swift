import Geometry
import ImageTypes
import Synchronization
import Threads

/// Builds the coarser levels of a store on a second thread while the finest is being decoded.
///
/// They are built chunk by chunk, so that what is halved is still in a processor's cache; the thread
/// that decodes helps once it is done. A chunk is built by the thread that has taken it.
final class Pyramid: Sendable {
    private let store: PixelStore
    private let chunks: Int
    /// The next chunk that nobody has taken.
    private let next = Atomic(0)
    /// Rows of the finest level that are complete, counted from the top.
    private let ready = Atomic(0)
    private let isAbandoned = Atomic(false)
    private let wake = Signal()
    /// Until it is raised the processor is left to what is more urgent.
    private let start: Signal?
    private let done = Signal()
    /// Whether there is a second thread; where none can be had, `finish` does its work.
    private let hasThread = Atomic(false)

    /// Rows of the finest level, two strips of what `Reduction` halves on its own.
    private static let chunkHeight = 2 * OrientedWriter.stripHeight

    /// Starts the second thread; it also makes the memory present ahead of the decoder.
    ///
    /// It begins once `start` is raised, which nobody else waits for, or the finest level is complete.
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

    /// Rows up to `count` are complete.
    func complete(rows count: Int) {
        ready.store(count, ordering: .releasing)
        wake.raise()
    }

    /// Builds every level, once all rows are complete.
    func finish() {
        start?.raise()
        build()
        if hasThread.load(ordering: .relaxed) { done.wait() }
        Reduction.reduceRest(of: store)
    }

    /// Gives up: returns when the second thread has stopped.
    func abandon() {
        isAbandoned.store(true, ordering: .releasing)
        start?.raise()
        wake.raise()
        if hasThread.load(ordering: .relaxed) { done.wait() }
    }

    /// Takes chunks until there are none left.
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
            Reduction.reduceStrips(rows, in: store)
            store.leave(rows, of: store.levels[0])
        }
    }
}
