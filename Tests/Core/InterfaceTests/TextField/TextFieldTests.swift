import Input
import Interface
import Testing

/// Editing a text field by keys and by its functions.
@Suite struct TextFieldTests {
    private func field(_ text: String, at cursor: Int? = nil, limit: Int = 256) -> TextField {
        var field = TextField(text, limit: limit)
        field.moveCursor(to: cursor ?? field.count)
        return field
    }

    private func press(
        _ field: inout TextField, _ name: String, _ modifiers: KeyEvent.Modifiers = []
    ) -> TextField.Response {
        field.handle(KeyEvent(name: name, modifiers: modifiers))
    }

    @Test func typingReplacesTheInitialSelection() {
        var field = TextField("100%")
        #expect(field.selection == 0..<4 && field.selectedText == "100%")
        #expect(press(&field, "5") == .consumed)
        #expect(press(&field, "KP_0") == .consumed)
        #expect(field.text == "50" && field.cursor == 2)
    }

    @Test func deletionIsByCluster() {
        var field = field("ae\u{301}👨‍👩‍👧b", at: 3)
        #expect(press(&field, "BackSpace") == .consumed)
        #expect(field.text == "ae\u{301}b" && field.cursor == 2)
        #expect(press(&field, "BackSpace") == .consumed)
        #expect(field.text == "ab" && field.cursor == 1)
        #expect(press(&field, "Delete") == .consumed)
        #expect(press(&field, "Delete") == .consumed)
        #expect(field.text == "a" && field.cursor == 1)
    }

    @Test func theCursorMovesBySelectionClusterAndWord() {
        var field = field("one, two_2 three")
        let steps: [(String, KeyEvent.Modifiers, Range<Int>)] = [
            ("Left", .control, 11..<11), ("Left", .control, 5..<5), ("Left", .control, 0..<0),
            ("Left", [], 0..<0), ("Right", .control, 3..<3), ("Right", [.control, .shift], 3..<10),
            ("Left", .shift, 3..<9), ("Left", [], 3..<3), ("End", .shift, 3..<16),
            ("Right", [], 16..<16), ("Right", [], 16..<16), ("Home", [], 0..<0),
            ("KP_End", [], 16..<16), ("a", .control, 0..<16),
        ]
        for (name, modifiers, selection) in steps {
            #expect(press(&field, name, modifiers) == .consumed)
            #expect(field.selection == selection, "after \(name)")
        }
        field.selectWord(at: 6)
        #expect(field.selectedText == "two_2")
        field.selectWord(at: 3)
        #expect(field.selectedText == ",")
    }

    @Test func deletionByWord() {
        var field = field("one two three", at: 7)
        #expect(press(&field, "BackSpace", .control) == .consumed)
        #expect(field.text == "one  three" && field.cursor == 4)
        #expect(press(&field, "Delete", .control) == .consumed)
        #expect(field.text == "one ")
    }

    @Test func movementInRightToLeftTextIsLogical() {
        var field = field("אבג", at: 0)
        #expect(press(&field, "Right") == .consumed)
        #expect(field.cursor == 1)
        #expect(press(&field, "BackSpace") == .consumed)
        #expect(field.text == "בג")
    }

    @Test func commandsPassAndTypedKeysDoNot() {
        var field = TextField("1", filter: .percentage(decimalSeparator: "."))
        #expect(press(&field, "q") == .consumed)
        #expect(press(&field, "dead_acute") == .consumed)
        #expect(field.text == "1")
        #expect(press(&field, "q", .control) == .ignored)
        #expect(press(&field, "Left", .alt) == .ignored)
        #expect(press(&field, "Up") == .ignored)
        #expect(press(&field, "Tab") == .ignored)
        #expect(press(&field, "F11") == .ignored)
        #expect(field.handle(KeyEvent(name: "2", action: .up)) == .ignored)
        #expect(field.handle(KeyEvent(name: "BackSpace", isComposing: true)) == .consumed)
        #expect(field.text == "1")
        #expect(field.handle(KeyEvent(name: "BackSpace", action: .repeated)) == .consumed)
        #expect(field.text == "")
    }

    @Test func aComposedKeyTypesItsText() {
        var field = TextField()
        #expect(field.handle(KeyEvent(name: "e", action: .down, text: "é")) == .consumed)
        #expect(field.text == "é")
    }

    @Test func returnAppliesAndEscapeRestores() {
        var field = TextField("100")
        #expect(press(&field, "7") == .consumed)
        #expect(press(&field, "Escape") == .cancelled)
        #expect(field.text == "100" && field.selection == 0..<3)
        #expect(press(&field, "8") == .consumed)
        #expect(press(&field, "KP_Enter") == .committed)
        #expect(press(&field, "9") == .consumed)
        field.cancel()
        #expect(field.text == "8")
    }

    @Test(arguments: [
        ("12,5 %", "12.5%"), ("१२٪", "12%"), ("１００％", "100%"), ("²五½a\u{301}", ""), ("-3e5", "35"),
        ("5\u{301}%\u{301}1️⃣𝟕", "7"),
    ])
    func aPercentageHasDigitsSeparatorAndSign(_ typed: String, _ text: String) {
        var field = TextField(filter: .percentage(decimalSeparator: "."))
        field.insert(typed)
        #expect(field.text == text)
    }

    @Test func aRejectedTextDoesNotDeleteTheSelection() {
        var field = TextField("50", filter: .percentage(decimalSeparator: ","))
        let inserted = field.insert("abc")
        #expect(!inserted && field.text == "50" && field.selection == 0..<2)
    }

    @Test func breaksAndControlCharactersBecomeSpaces() {
        var field = TextField()
        field.insert("a\0b\r\nc\nd\u{2028}e\u{1B}f\u{85}g")
        #expect(field.text == "a b c d e f g")
    }

    @Test func theLimitCountsClustersOfTheResult() {
        var field = field("abc", limit: 5)
        field.insert("XYZ")
        #expect(field.text == "abcXY" && field.cursor == 5)
        let inserted = field.insert("more")
        #expect(!inserted && field.text == "abcXY")
        // An accent joins the letter before it.
        field.insert("\u{301}")
        #expect(field.text == "abcXY\u{301}" && field.count == 5 && field.cursor == 5)
        field.selectAll()
        field.insert("123456")
        #expect(field.text == "12345")
    }

    @Test func manyCombiningMarksAreCut() {
        var field = TextField(limit: 8)
        field.insert("a" + String(repeating: "\u{301}", count: 4000))
        #expect(field.count == 1 && field.text.unicodeScalars.count == 128)
        #expect(press(&field, "BackSpace") == .consumed)
        #expect(field.text == "")
    }

    @Test func aMegabyteIsCut() {
        var field = TextField(limit: 100)
        field.insert(String(repeating: "xyz ", count: 250_000))
        #expect(field.count == 100 && field.cursor == 100)
        var number = TextField(limit: 8, filter: .percentage(decimalSeparator: "."))
        number.insert(String(repeating: "a", count: 1_000_000) + "5")
        #expect(number.text == "")
    }

    @Test func positionsOutsideOfTheTextAreClamped() {
        var field = field("abc")
        field.select(from: -5, to: Int.max)
        #expect(field.selection == 0..<3 && field.cursor == 3)
        field.moveCursor(to: Int.min)
        #expect(field.cursor == 0)
        field.selectWord(at: 99)
        #expect(field.selection == 0..<3)
    }
}
