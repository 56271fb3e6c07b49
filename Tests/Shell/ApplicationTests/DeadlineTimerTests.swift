import EventLoop
import Motion
import Testing
import WaylandClient

@testable import Application

@Suite struct DeadlineTimerTests {
    private func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        let sources = EventSources()
        _ = sources.add(descriptor: descriptor)
        return sources.wait(atMost: milliseconds) == 1
    }

    @Test func aPastMomentFiresAtOnceAndOnlyOnce() throws {
        var timer = try DeadlineTimer()
        #expect(!isReadable(timer.descriptor, within: 0))
        timer.set(.zero)
        #expect(isReadable(timer.descriptor, within: 1000))
        timer.acknowledge()
        #expect(!isReadable(timer.descriptor, within: 0))
    }

    @Test func aTimerFiresNoEarlierThanItsMoment() throws {
        var timer = try DeadlineTimer()
        let moment = MonotonicClock.now().advanced(byMilliseconds: 20)
        timer.set(moment)
        #expect(isReadable(timer.descriptor, within: 5000))
        #expect(MonotonicClock.now() >= moment)
    }

    @Test func aTimerIsStoppedAndSetAgain() throws {
        var timer = try DeadlineTimer()
        let moment = MonotonicClock.now().advanced(byMilliseconds: 1)
        timer.set(moment)
        timer.set(nil)
        #expect(!isReadable(timer.descriptor, within: 20))
        timer.set(moment)
        #expect(isReadable(timer.descriptor, within: 1000))
        timer.acknowledge()
        timer.set(moment)
        #expect(isReadable(timer.descriptor, within: 1000))
    }
}
