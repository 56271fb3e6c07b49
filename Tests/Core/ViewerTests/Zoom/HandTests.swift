import Geometry
import Gestures
import Input
import Motion
import SceneModel
import Testing

@testable import Interface
@testable import Viewer

/// Realistic touch input: fingers that lift one after another, and taps during an animation.
@Suite struct HandTests {
    private static let center = Point(x: 960, y: 540)

    /// Spreads two fingers about the centre and lifts them `gap` milliseconds apart.
    private func spread(_ rig: inout Rig, to end: Double, gap: Double, turn: Double = 0) {
        let arm = Vector(dx: 100, dy: 0)
        func moves(_ progress: Double) -> [TouchEvent] {
            let reach = arm.rotated(by: turn * progress) * (1 + (end - 1) * progress)
            return [
                .move(id: 0, to: Self.center - reach), .move(id: 1, to: Self.center + reach),
            ]
        }
        rig.touch(
            [.down(id: 0, at: Self.center - arm), .down(id: 1, at: Self.center + arm)], after: 50)
        for step in 1...15 { rig.touch(moves(Double(step) / 15), after: 8) }
        rig.touch([.up(id: 0)], after: 4)
        rig.touch([.up(id: 1)], after: gap)
    }

    @Test(arguments: [0.0, 8, 30, 60, 90]) func aPinchContinuesHoweverItsFingersLift(gap: Double) {
        func end(_ gap: Double) -> Double {
            var rig = Rig()
            spread(&rig, to: 2, gap: gap)
            rig.rest()
            return rig.placement.zoom
        }
        let together = end(0)
        // Without a release velocity the zoom would be 0.27 · 2, less the slop.
        #expect(together > 0.6)
        #expect(abs(end(gap) / together - 1) < 1e-9)
    }

