import Input
import Localization
import Testing

@testable import Commands

@Suite struct CommandTableTests {
    @Test(arguments: Command.allCases) func everyCommandHasOneEntry(command: Command) {
        let entries = CommandTable.entries.filter { $0.command == command }
        #expect(entries.count == 1)
        let entry = CommandTable.entry(of: command)
        #expect(!entry.title.isEmpty)
        for mode in CommandMode.allCases {
            let summary = entry.summary(in: mode)
            #expect(!summary.isEmpty && !summary.hasSuffix("."))
        }
        #expect(!entry.keys.isEmpty, "every command has a key")
    }

    @Test(arguments: CommandMode.allCases) func noKeyHasTwoCommands(mode: CommandMode) {
        let keys = CommandTable.entries.flatMap { $0.keys[mode] ?? [] }
        #expect(Set(keys).count == keys.count)
    }

    private func command(
        _ name: String, _ mode: CommandMode, _ modifiers: KeyEvent.Modifiers = [],
        _ action: KeyEvent.Action = .down
    ) -> Command? {
        CommandTable.command(
            for: KeyEvent(name: name, modifiers: modifiers, action: action), in: mode)
    }

    @Test func theModeDecidesTheCommandOfAKey() {
        #expect(command("0", .viewer) == .fit)
        #expect(command("0", .grid) == .defaultColumns)
        #expect(command("Next", .viewer) == .next)
        #expect(command("Next", .grid) == .pageDown)
        #expect(command("a", .grid) == nil)
        #expect(command("a", .grid, .control) == .selectAll)
        #expect(command("q", .viewer, .control) == .quit)
        #expect(command("plus", .viewer, .control) == .zoomIn)
        #expect(command("r", .viewer, .control) == nil)
        for mode in CommandMode.allCases {
            #expect(command("o", mode, .control) == .openFiles)
            #expect(command("O", mode, [.control, .shift]) == .openFolder)
        }
    }

    @Test func altAndLogoModifiersSelectNoCommand() {
        #expect(command("plus", .viewer, .alt) == nil)
        #expect(command("Left", .grid, .logo) == nil)
        #expect(command("Left", .grid, .shift) == .left)
    }

    @Test func onlyCommandsThatRepeatRepeat() {
        #expect(command("Right", .viewer, [], .repeated) == .right)
        #expect(command("f", .viewer, [], .repeated) == nil)
        #expect(command("Right", .viewer, [], .up) == nil)
    }

    @Test func keysHaveReadableLabels() {
        #expect(KeyBinding("plus").label == "+")
        #expect(KeyBinding("Ctrl+q").label == "Ctrl+Q")
        #expect(KeyBinding("Ctrl+O").label == "Ctrl+Shift+O")
        #expect(KeyBinding("Ctrl+space").label == "Ctrl+Space")
        #expect(KeyBinding("F11").label == "F11")
        // Names of keysyms are no labels.
        #expect(KeyBinding("slash").label == "/" && KeyBinding("numbersign").label == "#")
        #expect(KeyBinding("odiaeresis").label == "ö" && KeyBinding("ydiaeresis").label == "ÿ")
        #expect(KeyBinding("exclamdown").label == "¡" && KeyBinding("ntilde").label == "ñ")
        #expect(KeyBinding("Ctrl+odiaeresis").label == "Ctrl+Ö")
        #expect(KeyBinding("Ctrl+ssharp").label == "Ctrl+ß")
        #expect(KeyBinding("U20AC").label == "€" && KeyBinding("KP_Add").label == "Keypad +")
        #expect(KeyBinding("Ctrl+Shift+plus").accelerator == "<Control><Shift>plus")
    }

    @Test func keysHaveTheNamesOfTheLanguage() async {
        await #expect(processExitsWith: .success) {
            let texts = ["key\u{4}Space": "Leertaste", "Ctrl+%s": "Strg+%s"]
            Translation.use(Translator(text: { texts[$0] }, plural: { _, _, _ in nil }))
            #expect(KeyBinding("Ctrl+space").label == "Strg+Leertaste")
            #expect(KeyBinding("Ctrl+O").label == "Strg+Shift+O")
        }
    }
}
