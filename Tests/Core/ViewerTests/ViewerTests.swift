import CoreTestKit
import Geometry
import Gestures
import Input
import Interface
import Motion
import SceneModel
import Testing

@testable import Viewer

/// Gestures and keys on the viewer.
@Suite struct ViewerTests {
    private static let photo = PixelSize(width: 6000, height: 4000)

    private func viewer(
        _ picture: PixelSize = photo, on size: Size = Size(width: 1920, height: 1080),
        count: Int = 1, settings: ViewerSettings = ViewerSettings()
    ) -> ViewerModel {
        var viewer = ViewerModel(
            viewport: Viewport(size: size), count: count, settings: settings, text: .fixed)
        viewer.present(index: 0, size: picture, source: .init(picture: 0, revision: 1), at: .zero)
        return viewer
    }

    private func at(_ milliseconds: Double) -> Moment { Moment(milliseconds: milliseconds) }

    private func play(
        _ viewer: inout ViewerModel, _ gestures: [(Double, Gesture)]
    ) -> [ViewerEffect] {
        var effects: [ViewerEffect] = []
        for (time, gesture) in gestures {
            viewer.advance(to: at(time), effects: &effects)
            viewer.handle(gesture, at: at(time), effects: &effects)
        }
        return effects
    }

    private func drag(from base: Point, by translation: Vector) -> Manipulation {
        Manipulation(source: .touch, fingers: 1, base: base, centroid: base + translation)
    }

    @Test func aPictureComesToRestAtFit() throws {
        let placement = try #require(viewer().placement(at: .zero))
        #expect(placement.zoom == 0.27)
        #expect(placement.center == Point(x: 960, y: 540))
    }

    @Test func thePointUnderThePinchStaysThere() throws {
        var viewer = viewer()
        let base = Point(x: 700, y: 400)
        let before = try #require(viewer.placement(at: .zero))
        _ = play(
            &viewer,
            [
                (
                    0,
                    .manipulationBegan(
                        Manipulation(source: .touch, fingers: 2, base: base, centroid: base))
                )
            ])
        for step in 1...60 {
            let centroid = Point(x: 700 + Double(step) * 3, y: 400 - Double(step))
            let fingers = Manipulation(
                source: .touch, fingers: 2, base: base, centroid: centroid,
                scale: 1 + Double(step) * 0.05)
            _ = play(&viewer, [(Double(step) * 8, .manipulationChanged(fingers))])
            let now = try #require(viewer.placement(at: at(Double(step) * 8)))
            let held = (base - before.center) * (now.zoom / before.zoom)
            #expect((now.center + held - centroid).length < 1e-9)
        }
    }

