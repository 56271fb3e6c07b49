import Geometry
import Gestures
import Input
import Motion
import SceneModel
import Testing

@testable import Interface
@testable import Viewer

/// The output turns while fingers are down: they have other coordinates without a movement.
@Suite struct OutputTurnTests {
    private static let view = Size(width: 1280, height: 800)

    private func rig(_ count: Int = 1) -> Rig {
        Rig(Array(repeating: Rig.photo, count: count), on: Self.view, index: count / 2)
    }

    /// Turns the output by a quarter, or by a half, which leaves the size as it was.
    private func turn(_ rig: inout Rig, quarters: Int = 1) {
        rig.turnOutput()
        if quarters == 1 { rig.send(.resize(Size(width: 800, height: 1280))) }
    }

    /// The coordinates of a point of the screen after the turn.
    private func turned(_ point: Point, quarters: Int = 1) -> Point {
        quarters == 1
            ? Point(x: Self.view.height - point.y, y: point.x)
            : Point(x: Self.view.width - point.x, y: Self.view.height - point.y)
    }

    private func expect(_ rig: Rig, at center: Point, _ before: Placement) {
        #expect((rig.placement.center - center).length < 1e-6)
        #expect(abs(rig.placement.zoom - before.zoom) < 1e-9)
        #expect(abs(rig.placement.rotation - before.rotation) < 1e-9)
    }

    /// Moves the fingers 0, 1, … to points, in one frame or each in a frame of its own.
    private func move(_ rig: inout Rig, to points: [Point], together: Bool = true) {
        let moves = points.enumerated().map { TouchEvent.move(id: $0.offset, to: $0.element) }
        for event in moves where !together { rig.touch([event], after: 10) }
        if together { rig.touch(moves, after: 10) }
    }

    /// The picture stays where it is, and goes on with the fingers.
    @Test(arguments: [1, 2], [1, 2])
    func thePictureStays(fingers: Int, quarters: Int) {
        for isTogether in [true, false] {
            var rig = rig()
            for _ in 0..<6 { rig.key("plus") }
            rig.rest()
            let starts = Array([Point(x: 800, y: 500), Point(x: 400, y: 300)].prefix(fingers))
            rig.touch(
                starts.enumerated().map { .down(id: $0.offset, at: $0.element) }, after: 50)
            for step in 1...20 {
                let way = Vector(dx: -Double(step) * 10, dy: Double(step) * 5)
                move(&rig, to: starts.map { $0 + way })
            }
            rig.pass(to: rig.now + 100)
            turn(&rig, quarters: quarters)
            let before = rig.placement
            let places = starts.map {
                turned($0 + Vector(dx: -200, dy: 100), quarters: quarters)
            }
            move(&rig, to: places, together: isTogether)
            rig.pass(to: rig.now + 100)
            expect(rig, at: before.center, before)
            let way = Vector(dx: 30, dy: 40)
            move(&rig, to: places.map { $0 + way })
            rig.pass(to: rig.now + 100)
            let end: Point = before.center + way
            expect(rig, at: end, before)
            rig.touch(starts.indices.map { .up(id: $0) }, after: 100)
            rig.rest()
            #expect(rig.isAtRest)
        }
    }

    /// Until the second finger has reported, the first one moves nothing.
    @Test func fingersWaitForEachOther() {
        var rig = rig()
        for _ in 0..<6 { rig.key("plus") }
        rig.rest()
        let places = [Point(x: 700, y: 500), Point(x: 500, y: 300)]
        rig.touch(places.enumerated().map { .down(id: $0.offset, at: $0.element) }, after: 50)
        rig.touch([.move(id: 0, to: places[0] + Vector(dx: 60, dy: 60))], after: 50)
        rig.pass(to: rig.now + 100)
        turn(&rig)
        let before = rig.placement
        for step in 0..<5 {
            let way = Vector(dx: Double(step) * 15, dy: 0)
            rig.touch([.move(id: 0, to: turned(places[0]) + way)], after: 10)
            rig.pass(to: rig.now + 50)
            expect(rig, at: before.center, before)
        }
        // A finger that lifts need not report.
        rig.touch([.up(id: 1)], after: 10)
        rig.pass(to: rig.now + 300)
        let held = rig.placement
        rig.touch([.move(id: 0, to: turned(places[0]) + Vector(dx: 90, dy: 0))], after: 10)
        rig.pass(to: rig.now + 100)
        let end: Point = held.center + Vector(dx: 30, dy: 0)
        expect(rig, at: end, held)
    }

