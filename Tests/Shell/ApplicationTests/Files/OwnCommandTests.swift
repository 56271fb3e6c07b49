import Folders
import Glibc
import Input
import Settings
import TOML
import TestKit
import Testing

@testable import Application

@Suite struct OwnCommandTests {
    private let paths = [FilePath("/a b/1.png"), FilePath("/a b/2.png"), FilePath("/c/ü.png")]

    private func settings(_ lines: (String, TOMLValue)...) throws(SettingRefusal)
        -> OwnCommandSettings
    {
        var settings = OwnCommandSettings()
        for (name, value) in lines { try settings.set(Setting(name, value)) }
        return settings
    }

    private func command(_ words: [String]) throws(SettingRefusal) -> OwnCommandSettings.Entry {
        try settings(("commands.test", .array(words.map { .string($0) }))).entries[0]
    }

    private func starts(_ words: String...) throws -> [[String]] {
        try command(words).template.starts(paths).map {
            $0.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    // MARK: Codes

    @Test func onePictureAtATime() throws {
        #expect(
            try starts("x", "-o", "%f.bak", "%d/out") == [
                ["x", "-o", "/a b/1.png.bak", "/a b/out"],
                ["x", "-o", "/a b/2.png.bak", "/a b/out"], ["x", "-o", "/c/ü.png.bak", "/c/out"],
            ])
        #expect(try starts("x", "%u").last == ["x", "file:///c/%C3%BC.png"])
    }

    @Test func allPicturesAtOnce() throws {
        #expect(
            try starts("x", "%F", "end") == [["x", "/a b/1.png", "/a b/2.png", "/c/ü.png", "end"]])
        #expect(try starts("x", "%U")[0].count == 4)
        #expect(try starts("x", "%F", "%d")[0].last == "/a b")
    }

    @Test func onceForEachFolderAndOnceWithoutPictures() throws {
        #expect(try starts("x", "%d") == [["x", "/a b"], ["x", "/c"]])
        #expect(try starts("x", "100%%", "", "$HOME; rm *") == [["x", "100%", "", "$HOME; rm *"]])
    }

    @Test(arguments: [
        [], [""], ["%f"], ["x", "%"], ["x", "%x"], ["x", "a%F"], ["x", "%f", "%F"],
        ["x", "a\u{0}b"],
    ])
    func commandsThatMakeNoSenseAreRefused(words: [String]) throws {
        guard !words.isEmpty else {
            #expect(try settings(("commands.a", .array([]))).entries.isEmpty)
            return
        }
        #expect(throws: SettingRefusal.self) { try command(words) }
    }

    @Test(arguments: [
        TOMLValue.string("gimp %f"), .flag(true), .array([.integer(1)]), .integer(1),
    ])
    func otherValuesAreRefused(value: TOMLValue) {
        #expect(throws: SettingRefusal.self) { try settings(("commands.a", value)) }
    }

    // MARK: Settings

    private func options(_ text: String) throws -> Options {
        var options = Options()
        for entry in TOMLDocument(Array(text.utf8)).entries {
            try options.values.set(Setting(entry.name, entry.value))
        }
        return options
    }

    @Test func aSettingsFileHasCommands() throws {
        var options = try options(
            """
            [commands]
            edit = ["gimp", "%F"]
            "to phone" = ["adb", "push", "%f", "/sdcard"]
            [command_keys]
            "to phone" = "F6"
            edit = "Ctrl+Shift+F7"
            """)
        #expect(options.values.commands.entries.map(\.name) == ["edit", "to phone"])
        #expect(
            options.values.commands.entries[1].template.words == ["adb", "push", "%f", "/sdcard"])
        #expect(options.values.commands.keyLabel(of: "to phone") == "F6")
        try options.set("commands.edit=[\"krita\", \"%F\"]")
        #expect(options.values.commands.entries.map(\.template.program) == ["krita", "adb"])
        try options.set("commands.edit=[]")
        #expect(options.values.commands.entries.map(\.name) == ["to phone"])
    }

    @Test func keysStartCommands() throws {
        let settings = try options(
            "[commands]\na = [\"x\"]\n[command_keys]\na = \"Ctrl+F5\"\nb = \"F8\"\n"
        ).values.commands
        func command(_ name: String, _ modifiers: KeyEvent.Modifiers = []) -> String? {
            settings.command(for: KeyEvent(name: name, modifiers: modifiers, action: .down))?.name
        }
        #expect(command("F5", .control) == "a")
        #expect(command("F5") == nil && command("F8") == nil)
        #expect(command("F5", [.control, .alt]) == nil)
    }

    @Test(arguments: ["", "Ctrl+", "q", "Ctrl+c", "F5 F6", "Ctrl+\u{1b}"])
    func keysThatCannotBeUsedAreRefused(key: String) {
        #expect(throws: SettingRefusal.self) { try settings(("command_keys.a", .string(key))) }
    }

    @Test func aKeyHasOneCommand() {
        #expect(throws: SettingRefusal.self) {
            try settings(("command_keys.a", .string("F6")), ("command_keys.b", .string("F6")))
        }
    }

    @Test func thePrintedSettingsSayHow() {
        #expect(PrintedSettings.text.contains("[commands]"))
        #expect(PrintedSettings.text.contains("# NAME ="))
    }

    // MARK: Runs

    private let folder = TemporaryFolder()

    private func report(
        _ commands: OwnCommands, _ start: (@escaping (OwnCommands.Report) -> Void) -> Void
    ) -> OwnCommands.Report? {
        var report: OwnCommands.Report?
        start { report = $0 }
        for _ in 0..<400 where report == nil {
            var ready = pollfd(fd: commands.pollDescriptor, events: Int16(POLLIN), revents: 0)
            poll(&ready, 1, 50)
            commands.handleReadable()
        }
        return report
    }

    private func run(_ words: String..., paths: [FilePath]) throws -> OwnCommands.Report? {
        let (commands, command) = (OwnCommands(), try command(words))
        return report(commands) { commands.run(command, paths, onEnd: $0) }
    }

    @Test func aCommandRuns() throws {
        let output = folder / "out"
        let report = try run(
            "sh", "-c", "echo \"$1\" >> \"$0\"", output, "%f", paths: paths)
        #expect(report == OwnCommands.Report(done: 3, count: 3))
        #expect(report?.message == nil)
        #expect(TestFile.text(output) == "/a b/1.png\n/a b/2.png\n/c/ü.png\n")
    }

    @Test func aFailureIsTold() throws {
        let report = try run(
            "sh", "-c", "echo \"no: $0\" >&2; test \"$0\" = /c/ü.png", "%f", paths: paths)
        #expect(report?.message == "test: it ended with code 1: no: /a b/1.png (1 of 3 done)")
        #expect(
            try run("no-such-program-of-vitrine", "%f", paths: paths)?.message
                == "test: there is no such program (0 of 3 done)")
    }

    @Test func aRunCanBeStopped() throws {
        let (commands, command) = (OwnCommands(), try command(["sh", "-c", "sleep 0.05", "%f"]))
        let many = (0..<100).map { FilePath("/\($0)") }
        let report = report(commands) { commands.run(command, many, onEnd: $0).stop() }
        #expect(report?.isStopped == true && (report?.done ?? 100) < 100)
        #expect(report?.message?.hasPrefix("stopped after ") == true)
    }
}
