/// What the desktop is set to, as far as it concerns the viewer.
///
/// Unknown settings, and values that make no sense, are ignored.
package struct DesktopSettings: Hashable, Sendable {
    package enum ColorScheme: Hashable, Sendable { case noPreference, dark, light }

    /// A colour of sRGB; components are in 0…1.
    package struct Color: Hashable, Sendable {
        package var red: Double
        package var green: Double
        package var blue: Double
    }

    package var colorScheme = ColorScheme.noPreference
    /// Nil where the desktop has no accent colour.
    package var accentColor: Color?
    /// The factor by which texts are larger than usual.
    package var textScale = 1.0
    package var enablesAnimations = true
    /// The size of the cursor in logical pixels, and the name of its theme; nil where the desktop has none.
    package var cursorSize: Int?
    package var cursorTheme: String?
    /// The buttons of a window's title bar.
    package var buttons = WindowButtons()
    /// Whether contrast is high by either of the two settings that desktops have for it.
    package var hasHighContrast: Bool { prefersContrast || usesContrastTheme }
    /// Whether the person uses a screen reader.
    package var usesScreenReader = false

    private var prefersContrast = false
    private var usesContrastTheme = false

    /// The text scales that desktops offer, with a margin.
    static let textScales = 0.5...3.0
    /// The cursor sizes that desktops offer, with a margin.
    static let cursorSizes = 8...256
    /// The longest name of a cursor theme, in bytes: that of a folder.
    private static let longestName = 255

    package init() {}

    /// The settings in the answer to `ReadAll`: dictionaries of values by namespace and key.
    init(all answer: BusValue) {
        for (namespace, values) in answer.tuple?.first?.dictionary ?? [:] {
            for (key, value) in values.dictionary ?? [:] { set(namespace, key, value) }
        }
    }

    /// The namespaces that are read.
    static let namespaces = [
        appearance, "org.gnome.desktop.interface", "org.gnome.desktop.a11y.interface",
        "org.gnome.desktop.wm.preferences", applications,
    ]

    private static let appearance = "org.freedesktop.appearance"
    private static let applications = "org.gnome.desktop.a11y.applications"

    /// Applies the parameters of `SettingChanged`: namespace, key and value.
    mutating func apply(change: BusValue) {
        guard let parameters = change.tuple, parameters.count == 3,
            let namespace = parameters[0].text, let key = parameters[1].text
        else { return }
        set(namespace, key, parameters[2])
    }

    private mutating func set(_ namespace: String, _ key: String, _ value: BusValue) {
        switch (namespace, key) {
        case (Self.appearance, "color-scheme"):
            if let scheme = value.integer.flatMap(Self.colorScheme) { colorScheme = scheme }
        case (Self.appearance, "contrast"):
            if let contrast = value.integer { prefersContrast = contrast == 1 }
        case (Self.appearance, "accent-color"):
            if let components = value.tuple { accentColor = Color(components) }
        case ("org.gnome.desktop.interface", "text-scaling-factor"):
            if let scale = value.double, Self.textScales.contains(scale) { textScale = scale }
        case ("org.gnome.desktop.interface", "cursor-size"):
            if let size = value.integer, Self.cursorSizes.contains(size) { cursorSize = size }
        case ("org.gnome.desktop.interface", "cursor-theme"):
            if let name = value.text, Self.isFolderName(name) { cursorTheme = name }
        case ("org.gnome.desktop.interface", "enable-animations"):
            if let isEnabled = value.bool { enablesAnimations = isEnabled }
        case ("org.gnome.desktop.a11y.interface", "high-contrast"):
            if let isHigh = value.bool { usesContrastTheme = isHigh }
        case (Self.applications, "screen-reader-enabled"):
            if let isEnabled = value.bool { usesScreenReader = isEnabled }
        case ("org.gnome.desktop.wm.preferences", "button-layout"):
            if let layout = value.text { buttons = WindowButtons(layout) ?? buttons }
        default: break
        }
    }

    private static func isFolderName(_ name: String) -> Bool {
        (1...longestName).contains(name.utf8.count) && !name.hasPrefix(".")
            && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 < 32 }
    }

    /// An unknown number means that there is no preference, as the portal's documentation says.
    private static func colorScheme(_ number: Int) -> ColorScheme {
        switch number {
        case 1: .dark
        case 2: .light
        default: .noPreference
        }
    }
}

extension DesktopSettings.Color {
    /// Nil unless there are three components in 0…1; others say that there is no colour.
    init?(_ components: [BusValue]) {
        let numbers = components.compactMap(\.double)
        guard numbers.count == 3, components.count == 3,
            numbers.allSatisfy({ (0...1).contains($0) })
        else { return nil }
        (red, green, blue) = (numbers[0], numbers[1], numbers[2])
    }
}

/// The buttons at both ends of a window's title bar, from left to right.
package struct WindowButtons: Hashable, Sendable {
    package enum Button: String, Hashable, Sendable, CaseIterable {
        case menu, minimize, maximize, close
    }

    package var left: [Button] = []
    package var right: [Button] = [.minimize, .maximize, .close]

    package init() {}

    /// The longest layout that is read, in bytes.
    private static let longest = 256

    /// Reads a layout such as "appmenu:minimize,close": names at the left end, a colon, names at the
    /// right end.
    ///
    /// Unknown names are left out, such as those of buttons that the viewer lacks; of equal names the
    /// first counts. Nil for a text that is no layout.
    init?(_ layout: String) {
        guard layout.utf8.count <= Self.longest else { return nil }
        let ends = layout.split(separator: ":", omittingEmptySubsequences: false)
        guard ends.count <= 2 else { return nil }
        var known: Set<Button> = []
        let buttons = ends.map { end in
            end.split(separator: ",").compactMap { name in
                Button(rawValue: String(name.filter { $0 != " " }))
            }.filter { known.insert($0).inserted }
        }
        left = buttons[0]
        right = buttons.count == 2 ? buttons[1] : []
    }
}
