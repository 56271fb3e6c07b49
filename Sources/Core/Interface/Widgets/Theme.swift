package import SceneModel

/// The colours, lengths and type sizes of the interface.
package struct Theme: Hashable, Sendable {
    package enum Scheme: String, Hashable, Sendable, CaseIterable { case dark, light }

    private let scheme: Scheme
    private let isHighContrast: Bool
    package let accent: Color
    /// The factor of the desktop's text size.
    package let textScale: Double
    package let isRightToLeft: Bool

    /// The smallest side of a touch target, in logical pixels.
    package static let target = 48.0
    /// The side of an icon, in logical pixels.
    package static let icon = 24.0
    package static let radius = 12.0
    package static let largeRadius = 16.0
    /// The width of the line around the widget with the focus, in logical pixels.
    package static let focusWidth = 2.0
    /// The type sizes before the desktop's factor, in logical pixels.
    private static let (small, body, title) = (12.5, 15.0, 15.0)
    static let textScales = 0.5...3.0
    /// A larger title does not fit into a bar, in logical pixels.
    private static let largestTitle = 32.0

    /// Makes a theme; `textScale` is limited to 0.5…3.
    ///
    /// Without an `accent` the accent is blue. In high contrast on dark grounds it is always yellow.
    package init(
        _ scheme: Scheme = .dark, isHighContrast: Bool = false, accent: Color? = nil,
        textScale: Double = 1, isRightToLeft: Bool = false
    ) {
        self.scheme = scheme
        self.isHighContrast = isHighContrast
        self.accent =
            isHighContrast && scheme == .dark
            ? Color(red: 1, green: 0.85, blue: 0)
            : accent ?? Color(red: 0.11, green: 0.44, blue: 0.85)
        self.textScale = min(
            max(textScale.isFinite ? textScale : 1, Self.textScales.lowerBound),
            Self.textScales.upperBound)
        self.isRightToLeft = isRightToLeft
    }

    /// The theme with larger texts.
    package func enlarged(by factor: Double) -> Theme {
        Theme(
            scheme, isHighContrast: isHighContrast, accent: accent, textScale: textScale * factor,
            isRightToLeft: isRightToLeft)
    }

    /// The spaces between the parts of the interface and around its texts, in logical pixels.
    ///
    /// There are no others, so that all parts have one rhythm.
    package enum Space {
        /// Between a text and a second line that belongs to the text.
        package static let line = 2.0
        /// Between a row or field and its visible edge, and between rows of one section.
        package static let row = 4.0
        /// Between widgets, and between bars and the edge of the surface.
        package static let widget = 8.0
        /// Between parts of a sheet, and beside the text of a small ground.
        package static let part = 12.0
        /// Beside the text of a bar, a row, a message and a narrow sheet.
        package static let text = 16.0
        /// Beside the text of a wide sheet, and around the frame of a crop.
        package static let sheet = 24.0
    }

    // MARK: Colours

    // The colours are computed: a theme is part of many values that are copied with every event.

    private var isDark: Bool { scheme == .dark }

    /// The colour of texts, with one opacity for usual and one for high contrast.
    private func front(_ alpha: Double, _ highContrast: Double = 1) -> Color {
        .gray(isDark ? 1 : 0, isHighContrast ? highContrast : alpha)
    }

    /// Behind texts and icons that lie over pictures: legible on white, black and noise.
    package var ground: Color {
        .gray(isDark ? 0.09 : 0.98, isHighContrast ? 1 : isDark ? 0.78 : 0.88)
    }
    /// Behind long texts and menus: nothing shines through.
    package var denseGround: Color { .gray(isDark ? 0.12 : 0.97) }
    /// The opaque colour of the page that the grid and status pages lie on.
    package var page: Color { .gray(isDark ? 0 : isHighContrast ? 1 : 0.94) }
    /// The colour of a cell of the grid whose picture is still unknown.
    package var blank: Color { .gray(isDark ? 0.13 : 0.84) }
    package var text: Color { front(0.95) }
    package var dimText: Color { front(isDark ? 0.7 : 0.65) }
    package var icon: Color { front(0.95) }
    package var hovered: Color { front(0.12, 0.25) }
    package var pressed: Color { front(0.24, 0.4) }
    /// The accent for marks on the ground, where dark blue would not show.
    package var accentOnGround: Color {
        isDark && accent.contrast(with: .gray(0.09)) < 4.5
            ? Color(
                red: (accent.red + 1) / 2, green: (accent.green + 1) / 2,
                blue: (accent.blue + 1) / 2) : accent
    }
    /// Text and icons on the accent colour.
    package var onAccent: Color { accent.legible }
    /// Behind the texts of buttons that lose something.
    package var danger: Color { Color(red: 0.74, green: 0.11, blue: 0.14) }
    /// Texts that say why something cannot be done.
    package var problem: Color {
        isDark
            ? Color(red: 1, green: 0.62, blue: 0.58) : Color(red: 0.66, green: 0.05, blue: 0.08)
    }
    package var separator: Color { front(0.15) }
    /// The edge of bars and buttons: it separates them from a picture of the same colour.
    package var border: Color { front(0.15) }
    package var focus: Color { isHighContrast ? accent : front(0.9) }

    // MARK: Type sizes

    package var small: TextStyle {
        TextStyle(size: Self.small * textScale, direction: direction)
    }
    package var body: TextStyle {
        TextStyle(size: Self.body * textScale, direction: direction)
    }
    package var title: TextStyle {
        TextStyle(
            size: min(Self.title * textScale, Self.largestTitle), weight: .bold,
            direction: direction)
    }
    private var direction: TextStyle.Direction { isRightToLeft ? .rightToLeft : .leftToRight }
    package var number: TextStyle {
        TextStyle(size: Self.body * textScale, hasTabularDigits: true, direction: direction)
    }

    /// The style of the text of a field, which has to fit into the height of the field in logical pixels.
    package func field(height: Double) -> TextStyle {
        var style = number
        style.size = min(style.size, height / Self.fieldHeight)
        return style
    }

    /// The least height of a field, as a multiple of its text size.
    private static let fieldHeight = 1.6

    /// The styles of the texts in bars, menus and sheets, without their numbers of lines.
    package var textStyles: [TextStyle] { [title, body, small, number] }

    /// The height of a row with one line of text, in logical pixels.
    package var row: Double { max(Self.target, (Self.body * 2 * textScale).rounded(.up)) }
    /// The height of a row with two lines of text.
    package var doubleRow: Double {
        max(Self.target, ((Self.body + Self.small) * 1.5 * textScale).rounded(.up))
    }
}
