import Motion
import Testing

@testable import Viewer

@Suite struct BackdropTests {
    private func at(_ milliseconds: Double) -> Moment { Moment(milliseconds: milliseconds) }

    @Test func aFadeEndsAtItsTarget() {
        var backdrop = Backdrop(reducesMotion: false)
        #expect(backdrop.opacity(at: .zero) == 1 && backdrop.isAtRest(at: .zero))
        backdrop.fade(from: 1, to: 0, at: .zero)
        #expect(!backdrop.restsOpaque && !backdrop.isAtRest(at: at(50)))
        #expect((0.1...0.9).contains(backdrop.opacity(at: at(50))))
        #expect(!backdrop.isFaint(at: at(50)) && backdrop.isFaint(at: at(900)))
        backdrop.advance(to: at(2000))
        #expect(backdrop.opacity(at: at(2000)) == 0)
    }

    @Test func reducedMotionSetsTheTargetAtOnce() {
        var backdrop = Backdrop(reducesMotion: true)
        backdrop.fade(from: 1, to: 0.5, at: .zero)
        #expect(backdrop.opacity(at: .zero) == 0.5 && backdrop.isAtRest(at: .zero))
    }

    @Test func aFadeToTheCurrentOpacityIsAtRest() {
        var backdrop = Backdrop(reducesMotion: false)
        backdrop.fade(from: 0.3, to: 0.3, at: .zero)
        #expect(backdrop.opacity(at: .zero) == 0.3 && backdrop.isAtRest(at: .zero))
    }
}