    /// The picture moves in every frame between the first lift and the second.
    @Test func theZoomContinuesBetweenTheLifts() {
        var rig = Rig()
        spread(&rig, to: 2, gap: 80)
        let frames = rig.frames.suffix(5).compactMap { $0.frame.placement?.zoom }
        for (old, new) in zip(frames, frames.dropFirst()) { #expect(new > old * 1.002) }
    }

    /// A double tap during the animation of the previous one zooms to the next step.
    @Test(arguments: [20.0, 120, 250]) func aDoubleTapCountsFromTheTarget(pause: Double) {
        var rig = Rig([PixelSize(width: 1920, height: 1080)])
        let ladder = rig.viewer.limits(rotation: 0).ladder
        rig.doubleTap(Self.center)
        rig.pass(to: rig.now + pause)
        rig.doubleTap(Self.center)
        rig.rest()
        #expect(rig.placement.zoom == ladder[0])
        var once = Rig([PixelSize(width: 1920, height: 1080)])
        once.doubleTap(Self.center)
        once.rest()
        #expect(once.placement.zoom == ladder[1])
    }

    @Test func threeTapsZoomOnce() {
        var rig = Rig()
        rig.doubleTap(Self.center)
        rig.tap(Self.center)
        rig.rest()
        #expect(rig.placement.zoom == rig.viewer.limits(rotation: 0).ladder[1])
        #expect(!rig.frame.showsChrome)
    }

    /// A touch stops a zoom animation; the lift resumes it.
    @Test(arguments: [30.0, 700]) func aTouchResumesAZoomAnimation(duration: Double) {
        var rig = Rig()
        rig.key("1")
        rig.pass(to: rig.now + 100)
        rig.touch([.down(id: 0, at: Self.center)])
        let caught = rig.placement
        #expect(caught.zoom > 0.3 && caught.zoom < 0.95)
        rig.pass(to: rig.now + duration)
        #expect(rig.placement == caught)
        rig.touch([.up(id: 0)])
        rig.rest()
        #expect(rig.placement.zoom == 1)
        #expect(!rig.frame.showsChrome && !rig.frame.showsMenu)
    }

    /// A page turn continues after a touch, even if it has only just begun.
    @Test func aTouchResumesAPageTurn() {
        var rig = Rig(Array(repeating: Rig.photo, count: 3), index: 1)
        rig.key("Right")
        rig.pass(to: rig.now + 30)
        rig.touch([.down(id: 0, at: Self.center)])
        rig.touch([.up(id: 0)], after: 200)
        rig.rest()
        #expect(rig.viewer.index == 2 && rig.viewer.pager.page == 2)
        #expect(rig.placement == rig.viewer.geometry.fit(rotation: 0))
    }

    /// After a touch, a fling continues to its original end.
    @Test func aTouchResumesAFling() {
        func end(catches: Bool) -> Point {
            var rig = Rig()
            rig.key("1")
            rig.rest()
            rig.drag(from: Self.center, by: Vector(dx: -150, dy: -60), speed: 1200)
            rig.pass(to: rig.now + 100)
            if catches {
                rig.touch([.down(id: 0, at: Self.center)])
                rig.touch([.up(id: 0)], after: 300)
            }
            rig.rest()
            return rig.placement.center
        }
        #expect((end(catches: true) - end(catches: false)).length < 0.5)
    }

    @Test func clicksAtTheEdgeTurnPagesAtOnceAndRepeat() {
        var rig = Rig(Array(repeating: Rig.photo, count: 5))
        rig.send(.pointer(.move(to: Point(x: 1900, y: 540))), at: rig.now + 20)
        for click in 1...3 {
            rig.send(.pointer(.button(.left, isDown: true)), at: rig.now + 80)
            rig.send(.pointer(.button(.left, isDown: false)), at: rig.now + 60)
            #expect(rig.viewer.index == click)
        }
        rig.rest()
        #expect(rig.viewer.index == 3 && rig.placement == rig.viewer.geometry.fit(rotation: 0))
    }

    /// Taps beside the edges turn pages at once if the setting says so, and show the bar otherwise.
    @Test(arguments: ViewerSettings.TapSides.allCases)
    func tapsBesideTheEdgesTurnPagesBySetting(sides: ViewerSettings.TapSides) {
        var settings = ViewerSettings()
        settings.tapSides = sides
        var rig = Rig(Array(repeating: Rig.photo, count: 5), settings: settings)
        for tap in 1...2 {
            rig.touch([.down(id: 0, at: Point(x: 1900, y: 540))], after: 80)
            rig.touch([.up(id: 0)], after: 60)
            #expect(rig.viewer.index == (sides == .touch ? tap : 0))
        }
        rig.rest()
        #expect(rig.viewer.index == (sides == .touch ? 2 : 0))
        rig.send(.pointer(.move(to: Point(x: 10, y: 540))), at: rig.now + 900)
        rig.send(.pointer(.button(.left, isDown: true)), at: rig.now + 20)
        rig.send(.pointer(.button(.left, isDown: false)), at: rig.now + 60)
        rig.rest()
        #expect(rig.viewer.index == (sides == .touch ? 1 : 0))
        // A click or tap in the middle never turns a page.
        rig.tap(Point(x: 960, y: 540))
        rig.rest()
        #expect(rig.viewer.index == (sides == .touch ? 1 : 0))
    }

    @Test(arguments: [Vector(dx: 0, dy: 40), Vector(dx: 0, dy: -40)])
    func scrollingNeverDismisses(step: Vector) {
        func scroll(_ settings: ViewerSettings) -> Rig {
            var rig = Rig(settings: settings)
            rig.send(.pointer(.move(to: Self.center)))
            for _ in 0..<20 {
                rig.send(
                    .pointer(.axis(.vertical, value: step.dy, source: .finger, value120: nil)),
                    at: rig.now + 8)
            }
            rig.send(.pointer(.axisStop(.vertical)), at: rig.now + 4)
            rig.rest()
            return rig
        }
        let rig = scroll(ViewerSettings())
        #expect(rig.effects.isEmpty && rig.placement == rig.viewer.geometry.fit(rotation: 0))
        var settings = ViewerSettings()
        settings.scrollDismisses = true
        #expect(scroll(settings).effects.contains(.quit))
    }

    /// All detents of a run zoom about the picture point under the pointer at the first one.
    @Test func aRunOfDetentsKeepsItsFocalPoint() throws {
        var rig = Rig()
        let pointer = Point(x: 1500, y: 300)
        rig.send(.pointer(.move(to: pointer)), at: 20)
        rig.send(.key(KeyEvent(name: "Control_L", action: .down)))
        let aimed = rig.placement.picturePoint(at: pointer, in: Rig.photo)
        for _ in 0..<8 {
            rig.send(
                .pointer(.axis(.vertical, value: -10, source: .wheel, value120: -120)),
                at: rig.now + 60)
        }
        rig.rest()
        #expect(abs(rig.placement.zoom / 0.27 - 4) < 1e-9)
        let now = rig.placement.surfacePoint(of: aimed, in: Rig.photo)
        #expect((now - pointer).length < 0.01)
        // A later run of detents has a new focal point.
        rig.send(.pointer(.move(to: Self.center)), at: rig.now + 20)
        let next = rig.placement.picturePoint(at: Self.center, in: Rig.photo)
        rig.send(.pointer(.axis(.vertical, value: -10, source: .wheel, value120: -120)))
        rig.rest()
        let there = rig.placement.surfacePoint(of: next, in: Rig.photo)
        #expect((there - Self.center).length < 0.01)
    }

    /// A pinch that ends close to fit settles exactly at fit.
    ///
    /// A rotation at fit settles at the fit of the new rotation.
    @Test func aPinchThatEndsCloseToFitSettlesAtFit() {
        for (end, turn) in [(1.1, 0.0), (1.1, 2.0), (1.12, -1.9)] {
            var rig = Rig()
            let arm = Vector(dx: 300, dy: 0)
            rig.touch(
                [.down(id: 0, at: Self.center - arm), .down(id: 1, at: Self.center + arm)],
                after: 50)
            for step in 1...40 {
                // Spreads and closes again, and rotates by `turn` in total.
                let progress = Double(step) / 40
                let reach =
                    arm.rotated(by: turn * progress)
                    * (1 + (end - 1) * (1 - abs(2 * progress - 1)))
                rig.touch(
                    [.move(id: 0, to: Self.center - reach), .move(id: 1, to: Self.center + reach)],
                    after: 8)
            }
            rig.touch([.up(id: 0), .up(id: 1)], after: 200)
            rig.rest()
            let rotation = rig.placement.rotation
            #expect(rotation == (turn == 0 ? 0 : turn > 0 ? .pi / 2 : -.pi / 2))
            #expect(rig.placement == rig.viewer.geometry.fit(rotation: rotation), "\(end) \(turn)")
        }
    }

    /// A pinch to slightly more than fit settles at fit, so the next swipe turns the page.
    @Test func aSwipeAfterAnAlmostFitTurnsThePage() {
        var rig = Rig(Array(repeating: Rig.photo, count: 3), index: 1)
        let arm = Vector(dx: 300, dy: 0)
        rig.touch(
            [.down(id: 0, at: Self.center - arm), .down(id: 1, at: Self.center + arm)], after: 50)
        for step in 1...20 {
            let reach = arm * (1 + 0.04 * Double(step) / 20)
            rig.touch(
                [.move(id: 0, to: Self.center - reach), .move(id: 1, to: Self.center + reach)],
                after: 8)
        }
        rig.touch([.up(id: 0), .up(id: 1)], after: 200)
        rig.rest()
        rig.drag(from: Self.center, by: Vector(dx: -200, dy: 0), speed: 1200)
        rig.rest()
        #expect(rig.viewer.index == 2)
    }

    /// A picture that is swiped away during a rotation finishes the rotation while it leaves.
    @Test func aPictureThatLeavesRotatedStraightens() throws {
        var rig = Rig(Array(repeating: Rig.photo, count: 3), index: 1)
        rig.key("r")
        rig.pass(to: rig.now + 80)
        rig.drag(from: Self.center, by: Vector(dx: -400, dy: 0), speed: 3000)
        #expect(rig.viewer.index == 2)
        let leaving = try #require(rig.pictures[1]).placement.rotation
        rig.pass(to: rig.now + 120)
        let later = try #require(rig.pictures[1]).placement.rotation
        let upright = ViewGeometry.quarterTurn(leaving)
        #expect(abs(leaving - upright) > 0.05)
        #expect(abs(later - upright) < abs(leaving - upright) * 0.5)
        rig.rest()
        rig.key("Left")
        rig.rest()
        #expect(rig.placement == rig.viewer.geometry.fit(rotation: rig.placement.rotation))
    }

    /// A menu higher than the surface scrolls by finger, wheel and key.
    @Test func aMenuHigherThanTheSurfaceScrolls() throws {
        var rig = Rig(on: Size(width: 200, height: 150))
        rig.key("Menu")
        let menu = try #require(rig.viewer.chrome.menu)
        #expect(menu.rect.height <= 150 && menu.row(0).height == 48)
        rig.touch([.down(id: 0, at: Point(x: 100, y: 120))], after: 20)
        for step in 1...10 {
            rig.touch([.move(id: 0, to: Point(x: 100, y: 120 - 10 * Double(step)))], after: 8)
        }
        rig.touch([.up(id: 0)], after: 20)
        let scrolled = try #require(rig.viewer.chrome.menu)
        #expect(abs(scrolled.row(0).y - (menu.row(0).y - 80)) < 11)
        #expect(rig.effects.isEmpty)
        for _ in 0..<8 { rig.key("Down") }
        let last = try #require(rig.viewer.chrome.menu)
        let focus = try #require(last.focus)
        #expect(last.row(focus).y >= last.rect.y - 1e-9)
        #expect(last.row(focus).maxY <= last.rect.maxY + 1e-9)
    }
}
