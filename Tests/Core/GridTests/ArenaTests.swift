import Geometry
import Gestures
import Input
import Motion
import Testing

@testable import Grid

/// The grid behind the gesture arena: touch scripts in, frames out.
@Suite struct ArenaTests {
    /// Plays a script to its end at 60 frames a second; `each` sees every frame.
    private func play(
        _ text: String, on hand: inout Hand, each: (GridFrame) -> Void = { _ in }
    ) throws {
        let script = try GestureScript(parsing: text)
        var arena = GestureArena()
        var gestures: [TimedGesture] = []
        func context(_ hand: Hand) -> GestureArena.Context {
            .init(contentIsMoving: hand.grid.isMoving(at: hand.now), doubleTapMatters: false)
        }
        func deliver(to hand: inout Hand) {
            for timed in gestures {
                hand.grid.handle(timed.gesture, at: timed.moment, effects: &hand.effects)
                hand.noteRequest()
            }
            gestures.removeAll()
        }
        var entries = script.entries[...]
        var frame = 0.0
        while frame * 1000 / 60 <= script.end.milliseconds {
            let time = Moment(milliseconds: frame * 1000 / 60)
            while let entry = entries.first, entry.moment <= time {
                entries.removeFirst()
                hand.time = entry.moment.milliseconds
                hand.grid.advance(to: hand.now)
                arena.handle(
                    entry.event, at: entry.moment, context: context(hand), into: &gestures)
                deliver(to: &hand)
            }
            hand.time = time.milliseconds
            hand.grid.advance(to: time)
            arena.expire(to: time, inclusive: true, into: &gestures)
            deliver(to: &hand)
            each(hand.frame)
            frame += 1
        }
    }

    /// The script lines of a finger with constant velocity, one event per 8 ms.
    private func stroke(_ id: Int, from start: Point, to end: Point, at time: Int, for span: Int)
        -> [(Int, String)]
    {
        var lines = [(time, "touch down \(id) \(start.x) \(start.y)"), (time, "touch frame")]
        for step in stride(from: 8, through: span, by: 8) {
            let point = start + (end - start) * (Double(step) / Double(span))
            lines.append((time + step, "touch move \(id) \(point.x) \(point.y)"))
            lines.append((time + step, "touch frame"))
        }
        lines.append((time + span + 4, "touch up \(id)"))
        lines.append((time + span + 4, "touch frame"))
        return lines
    }

    private func text(_ lines: [(Int, String)], end: Int) -> String {
        let sorted = lines.enumerated().sorted {
            ($0.element.0, $0.offset) < ($1.element.0, $1.offset)
        }
        return sorted.map { "\($0.element.0) \($0.element.1)\n" }.joined() + "\(end) end\n"
    }

    @Test func aTapStopsAFling() throws {
        var hand = Hand()
        let throwing = stroke(
            1, from: Point(x: 900, y: 900), to: Point(x: 900, y: 500), at: 0, for: 120)
        try play(text(throwing, end: 400), on: &hand)
        #expect(hand.frame.scroll.y > 600)
        #expect(hand.grid.isMoving(at: hand.now))
        var tapping = Hand()
        try play(
            text(
                throwing + [
                    (400, "touch down 2 500 500"), (400, "touch frame"), (460, "touch up 2"),
                    (460, "touch frame"),
                ], end: 2000), on: &tapping)
        #expect(tapping.requests.isEmpty)
        #expect(!tapping.grid.isMoving(at: tapping.now))
        try play(
            "2100 touch down 3 500 500\n2100 touch frame\n2150 touch up 3\n2150 touch frame\n2600 end",
            on: &tapping)
        #expect(tapping.requests.count == 1)
    }

    @Test func twoFingersScaleTheGridAndHoldThePictureUnderThem() throws {
        var hand = Hand()
        let lines =
            stroke(1, from: Point(x: 800, y: 500), to: Point(x: 600, y: 450), at: 0, for: 400)
            + stroke(2, from: Point(x: 1000, y: 520), to: Point(x: 1500, y: 640), at: 0, for: 400)
        var columns: Set<Int> = []
        var anchors: Set<GridFrame.Held> = []
        try play(text(lines, end: 2500), on: &hand) { frame in
            columns.insert(frame.columns)
            guard let held = frame.held, let cell = frame.cell(held.index) else { return }
            anchors.insert(.init(index: held.index, fraction: held.fraction, point: .zero))
            let point = Point(
                x: cell.rect.x + held.fraction.dx * cell.rect.width,
                y: cell.rect.y + held.fraction.dy * cell.rect.height)
            #expect((point - held.point).length < 1e-6)
        }
        #expect(anchors.count == 1, "the anchor is taken once")
        #expect(columns.count >= 3)
        #expect(hand.frame.phase == .idle && hand.frame.scroll.x == 0)
    }

    @Test func aCancelPutsTheLiftedPictureBack() throws {
        var hand = Hand(count: 50, width: 390, height: 844) { _ in
            PixelSize(width: 100, height: 100)
        }
        hand.grid.zoom(to: 5, about: .zero, at: hand.now)
        hand.settle()
        hand.time = 0
        var lines =
            stroke(1, from: Point(x: 180, y: 500), to: Point(x: 80, y: 500), at: 5000, for: 200)
            + stroke(2, from: Point(x: 220, y: 500), to: Point(x: 320, y: 500), at: 5000, for: 200)
        lines.removeAll { $0.0 > 5160 }
        lines.append((5160, "touch cancel"))
        var most = 0.0
        var states: [Bool] = []
        try play(text(lines, end: 6000), on: &hand) { frame in
            most = max(most, frame.lifted?.scale ?? 0)
            states.append(frame.lifted != nil)
        }
        #expect(most > 1.5)
        #expect(states.filter(\.self).count <= 30, "lifted for 0.5 s at most")
        #expect(hand.frame.lifted == nil && hand.requests.isEmpty)
    }

    @Test func aTouchpadPinchAndItsScrollWork() throws {
        var hand = Hand()
        var text = "0 pointer move 900 500\n"
        for step in 0..<20 { text += "\(10 + step * 10) pointer axis vertical 20 finger\n" }
        text += "220 pointer axis-stop vertical\n3000 pinch begin 2\n"
        for step in 1...20 {
            text += "\(3000 + step * 10) pinch update 0 0 \(1 + Double(step) * 0.03) 0\n"
        }
        text += "3300 pinch end\n5000 end\n"
        try play(text, on: &hand)
        #expect(hand.frame.scroll.y > 400)
        #expect(hand.frame.columns == 3)
        #expect(hand.frame.phase == .idle)
    }
}
