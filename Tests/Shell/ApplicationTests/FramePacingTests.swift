import Motion
import Pacing
import Testing

@testable import Application

@Suite struct FramePacingTests {
    private static func moment(_ milliseconds: Double) -> Moment {
        Moment(milliseconds: milliseconds)
    }

    private static func pacing() throws -> FramePacing {
        FramePacing(
            try FrameTrace(nil), FrameSettings(), upscaler: .compositor, hasDisplay: false,
            clock: { .zero })
    }

    /// A frame is held back for newer input, but not longer than newer input may come in time.
    @Test func aFrameWaitsForInputThatMayComeInTime() throws {
        var pacing = try Self.pacing()
        for sample in 0...8 { pacing.inputArrived(at: Self.moment(Double(sample) * 8)) }
        let waits = [70.0, 71.9, 72.1, 75].map { !pacing.hasLastInput(before: Self.moment($0)) }
        #expect(waits == [false, false, true, true])
    }

    @Test func aFrameWithoutInputIsHeldBack() throws {
        let pacing = try Self.pacing()
        let waits = !pacing.hasLastInput(before: Self.moment(1))
        #expect(waits)
    }

    /// A frame that begins early shows the same as one that begins as planned.
    @Test func aFrameShowsItsPlannedMoment() {
        func shown(_ start: Double, at now: Double) -> Double {
            FramePacing.moment(of: Self.moment(start), at: Self.moment(now)).milliseconds
        }
        #expect(shown(100, at: 93) == 100)
        #expect(shown(100, at: 100) == 100)
        #expect(shown(100, at: 103.9) == 100)
        #expect(shown(100, at: 104.1) == 104.1)
    }
}
