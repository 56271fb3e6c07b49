import CompositorKit
import Geometry
import TestKit
import Testing

/// Dismissals by a throw, and throws that do not dismiss.
extension LiveTests.GestureTests {
    /// A drag up or down, 2400 px/s fast.
    private static func fling(_ hand: inout Hand, by delta: Double) {
        hand.drag(
            through: Point(x: 320, y: 200), by: Vector(dx: 0, dy: delta), in: abs(delta) / 2.4)
    }

    @Test(arguments: [192.0, -192], [true, false])
    func aThrowPastTheEdgeEndsTheProgram(_ delta: Double, _ isFramed: Bool) throws {
        let stage = try Self.fitted()
        let frames = stage.play {
            $0.completesReports = isFramed
            Self.fling(&$0, by: delta)
            $0.lift(1)
        }
        #expect(stage.untilEnded() == 0)
        #expect(stage.dismissals == 1)
        #expect(stage.compositor.violations == [])
        // It leaves in the direction of the throw.
        let leaving = frames.drop { !$0.isDismissed }.compactMap { $0.rect?.center.y }
        #expect(zip(leaving, leaving.dropFirst()).allSatisfy { ($1 - $0) * delta >= 0 })
    }

    @Test func aDraggedPictureFollowsShrinksAndComesBack() throws {
        let stage = try Self.fitted()
        stage.play {
            $0.touch([1: (320, 100)])
            $0.move([1: (320, 250)], in: 300)
        }
        // 140 px past the slop; 200 px are a whole dismissal.
        let held = try stage.last
        #expect(held.gesture == "dismiss")
        #expect(abs(held.dim - 0.3) < 0.001)
        #expect(abs(held.zoom - 0.4 * 0.65) < 0.001)
        // The touched picture point is still under the finger.
        #expect(held.distance(of: Point(x: 800, y: 275), to: Point(x: 320, y: 250)) < 0.1)
        stage.play {
            $0.rest(200)
            $0.lift(1)
        }
        #expect(try stage.last.rect == Self.fit)
        #expect(try stage.last.dim == 1)
        #expect(stage.dismissals == 0)
        try stage.expectGoodEnd()
    }

    @Test func aSlowReleaseAndAThrowBackDismissNothing() throws {
        let stage = try Self.fitted()
        stage.play {
            $0.touch([1: (320, 100)])
            $0.move([1: (320, 260)], in: 200)
            $0.lift(1)
        }
        #expect(try stage.last.rect == Self.fit)
        stage.play {
            $0.touch([1: (320, 100)])
            $0.move([1: (320, 350)], in: 200)
            $0.move([1: (320, 200)], in: 60)
            $0.lift(1)
        }
        #expect(try stage.last.rect == Self.fit)
        #expect(stage.dismissals == 0)
        try stage.expectGoodEnd()
    }

    @Test func aCancelledDismissalComesBack() throws {
        let stage = try Self.fitted()
        stage.play {
            Self.fling(&$0, by: 192)
            $0.cancel()
        }
        #expect(try stage.last.rect == Self.fit)
        #expect(try stage.last.dim == 1)
        #expect(stage.dismissals == 0)
        try stage.expectGoodEnd()
    }

    @Test func aSecondFingerTakesTheDismissalOver() throws {
        let stage = try Self.fitted()
        stage.play {
            $0.touch([1: (320, 100)])
            $0.move([1: (320, 200)], in: 200)
        }
        let rect = try #require(try stage.last.rect)
        stage.play { $0.touch([2: (420, 200)]) }
        #expect(try stage.last.gesture == "pinch")
        #expect(try stage.last.distance(to: rect) < 0.01)
        stage.play {
            $0.move([1: (220, 200), 2: (520, 200)], in: 200)
            $0.rest(100)
            $0.lift(1, 2)
        }
        #expect(try stage.last.zoom > 0.5)
        #expect(stage.dismissals == 0)
        try stage.expectGoodEnd()
    }

    @Test func enlargedOnlyADragFromTheEdgeDismisses() throws {
        let stage = try Self.enlarged()
        // Away from the edge it only flies to the edge.
        stage.play {
            Self.fling(&$0, by: 192)
            $0.lift(1)
        }
        #expect(try stage.last.rect == Self.full.moved(0, 300))
        #expect(stage.exitCode == nil)
        stage.play {
            Self.fling(&$0, by: 192)
            $0.lift(1)
        }
        #expect(stage.untilEnded() == 0)
        #expect(stage.dismissals == 1)
    }

    @Test func withTheSettingOffNothingDismisses() throws {
        let stage = try Self.fitted("--set", "viewer.dismiss=off")
        stage.play {
            Self.fling(&$0, by: 192)
            $0.lift(1)
        }
        #expect(try stage.last.rect == Self.fit)
        stage.play {
            $0.touch([1: (120, 200), 2: (520, 200)])
            $0.move([1: (290, 200), 2: (350, 200)], in: 200)
            $0.lift(1, 2)
        }
        #expect(try stage.last.rect == Self.fit)
        try stage.expectGoodEnd()
    }
}
