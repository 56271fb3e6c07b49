import Commands
import Folders
import Input
import Interface
import Settings
import SystemCalls
import TOML
import Testing
import Viewer

@testable import Application

/// The settings page beside the tables of settings, and what its changes do to the options.
@Suite struct SettingsPageTests {
    private let folder = FilePath("/home/a/.config/vitrine")

    private var storage: Options.SettingsStorage { .file(folder, obstacle: nil) }

    private func file(_ text: String, _ name: String) -> SettingsFiles.File {
        SettingsFiles.File(
            path: folder.appending(Array(name.utf8)), content: .bytes(Array(text.utf8)))
    }

    private func row(_ name: String, _ page: SettingsPage) throws -> SettingsPage.Row {
        try #require(
            (page.sections + page.keys).flatMap(\.rows).first { $0.entry.name == name })
    }

    /// Every setting of the page exists, takes every value that the page offers, and applies at once.
    @Test func thePageFitsTheTables() throws {
        let page = Options().settingsPage(.run)
        #expect(
            page.sections.map(\.rows.count) == SettingsPage.entries.map(\.entries.count),
            "every setting of the page has a default")
        for row in page.sections.flatMap(\.rows) {
            let name = row.entry.name
            #expect(SettingValues.isLive(name), "\(name)")
            #expect(row.obstacle == nil && row.value == row.standard)
            let values: [TOMLValue] =
                switch row.entry.control {
                case .flag: [.flag(true), .flag(false)]
                case .choice(let choices): choices.map(\.value)
                case .number(let steps, _):
                    steps.map { number in
                        if case .integer = row.standard {
                            .integer(Int(number))
                        } else {
                            .number(number)
                        }
                    }
                case .keys: []
                }
            if case .choice = row.entry.control {
                #expect(values.contains(row.standard), "\(name): the default is a choice")
            }
            for value in values {
                var options = Options()
                let changed = options.change(.set(name, value), lasts: false)
                #expect(changed.map(\.name) == [name], "\(name) = \(value.text)")
                let shown = try self.row(name, options.settingsPage(.run))
                #expect(shown.value == value, "\(name) = \(value.text)")
            }
        }
    }

    @Test func aSettingOfTheCommandLineStays() throws {
        var options = try Options(
            ["--set", "viewer.enlarge=true", "--slideshow", "9", "p"].map { Array($0.utf8) })
        for name in ["viewer.enlarge", "slideshow.interval"] {
            let reason = try row(name, options.settingsPage(storage)).obstacle
            #expect(reason == "Set on the command line.")
            #expect(options.change(.reset([name]), lasts: false).isEmpty)
        }
        #expect(options.values.viewer.enlarge && options.values.viewer.slideshow.interval == 9)
        #expect(try row("viewer.wheel", options.settingsPage(storage)).obstacle == nil)
    }

    @Test func aSettingOfALaterFileStays() throws {
        var options = Options()
        _ = options.applySettings([
            file("viewer.enlarge = true\nviewer.wheel = \"zoom\"", "config.toml"),
            file("viewer.wheel = \"page\"", "config.d/10-mine.toml"),
        ])
        let page = options.settingsPage(storage)
        #expect(try row("viewer.enlarge", page).obstacle == nil)
        let reason = try #require(try row("viewer.wheel", page).obstacle)
        #expect(reason.contains("10-mine.toml") && reason.hasSuffix("which has priority."))
        // Changes for this run alone have priority over every file.
        #expect(try row("viewer.wheel", options.settingsPage(.run)).obstacle == nil)
        #expect(options.settingsPage(.run).note == "Changes last until the program ends.")
    }

    @Test func aFileThatCannotBeChangedDisablesAll() {
        let page = Options().settingsPage(.file(folder, obstacle: "read-only"))
        #expect(page.sections.flatMap(\.rows).allSatisfy { $0.obstacle == "read-only" })
    }

    @Test func settingsGoBackToTheirDefaults() throws {
        var options = Options()
        _ = options.applySettings([
            file("viewer.enlarge = true\nslideshow.interval = 8", "config.toml")
        ])
        let names = options.settingsPage(storage).changedNames(of: .settings)
        #expect(names == ["viewer.enlarge", "slideshow.interval"])
        let changed = options.change(.reset(names), lasts: false)
        #expect(changed.map(\.value) == [.flag(false), .number(5)])
        #expect(!options.values.viewer.enlarge && options.values.viewer.slideshow.interval == 5)
        #expect(options.settingsPage(storage).changedNames(of: .settings).isEmpty)
    }

    /// What is for this run stays when files are read again; what goes into the file does not.
    @Test func changesForOneRunOutliveTheFiles() throws {
        for lasts in [true, false] {
            var options = Options()
            _ = options.change(.set("viewer.enlarge", .flag(true)), lasts: lasts)
            _ = options.applySettings([])
            #expect(options.values.viewer.enlarge == lasts)
        }
    }

    /// What the page does not know is refused, whoever asks.
    @Test func onlyLiveSettingsAndTheirValuesAreTaken() {
        var options = Options()
        let wrong: [SettingChange] = [
            .set("grid.columns", .integer(3)), .set("viewer.wheel", .string("fly")),
            .set("nothing", .flag(true)), .reset(["nothing"]),
        ]
        for change in wrong { #expect(options.change(change, lasts: true).isEmpty) }
        #expect(
            options.settingSources.overrides.isEmpty
                && options.values.differences(from: SettingValues()).isEmpty)
    }

    // MARK: Keys

    private func command(_ options: Options, _ name: String) -> Command? {
        options.values.keys.map.command(for: KeyEvent(name: name, action: .down), in: .viewer)
    }

    /// Every command has a row, which takes a key and is set back.
    @Test func everyCommandHasItsKeys() throws {
        let rows = Options().settingsPage(storage).keys.flatMap(\.rows)
        #expect(Set(rows.compactMap(\.entry.command)) == Set(Command.allCases))
        for row in rows {
            let name = row.entry.name
            var options = Options()
            #expect(row.value == row.standard && row.obstacle == nil)
            let changed = options.change(.set(name, .string("F7")), lasts: false)
            #expect(changed.map(\.name) == [name] && SettingValues.isLive(name))
            let page = options.settingsPage(storage)
            #expect(try self.row(name, page).value == .string("F7"))
            #expect(page.changedNames(of: .keys) == [name])
            #expect(page.changedNames(of: .settings).isEmpty)
            let reset = options.change(.reset([name]), lasts: false)
            #expect(reset.map(\.value) == [.string("default")])
            #expect(options.values.keys.map == KeyMap())
        }
    }

    @Test func keysThatOthersSetAreFixed() throws {
        var options = try Options(["--set", "keys.crop=F7", "p"].map { Array($0.utf8) })
        _ = options.applySettings([
            file("keys.rename = \"F8\"", "config.toml"),
            file("keys.grid = \"F9\"", "config.d/10-mine.toml"),
        ])
        let page = options.settingsPage(storage)
        #expect(try row("keys.crop", page).obstacle == "Set on the command line.")
        #expect(try row("keys.grid", page).obstacle?.contains("10-mine.toml") == true)
        #expect(try row("keys.rename", page).obstacle == nil)
        #expect(options.change(.set("keys.crop", .string("F6")), lasts: false).isEmpty)
        #expect(command(options, "F7") == .crop)
    }

    /// A key leaves one command before another one gets the key.
    @Test(arguments: [true, false]) func aKeyIsTakenInTwoChanges(lasts: Bool) {
        var options = Options()
        _ = options.applySettings([file("keys.rename = \"F8\"", "config.toml")])
        #expect(options.change(.set("keys.crop", .string("F8")), lasts: lasts).isEmpty)
        for change in [
            SettingChange.set("keys.rename", .array([])), .set("keys.crop", .string("F8")),
        ] { #expect(options.change(change, lasts: lasts).count == 1) }
        #expect(command(options, "F8") == .crop && command(options, "F2") == nil)
        if lasts {
            _ = options.applySettings([file("keys.rename = \"F8\"", "config.toml")])
            #expect(command(options, "F8") == .crop)
        }
    }

    @Test func ownCommandsAreNamedByTheirKeys() {
        var options = Options()
        _ = options.applySettings([
            file(
                "[commands]\nGimp = [\"gimp\", \"%f\"]\n[command_keys]\nGimp = \"F5\"\nNone = \"F6\"",
                "config.toml")
        ])
        #expect(options.settingsPage(storage).ownCommands == ["F5": "Gimp"])
    }
}
