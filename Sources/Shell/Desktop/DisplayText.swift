import ImageWire
import Localization

/// Texts of other programs, made fit for a message.
package enum DisplayText {
    /// The longest line, in characters.
    private static let longest = 200

    /// The first line that is not empty, shortened; control and formatting characters, which could change
    /// the text around them, become replacement characters.
    package static func line(_ text: String) -> String {
        let lines = text.prefix(1 << 16).split(whereSeparator: \.isNewline)
        let line = lines.lazy.map { plain($0) }.first { !$0.isEmpty } ?? ""
        return line.count > longest ? (line.prefix(longest) + "…").withWholeIsolates : line
    }

    private static func plain(_ line: Substring) -> String {
        let spaced = String(line.map { $0 == "\t" ? " " : $0 })
        let words = PrintableText.text(spaced).split(
            separator: " ", omittingEmptySubsequences: true)
        return words.joined(separator: " ")
    }
}
