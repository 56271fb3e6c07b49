import Localization

/// Texts of others, made fit to be shown.
package enum PrintableText {
    /// The joiners of scripts and emoji, and the marks that only say the direction of their own place.
    private static let harmless: Set<Unicode.Scalar> = [
        "\u{200C}", "\u{200D}", "\u{200E}", "\u{200F}", "\u{61C}",
    ]

    /// A text in which U+FFFD stands for each character that could control a terminal or reverse the
    /// direction of the text around it.
    ///
    /// Isolates stay, since a sentence has them around names, and end in the text.
    package static func text(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .format where harmless.contains(scalar) || scalar.isIsolate:
                result.append(scalar)
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse:
                result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result).withWholeIsolates
    }
}
