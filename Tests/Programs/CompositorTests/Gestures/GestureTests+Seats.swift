import CompositorKit
import Geometry
import TestKit
import Testing

/// Two seats at one picture.
extension LiveTests.GestureTests {
    @Test func aSecondSeatDoesNotDisturbThePinchOfTheFirst() throws {
        let stage = try Self.fitted()
        let other = try stage.compositor.addSeat()
        #expect(stage.compositor.run { !other.touches.isEmpty })
        stage.play {
            $0.touch([1: (280, 200), 2: (360, 200)])
            $0.move([1: (220, 200), 2: (420, 200)], in: 200)
        }
        let held = try #require(try stage.last.rect)
        stage.play(by: other) {
            $0.touch([7: (500, 300)])
            $0.move([7: (560, 240)], in: 150)
        }
        #expect(try stage.last.rect == held)
        stage.play { $0.move([1: (200, 200), 2: (440, 200)], in: 100) }
        #expect(abs(try stage.last.zoom - 1) < 0.005)
        stage.play(by: other) { $0.lift(7) }
        #expect(try stage.last.gesture == "pinch")
        #expect(abs(try stage.last.zoom - 1) < 0.005)
        stage.play {
            $0.rest(100)
            $0.lift(1, 2)
        }
        #expect(abs(try stage.last.zoom - 1) < 0.005)
        try stage.expectGoodEnd()
    }
}
