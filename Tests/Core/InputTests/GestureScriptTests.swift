import Geometry
import Input
import Motion
import Testing

/// The text of a script line and the event that it stands for.
struct ScriptLine: Sendable, CustomTestStringConvertible {
    let text: String
    let event: InputEvent
    var testDescription: String { text }

    init(_ text: String, _ event: InputEvent) {
        self.text = text
        self.event = event
    }

    /// All lines of the script grammar, with all alternatives.
    static let grammar: [ScriptLine] = [
        ScriptLine("touch down 0 960.0 540.0", .touch(.down(id: 0, at: Point(x: 960, y: 540)))),
        ScriptLine("touch frame", .touch(.frame)),
        ScriptLine("touch move 0 950.5 541.0", .touch(.move(id: 0, to: Point(x: 950.5, y: 541)))),
        ScriptLine("touch up 0", .touch(.up(id: 0))),
        ScriptLine("touch cancel", .touch(.cancel)),
        ScriptLine("pinch begin 2", .pinch(.begin(fingers: 2))),
        ScriptLine(
            "pinch update 1.5 0.0 1.05 -2.5",
            .pinch(.update(delta: Vector(dx: 1.5, dy: 0), scale: 1.05, rotation: -2.5))),
        ScriptLine("pinch end", .pinch(.end(cancelled: false))),
        ScriptLine("pinch end cancelled", .pinch(.end(cancelled: true))),
        ScriptLine("swipe begin 3", .swipe(.begin(fingers: 3))),
        ScriptLine("swipe update -4 0.25", .swipe(.update(delta: Vector(dx: -4, dy: 0.25)))),
        ScriptLine("swipe end", .swipe(.end(cancelled: false))),
        ScriptLine("swipe end cancelled", .swipe(.end(cancelled: true))),
        ScriptLine("hold begin 1", .hold(.begin(fingers: 1))),
        ScriptLine("hold end", .hold(.end(cancelled: false))),
        ScriptLine("hold end cancelled", .hold(.end(cancelled: true))),
        ScriptLine("pointer move 100 200", .pointer(.move(to: Point(x: 100, y: 200)))),
        ScriptLine("pointer leave", .pointer(.leave)),
        ScriptLine("pointer button left down", .pointer(.button(.left, isDown: true))),
        ScriptLine("pointer button right up", .pointer(.button(.right, isDown: false))),
        ScriptLine("pointer button middle up", .pointer(.button(.middle, isDown: false))),
        ScriptLine(
            "pointer axis vertical 15.0 wheel 120",
            .pointer(.axis(.vertical, value: 15, source: .wheel, value120: 120))),
        ScriptLine(
            "pointer axis horizontal -10 wheel",
            .pointer(.axis(.horizontal, value: -10, source: .wheel, value120: nil))),
        ScriptLine(
            "pointer axis vertical 3.5 finger",
            .pointer(.axis(.vertical, value: 3.5, source: .finger, value120: nil))),
        ScriptLine(
            "pointer axis vertical 3.5 continuous",
            .pointer(.axis(.vertical, value: 3.5, source: .continuous, value120: nil))),
        ScriptLine("pointer axis-stop vertical", .pointer(.axisStop(.vertical))),
        ScriptLine("pen down tip 100 200.5", .pen(.down(.tip, at: Point(x: 100, y: 200.5)))),
        ScriptLine("pen down eraser 1 2", .pen(.down(.eraser, at: Point(x: 1, y: 2)))),
        ScriptLine("pen move 110 200", .pen(.move(to: Point(x: 110, y: 200)))),
        ScriptLine("pen up", .pen(.up)),
        ScriptLine("pen cancel", .pen(.cancel)),
        ScriptLine("pen button first 1 2", .pen(.button(.first, at: Point(x: 1, y: 2)))),
        ScriptLine("pen button third 1 2", .pen(.button(.third, at: Point(x: 1, y: 2)))),
        ScriptLine("key Right", .key(KeyEvent(name: "Right"))),
        ScriptLine("key Right down", .key(KeyEvent(name: "Right", action: .down))),
        ScriptLine("key Right up", .key(KeyEvent(name: "Right", action: .up))),
        ScriptLine("key Right repeat", .key(KeyEvent(name: "Right", action: .repeated))),
        ScriptLine("key Ctrl+plus", .key(KeyEvent(name: "plus", modifiers: .control))),
        ScriptLine(
            "key Shift+Ctrl+Alt+Super+XF86_Back2 up",
            .key(
                KeyEvent(
                    name: "XF86_Back2", modifiers: [.shift, .control, .alt, .logo], action: .up))),
        ScriptLine("key e down types %C3%A9", .key(KeyEvent(name: "e", action: .down, text: "é"))),
        ScriptLine("key a types \"\"", .key(KeyEvent(name: "a", text: ""))),
        ScriptLine("key e composing", .key(KeyEvent(name: "e", isComposing: true))),
        ScriptLine(
            "text delete 2 1 commit 12%25 preedit %E3%81%82x 0 3",
            .textInput(
                TextInputEvent(
                    commit: "12%", preedit: .init("あx", cursorBegin: 0, cursorEnd: 3),
                    deletionBefore: 2, deletionAfter: 1))),
        ScriptLine(
            "text preedit a -1 -1",
            .textInput(
                TextInputEvent(preedit: .init("a", cursorBegin: -1, cursorEnd: -1)))),
        ScriptLine("text reset", .textInput(TextInputEvent())),
        ScriptLine("resize 1200x800", .resize(Size(width: 1200, height: 800))),
        ScriptLine("scale 1.5", .scale(1.5)),
        ScriptLine("modifiers Shift+Ctrl", .modifiers([.shift, .control])),
        ScriptLine("modifiers none", .modifiers([])),
    ]
}

