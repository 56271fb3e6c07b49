import Geometry
import Input
import Testing

/// The texts of keys, and what input methods are told.
@Suite struct TextInputTests {
    @Test(arguments: [
        ("a", "a"), ("R", "R"), ("5", "5"), ("space", " "), ("percent", "%"), ("comma", ","),
        ("KP_0", "0"), ("KP_Decimal", "."), ("U20AC", "€"), ("U1F600", "😀"), ("U", "U"),
        ("Right", ""), ("Return", ""), ("F1", ""), ("dead_acute", ""), ("UD800", ""),
        ("U110000", ""), ("U000A", ""),
    ])
    func namesOfKeysTellTheirTexts(_ name: String, _ text: String) {
        #expect(KeyEvent(name: name).text == text)
    }

    @Test func onlyPressesWithoutModifiersOfCommandsTypeText() {
        #expect(KeyEvent(name: "a", action: .down).text == "a")
        #expect(KeyEvent(name: "a", action: .repeated).text == "a")
        #expect(KeyEvent(name: "a", action: .up).text == "")
        #expect(KeyEvent(name: "A", modifiers: .shift).text == "A")
        for modifiers: KeyEvent.Modifiers in [.control, .alt, .logo] {
            let key = KeyEvent(name: "a", modifiers: modifiers)
            #expect(key.text == "" && !key.isTyping)
        }
        #expect(KeyEvent(name: "dead_acute").isTyping)
        #expect(KeyEvent(name: "o", text: "", isComposing: true).isTyping)
        #expect(!KeyEvent(name: "Right").isTyping)
    }

    @Test(arguments: [
        (0, 0, 0..<0), (3, 4, 3..<4), (1, 2, 0..<0), (4, 0, 0..<4), (-1, 3, 0..<3),
        (2, 4_000_000, 0..<4), (Int.max, Int.min, 0..<4),
    ])
    func invalidCursorsOfThePreeditBecomeValid(_ begin: Int, _ end: Int, _ cursor: Range<Int>) {
        let preedit = TextInputEvent.Preedit("あx", cursorBegin: begin, cursorEnd: end)
        #expect(preedit.cursor == cursor)
    }

    @Test func twoNegativeNumbersHideTheCursor() {
        #expect(TextInputEvent.Preedit("a", cursorBegin: -1, cursorEnd: -1).cursor == nil)
    }

    @Test func anEmptyPreeditIsNone() {
        var event = TextInputEvent(preedit: .init("", cursorBegin: 0, cursorEnd: 0))
        #expect(event.isEmpty)
        event.preedit = .init("", cursorBegin: 0, cursorEnd: 0)
        #expect(event.preedit == nil)
    }

    private func excerpt(_ text: String, _ cursor: Int, _ anchor: Int, limit: Int = 10)
        -> TextInputState
    {
        TextInputState(
            text: text, cursor: cursor, anchor: anchor,
            cursorRect: Rect(x: 0, y: 0, width: 1, height: 9)
        )
        .excerpt(limit: limit)
    }

    @Test func aShortTextIsItsOwnExcerpt() {
        let state = excerpt("é\0a", 3, 2)
        #expect(state.text == "é a" && state.cursor == 3 && state.anchor == 2)
    }

    @Test func invalidOffsetsBecomeValid() {
        let state = excerpt("éa", 1, 99)
        #expect(state.cursor == 0 && state.anchor == 3)
    }

    @Test(arguments: [0, 1, 7, 20, 59, 60], [0, 3, 6, 31, 60])
    func theExcerptHasTheCursorAndIsValid(_ cursor: Int, _ anchor: Int) {
        // 20 letters of three bytes.
        let text = String(repeating: "あ", count: 20)
        let state = excerpt(text, cursor, anchor)
        #expect(state.text.utf8.count <= 10 && !state.text.contains("\u{FFFD}"))
        for offset in [state.cursor, state.anchor] {
            #expect(offset % 3 == 0 && (0...state.text.utf8.count).contains(offset))
        }
        // The direction of the selection stays.
        let (a, b) = (cursor / 3, anchor / 3)
        #expect(a == b || (a < b) == (state.cursor < state.anchor))
    }
}
