import Geometry
import Gestures
import Input
import Motion
import Testing

/// Drags of content to other programs.
@Suite struct DragOutTests {
    private static let start = Point(x: 100, y: 100)
    private static let finger = "0 touch down 0 100 100\n0 touch frame\n"

    private func mouse(_ context: GestureArena.Context, afterRest rest: Int) throws
        -> [TimedGesture]
    {
        try play(
            """
            0 pointer move 100 100
            0 pointer button left down
            \(rest) pointer move 104 100
            \(rest + 1) pointer move 130 100
            \(rest + 9) pointer move 160 100
            \(rest + 20) pointer button left up
            2000 end
            """, context: context
        ).withoutCatches
    }

    @Test func aFingerThatMovesAfterItsLongPressDragsOutOnce() throws {
        let gestures = try play(
            Self.finger + """
                600 touch move 0 105 100
                600 touch frame
                608 touch move 0 115 100
                608 touch frame
                616 touch move 0 200 100
                616 touch frame
                700 touch up 0
                700 touch frame
                2000 end
                """, context: .init(touchDragsOut: true))
        #expect(
            gestures.withoutCatches == [
                at(500, .longPress(at: Self.start, source: .touch)),
                at(608, .dragOut(at: Self.start, source: .touch)),
            ])
    }

    /// Neither a second finger, nor a lift without a move, nor a cancel drags.
    @Test(arguments: [
        "600 touch down 1 300 300\n600 touch frame\n608 touch move 0 200 100\n608 touch frame",
        "600 touch up 0\n600 touch frame",
        "600 touch cancel\n608 touch move 0 200 100\n608 touch frame",
    ])
    func otherwiseALongPressStaysOne(rest: String) throws {
        let gestures = try play(
            Self.finger + rest + "\n2000 end", context: .init(touchDragsOut: true))
        #expect(
            gestures.withoutCatches == [at(500, .longPress(at: Self.start, source: .touch))])
    }

    /// What a cancel leaves behind does not disturb the next touch.
    @Test func afterADragTheNextTouchIsFree() throws {
        let gestures = try play(
            Self.finger + """
                600 touch move 0 200 100
                600 touch frame
                601 touch cancel
                900 touch down 0 100 100
                900 touch frame
                950 touch up 0
                950 touch frame
                2000 end
                """, context: .init(doubleTapMatters: false, touchDragsOut: true))
        #expect(gestures.last == at(950, .tap(at: Self.start, source: .touch)))
    }

    @Test func aMouseDragsOutAfterARest() throws {
        let context = GestureArena.Context(mouseDragOut: .afterRest)
        #expect(
            try mouse(context, afterRest: 300) == [
                at(301, .dragOut(at: Self.start, source: .mouse))
            ])
        let early = try mouse(context, afterRest: 200)
        #expect(!early.contains { if case .dragOut = $0.gesture { true } else { false } })
        #expect(!early.manipulations.isEmpty)
    }

    @Test(arguments: [DragOut.withControl, .afterRest])
    func withCtrlAMouseDragsOutAtOnce(rule: DragOut) throws {
        let context = GestureArena.Context(modifiers: .control, mouseDragOut: rule)
        #expect(
            try mouse(context, afterRest: 10) == [at(11, .dragOut(at: Self.start, source: .mouse))])
    }

    @Test func selectedContentIsDraggedAtOnceAndOtherNever() throws {
        #expect(
            try mouse(.init(mouseDragOut: .always), afterRest: 10) == [
                at(11, .dragOut(at: Self.start, source: .mouse))
            ])
        let context = GestureArena.Context(modifiers: .control, mouseDragOut: .withControl)
        #expect(try !mouse(context, afterRest: 500).isEmpty)
        for rule in [DragOut.never, .withControl] {
            let gestures = try mouse(.init(mouseDragOut: rule), afterRest: 500)
            #expect(!gestures.manipulations.isEmpty)
        }
    }
}
