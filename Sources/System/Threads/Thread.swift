import Glibc

/// Starts detached threads.
package enum Thread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Sets the nice value of the calling thread.
    static func lowerPriority(by niceness: Int32) {
        // On Linux PRIO_PROCESS with ID 0 means the calling thread, not its process. A failure is
        // harmless: the thread keeps its priority.
        if niceness > 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }
    }

    /// Runs `body` on a new thread with the nice value `niceness` and every signal blocked.
    ///
    /// Returns false if no thread can be created; `body` does not run then.
    @discardableResult
    package static func start(
        niceness: Int32 = 0, _ body: @escaping @Sendable () -> Void
    ) -> Bool {
        let body = {
            @Sendable in
            lowerPriority(by: niceness)
            body()
        }
        let context = Unmanaged.passRetained(Body(body))
        var signals = sigset_t()
        var before = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_SETMASK, &signals, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
