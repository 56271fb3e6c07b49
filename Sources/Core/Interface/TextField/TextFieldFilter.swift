/// Which characters a text field accepts.
package enum TextFieldFilter: Hashable, Sendable {
    case any
    /// A percentage: decimal digits, one kind of decimal separator and "%".
    ///
    /// Digits and percent signs of other scripts become ASCII, and the usual separators become
    /// `decimalSeparator`, since keypads and on-screen keyboards do not follow the locale.
    case percentage(decimalSeparator: Unicode.Scalar)

    /// The character to insert for a typed one; nil if it is not accepted.
    func character(for typed: Character) -> Character? {
        switch self {
        case .any: return typed
        case .percentage(let separator):
            // Scalars are compared, since a comparison of characters normalizes both of them first.
            guard let scalar = typed.unicodeScalars.first, typed.unicodeScalars.count == 1 else {
                return nil
            }
            // "²" and "五" are numbers, too, but no decimal digits.
            if scalar.properties.generalCategory == .decimalNumber {
                return typed.wholeNumberValue.map { Character(String($0)) }
            }
            if scalar == separator { return typed }
            return switch scalar {
            case "%", "٪", "％", "﹪": "%"
            case ".", ",", "٫", "．", "，": Character(separator)
            default: nil
            }
        }
    }
}
