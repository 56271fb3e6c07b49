import Synchronization
import Threads

/// Work on threads of its own, whose results arrive in the event loop.
package final class BackgroundJobs {
    /// The results that have not been handled yet.
    private final class Inbox: Sendable {
        let wakeup = Wakeup()
        let results = Mutex<[Int: any Sendable]>([:])
    }

    private let inbox = Inbox()
    private let sources: EventSources
    private var source: EventSources.Source?
    private var handlers: [Int: (any Sendable) -> Void] = [:]
    private var lastNumber = 0

    package init(_ sources: EventSources) {
        self.sources = sources
        source = sources.add(quietDescriptor: inbox.wakeup.descriptor) { [unowned self] in
            deliver()
        }
    }

    deinit { if let source { sources.remove(source) } }

    /// Calls `work` on a thread, then `handler` in the loop; returns false if there is no thread.
    ///
    /// `niceness` is that of the thread, as in nice(2).
    package func run<Result: Sendable>(
        niceness: Int32 = 0, _ work: @escaping @Sendable () -> Result,
        then handler: @escaping (Result) -> Void
    ) -> Bool {
        lastNumber += 1
        let number = lastNumber
        handlers[number] = { if let result = $0 as? Result { handler(result) } }
        let isRunning = Thread.start(niceness: niceness) { [inbox] in
            let result = work()
            inbox.results.withLock { $0[number] = result }
            inbox.wakeup.raise()
        }
        if !isRunning { handlers[number] = nil }
        return isRunning
    }

    private func deliver() {
        inbox.wakeup.lower()
        let results = inbox.results.withLock { results in
            defer { results = [:] }
            return results
        }
        for (number, result) in results.sorted(by: { $0.key < $1.key }) {
            handlers.removeValue(forKey: number)?(result)
        }
    }
}
