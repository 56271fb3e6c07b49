import Commands
import CoreTestKit
import Geometry
import Input
import Localization
import SceneModel
import TOML
import Testing

@testable import Interface

/// The settings page: its layout on surfaces and with texts of all sizes, keys and fingers.
@Suite struct SettingsSheetTests {
    private static let surfaces = [
        Size(width: 120, height: 80), Size(width: 320, height: 480), Size(width: 360, height: 640),
        Size(width: 640, height: 360), Size(width: 1280, height: 800),
    ]
    private static let flag = "setting/viewer.enlarge"
    private static let choice = "setting/viewer.wheel"
    private static let number = "setting/slideshow.interval"

    // MARK: Layout

    /// Rows follow each other, no part of a row covers another, and targets have the size of a finger.
    @Test(arguments: surfaces, [0.5, 1, 2, 3])
    func everythingHasItsPlace(surface: Size, scale: Double) throws {
        for isRightToLeft in [false, true] {
            let theme = Theme(textScale: scale, isRightToLeft: isRightToLeft)
            let desk = SettingsDesk(
                surface, theme: theme, obstacles: ["viewer.wheel": "Set on the command line."])
            if surface.width >= 320 {
                try desk.tap(Self.flag)
                try desk.tap(Self.number + "/more")
                try desk.tap("setting/interface.colors")
            }
            let sheet = try #require(desk.chrome.shownSettings)
            let whole = try #require(desk.sheet)
            #expect(whole.rect.intersection(Rect(origin: .zero, size: surface)) == whole.rect)
            #expect(whole.role == .dialog && whole.states.contains(.modal))
            for part in whole.children {
                #expect(part.rect.intersection(whole.rect) == part.rect, "\(part.id)")
            }
            desk.checkRows(sheet.rows, scale)
        }
    }

