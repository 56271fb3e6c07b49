import Localization

/// `text [delete BEFORE AFTER] [commit TEXT] [preedit TEXT BEGIN END]`, or `text reset` for an event
/// without content.
extension TextInputEvent {
    private enum Part: String, CaseIterable {
        case delete, commit, preedit, reset
    }

    private static let lengths = 0...Int(Int32.max)
    private static let positions = -1...Int(Int32.max)

    init(reading words: inout WordReader) throws(GestureScriptError) {
        self.init()
        repeat {
            switch try words.choice(Part.self) {
            case .reset: self = TextInputEvent()
            case .delete:
                deletionBefore = try words.integer(localized("a length in bytes"), in: Self.lengths)
                deletionAfter = try words.integer(localized("a length in bytes"), in: Self.lengths)
            case .commit: commit = try words.text(localized("the text to insert"))
            case .preedit:
                let text = try words.text(localized("the pre-edit text"))
                preedit = Preedit(
                    text,
                    cursorBegin: try words.integer(
                        localized("a position in bytes"), in: Self.positions),
                    cursorEnd: try words.integer(
                        localized("a position in bytes"), in: Self.positions))
            }
        } while !words.isAtEnd
    }

    var scriptText: String {
        var parts: [String] = []
        if deletionBefore > 0 || deletionAfter > 0 {
            let most = Self.lengths.upperBound
            parts.append("delete \(min(deletionBefore, most)) \(min(deletionAfter, most))")
        }
        if !commit.isEmpty { parts.append("commit " + ScriptText.word(for: commit)) }
        if let preedit {
            let cursor = preedit.cursor.map { "\($0.lowerBound) \($0.upperBound)" } ?? "-1 -1"
            parts.append("preedit \(ScriptText.word(for: preedit.text)) \(cursor)")
        }
        return parts.isEmpty ? Part.reset.rawValue : parts.joined(separator: " ")
    }
}
