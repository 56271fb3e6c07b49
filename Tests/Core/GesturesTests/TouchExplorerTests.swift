import Geometry
import Input
import Motion
import Testing

@testable import Gestures

/// Touch while a screen reader is used.
@Suite struct TouchExplorerTests {
    /// Fingers with a manual clock.
    private struct Hand {
        var explorer = TouchExplorer()
        var outcomes: [TouchExplorer.Outcome] = []
        var now = 0.0

        mutating func pass(_ duration: Double) {
            now += duration
            explorer.expire(
                to: Moment(milliseconds: now), inclusive: true, into: &outcomes)
        }

        mutating func send(_ event: TouchEvent, after pause: Double = 0, seat: Int = 0) {
            pass(pause)
            explorer.handle(
                event, of: seat, at: Moment(milliseconds: now), into: &outcomes)
        }

        mutating func tap(_ point: Point, after pause: Double = 0, for duration: Double = 50) {
            send(.down(id: 0, at: point), after: pause)
            send(.up(id: 0), after: duration)
        }
    }

    private static let (a, b) = (Point(x: 100, y: 100), Point(x: 300, y: 100))

    @Test func aFingerThatRestsReads() {
        var hand = Hand()
        hand.send(.down(id: 3, at: Self.a))
        hand.pass(TouchExplorer.restDelay - 1)
        #expect(hand.outcomes.isEmpty)
        hand.pass(1)
        #expect(hand.outcomes == [.read(Self.a)])
        hand.send(.move(id: 3, to: Self.b), after: 10)
        #expect(hand.outcomes == [.read(Self.a), .read(Self.b)])
        hand.send(.up(id: 3), after: 500)
        hand.pass(1000)
        #expect(hand.outcomes.count == 2)
        #expect(hand.explorer.deadline == nil)
    }

    @Test func aFingerThatMovesReadsAtOnce() {
        var hand = Hand()
        hand.send(.down(id: 0, at: Self.a))
        hand.send(.move(id: 0, to: Self.a + Vector(dx: 3, dy: 0)), after: 8)
        #expect(hand.outcomes.isEmpty)
        hand.send(.move(id: 0, to: Self.b), after: 8)
        #expect(hand.outcomes == [.read(Self.b)])
    }

    @Test func aTapReadsAndASecondOneActivates() {
        var hand = Hand()
        hand.tap(Self.a)
        #expect(hand.outcomes.isEmpty)
        hand.pass(300)
        #expect(hand.outcomes == [.read(Self.a)])
        hand.tap(Self.b, after: 1000)
        hand.tap(Self.b, after: 100)
        hand.pass(1000)
        // What was read before the two taps is activated, wherever they land.
        #expect(hand.outcomes == [.read(Self.a), .activate])
    }

    /// Each tap is longer than what makes a finger read.
    @Test func slowTapsActivateToo() {
        var hand = Hand()
        hand.tap(Self.a, for: 250)
        hand.tap(Self.a, after: 250, for: 250)
        #expect(hand.outcomes == [.read(Self.a), .activate])
    }

    @Test func aSecondTapThatRestsReads() {
        var hand = Hand()
        hand.tap(Self.a)
        hand.send(.down(id: 0, at: Self.b), after: 100)
        hand.pass(400)
        hand.send(.up(id: 0))
        #expect(hand.outcomes == [.read(Self.b)])
    }

    @Test func twoFingersAreOneContact() {
        var hand = Hand()
        hand.send(.down(id: 7, at: Self.a))
        hand.send(.down(id: 8, at: Self.b), after: 90)
        hand.send(.frame)
        hand.send(.move(id: 8, to: Point(x: 320, y: 140)), after: 8)
        hand.send(.frame)
        hand.send(.up(id: 7), after: 8)
        hand.send(.frame)
        hand.send(.move(id: 8, to: Self.a), after: 8)
        hand.send(.up(id: 8), after: 90)
        #expect(
            hand.outcomes == [
                .pass(.down(id: 7, at: Point(x: 200, y: 100))), .pass(.frame),
                .pass(.move(id: 7, to: Point(x: 210, y: 120))), .pass(.frame),
                .pass(.up(id: 7)), .pass(.frame),
            ])
        hand.tap(Self.a, after: 500)
        hand.pass(400)
        #expect(hand.outcomes.last == .read(Self.a))
    }

    /// A hand that comes down while a finger reads turns no page.
    @Test func aLaterFingerHasNoEffect() {
        var hand = Hand()
        hand.send(.down(id: 0, at: Self.a))
        hand.pass(200)
        hand.send(.down(id: 1, at: Self.b))
        for step in 0..<20 {
            hand.send(.move(id: 1, to: Point(x: 300 - Double(step) * 10, y: 100)), after: 8)
        }
        hand.send(.up(id: 1))
        hand.send(.up(id: 0))
        #expect(hand.outcomes == [.read(Self.a)])
    }

    @Test func aCancelledContactIsCancelled() {
        var hand = Hand()
        hand.send(.down(id: 0, at: Self.a))
        hand.send(.down(id: 1, at: Self.b))
        hand.send(.cancel)
        hand.pass(1000)
        #expect(hand.outcomes.last == .pass(.cancel))
        #expect(hand.outcomes.count == 2)
    }

    @Test func anotherSeatHasNoEffectMeanwhile() {
        var hand = Hand()
        hand.send(.down(id: 0, at: Self.a))
        hand.send(.down(id: 1, at: Self.b), seat: 1)
        hand.pass(200)
        #expect(hand.outcomes == [.read(Self.a)])
    }

    /// Events that make no sense do no harm: the content gets whole contacts, one at a time, and only
    /// after a second finger.
    @Test(arguments: 0..<50) func theContentGetsWholeContacts(seed: Int) {
        var generator = SystemRandomNumberGenerator()
        var hand = Hand()
        var contact: Int?
        for _ in 0..<400 {
            let id = Int.random(in: 0...3, using: &generator)
            let point = Point(
                x: Double.random(in: 0...500, using: &generator),
                y: Double.random(in: 0...500, using: &generator))
            let event: TouchEvent =
                switch Int.random(in: 0...9, using: &generator) {
                case 0...2: .down(id: id, at: point)
                case 3...5: .move(id: id, to: point)
                case 6, 7: .up(id: id)
                case 8: .frame
                default: .cancel
                }
            hand.outcomes = []
            hand.send(event, after: Double.random(in: 0...120, using: &generator))
            for case .pass(let passed) in hand.outcomes {
                switch passed {
                case .down(let id, _):
                    #expect(contact == nil)
                    contact = id
                case .move(let id, _): #expect(contact == id)
                case .up(let id):
                    #expect(contact == id)
                    contact = nil
                case .cancel: contact = nil
                case .frame, .shape: break
                }
            }
        }
    }
}
