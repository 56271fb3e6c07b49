package import Localization

/// A language for tests: the English texts, longer and with accents.
package enum PseudoLocale {
    package static let translator = Translator(
        text: { longer($0) }, plural: { one, many, count in longer(count == 1 ? one : many) },
        signs: NumberSigns(decimal: ",", group: "."))

    /// A text that is longer by two fifths; the codes of values stay.
    private static func longer(_ text: String) -> String {
        let accented = text.map { letter -> Character in
            switch letter {
            case "a": "å"
            case "e": "é"
            case "o": "ö"
            case "u": "û"
            default: letter
            }
        }
        return "⟦" + String(accented) + String(repeating: "·", count: 1 + text.count * 2 / 5) + "⟧"
    }
}
