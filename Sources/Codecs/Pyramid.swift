import Geometry
import Pictures
import Synchronization
import Threads

/// Builds the coarser levels of a store on a second thread while the finest is being decoded.
///
/// `@unchecked Sendable`: what changes is an atomic; the mutex and the conditions are made for
/// being shared.
final class Pyramid: @unchecked Sendable {
    private let store: PixelStore
    /// Rows of the finest level that are complete, counted from the top.
    private let ready = Atomic(0)
    private let isAbandoned = Atomic(false)
    private let wake = Signal()
    /// Until it is raised the processor is left to what is more urgent.
    private let start: Signal?
    private let done = Signal()
    /// Whether there is a second thread; where none can be had, `finish` does its work.
    private let hasThread = Atomic(false)

    /// Starts the second thread; it also makes the memory present ahead of the decoder.
    ///
    /// It begins once `start` is raised, which nobody else waits for, or the finest level is complete.
    init(_ store: PixelStore, after start: Signal? = nil) {
        self.store = store
        self.start = start
        let isStarted = Thread.start { [self] in
            build()
            done.raise()
        }
        hasThread.store(isStarted, ordering: .relaxed)
    }

    /// Rows up to `count` are complete.
    func complete(rows count: Int) {
        ready.store(count, ordering: .releasing)
        wake.raise()
    }

    /// Waits until every level is built.
    func finish() {
        start?.raise()
        if hasThread.load(ordering: .relaxed) { done.wait() } else { build() }
    }

    /// Gives up: returns when the second thread has stopped.
    func abandon() {
        isAbandoned.store(true, ordering: .releasing)
        start?.raise()
        wake.raise()
        if hasThread.load(ordering: .relaxed) { done.wait() }
    }

    private func build() {
        start?.wait()
        store.prefault { !isAbandoned.load(ordering: .relaxed) }
        let levels = store.levels
        let height = levels[0].size.height
        /// Rows that each level has by now.
        var built = levels.map { _ in 0 }
        while built[levels.count - 1] < levels[levels.count - 1].size.height {
            if isAbandoned.load(ordering: .acquiring) { return }
            let available = ready.load(ordering: .acquiring)
            guard available > built[0] else {
                wake.wait()
                continue
            }
            built[0] = available
            for index in 1..<levels.count {
                let isWhole = built[index - 1] == levels[index - 1].size.height
                let target =
                    isWhole ? levels[index].size.height : built[index - 1] / 2
                guard target > built[index] else { break }
                Reduction.reduce(
                    rows: built[index]..<target, of: levels[index], from: levels[index - 1],
                    in: store)
                built[index] = target
            }
            if available == height && levels.count == 1 { return }
        }
    }
}
