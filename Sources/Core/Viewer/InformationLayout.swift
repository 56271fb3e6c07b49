/// The text of the information panel, broken into lines for a given width.
///
/// The core has no fonts, so it estimates the width of a text, rather too wide than too narrow. The
/// painter shortens a line that is too wide nevertheless.
struct InformationLayout: Hashable, Sendable {
    struct Line: Hashable, Sendable {
        /// The top of the line, from the top of the panel's content, in logical pixels.
        var y: Double
        var label = ""
        var text = ""
        var isHeading = false
    }

    private(set) var lines: [Line] = []
    /// The height of the content, padding included, in logical pixels.
    private(set) var height = 0.0

    /// Sizes in logical pixels: font size, line height, width of the label column, padding above
    /// and below the content.
    static let textSize = 14.0
    static let lineHeight = 23.0
    static let labelWidth = 116.0
    static let padding = 12.0
    /// The margin that the painter leaves on either side of a text, in logical pixels.
    static let textMargin = 18.0
    private static let sectionGap = 8.0
    /// A value of more lines is truncated.
    private static let mostLines = 40

    init(_ information: Information, width: Double) {
        let valueWidth = width - Self.labelWidth - 2 * Self.textMargin
        var y = Self.padding
        for (number, section) in information.sections.enumerated() {
            if number > 0 { y += Self.sectionGap }
            lines.append(Line(y: y, text: section.title, isHeading: true))
            y += Self.lineHeight
            for row in section.rows {
                var label = row.label
                for text in Self.wrapped(row.value, into: valueWidth) {
                    lines.append(Line(y: y, label: label, text: text))
                    label = ""
                    y += Self.lineHeight
                }
            }
        }
        height = y + Self.padding
    }

    /// Breaks a text into lines at spaces, and inside a word that is wider than a line.
    ///
    /// `width` is in logical pixels.
    static func wrapped(_ text: String, into width: Double) -> [String] {
        var (lines, line, used) = ([String](), "", 0.0)
        func close() {
            if !line.isEmpty { lines.append(line) }
            (line, used) = ("", 0)
        }
        for word in text.split(separator: " ") {
            let wordWidth = self.width(of: word)
            if used > 0, used + spaceWidth + wordWidth > width { close() }
            if !line.isEmpty {
                line += " "
                used += spaceWidth
            }
            for character in word {
                let advance = self.width(of: character)
                if used > 0, used + advance > width { close() }
                line.append(character)
                used += advance
            }
            if lines.count >= mostLines { break }
        }
        close()
        guard lines.count > mostLines else { return lines }
        return lines.prefix(mostLines - 1) + [lines[mostLines - 1] + "…"]
    }

    private static let spaceWidth = 0.32 * textSize

    private static func width(of text: Substring) -> Double {
        text.reduce(0) { $0 + width(of: $1) }
    }

    /// The approximate advance of a character in common sans-serif fonts, in logical pixels.
    private static func width(of character: Character) -> Double {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        let ems =
            switch scalar.value {
            case 0x1100...0x11FF, 0x2E80...0xD7FF, 0xF900...0xFAFF, 0xFE30...0xFE6F,
                0xFF00...0xFF60, 0x1F300...0x3FFFF:
                1.0
            case 0x66, 0x69...0x6A, 0x6C, 0x72, 0x74, 0x21, 0x27...0x29, 0x2C, 0x2E...0x2F,
                0x3A...0x3B, 0x49:
                0.42
            case 0x6D, 0x77, 0x4D, 0x57, 0x40: 1.0
            case 0x41...0x5A, 0x2605...0x2606: 0.74
            default: 0.64
            }
        return ems * textSize
    }
}
