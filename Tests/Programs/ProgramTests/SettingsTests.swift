import Glibc
import TestKit
import Testing

/// Settings files of the program.
@Suite struct SettingsTests {
    private let folder = TemporaryFolder()

    private func run(_ arguments: [String]) -> ChildProcess {
        let picture = folder.file("p.png", TestPicture.card(30, 20).png())
        return Binaries.vitrine(
            ["--headless", "300x200", "--trace", "-"] + arguments + [picture],
            environment: ["XDG_CONFIG_HOME=\(folder.path)", "HOME=\(folder.path)"])
    }

    private func zoom(_ result: ChildProcess) -> Double? {
        result.output.split(separator: "\n").last.flatMap {
            TraceFrame.all(String($0)).last?.number("zoom")
        }
    }

    @Test func aFileOfTheCommandLineCounts() {
        let path = folder.file("c.toml", "[viewer]\nenlarge = true\n")
        #expect(zoom(run(["--config", path])) == 10)
        #expect(zoom(run(["--config", path, "--set", "viewer.enlarge=false"])) == 1)
        #expect(zoom(run(["--set", "viewer.enlarge=false", "--config", path])) == 1)
    }

    /// Settings that another program writes, also after a while.
    @Test(arguments: ["--config <(sleep 0.5; cat \"$1\")", "--config /dev/stdin < \"$1\""])
    func settingsAreReadFromADescriptor(options: String) {
        let path = folder.file("c.toml", "viewer.enlarge = true\nnothing = 1\n")
        let picture = folder.file("p.png", TestPicture.card(30, 20).png())
        let result = ChildProcess.run(
            [
                "/bin/bash", "-c", "\"$0\" --headless 300x200 --trace - \"$2\" \(options)",
                Binaries.vitrine, path, picture,
            ], environment: ["HOME=\(folder.path)", "PATH=/usr/bin:/bin"])
        #expect(zoom(result) == 10 && result.status == 0)
        #expect(
            result.errors.hasSuffix(
                ":2: nothing: is not a setting; vitrine --print-config prints all\n"))
    }

    /// A run without a compositor is the same on every machine.
    @Test func aHeadlessRunDoesNotReadTheFilesOfTheUser() {
        folder.folder("vitrine")
        _ = folder.file("vitrine/config.toml", "viewer.enlarge = true\nnothing = 1\n")
        let result = run([])
        #expect(zoom(result) == 1 && result.errors == "")
    }

    @Test func errorsNameTheLineAndTheRestCounts() {
        let path = folder.file("c.toml", "nothing = 1\nviewer.enlarge = true\n[x\n")
        let result = run(["--config", path])
        #expect(zoom(result) == 10 && result.status == 0)
        #expect(
            result.errors.split(separator: "\n").map(String.init) == [
                "vitrine: \(path):1: nothing: is not a setting; vitrine --print-config prints all",
                "vitrine: \(path):3: ] is missing after the table; the lines below it are not used",
            ])
    }

    @Test func aFileThatCannotBeReadIsAWrongArgument() {
        mkfifo(folder / "pipe", 0o600)
        symlink(folder / "loop", folder / "loop")
        folder.folder("folder")
        let reasons = [
            "missing": "there is no such file", "pipe": "not a file, so it is not read",
            "loop": "the symbolic links form a loop", "folder": "a folder, so it is not read",
        ]
        for (name, reason) in reasons {
            let result = run(["--config", folder / name])
            #expect(result.status == 2)
            #expect(result.errors == "vitrine: --config: \(folder / name): \(reason)\n")
        }
        truncate(folder.file("large", "a = 1"), 100 << 20)
        #expect(run(["--config", folder / "large"]).status == 2)
    }

    @Test func aFileThatIsNoTextOrBelongsToOthersIsNotUsed() {
        let binary = folder.file("b", Array("viewer.enlarge = true\n".utf8) + [0, 1, 2, 0xFF])
        let result = run(["--config", binary])
        #expect(zoom(result) == 1)
        #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        let open = folder.file("o", "viewer.enlarge = true\n")
        chmod(open, 0o666)
        let other = run(["--config", open])
        #expect(zoom(other) == 1)
        #expect(
            other.errors
                == "vitrine: \(open): not used, because others can change it; see chmod go-w\n")
    }

    @Test func thePrintedSettingsAreAFileWithoutErrors() {
        let printed = Binaries.vitrine(["--print-config"])
        let path = folder.file("c.toml", printed.output)
        let result = run(["--config", path])
        #expect(printed.status == 0 && result.status == 0 && result.errors == "")
    }
}
