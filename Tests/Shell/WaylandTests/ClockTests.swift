import Motion
import Testing
import WaylandClient

/// `EventClock` and `KeyRepeat`.
@Suite struct ClockTests {
    @Test func timesOnTheClientsClockAreUnchanged() {
        var clock = EventClock()
        let now = Moment(milliseconds: 5_000_000.75)
        #expect(clock.moment(of: 4_999_990, now: now) == Moment(milliseconds: 4_999_990))
        #expect(clock.moment(of: 5_000_000, now: now) == Moment(milliseconds: 5_000_000))
    }

    @Test func timesSurviveTheWrapOf32Bits() {
        var clock = EventClock()
        let wrap = 4_294_967_296.0
        let before = clock.moment(of: .max - 4, now: Moment(milliseconds: wrap + 3))
        let after = clock.moment(of: 3, now: Moment(milliseconds: wrap + 4))
        #expect(before == Moment(milliseconds: wrap - 5))
        #expect(after == Moment(milliseconds: wrap + 3))
        #expect(abs(after.seconds(since: before) - 0.008) < 1e-9)
    }

    @Test func anotherTimeBaseKeepsDifferences() {
        var clock = EventClock()
        let first = clock.moment(of: 77, now: Moment(milliseconds: 3_000_000_000))
        let second = clock.moment(of: 93, now: Moment(milliseconds: 3_000_000_020))
        #expect(first == Moment(milliseconds: 3_000_000_000))
        #expect(second == Moment(milliseconds: 3_000_000_016))
    }

    @Test func anotherTimeBaseMayWrapToo() {
        var clock = EventClock()
        let first = clock.moment(of: .max, now: Moment(milliseconds: 1_000_000_000))
        let second = clock.moment(of: 9, now: Moment(milliseconds: 1_000_000_012))
        #expect(abs(second.seconds(since: first) - 0.010) < 1e-9)
    }

    @Test func aClockThatJumpsIsFollowed() {
        var clock = EventClock()
        _ = clock.moment(of: 100, now: Moment(milliseconds: 1_000_000))
        let late = clock.moment(of: 500_000, now: Moment(milliseconds: 1_000_100))
        #expect(late == Moment(milliseconds: 1_000_100))
    }

    @Test func nothingHappensInTheFuture() {
        var clock = EventClock()
        let now = Moment(milliseconds: 1_000_000)
        #expect(clock.moment(of: 1_008_000, now: now) == now)
        // The error of one event does not change the times of the next ones.
        #expect(clock.moment(of: 999_990, now: now) == Moment(milliseconds: 999_990))
    }

    @Test func missedRepetitionsAreSkipped() {
        var repetition = KeyRepeat()
        repetition.configure(rate: 25, delay: 200)
        repetition.press(5, now: .zero)
        #expect(repetition.deadline == Moment(milliseconds: 200))
        #expect(repetition.fire(now: Moment(milliseconds: 199)) == nil)
        #expect(repetition.fire(now: Moment(milliseconds: 1000)) == 5)
        #expect(repetition.deadline == Moment(milliseconds: 1040))
        repetition.release(6)
        #expect(repetition.key == 5)
        repetition.release(5)
        #expect(repetition.deadline == nil)
    }

    @Test func anAbsurdRateDoesNotKeepTheLoopBusy() {
        var repetition = KeyRepeat()
        repetition.configure(rate: .max, delay: .min)
        repetition.press(5, now: .zero)
        #expect(repetition.fire(now: .zero) == 5)
        #expect(repetition.deadline == Moment(milliseconds: 5))
    }

    @Test func aRateOfZeroEndsRepetition() {
        var repetition = KeyRepeat()
        repetition.press(5, now: .zero)
        repetition.configure(rate: 0, delay: 0)
        #expect(repetition.deadline == nil)
        repetition.press(5, now: .zero)
        #expect(repetition.deadline == nil)
    }
}
