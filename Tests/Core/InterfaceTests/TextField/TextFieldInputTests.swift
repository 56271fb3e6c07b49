import CoreTestKit
import Geometry
import Input
import Interface
import SceneModel
import Testing

/// A text field with an input method, its layout, and its description for assistive technology.
@Suite struct TextFieldInputTests {
    private func field(_ text: String, at cursor: Int? = nil) -> TextField {
        var field = TextField(text)
        field.moveCursor(to: cursor ?? field.count)
        return field
    }

    private func preedit(_ text: String, _ begin: Int, _ end: Int) -> TextInputEvent {
        TextInputEvent(preedit: .init(text, cursorBegin: begin, cursorEnd: end))
    }

    @Test func aTextIsComposedAndCommitted() {
        var field = field("ab", at: 1)
        var changed = field.handle(preedit("にほ", 3, 6))
        #expect(changed && field.text == "ab" && field.displayText == "aにほb")
        #expect(field.preedit?.cursor == 3..<6 && field.changeCause == .inputMethod)
        changed = field.handle(TextInputEvent(commit: "日本"))
        #expect(changed && field.text == "a日本b" && field.cursor == 3 && field.preedit == nil)
        changed = field.handle(TextInputEvent())
        #expect(!changed)
    }

    @Test func composingReplacesTheSelection() {
        var field = TextField("100%")
        _ = field.handle(preedit("5", 1, 1))
        #expect(field.text == "" && field.displayText == "5")
        _ = field.handle(TextInputEvent(commit: "5"))
        #expect(field.text == "5")
    }

    @Test func theOrderIsDeleteInsertCompose() {
        var field = field("helo wrld", at: 4)
        _ = field.handle(
            TextInputEvent(
                commit: "lo", preedit: .init("!", cursorBegin: -1, cursorEnd: -1),
                deletionBefore: 1, deletionAfter: 5))
        #expect(field.text == "hello" && field.displayText == "hello!")
        #expect(field.preedit?.cursor == nil && field.preedit != nil)
    }

    @Test func deletionsLeaveTheSelectionAndWholeCodePoints() {
        var field = field("éaéb")
        field.select(from: 3, to: 1)
        // "é" has two bytes: one byte of it is not deleted, and three reach across "b" and the end.
        _ = field.handle(TextInputEvent(deletionBefore: 1, deletionAfter: 3))
        #expect(field.text == "éaé" && field.selectedText == "aé" && field.cursor == 1)
        _ = field.handle(TextInputEvent(deletionBefore: Int.max, deletionAfter: Int.max))
        #expect(field.text == "aé" && field.selection == 0..<2 && field.cursor == 0)
    }

    @Test func aDeletionMayJoinClusters() {
        var field = field("ex\u{301}", at: 1)
        _ = field.handle(TextInputEvent(deletionBefore: 0, deletionAfter: 1))
        #expect(field.text == "e\u{301}" && field.cursor == 1 && field.count == 1)
    }

    @Test func returnAppliesThePreeditAndEscapeRemovesIt() {
        var field = field("a")
        _ = field.handle(preedit("b", 1, 1))
        #expect(field.handle(KeyEvent(name: "Escape")) == .consumed)
        #expect(field.displayText == "a")
        _ = field.handle(preedit("c", 1, 1))
        #expect(field.handle(KeyEvent(name: "Return")) == .committed)
        #expect(field.text == "ac")
    }

    @Test func keysEndTheComposition() {
        var field = field("a")
        _ = field.handle(preedit("b", 1, 1))
        #expect(field.handle(KeyEvent(name: "x")) == .consumed)
        #expect(field.text == "ax" && field.preedit == nil && field.changeCause == .other)
    }

    @Test func aHostilePreeditIsOneShortLine() {
        var field = TextField("", limit: 4)
        _ = field.handle(preedit("a\nb\0" + String(repeating: "\u{301}", count: 4000), 2, 3_000))
        let shown = field.displayText
        #expect(shown.unicodeScalars.count == 64 && shown.hasPrefix("a b"))
        #expect(field.preedit?.cursor?.lowerBound == 2)
        #expect(field.preedit?.cursor?.upperBound == shown.utf8.count)
    }

