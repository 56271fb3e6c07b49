import Commands
import CoreTestKit
import Geometry
import Gestures
import Input
import Localization
import SceneModel
import TOML
import Testing

@testable import Interface

/// The keys of the commands on the settings page: given by finger and keyboard, refused, taken, set back.
@Suite struct KeysPageTests {
    private static let crop = "setting/keys.crop"
    private static let prompt = "Press a key, or Escape to cancel."

    /// A desk on which the keys are shown and, with an identifier, this row waits for a key.
    private func desk(
        _ surface: Size = Size(width: 1280, height: 800), waiting row: String? = nil,
        theme: Theme = Theme(), obstacles: [String: String] = [:],
        values: [String: TOMLValue] = [:], policy: CommandPolicy = .everything
    ) throws -> SettingsDesk {
        let desk = SettingsDesk(
            surface, theme: theme, obstacles: obstacles, values: values, policy: policy)
        try desk.showKeys()
        if let row {
            try desk.tap(row)
            #expect(isWaiting(row, desk))
        }
        return desk
    }

    private func isWaiting(_ row: String, _ desk: SettingsDesk) -> Bool {
        desk.widget(row)?.states.contains(.expanded) == true
    }

    /// What the row says beside its title.
    private func text(_ row: String, _ desk: SettingsDesk) -> String {
        desk.chrome.shownSettings?.rows.first { $0.id == row }?.description ?? ""
    }

    // MARK: Layout

