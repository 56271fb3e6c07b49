import Glibc
import StallingFileSystem
import Synchronization
import TestKit
import Testing
import Threads

/// The file system that other tests stall.
@Suite(.enabled(if: StallingFileSystem.obstacle == nil, "\(StallingFileSystem.obstacle ?? "")"))
struct StallingFileSystemTests {
    private let folder = TemporaryFolder()

    private func mounted() throws -> StallingFileSystem {
        folder.folder("files")
        folder.folder("files/inner")
        folder.folder("mount")
        _ = folder.file("files/a.txt", "first")
        _ = folder.file("files/b.txt", String(repeating: "second", count: 100_000))
        _ = folder.file("files/inner/c.txt", "third")
        symlink("a.txt", folder / "files/link")
        return try StallingFileSystem(of: folder / "files", at: folder / "mount")
    }

    /// A program that reads a file or lists a folder.
    private final class Reader: Sendable {
        private let result = Mutex<ChildProcess?>(nil)

        init(_ path: String, by program: String = "/bin/cat") {
            Thread.start {
                let result = ChildProcess.run([program, path], environment: ["LC_ALL=C"])
                self.result.withLock { $0 = result }
            }
        }

        /// The output and the errors; nil before the end.
        var current: String? { result.withLock { $0.map { $0.output + $0.errors } } }

        func finished() -> String? {
            _ = StallingFileSystemTests.until { current != nil }
            return current
        }
    }

    fileprivate static func until(_ condition: () -> Bool) -> Bool {
        for _ in 0..<10_000 {
            if condition() { return true }
            usleep(1000)
        }
        return false
    }

    @Test func theFilesAreThoseOfTheFolder() throws {
        let files = try mounted()
        func text(_ name: String) -> String? { Reader(files.path + "/" + name).finished() }
        #expect(text("a.txt") == "first")
        #expect(text("link") == "first")
        #expect(text("inner/c.txt") == "third")
        #expect(text("b.txt")?.count == 600_000)
        #expect(text("none")?.hasSuffix("No such file or directory\n") == true)
        #expect(Reader(files.path, by: "/bin/ls").finished() == "a.txt\nb.txt\ninner\nlink\n")
        #expect(files.received(.open, of: "a.txt") == 2)
    }

    @Test(arguments: [Operation.lookup, .open, .read, .flush])
    func aStalledOperationBlocksItsProcessUntilTheRelease(_ operation: Operation) throws {
        let files = try mounted()
        files.stall(operation, of: "a.txt")
        let stalled = Reader(files.path + "/a.txt")
        #expect(Self.until { files.waiting(operation, of: "a.txt") == 1 })
        // Other files are read meanwhile.
        #expect(Reader(files.path + "/b.txt").finished()?.count == 600_000)
        usleep(20_000)
        #expect(stalled.current == nil)
        files.release()
        #expect(stalled.finished() == "first")
        #expect(Self.until { files.waiting() == 0 })
    }

    @Test func aFailureHasItsErrorNumber() throws {
        let files = try mounted()
        func text(_ name: String) -> String { Reader(files.path + "/" + name).finished() ?? "" }
        files.fail(.open, of: "a.txt", with: EIO)
        #expect(text("a.txt").hasSuffix("Input/output error\n"))
        files.fail(.lookup, with: ESTALE)
        #expect(text("b.txt").hasSuffix("Stale file handle\n"))
        files.release()
        #expect(text("a.txt") == "first")
    }

    @Test func aStalledOperationCanFail() throws {
        let files = try mounted()
        files.stall(.read)
        let stalled = Reader(files.path + "/a.txt")
        #expect(Self.until { files.waiting(.read) == 1 })
        files.fail(.read, with: EIO)
        #expect(stalled.finished()?.hasSuffix("Input/output error\n") == true)
    }

    @Test func aDelayedOperationIsAnsweredLate() throws {
        let files = try mounted()
        files.delay(.read, of: "a.txt", milliseconds: 100)
        let clock = ContinuousClock()
        let start = clock.now
        #expect(Reader(files.path + "/a.txt").finished() == "first")
        #expect(clock.now - start >= .milliseconds(100))
    }

    @Test func aListingCanStall() throws {
        let files = try mounted()
        files.stall(.readdir, of: "inner")
        let stalled = Reader(files.path + "/inner", by: "/bin/ls")
        #expect(Self.until { files.waiting(.readdir, of: "inner") == 1 })
        #expect(stalled.current == nil)
        files.release()
        #expect(stalled.finished() == "c.txt\n")
    }

    /// No process stays blocked, not even one that was killed while it waited.
    @Test func theEndReleasesEveryProcess() throws {
        var files: StallingFileSystem? = try mounted()
        files?.stall(.read, .flush)
        let program = RunningProcess(
            ["/bin/cat", folder / "mount/a.txt"], environment: [], errors: folder / "errors",
            passing: 1)
        #expect(Self.until { files?.waiting(.read) == 1 })
        kill(program.number, SIGKILL)
        usleep(20_000)
        #expect(program.exitCode == nil)
        files = nil
        #expect(Self.until { program.exitCode != nil })
        #expect(!(TestFile.text("/proc/self/mounts") ?? "").contains(folder / "mount"))
    }
}
