import DecodeClient
import Motion
import Testing

/// The time limits of a request, on a manual clock.
@Suite struct ReplyTimerTests {
    private var timer = ReplyTimer(patience: 60_000, limit: 300_000)

    private static func at(_ milliseconds: Double) -> Moment { Moment(milliseconds: milliseconds) }

    /// Handles the deadline at its time; returns the time and the outcome.
    private mutating func expire(
        _ phase: ReplyTimer.Phase = .reply
    ) -> (time: Double, outcome: ReplyTimer.Outcome) {
        let deadline = timer.deadline(phase)
        return (deadline.milliseconds, timer.expire(phase, now: deadline))
    }

    @Test mutating func aSilentDecoderIsReportedOnceAndThenStopped() {
        timer.beginFile(now: Self.at(1000))
        #expect(timer.expire(.reply, now: Self.at(2999)) == .early)
        #expect(expire() == (3000, .waiting))
        #expect(expire() == (61_000, .stalled))
    }

    @Test mutating func eachFileIsReportedAnew() {
        timer.beginFile(now: Self.at(0))
        #expect(expire() == (2000, .waiting))
        timer.begin(now: Self.at(5000))
        #expect(expire() == (65_000, .stalled))
        timer.beginFile(now: Self.at(70_000))
        #expect(expire() == (72_000, .waiting))
    }

    @Test mutating func aShortPatienceEndsWithoutAReport() {
        timer = ReplyTimer(patience: 700, limit: 300_000)
        timer.beginFile(now: .zero)
        #expect(expire() == (700, .stalled))
    }

    @Test mutating func progressBeginsThePatienceAnewButNotTheLimit() {
        timer.beginFile(now: .zero)
        for time in stride(from: 1000.0, to: 300_000, by: 1000) {
            #expect(timer.expire(.reply, now: Self.at(time)) == .early)
            timer.noteProgress(now: Self.at(time))
        }
        #expect(expire() == (300_000, .limitReached))
    }

    @Test mutating func theLimitCountsForEachReply() {
        timer.beginFile(now: .zero)
        timer.noteProgress(now: Self.at(299_000))
        timer.noteReply(now: Self.at(299_000))
        #expect(expire() == (301_000, .waiting))
        #expect(expire() == (359_000, .stalled))
    }

    @Test mutating func aMissingSandboxReportEndsTheRequest() {
        timer.beginFile(now: .zero)
        #expect(timer.expire(.sandboxReport, now: Self.at(4999)) == .early)
        #expect(expire(.sandboxReport) == (5000, .noSandboxReport))
    }

    // MARK: Pauses of the poll loop

    /// Ctrl+Z, or the freezer of a phone: neither the patience nor the limit ends in the pause.
    @Test(arguments: [ReplyTimer.Phase.reply, .sandboxReport], [500, 3_600_000])
    mutating func aPauseOfTheLoopMovesTheLimits(_ phase: ReplyTimer.Phase, _ delay: Double) {
        timer.beginFile(now: .zero)
        let before = timer.deadline(phase).milliseconds
        let late = Self.at(before + delay)
        #expect(timer.expire(phase, now: late) == .paused)
        // The deadline is ahead again, by as much as a loop may be late.
        #expect(timer.deadline(phase).milliseconds == late.milliseconds + ReplyTimer.longestDelay)
        #expect(timer.expire(phase, now: late) == .early)
    }

    @Test mutating func theLimitMovesByThePause() {
        timer.beginFile(now: .zero)
        #expect(timer.expire(.reply, now: Self.at(10_000)) == .paused)
        // 8000 ms late, and as much as a loop may be late.
        for time in stride(from: 10_000.0, to: 308_500, by: 500) {
            timer.noteProgress(now: Self.at(time))
        }
        #expect(expire() == (308_500, .limitReached))
    }

    @Test mutating func aLoopThatIsALittleLateIsNoPause() {
        timer.beginFile(now: .zero)
        #expect(timer.expire(.reply, now: Self.at(2499)) == .waiting)
        #expect(timer.expire(.reply, now: Self.at(60_499)) == .stalled)
    }
}
