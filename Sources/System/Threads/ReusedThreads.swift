import Synchronization

/// Threads for short calls that may hang: a thread whose call has returned is used for the next one.
///
/// A call that hangs keeps its thread, and other calls get other threads. An idle thread ends after a
/// second. Each thumbnail takes several calls, for each of which a thread would start and end.
package final class ReusedThreads: Sendable {
    private struct Work {
        var body: @Sendable () -> Void
        var completion: @Sendable () -> Void
    }

    /// A thread, and its next call.
    private final class Caller: Sendable {
        let work = Mutex<Work?>(nil)
        let hasWork = Signal()
    }

    private let idle = Mutex<[Caller]>([])
    /// How long a thread waits for another call, in milliseconds.
    private let longestIdle: Int

    package init(longestIdle: Int = 1000) { self.longestIdle = longestIdle }

    /// Runs `body` on a thread, and then `completion`, which must not wait: the thread can be given the next
    /// call already.
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
        let thread = Caller()
        thread.work.withLock { $0 = work }
        return Thread.start { [self] in serve(thread) }
    }

    private func serve(_ thread: Caller) {
        perform(thread.work.withLock { $0.take() }, thread)
        while perform(next(thread), thread) {}
    }

    /// Runs a call, which is not kept afterwards; returns false without one.
    @discardableResult
    private func perform(_ work: consuming Work?, _ thread: Caller) -> Bool {
        guard let work else { return false }
        work.body()
        idle.withLock { $0.append(thread) }
        work.completion()
        return true
    }

    /// The next call of a thread; nil if none comes.
    private func next(_ thread: Caller) -> Work? {
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
