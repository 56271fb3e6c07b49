import Geometry
import Gestures
import Input
import Interface
import Motion
import SceneModel
import Testing

@testable import Viewer

/// One input interrupts another: no state is left over, and nothing jumps.
@Suite struct InterruptionTests {
    private static let four = Array(repeating: PixelSize(width: 1600, height: 1000), count: 4)

    private func rig(_ settings: ViewerSettings = ViewerSettings()) -> Rig {
        Rig(Self.four, on: Size(width: 1000, height: 600), index: 1, settings: settings)
    }

    private func scroll(_ rig: inout Rig, _ axis: Axis, _ value: Double, _ source: AxisSource) {
        rig.send(
            .pointer(.axis(axis, value: value, source: source, value120: nil)), at: rig.now + 16)
    }

    private func expectRest(_ rig: inout Rig, _ note: String) {
        rig.rest()
        #expect(rig.isAtRest, "\(note)")
        let geometry = rig.viewer.geometry
        let placement = rig.placement
        #expect(placement.rotation == ViewGeometry.quarterTurn(placement.rotation), "\(note)")
        let range = geometry.restRange(zoom: placement.zoom, rotation: placement.rotation)
        #expect(range.overscroll(of: placement.center).length < 1e-6, "\(note)")
    }

    @Test(arguments: [Axis.horizontal, .vertical])
    func aClickDuringAScrollReturnsThePage(axis: Axis) {
        var rig = rig()
        rig.send(.pointer(.move(to: Point(x: 500, y: 300))))
        if axis == .vertical {
            rig.key("2")
            rig.rest()
        }
        for _ in 0..<3 { scroll(&rig, axis, -120, .continuous) }
        rig.send(.pointer(.button(.left, isDown: true)), at: rig.now + 30)
        rig.send(.pointer(.button(.left, isDown: false)), at: rig.now + 10)
        expectRest(&rig, "\(axis)")
    }

    @Test func aTouchpadHoldAfterAScrollIsReleased() {
        var rig = rig()
        scroll(&rig, .horizontal, 60, .finger)
        scroll(&rig, .horizontal, 200, .finger)
        rig.send(.hold(.begin(fingers: 2)))
        rig.send(.hold(.end(cancelled: false)), at: rig.now + 10)
        expectRest(&rig, "hold")
    }

