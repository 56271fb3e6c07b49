import CoreTestKit
import Geometry
import Gestures
import Input
import Motion
import SceneModel
import Testing

@testable import Viewer

/// Reduced motion that begins and ends while the viewer is used.
@Suite struct ReducedMotionTests {
    private static let view = Size(width: 1280, height: 800)
    private static let sizes = Array(
        repeating: PixelSize(width: 3000, height: 2000), count: 4)

    private func rig(reducesMotion: Bool = false) -> Rig {
        var rig = Rig(Self.sizes, on: Self.view, index: 1)
        rig.interaction.target.setReducesMotion(reducesMotion)
        return rig
    }

    @Test func everyPartFollows() {
        var rig = rig(reducesMotion: true)
        for key in ["Right", "plus", "r", "Tab", "1", "0", "Return", "End"] {
            rig.key(key)
            #expect(rig.isAtRest, "\(key)")
        }
        rig.interaction.target.setReducesMotion(false)
        for key in ["plus", "r", "Tab", "0", "Left"] {
            rig.rest()
            rig.key(key)
            #expect(!rig.isAtRest, "\(key)")
        }
    }

    @Test func aMotionThatHasBegunGoesOn() {
        var rig = rig()
        rig.key("Right")
        rig.pass(to: rig.now + 50)
        let shown = rig.placement
        rig.interaction.target.setReducesMotion(true)
        #expect(rig.placement == shown && !rig.isAtRest)
        rig.rest()
        #expect(rig.viewer.index == 2 && rig.placement.center.x == Self.view.width / 2)
    }

    @Test func theHelpFollows() {
        var rig = rig()
        rig.key("question")
        rig.key("Down")
        #expect(!rig.isAtRest)
        rig.rest()
        rig.interaction.target.setReducesMotion(true)
        rig.key("Down")
        #expect(rig.isAtRest)
    }

    /// A page that a finger has pulled aside is at its place at once when its picture is replaced.
    @Test(arguments: [false, true])
    func aReplacedPictureSpringsBack(_ reducesMotion: Bool) {
        var rig = rig(reducesMotion: reducesMotion)
        rig.doubleTap(Point(x: 0, y: 400))
        rig.rest()
        rig.drag(from: Point(x: 200, y: 400), by: Vector(dx: 210, dy: 0), lifts: false)
        rig.pass(to: rig.now + 100)
        #expect(rig.viewer.pagerOffset(at: Moment(milliseconds: rig.now)) > 100)
        rig.interaction.target.present(
            index: 1, size: PixelSize(width: 300, height: 200),
            source: .init(picture: 1, revision: 2), at: Moment(milliseconds: rig.now))
        #expect(
            rig.viewer.pager.offset.isAtRest(at: Moment(milliseconds: rig.now)) == reducesMotion)
    }
}
