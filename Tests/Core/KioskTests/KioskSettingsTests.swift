import Commands
import CoreTestKit
import Settings
import TOML
import Testing

@testable import Kiosk

/// The settings `kiosk.*` as people write them.
@Suite struct KioskSettingsTests {
    private func settings(_ name: String, _ text: String) throws -> KioskSettings {
        var settings = KioskSettings()
        try KioskSettings.table.set(Setting(name, written: text), in: &settings)
        return settings
    }

    @Test func valuesAreStored() throws {
        #expect(try settings("kiosk.pin", "0042").pin == "0042")
        let policy = try settings("kiosk.allow", "next, previous zoom-in").allowed
        #expect(policy.commands == [.next, .previous, .zoomIn])
        #expect(try settings("kiosk.allow", "").allowed.commands == [])
        let dark = try settings("kiosk.dark", "sat,sun 00:00-24:00").dark
        #expect(dark.value(at: LocalTime(day: 5, second: 0)) != nil)
        #expect(dark.value(at: LocalTime(day: 4, second: 0)) == nil)
        var list = KioskSettings()
        try KioskSettings.table.set(
            Setting("kiosk.allow", .array([.string("next"), .string("grid")])), in: &list)
        #expect(list.allowed.commands == [.next, .grid])
        try KioskSettings.table.set(Setting("kiosk.pin", .integer(1207)), in: &list)
        #expect(list.pin == "1207")
    }

    @Test(arguments: [
        ("kiosk.pin", "12a"), ("kiosk.pin", "1234567890123"), ("kiosk.pin", "-1"),
        ("kiosk.allow", "next,dance"), ("kiosk.dark", "always"), ("kiosk.dark", "25:00-26:00"),
        ("kiosk.folders", "08:00-09:00"), ("kiosk.attract", "-1"), ("kiosk.wake", "0"),
        ("kiosk.nothing", "1"),
    ])
    func whatIsWrongIsRefused(_ name: String, _ text: String) {
        #expect(throws: SettingRefusal.self) { try settings(name, text) }
    }

    @Test func theDefaultsAreReadBack() throws {
        var settings = KioskSettings()
        for entry in KioskSettings.table {
            guard let value = entry.value(settings) else { continue }
            try KioskSettings.table.set(Setting(entry.name, value), in: &settings)
        }
        #expect(settings == KioskSettings())
    }
}
