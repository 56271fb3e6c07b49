import Testing

@testable import Desktop

@Suite struct DesktopSettingsTests {
    private typealias Values = KeyValuePairs<String, BusValue>

    private static let interface = "org.gnome.desktop.interface"
    private static let appearance = "org.freedesktop.appearance"

    /// The answer to `ReadAll` with the values of one namespace.
    private func settings(_ namespace: String, _ values: Values) -> DesktopSettings {
        let entries = values.map { BusValue.entry(.text($0), .variant($1)) }
        let namespaces = BusValue.array(
            [.entry(.text(namespace), .array(entries, of: "{sv}"))], of: "{sa{sv}}")
        return DesktopSettings(all: .tuple([namespaces]))
    }

    @Test func theDefaultsHoldWithoutAnswers() {
        let settings = DesktopSettings(all: .tuple([.array([], of: "{sa{sv}}")]))
        #expect(settings == DesktopSettings())
        #expect(settings.colorScheme == .noPreference && settings.accentColor == nil)
        #expect(settings.textScale == 1 && settings.enablesAnimations)
        #expect(!settings.hasHighContrast)
        #expect(settings.buttons.right == [.minimize, .maximize, .close])
    }

    @Test func appearanceIsRead() {
        let settings = settings(
            Self.appearance,
            [
                "color-scheme": .unsigned(1), "contrast": .unsigned(1),
                "accent-color": .tuple([.double(0.25), .double(0.5), .double(1)]),
            ])
        #expect(settings.colorScheme == .dark && settings.hasHighContrast)
        #expect(settings.accentColor == .init(red: 0.25, green: 0.5, blue: 1))
    }

    @Test func theGNOMESettingsAreRead() {
        let settings = settings(
            Self.interface,
            [
                "text-scaling-factor": .double(1.25), "enable-animations": .bool(false),
                "cursor-size": .integer(48), "cursor-theme": .text("DMZ-White"),
            ])
        #expect(settings.textScale == 1.25 && !settings.enablesAnimations)
        #expect(settings.cursorSize == 48 && settings.cursorTheme == "DMZ-White")
        #expect(
            self.settings("org.gnome.desktop.a11y.interface", ["high-contrast": .bool(true)])
                .hasHighContrast)
        #expect(
            self.settings(
                "org.gnome.desktop.wm.preferences", ["button-layout": .text("close:menu")]
            ).buttons.left == [.close])
    }

    @Test func aScreenReaderIsNoticed() {
        let settings = settings(
            "org.gnome.desktop.a11y.applications", ["screen-reader-enabled": .bool(true)])
        #expect(settings.usesScreenReader && !DesktopSettings().usesScreenReader)
        #expect(DesktopSettings.namespaces.contains("org.gnome.desktop.a11y.applications"))
    }

    @Test func aChangeReplacesOneValue() {
        var settings = settings(
            Self.appearance, ["color-scheme": .unsigned(2), "contrast": .unsigned(1)])
        settings.apply(
            change: .tuple([
                .text(Self.appearance), .text("color-scheme"), .variant(.unsigned(0)),
            ]))
        #expect(settings.colorScheme == .noPreference && settings.hasHighContrast)
        let before = settings
        for change: BusValue in [
            .tuple([]), .other, .tuple([.text("a"), .text("b"), .other]),
            .tuple([.unsigned(1), .text("color-scheme"), .variant(.unsigned(1))]),
        ] {
            settings.apply(change: change)
        }
        #expect(settings == before)
    }

    @Test(arguments: [
        (interface, "text-scaling-factor", BusValue.double(.nan)),
        (interface, "text-scaling-factor", .double(.infinity)),
        (interface, "text-scaling-factor", .double(0)),
        (interface, "text-scaling-factor", .double(-1)),
        (interface, "text-scaling-factor", .double(1000)),
        (interface, "text-scaling-factor", .text("2")),
        (interface, "enable-animations", .unsigned(0)),
        (interface, "cursor-size", .integer(0)), (interface, "cursor-size", .integer(-24)),
        (interface, "cursor-size", .integer(257)), (interface, "cursor-size", .text("24")),
        (interface, "cursor-theme", .text("")), (interface, "cursor-theme", .text("../../tmp")),
        (interface, "cursor-theme", .text("..")), (interface, "cursor-theme", .text("a\0b")),
        (interface, "cursor-theme", .text(String(repeating: "a", count: 300))),
        (appearance, "color-scheme", .text("dark")), (appearance, "color-scheme", .unsigned(77)),
        (appearance, "color-scheme", .integer(-1)), (appearance, "contrast", .bool(true)),
        (appearance, "contrast", .unsigned(2)),
        (appearance, "accent-color", .tuple([.double(2), .double(0), .double(0)])),
        (appearance, "accent-color", .tuple([.double(.nan), .double(0), .double(0)])),
        (appearance, "accent-color", .tuple([.double(0.5), .double(0)])),
        (appearance, "accent-color", .tuple([.double(0), .double(0), .double(0), .text("x")])),
        (appearance, "accent-color", .other),
        ("org.gnome.desktop.wm.preferences", "button-layout", .text("a:b:c")),
        ("org.gnome.desktop.wm.preferences", "button-layout", .bool(true)),
        ("somewhere", "color-scheme", .unsigned(1)),
    ])
    func hostileValuesAreIgnored(namespace: String, key: String, value: BusValue) {
        #expect(settings(namespace, [key: value]) == DesktopSettings())
    }

    @Test(arguments: [
        BusValue.other, .tuple([]), .tuple([.unsigned(1)]), .array([.unsigned(1)], of: "u"),
        .tuple([.array([.entry(.unsigned(1), .other)], of: "{uv}")]),
        .tuple([.array([.entry(.text(appearance), .bool(true))], of: "{sv}")]),
    ])
    func hostileAnswersAreIgnored(answer: BusValue) {
        #expect(DesktopSettings(all: answer) == DesktopSettings())
    }

    // MARK: Buttons

    private func ends(_ layout: String) -> [[WindowButtons.Button]]? {
        WindowButtons(layout).map { [$0.left, $0.right] }
    }

    @Test func buttonLayoutsAreRead() {
        #expect(ends("appmenu:minimize,maximize,close") == [[], [.minimize, .maximize, .close]])
        #expect(ends("close,maximize:menu") == [[.close, .maximize], [.menu]])
        #expect(ends(":") == [[], []])
        #expect(ends("") == [[], []])
        #expect(ends("close") == [[.close], []])
        #expect(ends("close, close:close,spacer,\u{0},menu") == [[.close], [.menu]])
        #expect(ends("a:b:c") == nil)
        #expect(ends(String(repeating: "close,", count: 100)) == nil)
    }
}