@Suite struct GestureScriptTests {
    @Test(arguments: ScriptLine.grammar)
    func readsEveryKindOfLine(_ line: ScriptLine) throws {
        let script = try GestureScript(parsing: "16.25 \(line.text)")
        #expect(script.entries.map(\.event) == [line.event])
        #expect(script.entries.map(\.moment) == [Moment(milliseconds: 16.25)])
    }

    @Test(arguments: ScriptLine.grammar)
    func printsWhatItReads(_ line: ScriptLine) throws {
        let script = GestureScript(
            entries: [.init(moment: Moment(milliseconds: 1.0 / 3), event: line.event)],
            end: Moment(milliseconds: 1e5 + 0.1))
        #expect(try GestureScript(parsing: script.text) == script)
    }

    @Test func readsCommentsBlankLinesAndAnyLineEnding() throws {
        let text = "# a tap\r\n\r\n \t0\ttouch  down 7 1 2 # id x y\r\n0 touch frame#\n\n2000 end"
        let script = try GestureScript(parsing: text)
        #expect(script.entries.count == 2)
        #expect(script.end == Moment(milliseconds: 2000))
    }

    @Test func withoutAnEndItEndsWithItsLastEvent() throws {
        #expect(try GestureScript(parsing: "7 touch frame").end == Moment(milliseconds: 7))
        #expect(try GestureScript(parsing: "").end == .zero)
        #expect(try GestureScript(parsing: "# nothing\n").entries.isEmpty)
    }

    @Test func coordinatesSurviveExactly() throws {
        var bits: UInt64 = 0x9E37_79B9_7F4A_7C15
        for _ in 0..<2000 {
            bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let x = (Double(bits >> 11) / 4_503_599_627_370_496 - 1) * 8_000_000
            let y = x * 1e-12
            let entry = GestureScript.Entry(
                moment: .zero, event: .touch(.move(id: 3, to: Point(x: x, y: y))))
            #expect(try GestureScript(parsing: entry.line).entries == [entry])
        }
    }
}
