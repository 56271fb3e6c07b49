import Geometry
import Input
import Motion
import SceneModel
import Testing

@testable import Interface
@testable import Viewer

/// `viewer.swipe_up = information`: a throw upwards opens the information panel.
@Suite struct SwipeUpTests {
    private static let start = Point(x: 900, y: 700)

    private func rig(_ change: (inout ViewerSettings) -> Void = { _ in }, count: Int = 1) -> Rig {
        var settings = ViewerSettings()
        settings.swipeUp = .information
        change(&settings)
        return Rig(Array(repeating: Rig.photo, count: count), settings: settings)
    }

    @Test(arguments: [nil, ViewerSettings.Dismiss.off], [1, 3])
    func aThrowUpwardsOpensThePanel(_ dismiss: ViewerSettings.Dismiss?, _ count: Int) {
        var rig = rig({ $0.dismiss = dismiss }, count: count)
        let fit = rig.placement
        rig.drag(from: Self.start, by: Vector(dx: 0, dy: -300), speed: 3000)
        #expect(rig.frame.showsInformation)
        rig.rest()
        #expect(rig.frames.allSatisfy { $0.frame.scene.backdrop == 1 && !$0.frame.isDismissed })
        #expect(rig.placement == fit && rig.isAtRest && rig.effects.isEmpty)
        // A second throw leaves the panel open.
        rig.drag(from: Self.start, by: Vector(dx: 0, dy: -300), speed: 3000)
        rig.rest()
        #expect(rig.frame.showsInformation && rig.effects.isEmpty)
    }

    @Test func aSlowDragUpwardsOpensNothingAndARubberBandHoldsThePicture() {
        var rig = rig()
        let fit = rig.placement
        rig.drag(from: Self.start, by: Vector(dx: 0, dy: -400), speed: 600, lifts: false)
        rig.pass(to: rig.now + 200)
        // The first 10 px are the slop.
        let travel = RubberBand.displayed(-390, extent: 1080)
        #expect(abs(rig.placement.center.y - fit.center.y - travel) < 0.01)
        #expect(rig.placement.zoom == fit.zoom)
        #expect(rig.frame.scene.backdrop == 1 && rig.frame.activity == .pan)
        rig.touch([.up(id: 0)], after: 100)
        #expect(!rig.frame.showsInformation)
        rig.rest()
        #expect(rig.placement == fit && rig.effects.isEmpty)
    }

    @Test func aThrowDownwardsStillDismisses() {
        var rig = rig()
        rig.drag(
            from: Point(x: 900, y: 300), by: Vector(dx: 0, dy: 300), speed: 600, lifts: false)
        #expect(rig.frame.scene.backdrop < 0.7 && rig.frame.activity == .dismiss)
        rig.touch([.up(id: 0)], after: 100)
        rig.rest()
        rig.drag(from: Point(x: 900, y: 300), by: Vector(dx: 0, dy: 300), speed: 3000)
        rig.rest()
        #expect(rig.effects == [.quit] && !rig.frame.showsInformation)
    }

    @Test func aLongDragOpensThePanelByItsDistance() {
        var rig = rig { $0.dismissByDistance = true }
        rig.drag(from: Self.start, by: Vector(dx: 0, dy: -400), rest: 300)
        #expect(rig.frame.showsInformation)
        rig.rest()
        #expect(rig.effects.isEmpty)
    }

    /// A finger that catches the picture above its resting place does not move the picture at once.
    @Test func aCaughtPictureContinuesInTheRubberBand() {
        var rig = rig()
        rig.drag(from: Self.start, by: Vector(dx: 0, dy: -500), rest: 200)
        rig.pass(to: rig.now + 40)
        let caught = rig.placement
        rig.touch([.down(id: 0, at: Self.start)])
        #expect(abs(rig.placement.center.y - caught.center.y) < 0.1)
        let start = rig.placement
        rig.touch([.move(id: 0, to: Point(x: 900, y: 688))], after: 8)
        rig.touch([.move(id: 0, to: Point(x: 900, y: 680))], after: 8)
        rig.pass(to: rig.now + 60)
        let moved = rig.placement.center.y - start.center.y
        #expect(moved < -4 && moved > -12)
        #expect(rig.frame.scene.backdrop == 1)
    }

    @Test func withReducedMotionThePictureStaysAndThePanelOpens() {
        var rig = rig { $0.reducedMotion = true }
        let fit = rig.placement
        rig.drag(from: Self.start, by: Vector(dx: 0, dy: -300), speed: 3000, lifts: false)
        #expect(rig.placement == fit)
        rig.touch([.up(id: 0)], after: 4)
        #expect(rig.frame.showsInformation && rig.isAtRest)
    }

    @Test func enlargedAThrowFromTheLowerEdgeOpensThePanel() {
        var rig = rig()
        rig.key("1")
        rig.rest()
        for _ in 0..<3 {
            rig.drag(from: Self.start, by: Vector(dx: 0, dy: -500), speed: 4000)
            rig.rest()
        }
        #expect(rig.frame.showsInformation && rig.effects.isEmpty)
        #expect(rig.placement.zoom == 1)
    }

    // MARK: The law

    private func drag(_ progress: Double, _ overscroll: Double, resists: Bool) -> DismissalDrag {
        DismissalDrag(
            progress: progress, overscroll: overscroll, resistsUpwards: resists,
            on: Rig().viewer.geometry)
    }

    /// From a dismissal downwards the same drag goes through the resting place into the band.
    @Test func theLawIsContinuousAtTheRestingPlace() {
        let drag = drag(0.5, 0, resists: true)
        #expect(drag.travel(-270) == 0 && drag.progress(-270) == 0)
        #expect(abs(drag.displayed(-270) + 270) < 1e-9)
        #expect(abs(drag.displayed(-270.001) + 270) < 0.001)
        #expect(drag.shrink(-270) == drag.shrink(-400) && drag.progress(-400) == 0)
        #expect(abs(drag.shrink(-270) * 0.75 - 1) < 1e-9)
    }

    @Test func withoutTheBandBothDirectionsAreAlike() {
        let drag = drag(0, -100, resists: false)
        for translation in [-700.0, -300, 0, 300, 700] {
            #expect(drag.displayed(translation) == translation)
            #expect(drag.progress(translation) == -drag.progress(-translation))
            #expect(drag.slope(at: drag.travel(translation)) == 1)
        }
        #expect(drag.progress(-700) == -1)
    }
}
