import Motion
import Pacing
import Testing

/// A simulation of a compositor, a screen and a painting client; times are in milliseconds.
private struct Screen {
    var clock = FrameClock()
    /// Refresh period; reported to the clock only if `isReported`.
    var period: Double
    /// Relative error of the reported period.
    var error = 0.0
    var isReported: Bool
    /// Time from the compositor's latch of the newest buffer to its presentation.
    var lead: Double
    /// Delay of the frame callback, by frame number.
    var jitter: (Int) -> Double = { _ in 0 }
    /// Painting time, by frame number.
    var paint: (Int) -> Double = { _ in 4 }
    /// Time that a commit must precede the latch by.
    var latchMargin = 0.5

    init(hertz: Double = 60, isReported: Bool = true, lead: Double = 3) {
        (period, self.isReported, self.lead) = (1000 / hertz, isReported, lead)
    }

    private var number = 0
    private var cycle = 6000
    /// The delay from the callback to the start of painting, and whether the frame was in time.
    private(set) var frames: [(held: Double, isInTime: Bool)] = []

    private func vblank(_ cycle: Int) -> Double { Double(cycle) * period }

    /// Simulates `count` frames in sequence.
    mutating func run(_ count: Int) {
        for _ in 0..<count { frame() }
    }

    private mutating func frame() {
        // The compositor has just latched the buffer that this cycle presents at its end.
        let callback = vblank(cycle) - lead + jitter(number)
        clock.frameDone(at: Moment(milliseconds: callback))
        let start = clock.start ?? Moment(milliseconds: callback)
        let commit = start.milliseconds + paint(number)
        number += 1
        clock.committed(
            number, at: Moment(milliseconds: commit), start: start, isDirect: true)
        var shown = cycle + 1
        while commit + latchMargin > vblank(shown) - lead { shown += 1 }
        frames.append((start.milliseconds - callback, shown == cycle + 1))
        cycle = shown
        clock.presented(
            number, at: Moment(milliseconds: vblank(shown)),
            refresh: isReported ? period * (1 + error) : nil)
    }

    /// Skips `cycles` periods without a frame.
    mutating func pause(_ cycles: Int) { cycle += cycles }
}

@Suite struct FrameClockTests {
    @Test(arguments: [30.0, 60, 75, 120, 144, 240], [0.2, 3.0])
    func framesAreHeldBackAndNoneIsLate(hertz: Double, lead: Double) {
        var screen = Screen(hertz: hertz, lead: lead)
        let paint = screen.period / 4
        screen.paint = { _ in paint }
        screen.run(600)
        #expect(screen.clock.refresh == screen.period)
        #expect(screen.frames.allSatisfy { $0.isInTime })
        #expect(screen.clock.lateFrames == 0)
        let held = screen.frames[20...].map(\.held)
        // The delay is the period less the painting time and the margin.
        for time in held {
            #expect(abs(time - max(0, screen.period - paint - screen.clock.margin)) < 1e-6)
        }
    }

    /// A small error of the reported period makes no frame late after a pause.
    ///
    /// Screens report whole nanoseconds or thousandths of a hertz, so after ten minutes the learned
    /// phase of the callbacks is useless.
    @Test(arguments: [-1e-4, 1e-4, 3e-5])
    func aPeriodThatIsOnlyNearlyRightMakesNoFrameLateAfterAPause(error: Double) {
        for pause in [200, 3000, 36_000, 36_123, 200_000] {
            var screen = Screen()
            screen.error = error
            screen.run(300)
            screen.pause(pause)
            screen.run(300)
            #expect(screen.frames.allSatisfy { $0.isInTime }, "\(pause)")
            #expect((screen.frames.last?.held ?? 0) > 5, "\(pause)")
        }
    }

    @Test func theFirstFramesArePaintedAtOnce() {
        var screen = Screen()
        screen.run(8)
        #expect(screen.frames.allSatisfy { $0.held == 0 })
        screen.run(10)
        #expect((screen.frames.last?.held ?? 0) > 5)
    }

    @Test func withoutAFixedPeriodFramesArePaintedAtOnce() {
        var screen = Screen(isReported: false)
        screen.run(200)
        #expect(screen.frames.allSatisfy { $0.held == 0 && $0.isInTime })
        #expect(screen.clock.refresh == nil)
        #expect(screen.clock.deadline == nil)
    }

