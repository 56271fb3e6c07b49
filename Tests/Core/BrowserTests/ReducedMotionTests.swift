import CoreTestKit
import Geometry
import Gestures
import Grid
import Input
import Motion
import Testing
import Viewer

@testable import Browser

/// Reduced motion that begins and ends while grid and viewer are used.
@Suite struct ReducedMotionTests {
    private func isAtRest(_ rig: BrowserRig) -> Bool { !rig.browser.isAnimating(at: rig.moment) }

    @Test func gridViewerAndTransitionsFollow() {
        var rig = BrowserRig()
        rig.hands.target.setReducesMotion(true)
        for key in ["plus", "End", "Return", "Escape", "question", "Down"] {
            rig.key(key)
            rig.pass(to: rig.now + 8)
            #expect(isAtRest(rig), "\(key)")
        }
        rig.key("Escape")
        rig.hands.target.setReducesMotion(false)
        for key in ["minus", "Home", "Return", "Escape"] {
            rig.rest()
            rig.key(key)
            #expect(!isAtRest(rig), "\(key)")
        }
    }
}
