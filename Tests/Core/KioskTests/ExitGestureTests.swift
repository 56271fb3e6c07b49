import SeededRandom
import Geometry
import Input
import Motion
import Testing

@testable import Kiosk

@Suite struct ExitGestureTests {
    private let surface = Size(width: 1280, height: 800)

    /// Touches in turn: where, when and for how long, in milliseconds.
    private func isComplete(
        _ touches: [(x: Double, y: Double, time: Double, duration: Double)], at end: Double
    ) -> Bool {
        var gesture = ExitGesture()
        for touch in touches {
            let down = Moment(milliseconds: touch.time)
            gesture.handle(
                .touch(.down(id: 3, at: Point(x: touch.x, y: touch.y))), on: surface, at: down)
            let up = down.advanced(byMilliseconds: touch.duration)
            if gesture.consume(at: min(up, Moment(milliseconds: end))) { return true }
            if up.milliseconds <= end { gesture.handle(.touch(.up(id: 3)), on: surface, at: up) }
        }
        return gesture.consume(at: Moment(milliseconds: end))
    }

    private func taps(
        _ count: Int, x: Double = 20, y: Double = 20, every interval: Double = 300,
        last: Double = 3000
    ) -> [(x: Double, y: Double, time: Double, duration: Double)] {
        (0..<count).map {
            (x, y, Double($0) * interval, $0 == count - 1 ? last : 80)
        }
    }

    @Test(arguments: [(20.0, 20.0), (1270, 20), (20, 790), (1270, 790)])
    func fiveTapsInACornerWithTheLastOneHeld(_ x: Double, _ y: Double) {
        #expect(isComplete(taps(5, x: x, y: y), at: 1200 + 2000))
        #expect(!isComplete(taps(5, x: x, y: y), at: 1200 + 1999))
    }

    @Test func othersDoNotLeave() {
        #expect(!isComplete(taps(4), at: 9000))
        #expect(!isComplete(taps(5, last: 1900), at: 9000))
        #expect(!isComplete(taps(5, x: 200), at: 9000))
        #expect(!isComplete(taps(5, every: 1000), at: 20_000))
        var other = taps(5)
        other[2].x = 1270
        #expect(!isComplete(other, at: 9000))
        other = taps(5)
        other[1].duration = 600
        other[2].time = 1000
        #expect(!isComplete(other, at: 9000))
    }

    @Test func aSecondFingerOrACancelEndsTheGesture() {
        for event in [
            TouchEvent.cancel, .down(id: 4, at: Point(x: 600, y: 400)),
            .move(id: 3, to: Point(x: 300, y: 20)),
        ] {
            var gesture = ExitGesture()
            for touch in taps(5).dropLast() {
                let down = Moment(milliseconds: touch.time)
                gesture.handle(.touch(.down(id: 3, at: Point(x: 20, y: 20))), on: surface, at: down)
                gesture.handle(
                    .touch(.up(id: 3)), on: surface, at: down.advanced(byMilliseconds: 80))
            }
            let last = Moment(milliseconds: 1200)
            gesture.handle(.touch(.down(id: 3, at: Point(x: 20, y: 20))), on: surface, at: last)
            #expect(gesture.deadline == Moment(milliseconds: 3200))
            gesture.handle(.touch(event), on: surface, at: last.advanced(byMilliseconds: 500))
            #expect(gesture.deadline == nil)
            let isComplete = gesture.consume(at: Moment(milliseconds: 9000))
            #expect(!isComplete)
        }
    }

    /// Hands that do not know of the gesture do not leave by chance.
    @Test func randomTouchesDoNotLeave() {
        var random = SeededGenerator(seed: 11)
        var gesture = ExitGesture()
        var now = 0.0
        for _ in 0..<200_000 {
            now += Double.random(in: 1...700, using: &random)
            let point = Point(
                x: .random(in: 0...1280, using: &random), y: .random(in: 0...800, using: &random))
            let id = Int.random(in: 0...2, using: &random)
            let events: [TouchEvent] = [
                .down(id: id, at: point), .up(id: id), .move(id: id, to: point),
            ]
            let event = events.randomElement(using: &random) ?? .cancel
            gesture.handle(.touch(event), on: surface, at: Moment(milliseconds: now))
            let isComplete = gesture.consume(at: Moment(milliseconds: now))
            #expect(!isComplete)
        }
    }
}
