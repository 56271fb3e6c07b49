import Input
import Testing

@testable import Commands

/// A person's own keys in place of those of the command table.
@Suite struct KeyMapTests {
    private func command(
        _ keys: KeyMap, _ name: String, _ mode: CommandMode = .viewer,
        _ modifiers: KeyEvent.Modifiers = [], _ action: KeyEvent.Action = .down
    ) -> Command? {
        keys.command(for: KeyEvent(name: name, modifiers: modifiers, action: action), in: mode)
    }

    /// Without keys of a person's own, and with some for one command, all others are as in the table.
    @Test(arguments: CommandMode.allCases) func otherCommandsKeepTheirKeys(mode: CommandMode) throws
    {
        var changed = KeyMap()
        try changed.set(["F7"], of: .crop)
        for keys in [KeyMap(), changed] {
            for entry in CommandTable.entries where entry.command != .crop {
                #expect(keys.keys(of: entry, in: mode) == entry.keys[mode] ?? [])
                for key in entry.keys[mode] ?? [] {
                    var modifiers: KeyEvent.Modifiers = key.hasControl ? .control : []
                    if key.hasAlt { modifiers.insert(.alt) }
                    if key.hasShift { modifiers.insert(.shift) }
                    #expect(command(keys, key.name, mode, modifiers) == entry.command)
                }
            }
        }
    }

