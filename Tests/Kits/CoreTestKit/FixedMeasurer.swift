package import SceneModel

/// A measurer in which every character is half as wide as the font is high, and lines break anywhere.
package struct FixedMeasurer: TextMeasurer {
    package init() {}

    package func measure(_ text: String, _ style: TextStyle, width: Double?) -> TextExtents {
        let advance = style.size / 2
        let count = text.count
        let most = width.map { max(Int($0 / advance), 1) } ?? max(count, 1)
        let needed = max((count + most - 1) / most, 1)
        let lines = min(needed, style.lines)
        return TextExtents(
            width: Double(min(count, most)) * advance, height: Double(lines) * style.size * 1.25,
            baseline: style.size, lines: lines, isShortened: needed > lines)
    }
}

extension TextMeasurement {
    /// The measurement of tests.
    package static var fixed: TextMeasurement { TextMeasurement(FixedMeasurer()) }
}