    @Test(
        arguments: [
            Size(width: 120, height: 80), Size(width: 320, height: 480),
            Size(width: 360, height: 640), Size(width: 1280, height: 800),
        ], [0.5, 1, 2, 3])
    func everythingHasItsPlace(surface: Size, scale: Double) throws {
        for isRightToLeft in [false, true] {
            let theme = Theme(textScale: scale, isRightToLeft: isRightToLeft)
            let desk = SettingsDesk(
                surface, theme: theme, obstacles: ["keys.grid": "Set on the command line."],
                values: ["keys.rename": .string("F8")])
            desk.key("End")
            desk.key("Return")
            desk.key("Return")
            desk.key("f")
            let sheet = try #require(desk.chrome.shownSettings)
            #expect(sheet.part == .keys && sheet.capture?.refusal != nil)
            desk.checkRows(sheet.rows, scale)
            for part in try #require(desk.sheet).children {
                #expect(part.rect.intersection(sheet.rect) == part.rect, "\(part.id)")
            }
        }
    }

    /// In a language with longer texts no text is cut either.
    @Test func longerTextsAreShownAsAWhole() async {
        await #expect(processExitsWith: .success) {
            Translation.use(PseudoLocale.translator)
            for surface in [Size(width: 360, height: 640), Size(width: 1280, height: 800)] {
                try KeysPageTests().everythingHasItsPlace(surface: surface, scale: 1)
            }
        }
    }

    @Test func everyCommandHasARow() throws {
        let desk = try desk()
        let rows = try #require(desk.chrome.shownSettings).rows
        for entry in CommandTable.entries {
            let row = try #require(rows.first { $0.id == "setting/keys." + entry.command.rawValue })
            #expect(row.name == entry.title && row.role == .pushButton)
        }
        #expect(
            text(Self.crop, desk) == "c" && text("setting/keys.leave", desk) == "Escape, q, Ctrl+W")
        let headings = rows.filter { $0.role == .heading }.map(\.name)
        #expect(headings == ["Picture and grid", "Picture", "Grid"])
        #expect(desk.sheet?.name == "Keys" && desk.focused == "setting/keys.left")
    }

    @Test func onlyAllowedCommandsAreShown() throws {
        let desk = try desk(policy: .looking)
        let rows = try #require(desk.chrome.shownSettings).rows
        #expect(rows.contains { $0.id == "setting/keys.zoom-in" })
        #expect(!rows.contains { $0.id == Self.crop })
    }

    @Test func aRightToLeftPageIsMirrored() throws {
        let left = try desk(waiting: Self.crop)
        let right = try desk(waiting: Self.crop, theme: Theme(isRightToLeft: true))
        let ids = [
            "settings-back", "settings-close", Self.crop, Self.crop + "/another",
            Self.crop + "/none",
        ]
        for id in ids {
            let (one, other) = try (
                #require(left.widget(id)).rect, #require(right.widget(id)).rect
            )
            #expect(abs(one.x - (1280 - other.maxX)) < 1e-6 && one.y == other.y, "\(id)")
        }
    }

    // MARK: Giving

    @Test func keysGiveAKey() throws {
        let desk = SettingsDesk()
        desk.key("End")
        #expect(desk.focused == "settings-keys")
        desk.key("Return")
        desk.key("Down", until: Self.crop)
        desk.key("Return")
        // The key that was pressed for the row is still held.
        desk.key("Return", [], .repeated)
        desk.key("Return", [], .up)
        #expect(isWaiting(Self.crop, desk) && text(Self.crop, desk) == "c; " + Self.prompt)
        desk.key("F7")
        #expect(desk.changes == [.set("keys.crop", .string("F7"))])
        #expect(!isWaiting(Self.crop, desk) && text(Self.crop, desk) == "F7")
        #expect(desk.focused == Self.crop)
        desk.key("Delete")
        #expect(desk.changes.last == .set("keys.crop", .array([])))
        #expect(text(Self.crop, desk) == "No key")
        desk.key("Delete")
        #expect(desk.changes.count == 2, "there is no key left")
        desk.key("Tab")
        #expect(desk.focused == Self.crop + "/reset")
        desk.key("Return")
        #expect(desk.changes.last == .reset(["keys.crop"]) && text(Self.crop, desk) == "c")
    }

    @Test(arguments: [Size(width: 360, height: 640), Size(width: 1280, height: 800)])
    func fingersGiveAKey(surface: Size) throws {
        let desk = try desk(surface, waiting: Self.crop)
        desk.key("j", .control)
        #expect(desk.changes == [.set("keys.crop", .string("Ctrl+j"))])
        #expect(text(Self.crop, desk) == "Ctrl+J")
        try desk.tap(Self.crop)
        try desk.tap(Self.crop + "/none")
        #expect(desk.changes.last == .set("keys.crop", .array([])))
        try desk.tap(Self.crop)
        #expect(desk.widget(Self.crop + "/none") == nil)
        try desk.tap(Self.crop + "/cancel")
        #expect(!isWaiting(Self.crop, desk) && desk.changes.count == 2)
        try desk.tap(Self.crop + "/reset")
        #expect(desk.changes.last == .reset(["keys.crop"]))
    }

    @Test func keysGiveAnotherKey() throws {
        let desk = try desk()
        desk.key("Down", until: Self.crop)
        desk.key("Tab")
        #expect(desk.focused == Self.crop + "/another")
        desk.key("Return")
        #expect(isWaiting(Self.crop, desk))
        #expect(text(Self.crop, desk) == "c; Press another key, or Escape to cancel.")
        desk.key("F7")
        #expect(desk.changes == [.set("keys.crop", .array([.string("c"), .string("F7")]))])
        #expect(!isWaiting(Self.crop, desk) && text(Self.crop, desk) == "c, F7")
        // A key that the command has becomes the last one.
        try desk.tap(Self.crop + "/another")
        desk.key("c")
        #expect(text(Self.crop, desk) == "F7, c")
        // A command without keys gets its first key by its row.
        desk.key("Up")
        desk.key("Down", until: Self.crop)
        desk.key("Delete")
        #expect(desk.widget(Self.crop + "/another") == nil)
    }

    @Test(arguments: [Size(width: 360, height: 640), Size(width: 1280, height: 800)])
    func fingersGiveAnotherKeyAndRemoveOne(surface: Size) throws {
        let desk = try desk(surface)
        for key in ["F7", "F8"] {
            try desk.tap(Self.crop + "/another")
            #expect(isWaiting(Self.crop, desk))
            desk.key(key)
        }
        #expect(text(Self.crop, desk) == "c, F7, F8")
        try desk.tap(Self.crop)
        #expect(desk.widget(Self.crop + "/remove/1")?.name == "Remove F7")
        try desk.tap(Self.crop + "/remove/1")
        #expect(desk.changes.last == .set("keys.crop", .array([.string("c"), .string("F8")])))
        #expect(!isWaiting(Self.crop, desk))
        try desk.tap(Self.crop)
        try desk.tap(Self.crop + "/remove/0")
        #expect(desk.changes.last == .set("keys.crop", .string("F8")))
        // The only key is removed by "No key".
        try desk.tap(Self.crop)
        #expect(desk.widget(Self.crop + "/remove/0") == nil)
    }

    /// A key of another command comes beside those of this one when it is pressed twice.
    @Test func anotherKeyIsTakenFromACommand() throws {
        let desk = try desk()
        try desk.tap(Self.crop + "/another")
        desk.key("g")
        #expect(text(Self.crop, desk) == "c; g is the key of “Grid”. Press it again to take it.")
        desk.key("g")
        #expect(desk.changes == [.set("keys.crop", .array([.string("c"), .string("g")]))])
        #expect(text("setting/keys.grid", desk) == "No key")
    }

    /// Another key leaves the keys of this command and of all others as they are.
    ///
    /// A command whose keys belong to others elsewhere has no plus button.
    @Test func anotherKeyTakesNoOtherKeys() throws {
        var without: [Command] = []
        for command in Command.allCases where !KeyMap().keys(of: command).isEmpty {
            let desk = try desk()
            let former = Command.allCases.map { desk.keys.keys(of: $0) }
            let row = "setting/keys.\(command.rawValue)"
            let rows = try #require(desk.chrome.shownSettings).rows
            guard rows.contains(where: { $0.widget(row + "/another") != nil }) else {
                without.append(command)
                try desk.tap(row)
                #expect(desk.widget(row + "/remove/0") == nil)
                continue
            }
            try desk.tap(row + "/another")
            desk.key("F24")
            for (place, other) in Command.allCases.enumerated() {
                let new: [KeyBinding] = other == command ? ["F24"] : []
                #expect(desk.keys.keys(of: other) == former[place] + new, "\(command) \(other)")
            }
        }
        #expect(without == [.leave])
    }

    /// Removing one of several keys leaves the other keys and the other commands as they are.
    @Test func removingAKeyRemovesNoOther() throws {
        var removed: Set<Command> = []
        for command in Command.allCases {
            let row = "setting/keys.\(command.rawValue)"
            for number in KeyMap().keys(of: command).indices {
                let desk = try desk(waiting: row)
                guard let option = desk.widget("\(row)/remove/\(number)") else { continue }
                let former = Command.allCases.map { desk.keys.keys(of: $0) }
                let label = former[Command.allCases.firstIndex(of: command) ?? 0][number].label
                try desk.tap(option.id)
                removed.insert(command)
                for (place, other) in Command.allCases.enumerated() {
                    let kept = former[place].filter { other != command || $0.label != label }
                    #expect(desk.keys.keys(of: other) == kept, "\(command) \(other)")
                }
            }
        }
        let several = Command.allCases.filter { KeyMap().keys(of: $0).count > 1 && $0 != .leave }
        #expect(removed == Set(several))
    }

    private static let keys: [(name: String, modifiers: KeyEvent.Modifiers, text: String)] = [
        ("KP_Add", [], "KP_Add"), ("dead_acute", [], "dead_acute"),
        ("Multi_key", [], "Multi_key"), ("Insert", .shift, "Shift+Insert"), ("J", [], "J"),
        ("Insert", [.control, .shift], "Ctrl+Shift+Insert"), ("XF86Back", [], "XF86Back"),
        ("Cyrillic_ya", [], "Cyrillic_ya"),
    ]

    /// What the map of keys reads: number pad, dead keys, Shift with keys that Shift leaves alone.
    @Test(arguments: keys) func everyKeyOfTheMapIsTaken(
        name: String, modifiers: KeyEvent.Modifiers, text: String
    ) throws {
        // Of the table, some of these belong to the zoom.
        let desk = try desk(
            waiting: Self.crop, values: ["keys.zoom-in": .string("plus")])
        desk.key(name, modifiers)
        #expect(desk.changes == [.set("keys.crop", .string(text))])
        let event = KeyEvent(name: name, modifiers: modifiers, action: .down)
        #expect(desk.keys.command(for: event, in: .viewer) == .crop)
    }

    @Test func resettingAllKeysAsksFirst() throws {
        let desk = try desk(values: [
            "keys.crop": .string("F7"), "keys.rename": .string("F8"),
            "viewer.enlarge": .flag(true),
        ])
        try desk.tap("settings-reset")
        #expect(desk.widget("settings-reset")?.name == "Really reset all?")
        try desk.tap("settings-reset")
        guard case .reset(let names) = desk.changes.last else {
            Issue.record("nothing was reset")
            return
        }
        #expect(Set(names) == ["keys.crop", "keys.rename"])
        #expect(desk.values == ["viewer.enlarge": .flag(true)])
    }

    // MARK: Refusing

    @Test func aKeyOfAnotherCommandIsTakenTheSecondTime() throws {
        let desk = try desk(waiting: Self.crop)
        desk.key("g")
        #expect(desk.changes.isEmpty && isWaiting(Self.crop, desk))
        #expect(text(Self.crop, desk) == "c; g is the key of “Grid”. Press it again to take it.")
        // Another key is a question of its own.
        desk.key("h")
        #expect(text(Self.crop, desk).contains("h is the key of “Flip horizontally”"))
        desk.key("g")
        desk.key("g")
        #expect(desk.changes == [.set("keys.crop", .string("g"))])
        #expect(text("setting/keys.grid", desk) == "No key")
    }

    /// A key that a person gave to another command leaves it before this one gets the key.
    @Test func anOwnKeyIsTakenByFinger() throws {
        let desk = try desk(
            waiting: Self.crop,
            values: ["keys.grid": .array([.string("F8"), .string("F9")])])
        desk.key("F8")
        let take = try #require(desk.widget(Self.crop + "/take"))
        #expect(take.name == "Take F8 from “Grid”")
        try desk.tap(take.id)
        #expect(
            desk.changes == [
                .set("keys.grid", .string("F9")), .set("keys.crop", .string("F8")),
            ])
        #expect(text(Self.crop, desk) == "F8" && text("setting/keys.grid", desk) == "F9")
    }

    /// A command of both modes takes a key from two others.
    @Test func aKeyOfTwoCommandsNamesBoth() throws {
        let row = "setting/keys.fullscreen"
        let desk = try desk(waiting: row)
        desk.key("0")
        #expect(text(row, desk).contains("“Fit to window, Default columns”"))
        desk.key("0")
        #expect(desk.changes == [.set("keys.fullscreen", .string("0"))])
        #expect(!text("setting/keys.fit", desk).hasPrefix("0"))
    }

    /// Crop is not on the grid, where "only favourites" is alone.
    @Test func aKeyOfTheOtherModeIsFree() throws {
        let desk = try desk(waiting: Self.crop)
        desk.key("F")
        #expect(desk.changes == [.set("keys.crop", .string("F"))])
    }

    @Test func whatCannotBeChangedKeepsItsKey() throws {
        let reason = "Set on the command line."
        let desk = try desk(
            waiting: Self.crop, obstacles: ["keys.grid": reason],
            values: ["keys.grid": .string("F8")])
        for _ in 0..<2 { desk.key("F8") }
        #expect(desk.changes.isEmpty)
        #expect(text(Self.crop, desk).hasSuffix("F8 is the key of “Grid”. " + reason))
        #expect(desk.widget(Self.crop + "/take") == nil)
        try desk.tap(Self.crop + "/cancel")
        for id in ["setting/keys.grid", "setting/keys.grid"] { try desk.tap(id) }
        desk.key("F9")
        #expect(desk.changes.isEmpty && !isWaiting("setting/keys.grid", desk))
    }

    @Test func aKeyOfAnOwnCommandIsRefused() throws {
        let desk = try desk()
        desk.ownCommands = ["F5": "Gimp"]
        desk.update()
        try desk.tap(Self.crop)
        for _ in 0..<2 { desk.key("F5") }
        #expect(desk.changes.isEmpty)
        #expect(text(Self.crop, desk).hasSuffix("F5 starts your command “Gimp”."))
    }

    @Test func modifiersAloneAreNoKeys() throws {
        let desk = try desk(waiting: Self.crop)
        for name in ["Shift_L", "Control_R", "ISO_Level3_Shift", "Caps_Lock", "Super_L"] {
            desk.key(name)
            desk.key(name, [.shift, .alt, .logo])
            #expect(text(Self.crop, desk).hasSuffix(Self.prompt), "\(name)")
        }
        desk.key("x", .alt)
        #expect(text(Self.crop, desk).hasSuffix("belong to the desktop."))
        desk.key("Escape", .alt)
        #expect(desk.changes.isEmpty && isWaiting(Self.crop, desk))
        desk.key("x")
        #expect(desk.changes == [.set("keys.crop", .string("x"))])
    }

    // MARK: Ending

    @Test func escapeGoesUpOneLevelAtATime() throws {
        let desk = try desk(waiting: Self.crop)
        desk.key("Escape")
        #expect(!isWaiting(Self.crop, desk) && desk.sheet?.name == "Keys")
        desk.key("Escape")
        #expect(desk.sheet?.name == "Settings" && desk.focused == "settings-keys")
        #expect(desk.widget("settings-keys") != nil, "the row is visible")
        desk.key("Escape")
        #expect(!desk.chrome.showsSettings && desk.changes.isEmpty)
    }

    @Test func theButtonGoesBack() throws {
        let desk = try desk(waiting: Self.crop)
        desk.tap(at: try #require(desk.widget("settings-back")).rect.center)
        #expect(desk.sheet?.name == "Settings" && desk.chrome.shownSettings?.capture == nil)
        desk.key("F7")
        #expect(desk.changes.isEmpty)
    }

    /// Commands that come without a key, as from a program, end the waiting.
    @Test func aCommandEndsTheWaiting() throws {
        let desk = try desk(waiting: Self.crop)
        desk.command(.leave)
        #expect(desk.chrome.shownSettings?.capture == nil && desk.sheet?.name == "Keys")
        try desk.tap(Self.crop)
        desk.command(.down)
        #expect(desk.chrome.shownSettings?.capture == nil && desk.changes.isEmpty)
        desk.command(.leave)
        #expect(desk.sheet?.name == "Settings")
    }

    @Test func fingersElsewhereEndTheWaiting() throws {
        let desk = try desk(waiting: Self.crop)
        let title = try #require(desk.widget("settings-title")).rect.center
        desk.tap(at: title)
        #expect(!isWaiting(Self.crop, desk))
        desk.key("F7")
        #expect(desk.changes.isEmpty)
        try desk.tap(Self.crop)
        try desk.tap("setting/keys.grid")
        #expect(!isWaiting(Self.crop, desk) && isWaiting("setting/keys.grid", desk))
        try desk.tap("setting/keys.grid")
        #expect(!isWaiting("setting/keys.grid", desk))
    }

    /// A drag, and a touch that the compositor takes, leave the row waiting.
    @Test func aCancelledTouchChangesNothing() throws {
        let desk = try desk(waiting: Self.crop)
        let row = try #require(desk.widget(Self.crop)).rect
        desk.drag(from: row.center, by: -20)
        desk.cancel(at: try #require(desk.widget(Self.crop + "/cancel")).rect.center)
        desk.cancel(at: try #require(desk.widget("settings-close")).rect.center)
        #expect(isWaiting(Self.crop, desk) && desk.changes.isEmpty)
        desk.key("F7")
        #expect(desk.changes == [.set("keys.crop", .string("F7"))])
    }

    @Test func aClosedPageWaitsForNothing() throws {
        let desk = try desk(waiting: Self.crop)
        desk.tap(at: Point(x: 3, y: 400))
        #expect(!desk.chrome.showsSettings && desk.chrome.settings?.capture == nil)
        #expect(!desk.isForPage("F7") && desk.changes.isEmpty)
    }

    /// A settings file that fixes the keys of the row while the row waits.
    @Test func anObstacleEndsTheWaiting() throws {
        let desk = try desk(waiting: Self.crop)
        desk.obstacles = ["keys.crop": "Set in 10-mine.toml, which has priority."]
        desk.update()
        #expect(!isWaiting(Self.crop, desk))
        desk.key("F7")
        #expect(desk.changes.isEmpty)
    }

    // MARK: Assistive technology

    @Test func whatTheRowSaysIsAnnounced() throws {
        let desk = try desk()
        desk.key("Down", until: Self.crop)
        var tree = AccessibleTree(try #require(desk.sheet))
        func announced() throws -> [String] {
            let former = tree
            tree = AccessibleTree(try #require(desk.sheet), after: former)
            return tree.events(since: former).compactMap {
                if case .announcement(let text) = $0 { text } else { nil }
            }
        }
        try desk.press(Self.crop)
        #expect(try announced() == [Self.prompt])
        desk.key("g")
        #expect(try announced() == ["g is the key of “Grid”. Press it again to take it."])
        desk.key("F7")
        #expect(try announced() == ["F7"])
    }
}
