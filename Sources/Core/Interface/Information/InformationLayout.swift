import Geometry
import SceneModel

/// The content of the information panel, laid out for a given width: headings, and rows of a label
/// and a value.
///
/// Labels are beside their values, or above them where little room is left. Lengths are in logical
/// pixels.
struct InformationLayout: Hashable, Sendable {
    /// Headings and rows from the top; rectangles are relative to the upper left corner of the content.
    private(set) var rows: [Widget] = []
    /// The height of the content, padding included.
    private(set) var height = 0.0

    /// The distance between texts and the sides of the panel.
    static let padding = Theme.Space.text
    /// The space between a label and the value beside it.
    private static let columnGap = Theme.Space.text
    /// The space between a label and the value below it.
    private static let lineGap = Theme.Space.line
    private static let rowGap = Theme.Space.row
    private static let sectionGap = Theme.Space.part
    /// Rows begin at multiples of this.
    ///
    /// At scales in whole quarters, the tops of all rows are then the same fraction of a device pixel,
    /// so that all rows are rounded in the same direction and keep their distances while they scroll.
    private static let grid = 4.0
    /// The largest part of the width that labels take.
    private static let largestLabelShare = 0.4
    /// Labels are above values that would be narrower than this multiple of the text size.
    private static let narrowestValue = 10.0
    /// A text of more lines is shortened.
    static let mostLines = 40

    private let theme: Theme
    private let text: TextMeasurement
    /// The width of the texts.
    private let inner: Double
    /// The width of the labels beside the values; nil where the labels are above the values.
    private let labelWidth: Double?

    /// `width` is the width of the panel.
    init(_ information: Information, width: Double, _ theme: Theme, _ text: TextMeasurement) {
        self.theme = theme
        self.text = text
        inner = max(width - 2 * Self.padding, 1)
        let widest =
            information.sections.flatMap(\.rows)
            .map { text($0.label, theme.small).width.rounded(.up) + 1 }.max() ?? 0
        let labels = min(widest, (inner * Self.largestLabelShare).rounded(.down))
        let values = inner - labels - Self.columnGap
        labelWidth = values < theme.body.size * Self.narrowestValue ? nil : labels
        for (number, section) in information.sections.enumerated() {
            if number > 0 { height += Self.sectionGap }
            add(heading(section.title, number))
            for (place, row) in section.rows.enumerated() {
                add(self.row(row, "information/\(number)/\(place)"))
            }
        }
        height += Theme.Space.widget
        if theme.isRightToLeft { rows = rows.map { $0.mirrored(onWidth: width) } }
    }

    private mutating func add(_ row: Widget) {
        rows.append(row)
        height = ((row.rect.maxY + Self.rowGap) / Self.grid).rounded(.up) * Self.grid
    }

    private func heading(_ title: String, _ number: Int) -> Widget {
        Widget(
            "information/\(number)", .heading, title,
            rect: Rect(
                x: Self.padding, y: height, width: inner,
                height: text(title, theme.title, width: inner).height),
            face: .text(title, .title, .leading))
    }

    /// A row at the current end of the content.
    private func row(_ row: Information.Row, _ id: String) -> Widget {
        if row.isButton { return button(row, id) }
        let (label, value) =
            labelWidth.map { besideEachOther(row, id, labelWidth: $0) } ?? stacked(row, id)
        let (top, bottom) = (
            min(label.rect.y, value.rect.y), max(label.rect.maxY, value.rect.maxY)
        )
        // A finger needs more than a line; what lies above does not react.
        let above = row.action == nil ? 0 : max(Theme.target - (bottom - top), 0)
        return Widget(
            id, .listItem, row.label, description: row.value,
            rect: Rect(x: Self.padding, y: top - above, width: inner, height: bottom - top + above),
            states: row.action == nil ? [] : .focusable, action: row.action,
            children: [label, value])
    }

    /// A button with the width of its text, below the values.
    private func button(_ row: Information.Row, _ id: String) -> Widget {
        let start = labelWidth.map { $0 + Self.columnGap } ?? 0
        let wish = text(row.value, theme.body).width.rounded(.up) + 3 * Theme.Space.text
        return Widget(
            id, .pushButton, row.value,
            rect: Rect(
                x: Self.padding + start, y: height, width: min(wish, inner - start),
                height: Theme.target),
            states: .focusable, action: row.action, face: .button(row.value, isProminent: false))
    }

    private func stacked(_ row: Information.Row, _ id: String) -> (label: Widget, value: Widget) {
        let label = paragraph(id + "/label", row.label, .small, x: 0, width: inner)
        var value = paragraph(id + "/value", row.value, .value, x: 0, width: inner)
        value.rect.y = label.rect.maxY + Self.lineGap
        return (label, value)
    }

    /// A label and a value whose first lines have the same baseline.
    private func besideEachOther(
        _ row: Information.Row, _ id: String, labelWidth: Double
    ) -> (label: Widget, value: Widget) {
        let start = labelWidth + Self.columnGap
        var label = paragraph(id + "/label", row.label, .small, x: 0, width: labelWidth)
        var value = paragraph(id + "/value", row.value, .value, x: start, width: inner - start)
        let difference =
            baseline(row.value, .value, value.rect) - baseline(row.label, .small, label.rect)
        label.rect.y += max(difference, 0)
        value.rect.y += max(-difference, 0)
        return (label, value)
    }

    private func baseline(_ string: String, _ role: Widget.TextRole, _ rect: Rect) -> Double {
        text(string, style(role), width: rect.width).baseline
    }

    private func paragraph(
        _ id: String, _ string: String, _ role: Widget.TextRole, x: Double, width: Double
    ) -> Widget {
        Widget(
            id, .label, string,
            rect: Rect(
                x: Self.padding + x, y: height, width: width,
                height: text(string, style(role), width: width).height),
            face: .paragraph(string, role, lines: Self.mostLines, .leading))
    }

    private func style(_ role: Widget.TextRole) -> TextStyle {
        var style = theme.style(role)
        style.lines = Self.mostLines
        return style
    }
}