    @Test(arguments: ["Right", "r"], [Axis.horizontal, .vertical])
    func aScrollZoomInterruptsAnAnimation(key: String, axis: Axis) {
        var rig = rig()
        rig.send(.pointer(.move(to: Point(x: 500, y: 300))))
        rig.key(key)
        rig.pass(to: rig.now + 60)
        rig.send(.key(KeyEvent(name: "Control_L", action: .down)))
        let before = rig.placement
        scroll(&rig, axis, -8, .finger)
        #expect(abs(rig.placement.rotation - before.rotation) < 0.5)
        rig.send(.pointer(.axisStop(axis)), at: rig.now + 10)
        rig.send(.key(KeyEvent(name: "Control_L", action: .up)), at: rig.now + 10)
        expectRest(&rig, "\(key) \(axis)")
        #expect(rig.viewer.index == (key == "Right" ? 2 : 1))
        if key == "r" { #expect(abs(rig.placement.rotation - .pi / 2) < 1e-9) }
    }

    @Test func aDismissalCannotBeInterrupted() {
        for takeover in ["scroll", "resize", "wheel", "key"] {
            var rig = rig()
            rig.drag(from: Point(x: 500, y: 200), by: Vector(dx: 0, dy: 240), speed: 2500)
            #expect(rig.viewer.isMoving(at: Moment(milliseconds: rig.now)))
            rig.pass(to: rig.now + 60)
            switch takeover {
            case "scroll":
                rig.send(.key(KeyEvent(name: "Control_L", action: .down)))
                scroll(&rig, .vertical, 10, .finger)
            case "resize": rig.send(.resize(Size(width: 900, height: 600)))
            case "wheel":
                rig.send(.pointer(.axis(.vertical, value: 10, source: .wheel, value120: 120)))
            default: rig.key("plus")
            }
            rig.rest()
            #expect(rig.effects.contains(.quit), "\(takeover)")
        }
    }

    /// Pages that have left the surface are not retained, even during fast page turns.
    @Test func fastTurningKeepsFewPages() {
        var rig = Rig(
            Array(repeating: PixelSize(width: 1600, height: 1000), count: 100),
            on: Size(width: 1000, height: 600))
        for _ in 0..<90 {
            rig.key("Right")
            rig.pass(to: rig.now + 33)
            #expect(rig.viewer.retained(at: Moment(milliseconds: rig.now)).count <= 6)
        }
    }

    /// While a key is held down, pictures that arrive for passed pages are shown.
    @Test func picturesOfPassedPagesAreShown() {
        var rig = Rig(
            Array(repeating: PixelSize(width: 1600, height: 1000), count: 30),
            on: Size(width: 1000, height: 600), withheld: Set(1..<30))
        for _ in 0..<10 {
            rig.key("Right")
            rig.pass(to: rig.now + 40)
        }
        #expect(rig.viewer.pager.page == 0)
        rig.interaction.target.present(
            index: 6, size: Self.four[0], source: .init(picture: 6, revision: 1),
            at: Moment(milliseconds: rig.now))
        #expect(rig.viewer.pager.page == 6)
        #expect(rig.viewer.index == 10)
    }

    @Test func aPendingTapDoesNotHitWidgetsThatOpenMeanwhile() {
        var rig = rig()
        rig.send(.pointer(.move(to: Point(x: 500, y: 300))))
        for button in [PointerButton.left, .right] {
            rig.send(.pointer(.button(button, isDown: true)), at: rig.now + 100)
            rig.send(.pointer(.button(button, isDown: false)), at: rig.now + 20)
        }
        rig.pass(to: rig.now + 1500)
        #expect(rig.effects.isEmpty)
        #expect(rig.frame.showsMenu)
        var other = self.rig()
        other.tap(Point(x: 990, y: 20))
        other.pass(to: other.now + 50)
        other.key("Return")
        other.pass(to: other.now + 1000)
        #expect(other.effects.isEmpty)
    }

    @Test func aFingerOnHiddenChromeDoesNothing() {
        var rig = rig()
        rig.key("Menu")
        rig.touch([.down(id: 0, at: Point(x: 510, y: 320))], after: 50)
        rig.key("Escape")
        rig.touch([.up(id: 0)], after: 100)
        rig.pass(to: rig.now + 500)
        #expect(!rig.frame.showsChrome)
    }

    /// A resize keeps the centre point and the zoom relative to fit, also during input and motion.
    @Test func aResizeKeepsADragAndAFling() {
        var rig = rig()
        rig.touch(
            [
                .down(id: 0, at: Point(x: 400, y: 300)), .down(id: 1, at: Point(x: 600, y: 300)),
            ], after: 50)
        for step in 1...20 {
            let distance = Double(step) * 15
            rig.touch(
                [
                    .move(id: 0, to: Point(x: 400 - distance, y: 300)),
                    .move(id: 1, to: Point(x: 600 + distance, y: 300)),
                ], after: 8)
        }
        rig.pass(to: rig.now + 200)
        let before = rig.placement
        rig.send(.resize(Size(width: 1000, height: 604)))
        let after = rig.placement
        let ratio = rig.viewer.limits(rotation: 0).fit / 0.6
        #expect(abs(after.zoom / before.zoom - ratio) < 1e-6)
        #expect(abs(after.center.x - 500 - (before.center.x - 500) * ratio) < 1e-6)
        // The drag continues.
        rig.touch(
            [.move(id: 0, to: Point(x: 120, y: 300)), .move(id: 1, to: Point(x: 920, y: 300))],
            after: 8)
        rig.pass(to: rig.now + 100)
        #expect(abs(rig.placement.center.x - after.center.x) > 5)
        rig.touch([.up(id: 0), .up(id: 1)], after: 200)
        expectRest(&rig, "pinch")
        // A fling continues.
        rig.drag(from: Point(x: 700, y: 300), by: Vector(dx: -200, dy: 0), speed: 1500)
        rig.pass(to: rig.now + 60)
        let flying = rig.placement
        rig.send(.resize(Size(width: 1000, height: 600)))
        #expect(abs(rig.placement.center.x - flying.center.x) < 40)
        #expect(!rig.isAtRest)
        expectRest(&rig, "fling")
    }

    @Test func aConfigureOfSizeAndScaleIsOneChange() {
        var rig = Rig([Rig.photo], on: Size(width: 500, height: 300), scale: 2)
        rig.key("2")
        for _ in 0..<6 { rig.key("plus") }
        rig.rest()
        let ratio = rig.placement.zoom / rig.viewer.limits(rotation: 0).fit
        var effects: [ViewerEffect] = []
        rig.interaction.resize(
            to: Size(width: 1000, height: 600), scale: 1, at: Moment(milliseconds: rig.now),
            effects: &effects)
        #expect(abs(rig.placement.zoom / rig.viewer.limits(rotation: 0).fit - ratio) < 1e-9)
    }

    @Test func keysStartFromTheFingersZoom() {
        var rig = rig()
        rig.touch(
            [
                .down(id: 0, at: Point(x: 400, y: 300)), .down(id: 1, at: Point(x: 600, y: 300)),
            ], after: 50)
        for step in 1...20 {
            let distance = Double(step) * 10
            rig.touch(
                [
                    .move(id: 0, to: Point(x: 400 - distance, y: 300)),
                    .move(id: 1, to: Point(x: 600 + distance, y: 300)),
                ], after: 8)
        }
        rig.pass(to: rig.now + 100)
        let zoom = rig.placement.zoom
        rig.key("Right")
        #expect(rig.viewer.index == 1)
        rig.key("plus")
        rig.pass(to: rig.now + 2000)
        #expect(rig.placement.zoom > zoom)
    }

    @Test func aPicturesMessageIsShownWhenItIsSelected() {
        var rig = rig()
        rig.interaction.target.notify(
            index: 2, text: "cut short", at: Moment(milliseconds: rig.now))
        #expect(rig.frame.message == nil)
        rig.key("Right")
        #expect(rig.frame.message == "cut short")
        rig.rest()
        #expect(rig.frame.message == nil)
    }

    /// The scroll sample that decides the axis also counts as movement.
    @Test func noMovementIsLostWhenTheAxisIsDecided() {
        var rig = rig()
        for value in [8.0, 60, 60] { scroll(&rig, .horizontal, value, .finger) }
        #expect(abs(rig.placement.center.x - (500 - 128)) < 6)
    }

    @Test func aFingerLeftAfterAPinchDismissesNothing() {
        var rig = rig()
        rig.touch(
            [
                .down(id: 0, at: Point(x: 300, y: 300)), .down(id: 1, at: Point(x: 700, y: 300)),
            ], after: 50)
        for step in 1...12 {
            let distance = Double(step) * 10
            rig.touch(
                [
                    .move(id: 0, to: Point(x: 300 + distance, y: 300)),
                    .move(id: 1, to: Point(x: 700 - distance, y: 300)),
                ], after: 8)
        }
        rig.touch([.up(id: 1)], after: 20)
        rig.touch([.up(id: 0)], after: 2000)
        rig.rest()
        #expect(rig.effects.isEmpty)
        #expect(rig.placement.zoom == 0.6)
    }

    @Test func aPageWithoutAPictureIsNotZoomed() {
        var rig = Rig(Self.four, on: Size(width: 1000, height: 600), withheld: [0])
        rig.interaction.target.fail(index: 0, text: "broken", at: .zero)
        rig.key("plus")
        rig.key("r")
        rig.rest()
        rig.key("Right")
        #expect(rig.viewer.index == 1)
    }

    @Test func theBackdropComesBackWithoutAJump() {
        var rig = rig()
        rig.drag(
            from: Point(x: 500, y: 200), by: Vector(dx: 0, dy: 170), rest: 200, lifts: false)
        rig.pass(to: rig.now + 100)
        let before = rig.frame.scene.backdrop
        #expect(before < 0.7)
        rig.key("Right")
        #expect(abs(rig.frame.scene.backdrop - before) < 0.01)
        rig.rest()
        #expect(rig.frame.scene.backdrop == 1)
    }
}
