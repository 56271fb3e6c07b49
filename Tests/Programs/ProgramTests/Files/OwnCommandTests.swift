import Glibc
import TestKit
import Testing

/// Commands of a person's own, and commands for the desktop, in the program without a compositor.
@Suite("Commands of one's own")
struct OwnCommandTests {
    private let folder = TemporaryFolder()
    private let picture: String

    init() {
        folder.folder("a b")
        picture = folder.file("a b/x'$(id).png", TestPicture.card(30, 20).png())
    }

    /// A program that appends its arguments to a file, a line for each start.
    private func tool(_ rest: String = "") -> String {
        let path = folder.file(
            "tool",
            "#!/bin/sh\nfor x; do printf '[%s]' \"$x\"; done >> '\(folder / "out")'\n"
                + "echo >> '\(folder / "out")'\n\(rest)\n")
        chmod(path, 0o755)
        return path
    }

    private func run(
        _ settings: String, _ script: String, _ options: [String] = [], paths: [String]? = nil
    ) -> ChildProcess {
        Binaries.vitrine(
            [
                "--headless", "600x400", "--config", folder.file("c.toml", settings), "--script",
                folder.file("script", script),
            ] + options + (paths ?? [picture]))
    }

    private var output: String { TestFile.text(folder / "out") ?? "" }

    @Test func thePromptRunsTheChosenCommand() {
        let result = run(
            "[commands]\nfirst = [\"\(tool())\", \"1\"]\nsecond = [\"\(tool())\", \"%f\", \"%d\"]",
            "100 key colon\n600 key Down\n700 key Return\n1500 end")
        #expect(result.status == 0 && result.errors == "")
        #expect(output == "[\(picture)][\(folder / "a b")]\n")
    }

    @Test func aKeyRunsItsCommandButNotOverAPrompt() {
        let settings =
            "commands.\"my tool\" = [\"\(tool())\", \"%F\"]\ncommand_keys.\"my tool\" = \"Ctrl+1\""
        let result = run(
            settings,
            "100 key Ctrl+1\n500 key colon\n1000 key Ctrl+1\n1300 key Escape\n2000 end")
        #expect(result.errors == "")
        #expect(output == "[\(picture)]\n")
    }

    /// From the grid a command runs on the selected pictures, once for each.
    @Test func aCommandRunsOnTheSelection() {
        let other = folder.file("a b/y.png", TestPicture.card(20, 20).png())
        let result = run(
            "commands.x = [\"\(tool())\", \"%u\"]\ncommand_keys.x = \"F9\"",
            "500 key Ctrl+a\n1000 key F9\n2000 end", ["--grid"], paths: [folder / "a b"])
        #expect(result.errors == "")
        let lines = output.split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("[file://") })
        #expect(lines.contains("[file://\(folder.path)/a%20b/y.png]"), "\(other)")
    }

    @Test func aFailureIsReportedWithTheFirstLineOfItsErrors() {
        let failing = tool("echo 'no \u{1B}[31mluck' >&2; echo more >&2; exit 3")
        let result = run(
            "commands.x = [\"\(failing)\", \"%f\"]\ncommand_keys.x = \"F9\"",
            "100 key F9\n1000 end")
        #expect(result.status == 0)
        #expect(result.errors.contains("x: it ended with code 3: no "))
        #expect(!result.errors.contains("\u{1B}") && !result.errors.contains("more"))
    }

    @Test func aMissingProgramIsReported() {
        let result = run(
            "commands.x = [\"no-such-program-here\"]\ncommand_keys.x = \"F9\"",
            "100 key F9\n1000 end")
        #expect(result.errors.contains("x: there is no such program"))
    }

    /// An error in one entry costs this entry.
    @Test func theOtherEntriesCount() {
        let result = run(
            "[commands]\nbad = [\"x\", \"%z\"]\nx = [\"\(tool())\", \"ran\"]\n[command_keys]\nx = \"F9\"",
            "100 key F9\n1000 end")
        #expect(result.errors.contains("c.toml:2: commands.bad"))
        #expect(output == "[ran]\n")
    }

    /// Without a window there is no desktop, and the message says so.
    @Test(arguments: ["o", "e", "Ctrl+m", "Ctrl+p", "w"])
    func withoutADesktopTheMessageSaysSo(key: String) {
        let result = run("", "100 key \(key)\n1000 end")
        #expect(result.status == 0)
        #expect(result.errors.contains("there are no services of a desktop"))
    }
}
