/// Texts of others, made fit to be shown.
package enum PrintableText {
    /// The joiners of scripts and emoji, which change no direction.
    private static let joiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]

    /// A text in which U+FFFD stands for each character that could control a terminal or reverse the
    /// direction of the text around it.
    package static func text(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .format where joiners.contains(scalar): result.append(scalar)
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse:
                result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
