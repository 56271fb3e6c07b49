import Synchronization

/// Calls about a folder that may not answer, which the caller can do without.
///
/// No two calls share a thread at the same time. While a call does not return, further calls are not made.
package final class PatientCalls: Sendable {
    private struct Call<Result: Sendable>: Sendable {
        var result: Result?
        var isDone = false
        /// Whether nobody waits for the result any more.
        var isAbandoned = false
    }

    private final class Place<Result: Sendable>: Sendable {
        let call = Mutex(Call<Result>())
        let done = Signal()
    }

    private let hanging = Atomic(0)
    private let threads = ReusedThreads()
    /// The longest wait for a call, in milliseconds.
    private let patience: Int

    package init(patience: Int) { self.patience = patience }

    /// Returns the result of `body`, or nil if the call does not return in time.
    ///
    /// `discard` gets a result that comes later.
    package func run<Result: Sendable>(
        _ body: @escaping @Sendable () -> Result?,
        discard: @escaping @Sendable (Result) -> Void = { _ in }
    ) -> Result? {
        guard hanging.load(ordering: .relaxed) == 0 else { return nil }
        let place = Place<Result>()
        let work: @Sendable () -> Void = { [self] in
            let result = body()
            let isAbandoned = place.call.withLock { call in
                (call.result, call.isDone) = (result, true)
                return call.isAbandoned
            }
            guard isAbandoned else { return }
            hanging.subtract(1, ordering: .relaxed)
            if let result { discard(result) }
        }
        let isRunning = threads.run(work) { place.done.raise() }
        guard isRunning else { return body() }
        _ = place.done.wait(atMost: patience)
        return place.call.withLock { call in
            if call.isDone { return call.result }
            call.isAbandoned = true
            hanging.add(1, ordering: .relaxed)
            return nil
        }
    }
}
