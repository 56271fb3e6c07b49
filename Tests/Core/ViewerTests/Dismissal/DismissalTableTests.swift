import Geometry
import Gestures
import Input
import Interface
import Motion
import SceneModel
import Testing

@testable import Viewer

/// Releases that dismiss the picture, and releases that do not.
///
/// The table has all combinations of the three conditions, for every kind of picture and surface,
/// at fit and zoomed in.
@Suite struct DismissalTableTests {
    struct Situation: Sendable, CustomTestStringConvertible {
        var picture: PixelSize
        var view: Size
        var isZoomed: Bool

        init(_ width: Int, _ height: Int, on view: Size, zoomed: Bool) {
            picture = PixelSize(width: width, height: height)
            self.view = view
            isZoomed = zoomed
        }

        var testDescription: String {
            "\(picture.width) × \(picture.height) on \(view.width) × \(view.height)"
                + (isZoomed ? ", zoomed in" : ", at fit")
        }
    }

    private static let landscape = Size(width: 1280, height: 800)
    private static let portrait = Size(width: 800, height: 1280)

    private static let situations = [
        // Wide, tall, square, smaller than the surface, of the surface's size, and very narrow.
        Situation(6000, 2000, on: landscape, zoomed: false),
        Situation(6000, 2000, on: landscape, zoomed: true),
        Situation(6000, 2000, on: portrait, zoomed: false),
        Situation(6000, 2000, on: portrait, zoomed: true),
        Situation(2000, 6000, on: landscape, zoomed: false),
        Situation(2000, 6000, on: landscape, zoomed: true),
        Situation(2000, 6000, on: portrait, zoomed: false),
        Situation(2000, 6000, on: portrait, zoomed: true),
        Situation(3000, 3000, on: landscape, zoomed: false),
        Situation(3000, 3000, on: landscape, zoomed: true),
        Situation(3000, 3000, on: portrait, zoomed: false),
        Situation(3000, 3000, on: portrait, zoomed: true),
        Situation(300, 200, on: landscape, zoomed: false),
        Situation(300, 200, on: landscape, zoomed: true),
        Situation(300, 200, on: portrait, zoomed: false),
        Situation(300, 200, on: portrait, zoomed: true),
        Situation(1280, 800, on: landscape, zoomed: false),
        Situation(1280, 800, on: landscape, zoomed: true),
        Situation(1, 20000, on: landscape, zoomed: false),
        Situation(20000, 1, on: portrait, zoomed: false),
    ]

    struct Conditions: Sendable, CustomTestStringConvertible {
        var isPastEdge: Bool
        /// The finger's release velocity in px/s for a drag down; a drag up mirrors it.
        var velocity: Vector
        var dismisses: Bool
        var testDescription: String

        init(_ name: String, past: Bool, _ dx: Double, _ dy: Double, _ dismisses: Bool) {
            testDescription = name
            isPastEdge = past
            velocity = Vector(dx: dx, dy: dy)
            self.dismisses = dismisses
        }
    }

    private static let table = [
        Conditions("past the edge, outwards, fast", past: true, 100, 1500, true),
        Conditions("past the edge, outwards, slow", past: true, 100, 900, false),
        Conditions("past the edge, outwards, exactly 1000 px/s", past: true, 0, 1000, false),
        Conditions("past the edge, inwards, fast", past: true, 100, -1500, false),
        Conditions("past the edge, inwards, slow", past: true, 100, -900, false),
        Conditions("past the edge, the other axis faster", past: true, 1600, 1500, false),
        Conditions("past the edge, both axes alike", past: true, 1500, 1500, false),
        Conditions("past the edge, stopped", past: true, 0, 0, false),
        Conditions("inside, outwards, fast", past: false, 100, 1500, false),
        Conditions("inside, outwards, slow", past: false, 100, 900, false),
        Conditions("inside, inwards, fast", past: false, 100, -1500, false),
        Conditions("inside, inwards, slow", past: false, 100, -900, false),
    ]

    @Test(arguments: situations, table)
    func downwards(_ situation: Situation, _ conditions: Conditions) {
        #expect(isDismissed(situation, conditions, sign: 1) == conditions.dismisses)
    }

    @Test(arguments: situations, table)
    func upwards(_ situation: Situation, _ conditions: Conditions) {
        #expect(isDismissed(situation, conditions, sign: -1) == conditions.dismisses)
    }

