import CoreTestKit
import Settings
import Testing

@testable import Interface

@Suite struct LookSettingsTests {
    private func theme(
        _ settings: [(String, String)], high: Bool = false, scale: Double = 1.5
    ) throws -> Theme {
        var looks = LookSettings()
        for (name, value) in settings {
            try LookSettings.table.set(Setting(name, written: value), in: &looks)
        }
        return looks.theme(
            desktop: .light, isHighContrast: high, textScale: scale, isRightToLeft: false)
    }

    @Test func withoutSettingsTheDesktopDecides() throws {
        #expect(try theme([]) == Theme(.light, textScale: 1.5))
        #expect(
            try theme([], high: true) == Theme(.light, isHighContrast: true, textScale: 1.5))
    }

    @Test func settingsReplaceTheDesktops() throws {
        #expect(try theme([("interface.colors", "dark")]) == Theme(.dark, textScale: 1.5))
        #expect(
            try theme([("interface.contrast", "high")])
                == Theme(.light, isHighContrast: true, textScale: 1.5))
        #expect(
            try theme([("interface.contrast", "normal")], high: true)
                == Theme(.light, textScale: 1.5))
        #expect(try theme([("interface.text_scale", "2")]) == Theme(.light, textScale: 2))
        #expect(
            try theme([("interface.text_scale", "2"), ("interface.text_scale", "desktop")])
                == Theme(.light, textScale: 1.5))
    }

    @Test(
        arguments: [
            ("interface.colors", "pink"), ("interface.contrast", "true"),
            ("interface.text_scale", "0.4"), ("interface.text_scale", "nan"),
            ("interface.text_scale", ""), ("interface.size", "1"),
        ])
    func wrongValuesAreRefused(name: String, value: String) {
        var looks = LookSettings()
        #expect(throws: SettingRefusal.self) {
            try LookSettings.table.set(Setting(name, written: value), in: &looks)
        }
        #expect(looks == LookSettings())
    }
}
