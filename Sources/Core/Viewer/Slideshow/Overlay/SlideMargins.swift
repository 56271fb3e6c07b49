import Geometry
package import SceneModel

/// What a slideshow shows beside a picture that does not fill the surface: `slideshow.margins`.
package enum SlideMargins: Hashable, Sendable {
    /// The picture itself, enlarged and blurred.
    case blurred
    case color(Color)

    static let black = SlideMargins.color(.black(1))
    static let values = "black|blurred|#rrggbb"

    /// Nil for any other text.
    init?(_ text: String) {
        switch text {
        case "black": self = .black
        case "blurred": self = .blurred
        default:
            let digits = text.dropFirst()
            guard text.first == "#", digits.utf8.count == 6,
                digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let number = Int(digits, radix: 16)
            else { return nil }
            func part(_ shift: Int) -> Double { Double(number >> shift & 255) / 255 }
            self = .color(Color(red: part(16), green: part(8), blue: part(0)))
        }
    }

    /// The text of the value in a settings file.
    var text: String {
        guard case .color(let color) = self else { return "blurred" }
        if self == .black { return "black" }
        return "#"
            + [color.red, color.green, color.blue].map { part in
                let digits = String(Int(clamping: (part * 255).rounded()), radix: 16)
                return digits.count < 2 ? "0" + digits : digits
            }.joined()
    }
}
