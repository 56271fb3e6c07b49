import Glibc
import Synchronization
import Testing
import Threads

/// Threads for short calls: used again, but never while a call hangs.
@Suite struct ReusedThreadsTests {
    /// The thread that runs a call, and the end of the call.
    private final class Call: Sendable {
        let thread = Mutex<pthread_t>(0)
        let done = Signal()

        func run(on threads: ReusedThreads, _ body: @escaping @Sendable () -> Void = {}) -> Bool {
            threads.run {
                self.thread.withLock { $0 = pthread_self() }
                body()
            } completion: {
                self.done.raise()
            }
        }

        var finished: pthread_t {
            done.wait()
            return thread.withLock { $0 }
        }
    }

    @Test func callsOneAfterAnotherShareAThread() {
        let threads = ReusedThreads(longestIdle: 60_000)
        let used = (0..<20).map { _ in
            let call = Call()
            #expect(call.run(on: threads))
            return call.finished
        }
        #expect(Set(used).count == 1)
    }

    @Test func aCallThatHangsKeepsItsThread() {
        let threads = ReusedThreads(longestIdle: 60_000)
        let (release, hanging, next) = (Signal(), Call(), Call())
        #expect(hanging.run(on: threads) { release.wait() })
        #expect(next.run(on: threads))
        let other = next.finished
        release.raise()
        #expect(hanging.finished != other)
    }

    /// A thread that is given a call as it is about to end takes the call.
    @Test func noCallIsLostAtTheEndOfAThread() {
        let threads = ReusedThreads(longestIdle: 1)
        for round in 0..<300 {
            let call = Call()
            #expect(call.run(on: threads))
            #expect(call.finished != 0)
            usleep(UInt32(round * 10))
        }
    }
}