    /// A throw goes on as without the turn.
    @Test(arguments: [(1500.0, true), (200, false)])
    func aThrowStaysOne(speed: Double, isThrown: Bool) {
        var rigs = [rig(), rig()]
        for index in rigs.indices {
            let start = Point(x: 640, y: 300)
            rigs[index].drag(
                from: start, by: Vector(dx: 0, dy: 60), speed: 300, lifts: false)
            rigs[index].pass(to: rigs[index].now + 50)
            var place = start + Vector(dx: 0, dy: 60)
            if index == 1 {
                rigs[index].turnOutput()
                place = Point(x: 90, y: 50)
            }
            rigs[index].touch([.move(id: 0, to: place)], after: 10)
            #expect(rigs[index].frame.dismissProgress > 0)
            for step in 1...10 {
                let way = Vector(dx: 0, dy: speed * 0.008 * Double(step))
                rigs[index].touch([.move(id: 0, to: place + way)], after: 8)
            }
        }
        let progress = rigs.map(\.frame.dismissProgress)
        #expect(abs(progress[0] - progress[1]) < 1e-9)
        for index in rigs.indices {
            rigs[index].touch([.up(id: 0)], after: 4)
            rigs[index].rest()
            let hasQuit = rigs[index].effects.contains(.quit)
            #expect(hasQuit == isThrown)
        }
    }

    /// Taps, long presses and quick zooms end, whether their finger reports once more or not.
    @Test(arguments: [0, 1], [true, false])
    func tapsAndQuickZoomsEnd(taps: Int, reports: Bool) {
        var rig = rig()
        for _ in 0..<taps { rig.tap(Point(x: 700, y: 500)) }
        rig.touch([.down(id: 0, at: Point(x: 700, y: 500))], after: 80)
        if taps == 1 { rig.touch([.move(id: 0, to: Point(x: 700, y: 540))], after: 50) }
        turn(&rig)
        let before = rig.placement
        if reports { rig.touch([.move(id: 0, to: Point(x: 300, y: 700))], after: 100) }
        rig.pass(to: rig.now + 800)
        if reports { expect(rig, at: before.center, before) }
        rig.touch([.up(id: 0)], after: 100)
        rig.rest()
        let isShown = rig.frame.showsMenu || rig.frame.showsChrome
        #expect(!isShown)
    }

    /// A finger on the filmstrip loses its hold, and the page stays.
    @Test func aScrubEnds() throws {
        var rig = rig(20)
        rig.tap(Point(x: 640, y: 300))
        rig.pass(to: rig.now + 400)
        let strip = try #require(
            rig.viewer.bars(at: Moment(milliseconds: rig.now)).filmstrip?.rect)
        rig.touch([.down(id: 0, at: strip.center)], after: 50)
        rig.touch([.move(id: 0, to: strip.center + Vector(dx: -70, dy: 0))], after: 50)
        rig.pass(to: rig.now + 100)
        turn(&rig)
        let index = rig.viewer.index
        rig.touch([.move(id: 0, to: Point(x: 80, y: 640))], after: 50)
        rig.pass(to: rig.now + 500)
        #expect(rig.viewer.index == index)
        rig.touch([.up(id: 0)], after: 50)
        rig.rest()
        #expect(rig.viewer.index == index && rig.isAtRest)
    }
}
