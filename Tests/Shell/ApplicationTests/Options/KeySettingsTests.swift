import Commands
import Folders
import Input
import TOML
import Testing

@testable import Application

/// The table `keys` of settings files.
@Suite struct KeySettingsTests {
    private func options(_ text: String) -> (options: Options, problems: [String]) {
        var options = Options()
        let problems = options.applySettings([
            SettingsFiles.File(path: FilePath("f.toml"), content: .bytes(Array(text.utf8)))
        ])
        return (options, problems)
    }

    private func command(_ options: Options, _ name: String) -> Command? {
        options.values.keys.map.command(for: KeyEvent(name: name, action: .down), in: .viewer)
    }

    @Test func aKeyOrAListOfKeys() {
        let (options, problems) = options(
            "[keys]\nzoom-in = \"F7\"\nrename = [\"F6\", \"Ctrl+n\"]\ndelete = []\n")
        #expect(problems == [])
        #expect(command(options, "F7") == .zoomIn && command(options, "F6") == .rename)
        #expect(command(options, "F2") == nil && command(options, "Delete") == nil)
        // A line that is gone gives the keys of the table again.
        var again = options
        #expect(again.applySettings([]) == [] && command(again, "Delete") == .delete)
    }

    @Test func whatIsWrongIsNamed() {
        let (options, problems) = options(
            """
            [keys]
            zoom-in = "F7"
            fly = "F8"
            crop = "F7"
            rename = ["F7+", 3]
            quit = "Ctrl+"
            """)
        #expect(
            problems == [
                "f.toml:3: keys.fly: is no command; vitrine msg commands lists all",
                "f.toml:4: keys.crop: is “F7”, the key of zoom-in",
                "f.toml:5: keys.rename: takes a key such as F5 or Ctrl+1, or a list of at most 16 "
                    + "keys, not “[\"F7+\", 3]”",
                "f.toml:6: keys.quit: takes a key such as F5 or Ctrl+1, or a list of at most 16 keys, "
                    + "not “\"Ctrl+\"”",
            ])
        #expect(command(options, "F7") == .zoomIn && command(options, "c") == .crop)
        #expect(command(options, "q") == .quit)
    }

    /// The value of the settings page for a row that was set back.
    @Test func theDefaultGivesTheKeysOfTheTable() throws {
        let (options, problems) = options(
            "[keys]\nzoom-in = \"F7\"\ncrop = \"default\"\nrename = [\"F6\", \"F9\"]\n")
        #expect(problems == [])
        #expect(command(options, "c") == .crop)
        #expect(options.values.keys.value(of: .crop) == .string("default"))
        #expect(options.values.keys.value(of: .zoomIn) == .string("F7"))
        #expect(options.values.keys.value(of: .rename) == .array([.string("F6"), .string("F9")]))
        let set = try Options(
            ["--set", "keys.crop=F7", "--set", "keys.crop=default", "p"].map { Array($0.utf8) })
        #expect(command(set, "c") == .crop && command(set, "F7") == nil)
    }

    @Test func theCommandLineHasThemToo() throws {
        let options = try Options(["--set", "keys.crop=F7", "p"].map { Array($0.utf8) })
        #expect(command(options, "F7") == .crop && command(options, "c") == nil)
    }
}
