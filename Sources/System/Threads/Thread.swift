package import Glibc
import SystemCalls

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

    /// Goes on with `body` in a copy of a process that had one thread, then ends the copy.
    ///
    /// `body` has a thread of its own: Swift's locks know a thread by its number, which each thread
    /// looks up once, and the first thread of a copy still has the number from the original.
    package static func continueCopy(_ body: @escaping @Sendable () -> Void) -> Never {
        let isRunning = start {
            body()
            _exit(0)
        }
        if !isRunning { _exit(1) }
        while true { poll(nil, 0, -1) }
    }

    /// Collects a child process (waitpid(2)) that was killed, or has ended.
    ///
    /// The end of a process may take as long as a folder does not answer, so a thread waits for it.
    package static func collect(_ process: pid_t) {
        let isWaiting = start { _ = trapping("waitpid") { retrying { waitpid(process, nil, 0) } } }
        if !isWaiting { waitpid(process, nil, WNOHANG) }
    }

    /// Closes the descriptor of a person's file on a thread: close(2) may wait for a folder that does not
    /// answer.
    package static func close(_ descriptor: Int32) {
        if !start({ Glibc.close(descriptor) }) { Glibc.close(descriptor) }
    }

    /// More bytes than this are unmapped on a thread.
    private static let mostUnmappedAtOnce = 8 << 20

    /// Unmaps memory (munmap(2)): tens of megabytes on a thread, since they take milliseconds, and the last owner is
    /// often the thread that paints.
    package static func unmap(_ base: UnsafeMutableRawPointer, _ length: Int) {
        let address = UInt(bitPattern: base)
        let isUnmapped =
            length > mostUnmappedAtOnce
            && start { munmap(UnsafeMutableRawPointer(bitPattern: address), length) }
        if !isUnmapped { munmap(base, length) }
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
