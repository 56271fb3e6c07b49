import Geometry
import Motion
import Testing

@testable import Viewer

@Suite struct StripTests {
    private func at(_ milliseconds: Double) -> Moment { Moment(milliseconds: milliseconds) }

    /// Vector A9: 20 px from its place at 2500 px/s, a page is not thrown into the gap.
    @Test func a9TheSpringDoesNotOvershoot() {
        var strip = PagerOffset()
        strip.settle(from: 20, velocity: -2500, at: .zero)
        #expect(abs(strip.velocity(at: .zero) - -600) < 1e-9)
        for time in 1...500 { #expect(strip.displacement(at: at(Double(time))) >= 0) }
        #expect(strip.isAtRest(at: at(500)))
    }

    @Test func speedAwayFromItsPlaceIsCarriedOn() {
        var strip = PagerOffset()
        strip.settle(from: 200, velocity: 900, at: .zero)
        #expect(strip.velocity(at: .zero) == 900)
        #expect(strip.displacement(at: at(1)) > 200)
        #expect(strip.isAtRest(at: at(1000)))
    }

    @Test func turningGoesOnFromWhereThePagesAre() {
        var strip = PagerOffset()
        strip.turn(by: 1, pitch: 1330, at: .zero)
        let before = (strip.displacement(at: at(80)), strip.velocity(at: at(80)))
        strip.turn(by: -1, pitch: 1330, at: at(80))
        #expect(abs(strip.displacement(at: at(80)) - (before.0 - 1330)) < 1e-9)
        #expect(abs(strip.velocity(at: at(80)) - before.1) < 1e-9)
    }

    @Test func keysThatRepeatDoNotPileUp() {
        var strip = PagerOffset()
        for press in 0..<50 { strip.turn(by: 1, pitch: 1330, at: at(Double(press) * 20)) }
        #expect(strip.displacement(at: at(980)) <= 1.5 * 1330)
        #expect(strip.isAtRest(at: at(2000)))
    }
}
