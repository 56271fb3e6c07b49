import Folders
import Glibc
import TestKit
import Testing

@testable import Desktop

@Suite struct ChildProgramTests {
    private let folder = TemporaryFolder()

    private func run(_ words: String..., patience: Int? = nil) -> ChildProgram.Outcome {
        ChildProgram(words.map { Array($0.utf8) }).run(patience: patience)
    }

    @Test func theEndIsReported() {
        #expect(run("true") == .ended(code: 0, error: ""))
        #expect(run("sh", "-c", "exit 3") == .ended(code: 3, error: ""))
        #expect(run("sh", "-c", "kill -9 $$") == .killed(signal: 9, error: ""))
        #expect(run("true").problem == nil)
    }

    @Test func theFirstErrorIsKept() {
        let outcome = run("sh", "-c", "printf '\\n\\033[1mbad\\tthing\\nmore\\n' >&2; exit 1")
        #expect(outcome == .ended(code: 1, error: "\u{FFFD}[1mbad thing"))
        #expect(outcome.problem == "it ended with code 1: \u{FFFD}[1mbad thing")
    }

    /// A program that writes errors without end neither blocks nor takes memory without end.
    @Test func errorsHaveALimit() {
        let outcome = run("sh", "-c", "head -c 3000000 /dev/zero | tr '\\0' x >&2; exit 4")
        guard case .ended(code: 4, let error) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(error == String(repeating: "x", count: 200) + "…")
    }

    @Test func programsThatDoNotStart() {
        let plain = folder.file("plain", "no program")
        chmod(plain, 0o644)
        let broken = folder.file("broken", "#!/nonexistent/interpreter\n")
        chmod(broken, 0o755)
        #expect(run("no-such-program-of-vitrine") == .notStarted("there is no such program"))
        #expect(run(plain) == .notStarted("it may not be executed"))
        #expect(run(broken) == .notStarted("there is no such program"))
        #expect(run("") == .notStarted("there is no such program"))
        #expect(ChildProgram([]).run() == .notStarted("there is no such program"))
        var lost = ChildProgram([Array("true".utf8)])
        lost.folder = FilePath("/nonexistent")
        #expect(lost.run() == .notStarted("there is no such program"))
        let long = Array(repeating: [UInt8](repeating: 65, count: 100_000), count: 200)
        #expect(
            ChildProgram([Array("true".utf8)] + long).run()
                == .notStarted("there are too many files for one start"))
    }

    /// Nothing of this process reaches the program but its environment, which can be changed.
    @Test func theProgramStartsAfresh() {
        let output = folder / "out"
        let script = """
            { echo "$A|$HOME_LOST|$(pwd)|$(cat)"; grep -E 'Sig(Blk|Ign)' /proc/self/status; \
            ls /proc/self/fd; ps -o sid= -p $$ | grep -qw $$ && echo own; } > "$0"
            """
        var program = ChildProgram(["sh", "-c", script, output].map { Array($0.utf8) })
        program.environment = ["A=1 2", "HOME_LOST"]
        program.folder = FilePath("/usr")
        // The descriptor that a careless program would inherit.
        let leaking = dup(0)
        defer { close(leaking) }
        #expect(program.run() == .ended(code: 0, error: ""))
        let lines = (TestFile.text(output) ?? "").split(separator: "\n")
        #expect(lines.first == "1 2||/usr|")
        #expect(lines.contains("SigBlk:\t0000000000000000"))
        // The two signals above the first 31 belong to the C library, which nobody can reset.
        let ignored = lines.first { $0.hasPrefix("SigIgn:") }?.dropFirst(8)
        #expect(ignored.flatMap { UInt64($0, radix: 16) }.map { $0 & 0x7FFF_FFFF } == 0)
        #expect(!lines.contains("\(leaking)"))
    }

    @Test func aProgramThatGoesOnIsLeftAlone() {
        let output = folder / "later"
        #expect(run("sh", "-c", "sleep 0.5; echo x > '\(output)'", patience: 60) == .running)
        for _ in 0..<200 where TestFile.text(output) != "x\n" { usleep(50_000) }
        #expect(TestFile.text(output) == "x\n")
        #expect(run("false", patience: 5000) == .ended(code: 1, error: ""))
    }
}
