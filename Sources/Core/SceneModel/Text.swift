/// How a text is laid out.
package struct TextStyle: Hashable, Sendable {
    package enum Weight: Hashable, Sendable { case regular, bold }

    /// The base direction of a text, which orders the parts of the text.
    package enum Direction: Hashable, Sendable {
        /// The direction of the first letter: for a text that is a name, a number, or comes from a file.
        case content
        /// The direction of the interface's language: for sentences, which may have names of any script.
        case leftToRight, rightToLeft
    }

    /// The size of the font, in logical pixels.
    package var size: Double
    package var weight: Weight
    /// The most lines.
    ///
    /// With one line, a text that is too wide loses its middle. With more lines the text is wrapped,
    /// and loses its end.
    package var lines: Int
    /// Whether all digits have the same width, for numbers that change in place.
    package var hasTabularDigits: Bool
    /// Whether each line of several is centred in the width of the text.
    package var isCentered: Bool
    package var direction: Direction

    package init(
        size: Double, weight: Weight = .regular, lines: Int = 1, hasTabularDigits: Bool = false,
        isCentered: Bool = false, direction: Direction = .content
    ) {
        self.size = size
        self.weight = weight
        self.lines = lines
        self.hasTabularDigits = hasTabularDigits
        self.isCentered = isCentered
        self.direction = direction
    }

    /// The style for texts that have a direction of their own.
    package var ofContent: TextStyle {
        var style = self
        style.direction = .content
        return style
    }
}

/// The measures of a text that is laid out, in logical pixels.
package struct TextExtents: Hashable, Sendable {
    package var width: Double
    package var height: Double
    /// The distance from the top to the first baseline.
    package var baseline: Double
    package var lines: Int
    /// Whether a part of the text is left out.
    package var isShortened: Bool

    package init(
        width: Double, height: Double, baseline: Double, lines: Int = 1, isShortened: Bool = false
    ) {
        self.width = width
        self.height = height
        self.baseline = baseline
        self.lines = lines
        self.isShortened = isShortened
    }
}

/// Measures texts; the core has no fonts.
package protocol TextMeasurer: Sendable {
    /// The measures of `text` in at most `width` logical pixels; nil is no limit.
    func measure(_ text: String, _ style: TextStyle, width: Double?) -> TextExtents
}

/// A measurer as a part of values that are compared: all measurers count as equal, because a program
/// has only one.
package struct TextMeasurement: Hashable, Sendable {
    private let measurer: any TextMeasurer

    package init(_ measurer: any TextMeasurer) { self.measurer = measurer }

    /// See `TextMeasurer.measure`.
    package func callAsFunction(
        _ text: String, _ style: TextStyle, width: Double? = nil
    ) -> TextExtents {
        measurer.measure(text, style, width: width)
    }

    package static func == (_: TextMeasurement, _: TextMeasurement) -> Bool { true }
    package func hash(into _: inout Hasher) {}
}