    @Test func ownKeysReplaceThoseOfTheTable() throws {
        var keys = KeyMap()
        try keys.set(["F7", "Ctrl+j"], of: .zoomIn)
        #expect(command(keys, "F7") == .zoomIn && command(keys, "F7", .grid) == .zoomIn)
        #expect(command(keys, "j", .viewer, .control) == .zoomIn)
        #expect(command(keys, "plus") == nil && command(keys, "j") == nil)
        #expect(keys.label(of: .zoomIn, in: .viewer) == "F7")
        #expect(
            keys.shownKeys(of: CommandTable.entry(of: .zoomIn), in: .grid) == ["F7", "Ctrl+J"])
        // What repeats by the table repeats by other keys.
        #expect(command(keys, "F7", .viewer, [], .repeated) == .zoomIn)
        // A command that only one mode has gets the key there only.
        try keys.set(["F8"], of: .selectAll)
        #expect(command(keys, "F8", .grid) == .selectAll && command(keys, "F8") == nil)
        try keys.set([], of: .delete)
        #expect(command(keys, "Delete") == nil && keys.label(of: .delete, in: .viewer) == "")
    }

    /// Keys that type punctuation in Hebrew and Greek start the commands of their Latin letters, unless the
    /// punctuation has a command.
    @Test func punctuationStandsForItsLatinLetter() throws {
        func command(
            _ keys: KeyMap, _ name: String, latin: String?, _ modifiers: KeyEvent.Modifiers = []
        )
            -> Command?
        {
            keys.command(
                for: KeyEvent(name: name, modifiers: modifiers, action: .down, latinName: latin),
                in: .viewer)
        }
        var changed = KeyMap()
        try changed.set(["F7"], of: .crop)
        for keys in [KeyMap(), changed] {
            #expect(command(keys, "semicolon", latin: "q") == .quit)
            #expect(command(keys, "apostrophe", latin: "w", .control) == .quit)
            #expect(command(keys, "semicolon", latin: nil) == nil)
            // Zooming in.
            #expect(command(keys, "plus", latin: "q") == .zoomIn)
        }
        try changed.set(["semicolon"], of: .crop)
        #expect(command(changed, "semicolon", latin: "q") == .crop)
    }

    /// A key that is bound by the name of a layout of another script counts before its Latin letter.
    @Test func aKeyHasItsNameInTheActiveLayout() throws {
        var keys = KeyMap()
        let key = KeyEvent(name: "c", action: .down, localName: "Cyrillic_es")
        #expect(keys.command(for: key, in: .viewer) == .crop)
        try keys.set(["Cyrillic_es"], of: .rename)
        #expect(keys.command(for: key, in: .viewer) == .rename)
        #expect(command(keys, "c") == .crop)
    }

    @Test func aKeyIsTakenFromTheCommandOfTheTable() throws {
        var keys = KeyMap()
        try keys.set(["r"], of: .rename)
        #expect(command(keys, "r") == .rename && command(keys, "R") == .rotateAnticlockwise)
        #expect(keys.label(of: .rotateClockwise, in: .viewer) == "")
        // With Shift a key without a binding of its own is that without Shift, own keys included.
        #expect(command(keys, "F2", .viewer) == nil)
        try keys.set(["F5"], of: .left)
        #expect(command(keys, "F5", .grid, .shift) == .left)
    }

    @Test func aKeyBelongsToOneCommand() throws {
        var keys = KeyMap()
        try keys.set(["F7"], of: .crop)
        #expect(throws: KeyMap.Conflict(key: "F7", owner: .crop)) {
            try keys.set(["F6", "F7"], of: .rename)
        }
        #expect(command(keys, "F7") == .crop && command(keys, "F2") == .rename)
        // Crop is not on the grid, and "select all" is nowhere else.
        try keys.set(["F7"], of: .selectAll)
        #expect(command(keys, "F7", .grid) == .selectAll)
        try keys.set(["F9"], of: .crop)
        try keys.set(["F7"], of: .fit)
        #expect(command(keys, "F7") == .fit)
    }

    @Test func theKeysOfTheTableComeBack() throws {
        var keys = KeyMap()
        try keys.set(["F7", "x"], of: .crop)
        #expect(keys.ownKeys(of: .crop) == ["F7", "x"] && keys.ownKeys(of: .rename) == nil)
        keys.reset(.crop)
        #expect(keys == KeyMap() && command(keys, "c") == .crop && command(keys, "F7") == nil)
    }

    @Test func aKeyHasItsOwners() throws {
        var keys = KeyMap()
        #expect(keys.owners(of: "g", besides: .crop) == [.grid])
        #expect(keys.owners(of: "g", besides: .grid) == [])
        // "Only favourites" is on the grid alone, and crop is not there.
        #expect(keys.owners(of: "F", besides: .crop) == [])
        #expect(keys.owners(of: "0", besides: .fullscreen) == [.fit, .defaultColumns])
        try keys.set(["F8"], of: .grid)
        #expect(keys.owners(of: "g", besides: .crop) == [])
        #expect(keys.owners(of: "F8", besides: .crop) == [.grid])
    }

    @Test func keysOfAllModesAreShownOnce() throws {
        #expect(KeyMap().shownKeys(of: .leave) == ["Escape", "q", "Ctrl+W"])
        #expect(KeyMap().shownKeys(of: .fullscreen) == ["f", "F11"])
        // All own keys, and those of the number pad where there are no others.
        var keys = KeyMap()
        try keys.set(["c", "F7", "F8", "KP_Add"], of: .crop)
        #expect(keys.shownKeys(of: .crop) == ["c", "F7", "F8"])
        try keys.set(["KP_Add"], of: .crop)
        #expect(keys.shownKeys(of: .crop) == ["Keypad +"])
        for (name, label) in [
            ("KP_Right", "Keypad Right"), ("KP_5", "Keypad 5"),
            ("Ctrl+KP_Next", "Ctrl+Keypad Page Down"), ("KP_Enter", "Keypad Enter"),
            ("KP_", "Keypad "),
        ] { #expect(KeyBinding(stringLiteral: name).label == label) }
    }

    @Test(arguments: ["F7", "Ctrl+plus", "Shift+Delete", "Ctrl+Shift+Insert"])
    func keysAreWrittenAsTheyAreRead(text: String) {
        let key = KeyBinding(stringLiteral: text)
        #expect(key.text == text && key.isNamed && !key.isModifier)
    }

    @Test(arguments: ["Shift_L", "Control_R", "Alt_L", "Super_R", "Caps_Lock", "ISO_Level3_Shift"])
    func modifiersAreKnown(name: String) { #expect(KeyBinding(stringLiteral: name).isModifier) }
}
