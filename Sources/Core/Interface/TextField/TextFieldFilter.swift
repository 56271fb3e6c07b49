/// Which characters a text field accepts.
package enum TextFieldFilter: Hashable, Sendable {
    case any
    /// A percentage: decimal digits, one kind of decimal separator and "%".
    ///
    /// Digits and percent signs of other scripts become ASCII, and the usual separators become
    /// `decimalSeparator`, since keypads and on-screen keyboards do not follow the locale.
    case percentage(decimalSeparator: Character)

    /// The character to insert for a typed one; nil if it is not accepted.
    func character(for typed: Character) -> Character? {
        switch self {
        case .any: return typed
        case .percentage(let separator):
            if let digit = typed.wholeNumberValue, (0...9).contains(digit), typed.isDecimal {
                return Character(String(digit))
            }
            if typed == separator { return typed }
            return switch typed {
            case "%", "٪", "％", "﹪": "%"
            case ".", ",", "٫", "．", "，": separator
            default: nil
            }
        }
    }
}

extension Character {
    /// Whether the character is a decimal digit of some script, and not "²" or "五".
    fileprivate var isDecimal: Bool {
        unicodeScalars.first?.properties.generalCategory == .decimalNumber
    }
}
