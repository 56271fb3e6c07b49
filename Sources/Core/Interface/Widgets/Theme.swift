package import SceneModel

/// The colours, lengths and type sizes of the interface.
package struct Theme: Hashable, Sendable {
    package enum Scheme: String, Hashable, Sendable, CaseIterable { case dark, light }

    /// Behind texts and icons that lie over pictures: legible on white, black and noise.
    package var ground: Color
    /// Behind long texts and menus.
    package var denseGround: Color
    /// The opaque colour of the page that the grid and status pages lie on.
    package var page: Color
    /// The colour of a picture in the grid of which nothing is known yet.
    package var blank: Color
    package var text: Color
    package var dimText: Color
    package var icon: Color
    package var hovered: Color
    package var pressed: Color
    package var accent: Color
    /// Text and icons on the accent colour.
    package var onAccent: Color
    package var separator: Color
    /// The edge of bars and buttons: it separates them from a picture of the same colour.
    package var border: Color
    package var focus: Color
    /// The factor of the desktop's text size.
    package let textScale: Double
    package let isRightToLeft: Bool

    /// The smallest side of a touch target, in logical pixels.
    package static let target = 48.0
    /// The side of an icon, in logical pixels.
    package static let icon = 24.0
    package static let spacing = 8.0
    package static let radius = 12.0
    package static let largeRadius = 16.0
    /// The width of the line around the widget with the focus, in logical pixels.
    package static let focusWidth = 2.0
    /// The type sizes before the desktop's factor, in logical pixels.
    private static let (small, body, title) = (12.5, 15.0, 15.0)
    static let textScales = 0.5...3.0
    /// A larger title does not fit into a bar, in logical pixels.
    private static let largestTitle = 32.0
    /// The largest text scale with which two lines fit into a bar.
    private static let largestForTwoLines = 1.2

    /// Makes a theme; `textScale` is limited to 0.5…3.
    ///
    /// Without an `accent` the accent is blue. In high contrast on dark grounds it is always yellow.
    package init(
        _ scheme: Scheme = .dark, isHighContrast: Bool = false, accent: Color? = nil,
        textScale: Double = 1, isRightToLeft: Bool = false
    ) {
        let isDark = scheme == .dark
        let (back, front) = isDark ? (0.09, 1.0) : (0.98, 0.0)
        ground = .gray(back, isHighContrast ? 1 : isDark ? 0.78 : 0.88)
        denseGround = .gray(isDark ? 0.12 : 0.97, isHighContrast ? 1 : 0.95)
        page = .gray(isDark ? 0 : isHighContrast ? 1 : 0.94)
        blank = .gray(isDark ? 0.13 : 0.84)
        text = .gray(front, isHighContrast ? 1 : 0.95)
        dimText = .gray(front, isHighContrast ? 1 : isDark ? 0.7 : 0.65)
        icon = .gray(front, isHighContrast ? 1 : 0.95)
        hovered = .gray(front, isHighContrast ? 0.25 : 0.12)
        pressed = .gray(front, isHighContrast ? 0.4 : 0.24)
        self.accent =
            isHighContrast && isDark
            ? Color(red: 1, green: 0.85, blue: 0)
            : accent ?? Color(red: 0.11, green: 0.44, blue: 0.85)
        onAccent = self.accent.legible
        separator = .gray(front, isHighContrast ? 1 : 0.15)
        border = .gray(front, isHighContrast ? 1 : 0.15)
        focus = isHighContrast ? self.accent : .gray(front, 0.9)
        self.textScale = min(
            max(textScale.isFinite ? textScale : 1, Self.textScales.lowerBound),
            Self.textScales.upperBound)
        self.isRightToLeft = isRightToLeft
    }

    package var small: TextStyle { TextStyle(size: Self.small * textScale) }
    package var body: TextStyle { TextStyle(size: Self.body * textScale) }
    package var title: TextStyle {
        TextStyle(size: min(Self.title * textScale, Self.largestTitle), weight: .bold)
    }
    /// Whether a bar has room for one line of text only.
    package var isLarge: Bool { textScale > Self.largestForTwoLines }
    package var number: TextStyle {
        TextStyle(size: Self.body * textScale, hasTabularDigits: true)
    }

    /// The height of a row with one line of text, in logical pixels.
    package var row: Double { max(Self.target, (Self.body * 2 * textScale).rounded(.up)) }
    /// The height of a row with two lines of text.
    package var doubleRow: Double {
        max(Self.target, ((Self.body + Self.small) * 1.5 * textScale).rounded(.up))
    }
}
