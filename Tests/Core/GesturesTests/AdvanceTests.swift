import Geometry
import Input
import Motion
import Synchronization
import Testing

@testable import Gestures

/// How often a target is advanced, and for which events it makes a context.
@Suite struct AdvanceTests {
    /// Counts the contexts that a target makes.
    private final class Count: Sendable {
        let contexts = Atomic(0)
    }

    private struct Target: GestureTarget {
        typealias Effect = Never

        let count = Count()
        var advances = 0
        var gestures = 0
        var deadline: Moment? { nil }

        mutating func handle(
            _ gesture: Gesture, modifiers: KeyEvent.Modifiers, at moment: Moment,
            effects: inout [Never]
        ) { gestures += 1 }
        mutating func handle(_ key: KeyEvent, at moment: Moment, effects: inout [Never]) {}
        mutating func resize(to size: Size?, scale: Double?, at moment: Moment) {}
        mutating func advance(to moment: Moment, effects: inout [Never]) { advances += 1 }
        func isAnimating(at moment: Moment) -> Bool { false }
        func context(at moment: Moment, near point: Point?) -> GestureArena.Context {
            count.contexts.add(1, ordering: .relaxed)
            return GestureArena.Context()
        }
    }

    private struct Hand {
        var interaction = Interaction(Target())
        private var effects: [Never] = []

        mutating func touch(_ event: TouchEvent, at time: Double) {
            for event in [event, .frame] {
                interaction.handle(
                    .touch(event), at: Moment(milliseconds: time), effects: &effects)
            }
        }

        mutating func paint(at time: Double) {
            interaction.advance(to: Moment(milliseconds: time), effects: &effects)
        }

        var contexts: Int { interaction.target.count.contexts.load(ordering: .relaxed) }
    }

    /// A move advances the target once; the frame that is painted then, before and after its prediction.
    @Test func aMoveAdvancesOnceAndNeedsNoContext() {
        var hand = Hand()
        hand.touch(.down(id: 0, at: Point(x: 100, y: 100)), at: 0)
        hand.touch(.move(id: 0, to: Point(x: 160, y: 100)), at: 10)
        hand.paint(at: 16)
        let (contexts, advances) = (hand.contexts, hand.interaction.target.advances)
        let gestures = hand.interaction.target.gestures
        for step in 1...10 {
            let time = 16 * Double(step)
            hand.touch(.move(id: 0, to: Point(x: 160 + time, y: 100)), at: 10 + time)
            hand.paint(at: 16 + time)
        }
        #expect(hand.contexts == contexts)
        #expect(hand.interaction.target.advances == advances + 30)
        #expect(hand.interaction.target.gestures == gestures + 20)
    }

    /// A finger that lands or lifts finds the bars and the motions of that moment.
    @Test func aContactThatLandsOrLiftsHasAContext() {
        var hand = Hand()
        hand.touch(.down(id: 0, at: Point(x: 100, y: 100)), at: 0)
        let landed = hand.contexts
        #expect(landed > 0)
        hand.touch(.move(id: 0, to: Point(x: 102, y: 100)), at: 10)
        #expect(hand.contexts == landed)
        hand.touch(.up(id: 0), at: 50)
        #expect(hand.contexts > landed)
    }

    /// A change by the owner may end at once, so that the target is advanced again.
    @Test func aChangeOfTheOwnerIsAdvanced() {
        var hand = Hand()
        hand.paint(at: 16)
        let advances = hand.interaction.target.advances
        hand.paint(at: 16)
        #expect(hand.interaction.target.advances == advances)
        hand.interaction.target.gestures = 0
        hand.paint(at: 16)
        #expect(hand.interaction.target.advances == advances + 1)
    }
}