    @Test(arguments: [0.0, -5, 0.001, 1e9, .infinity, .nan])
    func anAbsurdPeriodIsIgnored(period: Double) {
        var clock = FrameClock()
        for number in 1...20 {
            let moment = Moment(milliseconds: Double(number) * 16)
            clock.frameDone(at: moment)
            clock.committed(number, at: moment, start: moment, isDirect: true)
            clock.presented(number, at: moment, refresh: period)
        }
        #expect(clock.refresh == nil)
        #expect(clock.start == nil)
    }

    @Test func withoutPresentationTimesFramesArePaintedAtOnce() {
        var clock = FrameClock()
        for number in 1...200 {
            let moment = Moment(milliseconds: Double(number) * 16)
            clock.frameDone(at: moment)
            #expect(clock.start == nil)
            clock.committed(number, at: moment, start: moment, isDirect: true)
        }
        #expect(clock.lateFrames == 0)
    }

    @Test func jitterOfCallbacksMakesNoFrameLate() {
        var screen = Screen()
        screen.jitter = { Double($0 * 7 % 11) * 0.3 }
        screen.run(1000)
        #expect(screen.frames.allSatisfy { $0.isInTime })
        // Only the callback jitters, not the start of painting.
        #expect(screen.frames[100...].allSatisfy { $0.held > 4 })
    }

    @Test func theSlowestOfTheLastFramesCounts() {
        var screen = Screen()
        screen.paint = { $0 % 20 == 0 ? 9 : 3 }
        screen.run(600)
        #expect(screen.frames[30...].allSatisfy { $0.isInTime })
    }

    @Test func framesThatTakeAPeriodArePaintedAtOnce() {
        var screen = Screen()
        screen.paint = { _ in 14.8 }
        screen.run(200)
        #expect(screen.frames.allSatisfy { $0.held == 0 })
        screen.paint = { _ in 30 }
        screen.run(50)
        #expect(screen.frames.allSatisfy { $0.held == 0 })
        #expect(screen.clock.lateFrames == 50)
    }

    /// The protocol reports no deadline, so the margin grows when the usual one is too small.
    @Test func theMarginGrowsForASlowCompositor() {
        var screen = Screen()
        screen.latchMargin = 7
        screen.run(2000)
        let late = screen.frames.count { !$0.isInTime }
        #expect(late > 0 && late <= 4)
        #expect(screen.clock.lateFrames == late)
        #expect(screen.frames.suffix(1000).allSatisfy { $0.isInTime })
    }

    @Test func aGrownMarginShrinksAgain() {
        var screen = Screen()
        screen.paint = { $0 == 300 ? 20 : 4 }
        screen.run(400)
        #expect(screen.clock.lateFrames == 1)
        #expect(screen.clock.margin > 5)
        screen.run(20_000)
        #expect(screen.clock.margin < 3.1)
        #expect(screen.clock.lateFrames == 1)
    }

    @Test func afterAPauseFramesAreMeasuredAgain() {
        var screen = Screen()
        screen.run(100)
        screen.pause(600)
        // The next animation has a higher painting time.
        screen.paint = { _ in 12 }
        screen.run(100)
        #expect(screen.frames.allSatisfy { $0.isInTime })
    }

    @Test func anotherScreenIsMeasuredAgain() {
        var screen = Screen()
        screen.run(100)
        screen.period = 1000.0 / 144
        screen.paint = { _ in 2 }
        screen.run(1)
        screen.run(8)
        #expect(screen.frames.suffix(7).allSatisfy { $0.held == 0 })
        screen.run(100)
        #expect(screen.frames.suffix(90).allSatisfy { $0.isInTime && $0.held > 1 })
    }

    @Test func framesThatWereNotDueInTimeAreNotLate() {
        var clock = FrameClock()
        let period = 16.0
        for number in 1...50 {
            // A frame at every second period, as from a slow device.
            let moment = Moment(milliseconds: Double(number) * 2 * period)
            clock.frameDone(at: moment)
            clock.committed(number, at: moment, start: moment, isDirect: false)
            clock.presented(
                number, at: moment.advanced(byMilliseconds: period), refresh: period)
        }
        #expect(clock.lateFrames == 0)
    }

    @Test func framesThatWereNeverShownAreForgotten() {
        var screen = Screen()
        screen.run(50)
        for number in 1000..<1100 {
            let moment = Moment(milliseconds: 1e6 + Double(number))
            screen.clock.committed(number, at: moment, start: moment, isDirect: true)
        }
        screen.clock.presented(5000, at: Moment(milliseconds: 2e6), refresh: 16)
        #expect(screen.clock.lateFrames == 0)
    }
}
