import Glibc
import Synchronization

/// The result of work on a thread of its own, while the thread of the test goes on with a loop.
///
/// The threads of Swift's tasks are too few for tests that wait.
package final class ThreadedRun<Value: Sendable>: Sendable {
    private let result = Mutex<Value?>(nil)
    private let work: @Sendable () -> Value

    /// Nil until the work is done.
    package var value: Value? { result.withLock { $0 } }
    package var isDone: Bool { value != nil }

    private init(_ work: @escaping @Sendable () -> Value) { self.work = work }

    private func run() {
        let value = work()
        result.withLock { $0 = value }
    }

    package static func start(_ work: @escaping @Sendable () -> Value) -> ThreadedRun {
        let run = ThreadedRun(work)
        let body: AnyObject = Body { run.run() }
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let body = Unmanaged<AnyObject>.fromOpaque(context).takeRetainedValue()
                (body as? Body)?.call()
                return nil
            }, Unmanaged.passRetained(body).toOpaque())
        precondition(code == 0, "cannot start a thread")
        pthread_detach(thread)
        return run
    }
}

private final class Body {
    let call: () -> Void
    init(_ call: @escaping () -> Void) { self.call = call }
}
