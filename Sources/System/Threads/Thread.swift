import Glibc

/// A detached thread.
package enum Thread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Makes the calling thread stand back behind others by `niceness`.
    static func standBack(by niceness: Int32) {
        // Linux takes 0 for the thread, and not for its process; where this is refused it only
        // competes more.
        if niceness > 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }
    }

    /// Runs `body` on a thread of its own, with every signal blocked, which stands back behind others
    /// by `niceness`; false where none can be had and it does not run.
    @discardableResult
    package static func start(
        niceness: Int32 = 0, _ body: @escaping @Sendable () -> Void
    ) -> Bool {
        let body = {
            @Sendable in
            standBack(by: niceness)
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