    /// In a language with longer texts no text is cut either.
    @Test func longerTextsAreShownAsAWhole() async {
        await #expect(processExitsWith: .success) {
            Translation.use(PseudoLocale.translator)
            for surface in [Size(width: 360, height: 640), Size(width: 1280, height: 800)] {
                try SettingsSheetTests().everythingHasItsPlace(surface: surface, scale: 1)
            }
        }
    }

    @Test func rowsSayWhatTheyAre() throws {
        let desk = SettingsDesk(obstacles: ["viewer.keep_zoom": "Set on the command line."])
        let rows = try #require(desk.chrome.shownSettings).rows
        func row(_ id: String) throws -> Widget { try #require(rows.first { $0.id == id }) }
        let flag = try row(Self.flag)
        #expect(flag.role == .toggleButton && flag.name == "Enlarge small pictures")
        #expect(flag.states == [.focusable, .checkable])
        let choice = try row(Self.choice)
        #expect(choice.role == .comboBox && choice.description == "Turns pages")
        let number = try row(Self.number)
        #expect(number.role == .spinButton && number.description == "3 s")
        #expect(AccessibleTree(number).nodes[0]?.value == .init(current: 3, range: 0.1...86400))
        let fixed = try row("setting/viewer.keep_zoom")
        #expect(fixed.states.contains(.disabled))
        #expect(fixed.description.hasSuffix("; Set on the command line."))
        #expect(rows[0].name == "A sentence about all settings.")
        #expect(rows.filter { $0.role == .heading }.count == SettingsPage.entries.count)
    }

    @Test(arguments: CommandGesture.allCases)
    func eachGestureWithACommandHasARowThatOffersItsOwn(_ gesture: CommandGesture) throws {
        let row = try #require(
            SettingsPage.entries.flatMap(\.entries).first { $0.name == gesture.setting })
        guard case .choice(let choices) = row.control else {
            Issue.record("no choice: \(row)")
            return
        }
        let initial = choices.filter { $0.value == .string(gesture.initialCommand.rawValue) }
        #expect(row.title == gesture.title && initial.count == 1)
    }

    @Test func aRightToLeftPageIsMirrored() throws {
        let left = SettingsDesk()
        let right = SettingsDesk(theme: Theme(isRightToLeft: true))
        for desk in [left, right] { desk.key("Down", until: Self.number) }
        for id in [Self.number, Self.number + "/more", Self.number + "/less", "settings-close"] {
            let (one, other) = try (
                #require(left.widget(id)).rect, #require(right.widget(id)).rect
            )
            #expect(abs(one.x - (1280 - other.maxX)) < 1e-6 && one.y == other.y, "\(id)")
        }
        left.key("Right")
        right.key("Left")
        #expect(left.changes == right.changes)
    }

    // MARK: Keys

    @Test func keysReachEveryRow() throws {
        let desk = SettingsDesk()
        let rows = desk.page.rows(of: .settings)
        let names =
            rows.map { SettingsSheet.identifier(of: $0.entry.name) } + [SettingsSheet.keysRow]
        #expect(desk.focused == names[0])
        var seen: [String] = []
        for _ in names {
            seen.append(desk.focused ?? "")
            let rect = try #require(desk.widget(desk.focused ?? "")).rect
            let list = try #require(desk.widget("settings-list")).rect
            #expect(rect.y >= list.y - 1e-6 && rect.maxY <= list.maxY + 1e-6, "visible")
            desk.key("Down")
        }
        #expect(seen == names)
        desk.key("Home")
        #expect(desk.focused == names[0])
        desk.key("Tab", [.shift])
        #expect(desk.focused == "settings-close")
        desk.key("Return")
        #expect(!desk.chrome.showsSettings)
    }

    @Test(arguments: [("Escape", KeyEvent.Modifiers()), ("comma", .control)])
    func keysCloseThePage(_ name: String, _ modifiers: KeyEvent.Modifiers) {
        let desk = SettingsDesk()
        desk.key("q")
        desk.key("Delete")
        #expect(desk.chrome.showsSettings && desk.changes.isEmpty)
        desk.key(name, modifiers)
        #expect(!desk.chrome.showsSettings)
    }

    @Test func keysChangeSettings() {
        let desk = SettingsDesk()
        desk.key("Down", until: Self.flag)
        desk.key("space")
        #expect(desk.changes == [.set("viewer.enlarge", .flag(true))])
        // The button that sets the row back, which has appeared.
        desk.key("Tab")
        #expect(desk.focused == Self.flag + "/reset")
        desk.key("Return")
        #expect(desk.changes.last == .reset(["viewer.enlarge"]))
        #expect(desk.focused == Self.flag)
        desk.key("Down", until: Self.number)
        for key in ["Right", "plus", "KP_Add", "Left", "minus"] { desk.key(key) }
        let steps = desk.changes.suffix(5).map { change -> Double? in
            if case .set("slideshow.interval", .number(let number)) = change { number } else { nil }
        }
        #expect(steps == [4, 5, 6, 5, 4])
    }

    @Test func choicesOpenBelowTheirRow() throws {
        let desk = SettingsDesk()
        desk.key("Down", until: Self.choice)
        desk.key("Return")
        #expect(desk.widget(Self.choice)?.states.contains(.expanded) == true)
        let first = try #require(desk.widget(Self.choice + "/choice/0"))
        #expect(first.role == .radioButton && first.states.contains(.checked))
        desk.key("Down")
        desk.key("Down")
        #expect(desk.focused == Self.choice + "/choice/1")
        desk.key("space")
        #expect(desk.changes == [.set("viewer.wheel", .string("zoom"))])
        #expect(desk.focused == Self.choice, "the row has the focus again")
        #expect(desk.widget(Self.choice)?.description == "Zooms")
        #expect(desk.widget(Self.choice + "/choice/0") == nil)
    }

    // MARK: Fingers

    @Test func fingersChangeSettings() throws {
        let desk = SettingsDesk(Size(width: 360, height: 640))
        try desk.tap(Self.flag)
        try desk.tap(Self.choice)
        try desk.tap(Self.choice + "/choice/1")
        for _ in 0..<3 { try desk.tap(Self.number + "/more") }
        try desk.tap(Self.number + "/less")
        #expect(
            desk.values == [
                "viewer.enlarge": .flag(true), "viewer.wheel": .string("zoom"),
                "slideshow.interval": .number(5),
            ])
        try desk.tap(Self.number + "/reset")
        #expect(desk.values["slideshow.interval"] == nil)
        desk.tap(at: Point(x: 3, y: 320))
        #expect(!desk.chrome.showsSettings)
    }

    @Test func numbersEndAtTheirLimits() throws {
        let desk = SettingsDesk()
        for _ in 0..<10 { try desk.tap(Self.number + "/less") }
        #expect(desk.values["slideshow.interval"] == .number(0.1))
        #expect(desk.widget(Self.number + "/less")?.states.contains(.disabled) == true)
        #expect(desk.widget(Self.number + "/more")?.states.contains(.disabled) == false)
    }

    @Test func aFixedSettingStaysAndSaysWhy() throws {
        let reason = "Set on the command line."
        let desk = SettingsDesk(
            obstacles: [
                "viewer.enlarge": reason, "viewer.wheel": reason, "slideshow.interval": reason,
            ])
        for id in [Self.flag, Self.choice, Self.number + "/more"] { try desk.tap(id) }
        desk.key("Home")
        desk.key("Down", until: Self.number)
        desk.key("Right")
        desk.key("Return")
        #expect(desk.changes.isEmpty)
        #expect(desk.widget(Self.choice + "/choice/0") == nil)
    }

    @Test func aDragScrolls() throws {
        let desk = SettingsDesk()
        let row = try #require(desk.widget(Self.flag)).rect
        desk.drag(from: row.center, by: -100)
        let moved = try #require(desk.widget(Self.flag)).rect
        #expect(abs(moved.y - row.y + 100) < 1e-6 && desk.changes.isEmpty)
    }

    @Test func resettingAllAsksFirst() throws {
        let desk = SettingsDesk(obstacles: ["viewer.checkerboard": "Set on the command line."])
        desk.key("End")
        #expect(desk.focused != "settings-reset", "nothing to reset")
        #expect(
            desk.chrome.shownSettings?.rows.last?.states.contains(.disabled) == true)
        try desk.tap(Self.flag)
        try desk.tap(Self.choice)
        try desk.tap(Self.choice + "/choice/1")
        try desk.tap("settings-reset")
        #expect(desk.widget("settings-reset")?.name == "Really reset all?")
        // Anything else withdraws the question.
        desk.key("Up")
        #expect(desk.chrome.shownSettings?.asksReset == false)
        try desk.tap("settings-reset")
        try desk.tap("settings-reset")
        #expect(desk.changes.last == .reset(["viewer.enlarge", "viewer.wheel"]))
        #expect(desk.values.isEmpty)
    }
}