    /// Drags down (`sign` 1) or up (−1) from the leading edge, past it or back, and releases.
    private func isDismissed(
        _ situation: Situation, _ conditions: Conditions, sign: Double
    ) -> Bool {
        var rig = Rig([situation.picture], on: situation.view)
        let middle = Point(x: situation.view.width / 2, y: situation.view.height / 2)
        if situation.isZoomed {
            rig.doubleTap(
                Point(x: middle.x, y: sign > 0 ? 0 : situation.view.height))
            rig.rest()
        }
        let velocity = Vector(dx: conditions.velocity.dx, dy: conditions.velocity.dy * sign)
        let translation = Vector(dx: 0, dy: conditions.isPastEdge ? 150 * sign : 0)
        let moment = Moment(milliseconds: rig.now)
        var effects: [ViewerEffect] = []
        func fingers(_ translation: Vector) -> Manipulation {
            Manipulation(source: .touch, fingers: 1, base: middle, centroid: middle + translation)
        }
        for gesture: Gesture in [
            .caught(at: middle), .manipulationBegan(fingers(Vector(dx: 0, dy: 20 * sign))),
            .manipulationChanged(fingers(translation)),
            .manipulationEnded(Release(centroid: middle + translation, velocity: velocity)),
        ] {
            rig.interaction.target.handle(gesture, at: moment, effects: &effects)
        }
        let isDismissed = rig.frame.isDismissed
        rig.rest()
        #expect(rig.effects.contains(.quit) == isDismissed)
        return isDismissed
    }

    /// When zoomed in, a dismissal needs a drag that begins with the picture at the leading edge.
    @Test(arguments: [1.0, -1])
    func aDragFromInsideDoesNotDismiss(sign: Double) {
        var rig = Rig()
        rig.doubleTap(Point(x: 960, y: 540))
        rig.rest()
        rig.drag(
            from: Point(x: 960, y: sign > 0 ? 10 : 1070), by: Vector(dx: 0, dy: 1000 * sign),
            speed: 3000)
        rig.rest()
        #expect(!rig.effects.contains(.quit))
        #expect(abs(rig.placement.center.y - 540) > 500)
    }

    /// With several pictures a horizontal fling turns the page or bounces, and never dismisses.
    @Test(arguments: [(1, 0, 1.0), (1, 0, -1), (2, 0, 1), (2, 0, -1), (2, 1, 1), (2, 1, -1)])
    func aHorizontalFlingDismissesOnlyASinglePicture(count: Int, index: Int, sign: Double) {
        var rig = Rig(Array(repeating: Rig.photo, count: count), index: index)
        rig.drag(
            from: Point(x: 960, y: 500), by: Vector(dx: 300 * sign, dy: 0), speed: 1800)
        rig.rest()
        #expect(rig.effects.contains(.quit) == (count == 1))
        let end = min(max(index - Int(sign), 0), count - 1)
        #expect(rig.viewer.index == end)
        if count > 1 { #expect(rig.placement == rig.viewer.geometry.fit(rotation: 0)) }
    }

    @Test func dismissalCanBeTurnedOff() {
        var settings = ViewerSettings()
        settings.dismiss = .off
        var rig = Rig(settings: settings)
        rig.drag(from: Point(x: 960, y: 200), by: Vector(dx: 0, dy: 600), speed: 3000)
        rig.rest()
        #expect(rig.effects.isEmpty)
        #expect(rig.placement == rig.viewer.geometry.fit(rotation: 0))
    }

    /// During the drag the picture shrinks and the backdrop fades; both spring back on release.
    @Test func aReleaseWithoutVelocitySpringsBack() {
        var rig = Rig()
        rig.drag(
            from: Point(x: 960, y: 300), by: Vector(dx: 30, dy: 280), rest: 300, lifts: false)
        rig.pass(to: rig.now + 300)
        let progress = rig.frame.dismissProgress
        #expect(abs(progress - 0.5) < 0.02)
        #expect(abs(rig.frame.scene.backdrop - (1 - progress)) < 1e-12)
        #expect(abs(rig.placement.zoom / 0.27 - (1 - progress / 2)) < 1e-9)
        rig.touch([.up(id: 0)])
        rig.rest()
        #expect(rig.placement == rig.viewer.geometry.fit(rotation: 0))
        #expect(rig.frame.scene.backdrop == 1)
    }
}
