import Folders
import Grid
import Settings
import SystemCalls
import TOML
import Testing
import Viewer

@testable import Application

/// What settings files do to the options.
@Suite struct SettingsFileTests {
    private func file(_ text: String, _ name: String = "f.toml") -> SettingsFiles.File {
        SettingsFiles.File(path: FilePath(name), content: .bytes(Array(text.utf8)))
    }

    private func values(_ options: Options) -> [String: TOMLValue?] {
        Dictionary(
            uniqueKeysWithValues: options.values.descriptions.map { ($0.name, $0.value) })
    }

    @Test func everyErrorIsNamedAndEveryOtherLineCounts() {
        var options = Options()
        let problems = options.applySettings([
            file(
                """
                viewer.enlarge = true
                viewer.whell = "zoom"
                [grid]
                columns = "7"
                pinch = peek
                layout = "canvas"
                """)
        ])
        #expect(
            problems == [
                "f.toml:2: viewer.whell: is not a setting; did you mean viewer.wheel?",
                "f.toml:4: grid.columns: takes a whole number from 1 to 20, not “\"7\"”",
                "f.toml:5: grid.pinch: peek needs quotes",
            ])
        #expect(options.values.viewer.enlarge && options.values.grid.layout == .canvas)
    }

    @Test func laterFilesAndTheCommandLineHavePriority() throws {
        var options = try Options(
            ["--set", "grid.columns=9", "--reduced-motion", "p"].map { Array($0.utf8) })
        let first = file("grid.columns = 2\npeek.max = 3\nviewer.wheel = \"zoom\"")
        #expect(options.applySettings([first, file("peek.max = 4")]) == [])
        #expect(options.values.grid.columns == 9 && options.values.grid.peekMaximum == 4)
        #expect(options.values.viewer.wheel == .zoom && options.values.viewer.reducedMotion)
        // Lines that are gone go back to the defaults.
        #expect(options.applySettings([]) == [])
        #expect(options.values.grid.peekMaximum == 2 && options.values.viewer.wheel == .page)
        #expect(options.values.grid.columns == 9 && options.values.viewer.reducedMotion)
    }

    /// Values of all kinds; one of them fits each setting.
    private static let samples = [
        "true", "false", "1", "2", "3", "0.5", "7", "40", "400", "\"/srv/new 3\"", "\"date\"",
        "\"#204060\"", "\"08:00-20:00\"", "\"1234\"", "\"name\"", "\"information\"", "\"DP-1\"",
        "\"/srv/a\"", "\"DP-1: /srv/a\"", "\"08:00-12:00 /srv/a\"", "\"menu\"",
    ]

    /// A setting is live only if a line that is gone from the files is forgotten.
    @Test(arguments: SettingValues.descriptions.filter { $0.value != nil }.map(\.name))
    func aSettingThatIsGoneGoesBackToItsDefault(_ name: String) throws {
        let values = try #require(SettingValues.descriptions.first { $0.name == name }).values
        let samples = Self.samples + values.split(separator: "|").map { "\"\($0)\"" }
        var options = Options()
        let isChanged = samples.contains { sample in
            options.applySettings([file("\(name) = \(sample)")]).isEmpty
                && options.values.differences(from: SettingValues()) == [name]
        }
        #expect(isChanged, "no sample fits \(name), which takes \(values)")
        #expect(options.applySettings([]) == [])
        #expect(options.values.differences(from: SettingValues()) == [])
    }

    @Test func anOrderAtRandomStaysWhenFilesAreReadAgain() {
        var options = Options()
        _ = options.applySettings([file("collection.sort = \"random\"")])
        let order = options.values.collection.order
        _ = options.applySettings([file("collection.sort = \"random\"\npeek.max = 4")])
        #expect(options.values.collection.order == order)
    }

    @Test func thePrintedSettingsAreTheDefaults() {
        var options = Options()
        options.values.viewer.enlarge = true
        #expect(options.applySettings([file(PrintedSettings.text)]) == [])
        #expect(values(options) == values(Options()))
        let read = TOMLDocument(PrintedSettings.text)
        let named = SettingValues.descriptions.filter { $0.value != nil }.map(\.name)
        #expect(read.entries.map(\.name) == named)
    }

    @Test func aValueOfTheWrongKindIsRefusedBySettingsOfAllKinds() {
        for name in SettingValues.descriptions.map(\.name) {
            for value in ["[[]]", "1979-05-27", "{ a = 1 }", "nan", "-1"] {
                var options = Options()
                #expect(options.applySettings([file("\(name) = \(value)")]).count == 1, "\(name)")
                #expect(values(options) == values(Options()), "\(name) = \(value)")
            }
        }
    }

    @Test func filesThatAreNotUsedAreNamed() {
        var options = Options()
        let problems = options.applySettings([
            .init(path: FilePath("a"), content: .untrusted(.writable)),
            .init(path: FilePath("d"), content: .untrusted(.foreign(owner: "ann"))),
            .init(path: FilePath("e"), content: .untrusted(.unmapped)),
            .init(path: FilePath("b"), content: .failed(SystemError(code: 27))), file("", "c"),
        ])
        #expect(
            problems == [
                "a: not used, because others can change it; see chmod go-w",
                "d: not used, because it belongs to ann; take it over with chown, or start vitrine "
                    + "as its owner",
                "e: not used, because its owner is unknown in this user namespace; map the owner "
                    + "there, or name a file of your own with --config",
                "b: more than 1 MiB, so nothing of it is used",
            ])
    }

    /// Reading is far below a frame's time.
    @Test func twoHundredLinesTakeLessThanAFrame() {
        let lines = SettingValues.descriptions.compactMap { setting in
            setting.value.map { "\(setting.name) = \($0.text)  # why" }
        }
        let text = (lines + (lines.count..<200).map { "# line \($0)" }).joined(separator: "\n")
        var options = Options()
        let start = ContinuousClock.now
        for _ in 0..<10 { _ = options.applySettings([file(text)]) }
        let time = (ContinuousClock.now - start) / 10
        #expect(time < .milliseconds(16), "\(time)")
        print("settings of 200 lines: \(time)")
    }
}
