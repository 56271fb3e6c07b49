import Geometry
import Gestures
import Grid
import Input
import Interface
import Testing

/// Pictures of the grid that are dragged to other programs.
@Suite struct DragOutTests {
    private let first = Point(x: 100, y: 100)
    private let second = Point(x: 500, y: 100)

    private func drags(_ hand: Hand) -> [[Int]] {
        hand.effects.compactMap {
            if case .dragOut(let indexes, _) = $0 { indexes } else { nil }
        }
    }

    @Test func aFingerSelectsAndDragsTheSelection() {
        var hand = Hand()
        hand.grid.allowsDragOut = true
        hand.send(.longPress(at: first, source: .touch))
        hand.send(.tap(at: second, source: .touch))
        // The long press takes the picture out of the selection, the drag puts it back.
        hand.send(.caught(at: first))
        hand.send(.longPress(at: first, source: .touch))
        #expect(hand.grid.selection == [1])
        hand.send(.dragOut(at: first, source: .touch))
        #expect(drags(hand) == [[0, 1]])
        #expect(hand.grid.selection == [0, 1])
    }

    @Test func aMouseDragsTheSelectionOrThePictureUnderIt() {
        var hand = Hand()
        hand.grid.allowsDragOut = true
        #expect(hand.grid.mouseDragOut(at: first, hand.now) == .afterRest)
        hand.send(.dragOut(at: second, source: .mouse))
        #expect(hand.grid.selection.isEmpty)
        hand.send(.tap(at: first, source: .mouse), modifiers: .control)
        #expect(hand.grid.mouseDragOut(at: first, hand.now) == .always)
        hand.send(.dragOut(at: first, source: .mouse))
        #expect(drags(hand) == [[1], [0]])
    }

    @Test func nothingIsDraggedWithoutAPictureOrALeave() {
        var hand = Hand()
        #expect(hand.grid.mouseDragOut(at: first, hand.now) == .never)
        hand.send(.dragOut(at: first, source: .mouse))
        hand.grid.allowsDragOut = true
        #expect(hand.grid.mouseDragOut(at: Point(x: -50, y: -50), hand.now) == .never)
        #expect(hand.grid.mouseDragOut(at: nil, hand.now) == .never)
        hand.send(.dragOut(at: Point(x: -50, y: -50), source: .touch))
        #expect(drags(hand).isEmpty)
    }
}
