import Synchronization

/// Threads for short calls that may hang: a thread whose call has returned is used for the next one.
///
/// A call that hangs keeps its thread, and other calls get other threads. An idle thread ends after a
/// second. Start and end of a thread take 50 to 100 µs, which a folder of thumbnails pays many times.
package final class ReusedThreads: Sendable {
    private struct Work {
        var body: @Sendable () -> Void
        var completion: @Sendable () -> Void
    }

    /// A thread that has no call, and waits for one.
    private final class Idle: Sendable {
        let work = Mutex<Work?>(nil)
        let hasWork = Signal()
    }

    private let idle = Mutex<[Idle]>([])
    /// How long a thread waits for another call, in milliseconds.
    private let longestIdle: Int

    package init(longestIdle: Int = 1000) { self.longestIdle = longestIdle }

    /// Runs `body` on a thread, and then `completion`, after which the thread can be used again at once.
    ///
    /// Returns false if no thread can be created; neither runs then.
    package func run(
        _ body: @escaping @Sendable () -> Void,
        completion: @escaping @Sendable () -> Void = {}
    ) -> Bool {
        let work = Work(body: body, completion: completion)
        if let thread = idle.withLock({ $0.popLast() }) {
            thread.work.withLock { $0 = work }
            thread.hasWork.raise()
            return true
        }
        return Thread.start { [self] in serve(work) }
    }

    private func serve(_ first: Work) {
        let thread = Idle()
        var next: Work? = first
        while let work = next {
            work.body()
            idle.withLock { $0.append(thread) }
            work.completion()
            next = waitForWork(thread)
        }
    }

    /// The next call of a thread; nil if none comes.
    private func waitForWork(_ thread: Idle) -> Work? {
        if !thread.hasWork.wait(atMost: longestIdle) {
            let isUnused = idle.withLock { idle in
                guard let place = idle.firstIndex(where: { $0 === thread }) else { return false }
                idle.remove(at: place)
                return true
            }
            if isUnused { return nil }
            // Another thread has just taken this one, and is about to raise the signal.
            thread.hasWork.wait()
        }
        return thread.work.withLock { $0.take() }
    }
}
