import CCairo
import Geometry
import SceneModel

/// Text without Pango or without fonts: the printable ASCII characters from patterns of 5 × 7 dots,
/// and a question mark for every other character.
enum PlainText {
    /// The rows of each character from the space to the tilde, from top to bottom.
    ///
    /// A row is a digit of base 32, whose highest bit is the left dot.
    private static let patterns: [[UInt8]] =
        """
        0000000 4444404 aaa0000 aavavaa 4fke5u4 op248j3 cik8lid 4480000 2488842 8422248 04lel40
        044v440 0000448 000v000 00000cc 01248g0 ehjlphe 4c4444e eh1248v v2421he 26aiv22 vgu11he
        68guhhe v124888 ehhehhe ehhf12c 0cc0cc0 0cc0448 248g842 00v0v00 8421248 eh12404 eh1dlle
        ehhvhhh uhhuhhu ehggghe sihhhis vgguggv vgguggg ehgnhhf hhhvhhh e44444e 72222ic hikokih
        ggggggv hrllhhh hhpljhh ehhhhhe uhhuggg ehhhlid uhhukih fgge11u v444444 hhhhhhe hhhhha4
        hhhllla hha4ahh hhha444 v1248gv e88888e 0g84210 e22222e 4ah0000 000000v 8420000 00e1fhf
        ggmphhu 00egghe 11djhhf 00ehvge 698s888 0fhhf1e ggmphhh 40c444e 20622ic ggikoki c44444e
        00qllhh 00mphhh 00ehhhe 00uhugg 00djf11 00mpggg 00ege1u 88s8896 00hhhjd 00hhha4 00hhlla
        00ha4ah 00hhf1e 00v248v 2448442 4444444 8442448 008l200
        """.split(whereSeparator: { $0 == " " || $0 == "\n" }).map { pattern in
            pattern.utf8.map { $0 < 58 ? $0 - 48 : $0 - 87 }
        }

    /// Lengths in dots: the advance of a character, the distance of lines, the height above the
    /// baseline.
    private static let advance = 6.0
    private static let lineHeight = 12.0
    private static let ascent = 9.0
    private static let height = 7.0
    /// The dots of a font's size.
    private static let dotsPerSize = 10.0

    static func measure(_ text: String, _ style: TextStyle, _ width: Double?) -> TextExtents {
        let dot = style.size / dotsPerSize
        let (lines, isShortened) = lines(of: text, style, width)
        return TextExtents(
            width: Double(lines.map(\.count).max() ?? 0) * advance * dot,
            height: Double(lines.count) * lineHeight * dot, baseline: ascent * dot,
            lines: lines.count, isShortened: isShortened)
    }

    static func paint(
        _ text: String, _ style: TextStyle, _ width: Double?, at origin: Point,
        into cairo: OpaquePointer
    ) {
        let dot = style.size / dotsPerSize
        let lines = lines(of: text, style, width).lines
        let longest = lines.map(\.count).max() ?? 0
        for (number, line) in lines.enumerated() {
            let top = origin.y + (Double(number) * lineHeight + ascent - height) * dot
            let indent = style.isCentered ? Double(longest - line.count) / 2 : 0
            for (place, character) in line.enumerated() {
                let left = origin.x + (Double(place) + indent) * advance * dot
                addDots(of: character, at: Point(x: left, y: top), dot, cairo)
            }
        }
        cairo_fill(cairo)
    }

    private static func addDots(
        of character: Character, at corner: Point, _ dot: Double, _ cairo: OpaquePointer
    ) {
        for (row, bits) in pattern(of: character).enumerated() {
            for column in 0..<5 where bits >> (4 - column) & 1 != 0 {
                cairo_rectangle(
                    cairo, corner.x + Double(column) * dot, corner.y + Double(row) * dot, dot, dot)
            }
        }
    }

    /// The characters beyond ASCII that the program itself shows.
    private static let substitutes: [Character: Character] = [
        "✕": "x", "×": "x", "…": ".", "–": "-", "−": "-", "★": "*", "☆": "-", "°": "'",
        "\u{A0}": " ", "\u{202F}": " ",
    ]

    private static func pattern(of character: Character) -> [UInt8] {
        let known = (substitutes[character] ?? character).asciiValue.flatMap {
            (32..<127).contains($0) ? Int($0) : nil
        }
        return patterns[(known ?? 63) - 32]
    }

    /// The lines of a text in `width` logical pixels, broken between any two characters.
    private static func lines(
        of text: String, _ style: TextStyle, _ width: Double?
    ) -> (lines: [[Character]], isShortened: Bool) {
        // What has no looks by Unicode, such as isolates, has no letter here.
        let characters = text.display.filter {
            !$0.unicodeScalars.allSatisfy(\.properties.isDefaultIgnorableCodePoint)
        }.map(\.self)
        guard let width else { return ([characters], false) }
        let most = max(Int(clamping: width / (advance * style.size / dotsPerSize)), 1)
        guard characters.count > most else { return ([characters], false) }
        if style.lines <= 1 {
            guard most > 3 else { return ([Array(characters.prefix(most))], true) }
            let head = (most - 2) / 2
            return ([characters.prefix(head) + ".." + characters.suffix(most - 2 - head)], true)
        }
        let starts = stride(from: 0, to: characters.count, by: most).prefix(style.lines)
        let lines = starts.map { Array(characters[$0..<min($0 + most, characters.count)]) }
        return (lines, style.lines * most < characters.count)
    }
}
