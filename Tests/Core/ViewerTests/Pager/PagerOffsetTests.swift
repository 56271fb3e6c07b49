import Geometry
import Motion
import Testing

@testable import Viewer

@Suite struct PagerOffsetTests {
    private func at(_ milliseconds: Double) -> Moment { Moment(milliseconds: milliseconds) }

    /// Vector A9: 20 px from its target at 2500 px/s, the pager does not overshoot into the gap.
    @Test func a9TheSpringDoesNotOvershoot() {
        var pager = PagerOffset()
        pager.settle(from: 20, velocity: -2500, at: .zero)
        #expect(abs(pager.velocity(at: .zero) - -600) < 1e-9)
        for time in 1...500 { #expect(pager.displacement(at: at(Double(time))) >= 0) }
        #expect(pager.isAtRest(at: at(500)))
    }

    @Test func velocityAwayFromTheTargetIsKept() {
        var pager = PagerOffset()
        pager.settle(from: 200, velocity: 900, at: .zero)
        #expect(pager.velocity(at: .zero) == 900)
        #expect(pager.displacement(at: at(1)) > 200)
        #expect(pager.isAtRest(at: at(1000)))
    }

    @Test func aPageTurnStartsAtTheCurrentOffset() {
        var pager = PagerOffset()
        pager.turn(by: 1, stride: 1330, at: .zero)
        let before = (pager.displacement(at: at(80)), pager.velocity(at: at(80)))
        pager.turn(by: -1, stride: 1330, at: at(80))
        #expect(abs(pager.displacement(at: at(80)) - (before.0 - 1330)) < 1e-9)
        #expect(abs(pager.velocity(at: at(80)) - before.1) < 1e-9)
    }

    @Test func keysThatRepeatDoNotPileUp() {
        var pager = PagerOffset()
        for press in 0..<50 { pager.turn(by: 1, stride: 1330, at: at(Double(press) * 20)) }
        #expect(pager.displacement(at: at(980)) <= 1.5 * 1330)
        #expect(pager.isAtRest(at: at(2000)))
    }
}