    @Test func theZoomBouncesBackFromBothLimits() throws {
        var viewer = viewer()
        let middle = Point(x: 960, y: 540)
        func pinch(_ scale: Double, from time: Double) -> [(Double, Gesture)] {
            let start = Manipulation(source: .touch, fingers: 2, base: middle, centroid: middle)
            var end = start
            end.scale = scale
            return [
                (time, .caught(at: middle)), (time, .manipulationBegan(start)),
                (time + 100, .manipulationChanged(end)),
                (time + 200, .manipulationEnded(Release(centroid: middle))),
            ]
        }
        _ = play(&viewer, Array(pinch(40, from: 0).prefix(3)))
        let stretched = try #require(viewer.placement(at: at(100)))
        // An unlimited zoom of 10.8 and the limit 4: the rubber band of R5 with d = ln 2.
        #expect(
            abs(stretched.zoom - ZoomBand.displayed(10.8, limits: 0.27...4)) < 1e-9)
        #expect(stretched.zoom > 4 && stretched.zoom < 8)
        _ = play(&viewer, [(200, .manipulationEnded(Release(centroid: middle)))])
        #expect(try #require(viewer.placement(at: at(3000))).zoom == 4)
        _ = play(&viewer, Array(pinch(0.01, from: 4000).prefix(3)))
        let squeezed = try #require(viewer.placement(at: at(4100))).zoom
        #expect(squeezed < 0.27 && squeezed > 0.135)
        _ = play(&viewer, [(4200, .manipulationEnded(Release(centroid: middle)))])
        #expect(try #require(viewer.placement(at: at(7000))).zoom == 0.27)
    }

    /// Cancelled manipulations that would dismiss the picture or turn the page on a lift.
    @Test(arguments: [(2, Vector.zero), (1, Vector(dx: 0, dy: 900)), (1, Vector(dx: -1500, dy: 0))])
    func aCancelRestoresThePlacement(_ fingers: Int, _ translation: Vector) throws {
        var settings = ViewerSettings()
        settings.dismissByDistance = true
        var viewer = viewer(count: 3, settings: settings)
        let before = try #require(viewer.placement(at: at(0)))
        let middle = Point(x: 960, y: 540)
        let start = Manipulation(
            source: .touch, fingers: fingers, base: middle, centroid: middle + translation)
        var end = start
        if fingers == 2 { end.scale = 0.2 }
        let effects = play(
            &viewer,
            [
                (0, .caught(at: middle)), (0, .manipulationBegan(start)),
                (100, .manipulationChanged(end)),
                (120, .manipulationEnded(Release(centroid: end.centroid, isCancelled: true))),
            ])
        #expect(effects.isEmpty)
        #expect(viewer.placement(at: at(3000)) == before)
    }

    @Test func aFlungPictureBouncesAtItsEdge() throws {
        var viewer = viewer()
        _ = play(&viewer, [(0, .doubleTap(at: Point(x: 960, y: 540)))])
        let start = try #require(viewer.placement(at: at(2000)))
        #expect(start.zoom == 0.54)
        let base = Point(x: 400, y: 500)
        let effects = play(
            &viewer,
            [
                (2000, .caught(at: base)),
                (2000, .manipulationBegan(drag(from: base, by: Vector(dx: 20, dy: 0)))),
                (
                    2016,
                    .manipulationEnded(
                        Release(centroid: base, velocity: Vector(dx: 3000, dy: 0)))
                ),
            ])
        #expect(effects.isEmpty)
        let edge = 6000 * 0.54 / 2
        var peak = 0.0
        for time in stride(from: 2016.0, to: 5000, by: 1) {
            peak = max(peak, try #require(viewer.placement(at: at(time))).center.x)
        }
        // F4 and F5: the velocity at the edge, and the peak of a critically damped spring.
        let speed = 3000 - Deceleration.normal * (edge - (start.center.x + 20))
        let overshoot = speed / (200.0.squareRoot() * 2.718281828459045)
        #expect(abs(peak - edge - overshoot) < 0.05)
        #expect(try #require(viewer.placement(at: at(9000))).center.x == edge)
    }

    @Test func aFlingDownDismissesAndAStopDoesNot() throws {
        let base = Point(x: 960, y: 300)
        func throwing(_ speed: Double) -> [(Double, Gesture)] {
            [
                (0, .caught(at: base)),
                (10, .manipulationBegan(drag(from: base, by: Vector(dx: 0, dy: 60)))),
                (20, .manipulationChanged(drag(from: base, by: Vector(dx: 0, dy: 120)))),
                (
                    24,
                    .manipulationEnded(
                        Release(centroid: base, velocity: Vector(dx: 0, dy: speed)))
                ),
            ]
        }
        var thrown = viewer()
        _ = play(&thrown, throwing(1500))
        #expect(thrown.frame(at: at(24), title: "").isDismissed)
        thrown.acknowledgeFrame()
        #expect(!thrown.frame(at: at(30), title: "").isDismissed)
        var effects: [ViewerEffect] = []
        thrown.advance(to: at(24 + LeavingMotion.duration), effects: &effects)
        #expect(effects == [.quit])
        for speed in [0.0, 1000, -1500] {
            var kept = viewer()
            #expect(play(&kept, throwing(speed)).isEmpty)
            #expect(kept.placement(at: at(3000))?.center == Point(x: 960, y: 540))
            #expect(kept.backdropOpacity(at: at(3000)) == 1)
        }
    }

    @Test func aDismissalDragShrinksAndFades() throws {
        // D9 and D10 on this surface: a drag down by half of H/2.
        var viewer = viewer()
        let base = Point(x: 500, y: 300)
        _ = play(
            &viewer,
            [(0, .manipulationBegan(drag(from: base, by: Vector(dx: 0, dy: 270))))])
        let now = try #require(viewer.placement(at: .zero))
        #expect(abs(viewer.backdropOpacity(at: .zero) - 0.5) < 1e-12)
        #expect(abs(now.zoom - 0.27 * 0.75) < 1e-12)
        // The grabbed picture point stays under the finger.
        let held = (base - Point(x: 960, y: 540)) * 0.75
        #expect((now.center + held - Point(x: 500, y: 570)).length < 1e-9)
    }

    @Test func aHorizontalFlingTurnsThePageIfThereIsOne() {
        let base = Point(x: 960, y: 500)
        func swipe(_ direction: Double) -> [(Double, Gesture)] {
            [
                (
                    0,
                    .manipulationBegan(drag(from: base, by: Vector(dx: 80 * direction, dy: 0)))
                ),
                (
                    10,
                    .manipulationEnded(
                        Release(centroid: base, velocity: Vector(dx: 1500 * direction, dy: 0)))
                ),
            ]
        }
        var first = viewer(count: 2)
        #expect(play(&first, swipe(-1)) == [.want])
        var other = viewer(count: 2)
        #expect(play(&other, swipe(1)).isEmpty)
        #expect(!other.frame(at: at(10), title: "").isDismissed)
    }

    @Test func cancelledTouchesSettleAtRest() throws {
        var viewer = viewer()
        let base = Point(x: 960, y: 300)
        _ = play(
            &viewer,
            [
                (10, .manipulationBegan(drag(from: base, by: Vector(dx: 0, dy: 300)))),
                (20, .manipulationEnded(Release(centroid: base))),
            ])
        #expect(viewer.placement(at: at(2000))?.zoom == 0.27)
        #expect(!viewer.isAnimating(at: at(2000)))
    }

    @Test func resizingKeepsThePointAtTheCentreAndTheRelativeZoom() throws {
        var viewer = viewer()
        _ = play(&viewer, [(0, .doubleTap(at: Point(x: 600, y: 500)))])
        var effects: [ViewerEffect] = []
        viewer.advance(to: at(3000), effects: &effects)
        let before = try #require(viewer.placement(at: at(3000)))
        viewer.resize(to: Viewport(size: Size(width: 1080, height: 1920)), at: at(3000))
        let after = try #require(viewer.placement(at: at(3000)))
        #expect(abs(after.zoom / 0.18 - before.zoom / 0.27) < 1e-12)
        let was = (Point(x: 960, y: 540) - before.center) * (1 / before.zoom)
        let now = (Point(x: 540, y: 960) - after.center) * (1 / after.zoom)
        #expect(abs(was.dx - now.dx) < 1e-9)
    }

    @Test func keysDoWhatFingersDo() throws {
        var viewer = viewer(count: 3)
        var effects: [ViewerEffect] = []
        func press(_ name: String, _ time: Double) {
            viewer.handle(KeyEvent(name: name), at: at(time), effects: &effects)
        }
        press("1", 0)
        #expect(viewer.placement(at: at(2000))?.zoom == 1)
        press("Right", 2000)
        let panned = try #require(viewer.placement(at: at(4000)))
        #expect(abs(panned.center.x - (960 - 384)) < 1e-9)
        press("0", 4000)
        #expect(viewer.placement(at: at(6000))?.zoom == 0.27)
        #expect(effects.isEmpty)
        press("Right", 6000)
        #expect(effects == [.want])
        press("Escape", 6100)
        #expect(effects.last == .quit)
    }

    @Test func quarterTurnsKeepFit() throws {
        var viewer = viewer()
        var effects: [ViewerEffect] = []
        viewer.handle(KeyEvent(name: "r"), at: .zero, effects: &effects)
        let rotated = try #require(viewer.placement(at: at(3000)))
        #expect(abs(rotated.rotation - .pi / 2) < 1e-12)
        #expect(rotated.zoom == 0.18)
    }

    @Test func reducedMotionEndsWithinAFrame() {
        var settings = ViewerSettings()
        settings.reducedMotion = true
        var viewer = viewer(settings: settings)
        _ = play(&viewer, [(0, .doubleTap(at: Point(x: 960, y: 540)))])
        #expect(!viewer.isAnimating(at: .zero))
        #expect(viewer.placement(at: .zero)?.zoom == 0.54)
    }
}
