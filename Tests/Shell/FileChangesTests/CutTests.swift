import Edits
import FileChanges
import Glibc
import TestKit
import Testing

/// A loss of power, or a kill, at every system call of a change: each file is the old or the new one, and
/// the next start leaves nothing behind.
@Suite("Changes that are cut off", .timeLimit(.minutes(5)))
struct CutTests {
    private static let old = "old contents"
    private static let new = "new contents"

    private final class Place {
        let folder = TemporaryFolder()

        init() {
            _ = folder.file("a.jpg", CutTests.old)
            folder.folder("data")
        }

        /// Runs the program under strace; with `number` it is killed at that system call.
        func run(_ action: String, killAt number: Int? = nil) -> ChildProcess {
            var arguments = ["/usr/bin/strace", "-o", folder / "calls"]
            if let number { arguments += ["-e", "inject=all:signal=KILL:when=\(number)"] }
            return ChildProcess.run(
                arguments + [Binaries.changingProgram, action, folder.path],
                environment: ["XDG_DATA_HOME=" + (folder / "data"), "HOME=" + folder.path])
        }

        /// The places of all system calls of the change, counted from 1.
        var calls: Range<Int> {
            let lines = (TestFile.text(folder / "calls") ?? "").split(separator: "\n")
            let first = lines.firstIndex { $0.contains("\"/begin\"") } ?? 0
            let last = lines.lastIndex { !$0.hasPrefix("+++") } ?? 0
            return first + 1..<last + 1
        }

        func text(_ name: String) -> String? { TestFile.text(folder / name) }

        /// Whether the sidecar is not there, or has all that `mark` writes.
        var hasWholeSidecar: Bool {
            guard let bytes = TestFile.read(folder / "a.jpg.xmp") else { return true }
            return Sidecar.marks(in: bytes) == PictureMark(rating: 5)
                && String(decoding: bytes, as: UTF8.self).hasSuffix("<?xpacket end=\"w\"?>\n")
        }

        /// The contents of the files in the trash.
        var trashed: [String] {
            names(in: folder / "data/Trash/files").compactMap {
                TestFile.text(folder / "data/Trash/files/\($0)")
            }
        }

        func names(in path: String) -> [String] {
            guard let stream = opendir(path) else { return [] }
            defer { closedir(stream) }
            var names: [String] = []
            while let entry = readdir(stream) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != ".", name != ".." { names.append(name) }
            }
            return names
        }

        /// Starts the service once more, and returns what is left of the change that was cut off.
        func leftovers() -> [String] {
            for _ in 0..<5 {
                _ = ChildProcess.run(
                    [Binaries.changingProgram, "recover", folder.path],
                    environment: ["XDG_DATA_HOME=" + (folder / "data"), "HOME=" + folder.path])
                if hidden.isEmpty { break }
            }
            return hidden
        }

        private var hidden: [String] {
            names(in: folder.path).filter { $0.hasPrefix(".vitrine-") }
        }
    }

    @Test(
        "After a kill at any system call the file is the old or the new one",
        arguments: ["replace", "undo", "trash", "mark"])
    func cut(_ action: String) {
        let whole = Place()
        #expect(whole.run(action).status == 0)
        let calls = whole.calls
        #expect(calls.count > 10)
        var (lost, left, killed) = (0, 0, 0)
        for number in calls {
            let place = Place()
            let run = place.run(action, killAt: number)
            // The calls of another run may be some more or less.
            guard run.status != 0 else { continue }
            #expect(run.status == 137)
            killed += 1
            let contents = [place.text("a.jpg")].compactMap(\.self) + place.trashed
            let isThere = action == "trash" || place.text("a.jpg") != nil
            let isWhole = contents.allSatisfy {
                [Self.old, Self.new, "\u{1}"].contains($0)
            }
            if !isThere || !isWhole || !contents.contains(Self.old) || !place.hasWholeSidecar {
                lost += 1
            }
            left += place.leftovers().count
        }
        print("\(action): \(calls.count) points cut, \(lost) files lost, \(left) leftovers")
        #expect(killed > calls.count / 2)
        #expect(lost == 0)
        #expect(left == 0)
    }
}
