import CoreTestKit
import SeededRandom
import Geometry
import Input
import Interface
import SceneModel
import Testing

/// Random keys, input methods and insertions keep a text field valid.
@Suite struct TextFieldPropertyTests {
    private static let keys = [
        "Left", "Right", "Home", "End", "BackSpace", "Delete", "Return", "Escape", "a", "5",
        "period",
        "percent", "dead_acute", "Tab",
    ]
    /// Pieces whose clusters join, split and change their length.
    private static let pieces = [
        "a", "é", "e", "\u{301}", "🇩", "🇪", "👩", "\u{200D}", "\r", "\n", "\0", "א", "あ", "5", "%",
        ".",
        "\u{1100}", "\u{1161}", "क", "\u{94D}", " ", "\u{2028}",
    ]

    private func text(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...12, using: &random))
            .map { _ in Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &random)] }
            .joined()
    }

    private func number(_ random: inout SeededGenerator) -> Int {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .max
        case 1: .min
        default: Int.random(in: -2...20, using: &random)
        }
    }

    private func change(_ field: inout TextField, _ random: inout SeededGenerator) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: field.insert(text(&random))
        case 1: field.select(from: number(&random), to: number(&random))
        case 2: field.selectWord(at: number(&random))
        case 3:
            let input = TextInputEvent(
                commit: text(&random),
                preedit: .init(
                    text(&random), cursorBegin: number(&random), cursorEnd: number(&random)),
                deletionBefore: number(&random), deletionAfter: number(&random))
            _ = field.handle(input)
        default:
            let modifiers = KeyEvent.Modifiers(rawValue: UInt8.random(in: 0...3, using: &random))
            let name = Self.keys[Int.random(in: 0..<Self.keys.count, using: &random)]
            _ = field.handle(KeyEvent(name: name, modifiers: modifiers))
        }
    }

    @Test(arguments: [TextFieldFilter.any, .percentage(decimalSeparator: ",")])
    func everyStateIsValid(_ filter: TextFieldFilter) {
        var random = SeededGenerator(seed: 1)
        let area = Rect(x: 5, y: 5, width: 60, height: 30)
        for _ in 0..<300 {
            var field = TextField(text(&random), limit: 8, filter: filter)
            for _ in 0..<20 {
                change(&field, &random)
                let count = field.text.count
                #expect((0...count).contains(field.cursor) && (0...count).contains(field.anchor))
                #expect(field.displayText.unicodeScalars.count <= 2 * 8 * 16)
                #expect(field.text.unicodeScalars.allSatisfy { !$0.isControl })
                let state = field.inputState(field: 0, cursorRect: area)
                #expect(state == state.excerpt())
                let layout = TextFieldLayout(field, in: area, .init(size: 20), measure: .fixed)
                for x in [-1.0, 20, 40, 99] {
                    let position = layout.position(at: Point(x: x, y: 9))
                    #expect((0...count).contains(position))
                }
                if let cursor = layout.cursor { #expect(cursor.x >= 5 && cursor.maxX <= 65) }
                #expect(field.description.text == field.displayText)
                if filter != .any {
                    #expect(field.text.allSatisfy { "0123456789,%".contains($0) } && count <= 8)
                }
            }
        }
    }
}