    @Test func aLongPreeditIsCut() {
        var field = TextField("", limit: 256)
        _ = field.handle(preedit(String(repeating: "9\u{301}", count: 1300), 3, 2_000))
        #expect(field.displayText == String(repeating: "9\u{301}", count: 64))
        #expect(field.preedit?.cursor == 3..<192)
        field = TextField("", limit: 8)
        _ = field.handle(preedit(String(repeating: "9", count: 1300), 2_000, 2_000))
        #expect(field.displayText == "99999999" && field.preedit?.cursor == 8..<8)
    }

    @Test func theInputMethodLearnsTheTextInBytes() {
        var field = field("aéb", at: 2)
        field.moveCursor(to: 1, extendsSelection: true)
        let rect = Rect(x: 1, y: 2, width: 1, height: 20)
        let state = field.inputState(field: 7, purpose: .number, cursorRect: rect)
        #expect(
            state
                == TextInputState(
                    field: 7, purpose: .number, text: "aéb", cursor: 1, anchor: 3,
                    cursorRect: rect, changeCause: .other))
    }

    // MARK: Layout: each character is half as wide as the font is high.

    private let area = Rect(x: 100, y: 50, width: 60, height: 40)
    private let style = TextStyle(size: 20)

    private func layout(_ field: TextField) -> TextFieldLayout {
        TextFieldLayout(field, in: area, style, measure: .fixed)
    }

    @Test func aPointIsNearestToOnePosition() {
        let layout = layout(field("abcd", at: 2))
        let xs = [-1e9, 99, 104, 106, 114, 116, 139, 1e9, .nan]
        #expect(
            xs.map { layout.position(at: Point(x: $0, y: 0)) } == [0, 0, 0, 1, 1, 2, 4, 4, 0])
        #expect(layout.cursor == Rect(x: 120, y: 57.5, width: 1, height: 25))
        #expect(layout.origin == Point(x: 100, y: 57.5) && layout.selection == nil)
    }

    @Test func everyPositionIsHitAtItsOwnPlace() {
        for text in ["", "abc", "אבגד", "e\u{301}🇩🇪x"] {
            for position in 0...text.count {
                let field = field(text, at: position)
                let layout = layout(field)
                let x = layout.cursor?.x ?? -1
                #expect(layout.position(at: Point(x: x, y: 0)) == position, "\(text) \(position)")
            }
        }
    }

    @Test func rightToLeftTextBeginsAtItsRightEnd() throws {
        let atStart = try #require(layout(field("אבג", at: 0)).cursor)
        let atEnd = try #require(layout(field("אבג", at: 3)).cursor)
        #expect(atStart.x == 130 && atEnd.x == 100)
    }

    @Test func aLongTextIsScrolledToTheCursor() throws {
        for cursor in [0, 3, 10, 17, 20] {
            let layout = layout(field(String(repeating: "x", count: 20), at: cursor))
            let rect = try #require(layout.cursor)
            #expect(rect.x >= area.x && rect.maxX <= area.maxX)
            #expect(layout.position(at: rect.center) == cursor)
        }
    }

    @Test func selectionAndCompositionHaveRectangles() {
        var field = TextField("abcd")
        field.select(from: 1, to: 3)
        #expect(layout(field).selection == Rect(x: 110, y: 57.5, width: 20, height: 25))
        _ = field.handle(preedit("xyz", 1, 2))
        let layout = layout(field)
        #expect(layout.text == "axyzd")
        #expect(layout.selection == nil)
        #expect(layout.preedit == Rect(x: 110, y: 57.5, width: 30, height: 25))
        #expect(layout.preeditHighlight == Rect(x: 120, y: 57.5, width: 10, height: 25))
        // Behind the composition the field's text goes on.
        #expect(layout.position(at: Point(x: 149, y: 0)) == 2)
        _ = field.handle(preedit("xyz", -1, -1))
        #expect(self.layout(field).cursor == nil)
    }

    @Test func assistiveTechnologyKnowsTheCaret() {
        var field = field("e\u{301}ab", at: 2)
        #expect(field.description.caret == .init(bytes: 4, scalars: 3, clusters: 2))
        #expect(field.description.selection == nil)
        field.moveCursor(to: 0, extendsSelection: true)
        #expect(
            field.description.selection
                == .init(bytes: 0, scalars: 0, clusters: 0)
                ..< .init(bytes: 4, scalars: 3, clusters: 2))
        field.moveCursor(to: 3)
        _ = field.handle(preedit("あ", 3, 3))
        #expect(field.description.text == "e\u{301}abあ")
        #expect(field.description.caret == .init(bytes: 8, scalars: 5, clusters: 4))
    }
}
