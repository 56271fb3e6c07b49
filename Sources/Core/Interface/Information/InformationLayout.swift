import SceneModel

/// The text of the information panel, laid out in lines for a given width.
struct InformationLayout: Hashable, Sendable {
    struct Line: Hashable, Sendable {
        /// The top of the line, from the top of the panel's content, in logical pixels.
        var y: Double
        /// The height of the line, in logical pixels; a value may take several lines of text.
        var height: Double
        var label = ""
        var text = ""
        var isHeading = false
    }

    private(set) var lines: [Line] = []
    /// The height of the content, padding included, in logical pixels.
    private(set) var height = 0.0

    /// Sizes in logical pixels: font size, width of the label column, padding above and below the
    /// content, space below a line.
    static let textSize = 14.0
    static let labelWidth = 116.0
    static let padding = 12.0
    private static let lineGap = 5.0
    /// The margin that the painter leaves on either side of a text, in logical pixels.
    static let textMargin = 18.0
    private static let sectionGap = 8.0
    /// A value of more lines is shortened.
    static let mostLines = 40

    /// `width` is the width of the panel, in logical pixels.
    init(_ information: Information, width: Double, _ measure: TextMeasurement) {
        let valueWidth = max(width - Self.labelWidth - 2 * Self.textMargin, 1)
        let style = TextStyle(size: Self.textSize, lines: Self.mostLines)
        var y = Self.padding
        func add(_ line: Line) {
            lines.append(line)
            y += line.height + Self.lineGap
        }
        for (number, section) in information.sections.enumerated() {
            if number > 0 { y += Self.sectionGap }
            let heading = TextStyle(size: Self.textSize, weight: .bold)
            let height = measure(section.title, heading).height
            add(Line(y: y, height: height, text: section.title, isHeading: true))
            for row in section.rows {
                let height = measure(row.value, style, width: valueWidth).height
                add(Line(y: y, height: height, label: row.label, text: row.value))
            }
        }
        height = y + Self.padding
    }
}
