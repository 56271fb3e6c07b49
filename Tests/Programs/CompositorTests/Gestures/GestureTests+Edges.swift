import CompositorKit
import Geometry
import TestKit
import Testing

/// Zoomed in: drags past the picture's edge to its neighbour.
extension LiveTests.GestureTests {
    /// Where the picture at 1:1 lies with its left edge at the surface's.
    private static let atLeft = full.moved(480, 0)

    /// The second of three pictures at 1:1, its left edge `inset` px left of the surface's.
    private static func atLeftEdge(inside inset: Double = 0) throws -> Stage {
        let stage = try paged()
        stage.play { $0.key("Right") }
        untilAtFit(stage, 1)
        stage.play { $0.key("1") }
        #expect(try stage.last.rect == full)
        // The first drag past the edge resists, since the edge was not in sight.
        stage.play { drag(&$0, from: 60, to: 590) }
        #expect(try stage.last.gesture == "pan")
        #expect(try stage.last.distance(to: atLeft.moved(resisting(40), 0)) < 0.1)
        stage.play {
            $0.rest(100)
            $0.lift(1)
        }
        #expect(try stage.last.rect == atLeft)
        guard inset > 0 else { return stage }
        stage.play {
            drag(&$0, from: 500, to: 490 - inset)
            $0.rest(100)
            $0.lift(1)
        }
        #expect(try stage.last.distance(to: atLeft.moved(-inset, 0)) < 0.1)
        return stage
    }

    /// The visible part of an overshoot x past an edge: x·c·d / (d + c·x).
    private static func resisting(_ overshoot: Double) -> Double {
        overshoot * 0.55 * 640 / (640 + 0.55 * overshoot)
    }

    /// A finger that moves sideways and stays down.
    private static func drag(
        _ hand: inout Hand, from start: Double, to end: Double, in duration: Double = 400
    ) {
        hand.touch([1: (start, 200)])
        hand.move([1: (end, 200)], in: duration)
    }

    @Test func aSecondDragHandsOverToTheNeighbour() throws {
        let stage = try Self.atLeftEdge()
        stage.play { Self.drag(&$0, from: 100, to: 310) }
        #expect(try stage.last.gesture == "swipe")
        #expect(try stage.last.distance(to: Self.atLeft.moved(200, 0)) < 0.1)
        // Green is the neighbour's right half, which ends a gap before the picture's left edge.
        let edge = Int(200 - (Self.pitch - 640)) - 4
        let pixels = try #require(try stage.surface.pixels)
        #expect(pixels.color(edge, 100).g > 150)
        // A drag back first returns the page to its place, and then pans the picture.
        stage.play { $0.move([1: (60, 200)], in: 300) }
        #expect(try stage.last.distance(to: Self.atLeft.moved(-50, 0)) < 0.1)
        stage.play {
            $0.move([1: (310, 200)], in: 300)
            $0.move([1: (400, 200)], in: 80)
            $0.lift(1)
        }
        Self.untilAtFit(stage, 0)
        // When it is shown again, the picture is at fit.
        stage.play { $0.key("Right") }
        Self.untilAtFit(stage, 1)
        #expect(stage.dismissals == 0)
        try stage.expectGoodEnd()
    }

    @Test func aSecondDragThatIsCancelledHandsNothingOver() throws {
        let stage = try Self.atLeftEdge()
        stage.play {
            Self.drag(&$0, from: 100, to: 600, in: 200)
            $0.cancel()
        }
        #expect(try stage.last.index == 1)
        #expect(try stage.last.distance(to: Self.atLeft) < 0.01)
        try stage.expectGoodEnd()
    }

    /// The inset of the edge, and the duration of the drag; near is a quarter of the width.
    @Test(arguments: [(100.0, 120.0, 0), (300, 120, 1), (100, 500, 1)])
    func onlyAFastDragFromNearTheEdgeTurnsThePage(
        _ inside: Double, _ duration: Double, _ index: Int
    ) throws {
        let stage = try Self.atLeftEdge(inside: inside)
        let frames = stage.play {
            Self.drag(&$0, from: 100, to: 100 + inside + 200, in: duration)
            if index == 1 && duration > 400 { $0.rest(100) }
            $0.lift(1)
        }
        // Under the finger the picture resisted; the page did not slide.
        #expect(!frames.contains { $0.gesture == "swipe" })
        if index == 0 {
            Self.untilAtFit(stage, 0)
        } else {
            #expect(try stage.last.index == 1)
            #expect(try stage.last.distance(to: Self.atLeft) < 0.01)
        }
        #expect(stage.dismissals == 0)
        try stage.expectGoodEnd()
    }
}
