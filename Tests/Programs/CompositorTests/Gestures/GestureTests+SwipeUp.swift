import CompositorKit
import Geometry
import TestKit
import Testing

/// `viewer.swipe_up = information`.
extension LiveTests.GestureTests {
    private static func throwUpwards(_ hand: inout Hand) {
        hand.drag(through: Point(x: 320, y: 200), by: Vector(dx: 0, dy: -192), in: 80)
    }

    @Test func aThrowUpwardsOpensTheInformation() throws {
        let stage = try Self.fitted("--set", "viewer.swipe_up=information")
        let frames = stage.play {
            Self.throwUpwards(&$0)
            $0.lift(1)
            $0.rest(600)
        }
        #expect(try stage.last.showsInformation)
        #expect(try stage.last.rect == Self.fit)
        #expect(frames.allSatisfy { $0.dim == 1 })
        #expect(frames.contains { ($0.rect?.y ?? 0) < -30 })
        #expect(stage.dismissals == 0)
        // Downwards, beside the panel, a throw dismisses as ever.
        stage.play {
            $0.drag(through: Point(x: 60, y: 200), by: Vector(dx: 0, dy: 192), in: 80)
            $0.lift(1)
        }
        #expect(stage.untilEnded() == 0)
        #expect(stage.dismissals == 1)
    }

    @Test func aCancelledThrowUpwardsOpensNothing() throws {
        let stage = try Self.fitted("--set", "viewer.swipe_up=information")
        stage.play {
            Self.throwUpwards(&$0)
            $0.cancel()
        }
        #expect(try !stage.last.showsInformation)
        #expect(try stage.last.rect == Self.fit)
        try stage.expectGoodEnd()
    }
}
