import Glibc
import Synchronization
import Testing
import Threads

/// Threads for short calls: used again, but never while a call hangs.
@Suite struct ReusedThreadsTests {
    /// The number of the thread that runs a call, and the end of the call.
    private final class Call: Sendable {
        let thread = Atomic<Int>(0)
        let done = Signal()

        func run(on threads: ReusedThreads, _ body: @escaping @Sendable () -> Void = {}) -> Bool {
            threads.run {
                self.thread.store(ReusedThreadsTests.ownNumber(), ordering: .relaxed)
                body()
            } completion: {
                self.done.raise()
            }
        }

        var finished: Int {
            done.wait()
            return thread.load(ordering: .relaxed)
        }
    }

    /// The kernel's number of the calling thread.
    private static func ownNumber() -> Int {
        var path = [CChar](repeating: 0, count: 64)
        let count = readlink("/proc/thread-self", &path, path.count)
        return path.prefix(max(0, count)).map { UInt8($0) }.split(separator: UInt8(ascii: "/")).last
            .flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
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

    @Test func anIdleThreadEnds() {
        let threads = ReusedThreads(longestIdle: 20)
        let call = Call()
        #expect(call.run(on: threads))
        let thread = call.finished
        while access("/proc/self/task/\(thread)", F_OK) == 0 { usleep(1000) }
    }

    /// A thread that is given a call as it is about to end takes the call.
    @Test func noCallIsLostAtTheEndOfAThread() {
        let threads = ReusedThreads(longestIdle: 0)
        let finished = Atomic(0)
        let callers = 4
        let done = (0..<callers).map { _ in Signal() }
        for end in done {
            Thread.start {
                for _ in 0..<2000 {
                    let call = Call()
                    if call.run(on: threads), call.finished > 0 {
                        finished.add(1, ordering: .relaxed)
                    }
                }
                end.raise()
            }
        }
        for end in done { end.wait() }
        #expect(finished.load(ordering: .relaxed) == callers * 2000)
    }

    /// What a call holds is freed at its end, while its thread waits for the next one.
    @Test func anIdleThreadKeepsNothing() {
        final class Held: Sendable {}
        let threads = ReusedThreads(longestIdle: 60_000)
        weak var held: Held?
        let call = Call()
        do {
            let value = Held()
            held = value
            #expect(call.run(on: threads) { withExtendedLifetime(value) {} })
        }
        #expect(call.finished > 0)
        while held != nil { usleep(1000) }
    }

    /// The result of a call that comes late is discarded, and calls are made again.
    @Test func aLateResultIsDiscarded() {
        let calls = PatientCalls(patience: 10)
        let (release, discarded) = (Signal(), Signal())
        let late: Int? = calls.run {
            release.wait()
            return 1
        } discard: { _ in
            discarded.raise()
        }
        #expect(late == nil)
        #expect(calls.run { 2 } == nil)
        release.raise()
        discarded.wait()
        #expect(calls.run { 3 } == 3)
    }
}
