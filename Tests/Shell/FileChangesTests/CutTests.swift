import Edits
import FileChanges
import Glibc
import TestKit
import Testing

/// A loss of power, or a kill, at every system call of a change: each file is the old or the new one, and
/// the next start leaves nothing behind.
@Suite("Changes that are cut off")
struct CutTests {
    private static let old = "old contents"
    private static let new = "new contents"
    /// One in so many system calls is tried; `VITRINE_CUTS=1` tries all.
    private static let step = getenv("VITRINE_CUTS").flatMap { Int(String(cString: $0)) } ?? 4

    /// A system call of a run: strace counts the calls of each name apart.
    private struct Call {
        var name: Substring
        /// From 1.
        var number: Int
    }

    private final class Place {
        let folder = TemporaryFolder()

        init() {
            _ = folder.file("a.jpg", CutTests.old)
            folder.folder("data")
        }

        /// Runs the program under strace; with `call` it is killed at that system call.
        func run(_ action: String, killAt call: Call? = nil) -> ChildProcess {
            var arguments = ["/usr/bin/strace", "-o", folder / "calls"]
            if let call {
                arguments += ["-e", "inject=\(call.name):signal=KILL:when=\(call.number)"]
            }
            return ChildProcess.run(
                arguments + [Binaries.changingProgram, action, folder.path],
                environment: ["XDG_DATA_HOME=" + (folder / "data"), "HOME=" + folder.path])
        }

        /// All system calls of the change.
        var calls: [Call] {
            let lines = (TestFile.text(folder / "calls") ?? "").split(separator: "\n")
            let first = lines.firstIndex { $0.contains("\"/begin\"") } ?? 0
            var numbers: [Substring: Int] = [:]
            var calls: [Call] = []
            for (index, line) in lines.enumerated() where line.contains("(") {
                let name = line.prefix { $0 != "(" }
                numbers[name, default: 0] += 1
                if index > first { calls.append(Call(name: name, number: numbers[name] ?? 0)) }
            }
            return calls
        }

        func text(_ name: String) -> String? { TestFile.text(folder / name) }

        /// Whether the sidecar is not there, or has all that `mark` writes.
        var hasWholeSidecar: Bool {
            guard let bytes = TestFile.read(folder / "a.jpg.xmp") else { return true }
            return Sidecar.marks(in: bytes) == SidecarMark(rating: 5)
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
        killEverywhere(action, { Place() }) { place in
            let contents = [place.text("a.jpg")].compactMap(\.self) + place.trashed
            let isThere = action == "trash" || place.text("a.jpg") != nil
            let isWhole = contents.allSatisfy {
                [Self.old, Self.new, "\u{1}"].contains($0)
            }
            return isThere && isWhole && contents.contains(Self.old) && place.hasWholeSidecar
        }
    }

    /// A companion may be in two places then; it is never missing where the picture is.
    @Test(
        "After a kill at any system call a picture has its companions",
        arguments: ["rename", "trash"])
    func companions(_ action: String) {
        func place() -> Place {
            let place = Place()
            for suffix in [".xmp", ".pp3"] { _ = place.folder.file("a.jpg" + suffix, suffix) }
            return place
        }
        killEverywhere(action, place) { place in
            func has(_ name: String) -> Bool {
                place.text(name) == Self.old && place.text(name + ".xmp") == ".xmp"
                    && place.text(name + ".pp3") == ".pp3"
            }
            let trashed = place.trashed
            let isInTrash =
                trashed.contains(Self.old) && trashed.contains(".xmp") && trashed.contains(".pp3")
            let places = [has("a.jpg"), has("b.jpg"), isInTrash].count { $0 }
            let pictures = [place.text("a.jpg"), place.text("b.jpg")].compactMap(\.self)
            return places == 1 && pictures.count + (isInTrash ? 1 : 0) == 1
        }
    }

    /// Kills the change of new places at its system calls, and finds out whether each is whole then, and
    /// whether the next start leaves nothing behind.
    private func killEverywhere(
        _ action: String, _ make: () -> Place, _ isWhole: (Place) -> Bool
    ) {
        let whole = make()
        #expect(whole.run(action).status == 0)
        let all = whole.calls
        #expect(all.count > 10)
        let calls = stride(from: .random(in: 0..<Self.step), to: all.count, by: Self.step).map {
            all[$0]
        }
        var (lost, left, killed) = (0, 0, 0)
        for call in calls {
            let place = make()
            let run = place.run(action, killAt: call)
            // The calls of another run may be some more or less.
            guard run.status != 0 else { continue }
            #expect(run.status == 137)
            killed += 1
            if !isWhole(place) { lost += 1 }
            left += place.leftovers().count
        }
        print(
            "\(action): \(killed) of \(calls.count) points cut, \(lost) files lost, \(left) leftovers"
        )
        #expect(killed > calls.count * 3 / 4)
        #expect(lost == 0)
        #expect(left == 0)
    }

    /// The call that makes the hidden folder of a change does not return for a while, as on a lost share.
    @Test("A change in a folder that does not answer holds up no other change")
    func aSlowFolder() throws {
        let whole = Place()
        #expect(whole.run("replace").status == 0)
        let lines = (TestFile.text(whole.folder / "calls") ?? "").split(separator: "\n")
        let calls = lines.filter { $0.hasPrefix("mkdir(") }
        let place = try #require(calls.firstIndex { $0.contains("/.vitrine-") })
        let (slow, other) = (Place(), Place())
        symlink(slow.folder / "state", other.folder / "state")
        let result = ChildProcess.run([
            "/bin/bash", "-c",
            """
            change() { env HOME=$1 XDG_DATA_HOME=$1/data "${@:2}" \(Binaries.changingProgram) replace "$1"; }
            change \(slow.folder.path) strace -qq -e trace=mkdir -o /dev/null \\
                -e inject=mkdir:delay_enter=6000000:when=\(place + 1) &
            for _ in $(seq 400); do
                grep -q /.vitrine- \(slow.folder.path)/state/changes 2>/dev/null && break
                sleep 0.01
            done
            change \(other.folder.path) timeout 4
            cat \(other.folder.path)/a.jpg \(slow.folder.path)/a.jpg
            wait
            cat \(slow.folder.path)/a.jpg
            """,
        ])
        #expect(result.output == Self.new + Self.old + Self.new, "\(result)")
    }
}
