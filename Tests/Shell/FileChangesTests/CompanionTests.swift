import SeededRandom
import FileChanges
import Glibc
import ImageWire
import TestKit
import Testing
import Threads

/// The text of a picture is its identity here: companions have the same text and their suffix.
@Suite("Pictures and their companions")
struct CompanionTests {
    private static let suffixes = [".xmp", ".pp3"]

    /// All files of a bench and of its folder `sub`, by their paths.
    private func files(_ bench: ChangeBench) -> [String: String] {
        var files: [String: String] = [:]
        for folder in ["", "sub/"] {
            for name in bench.names(in: folder) { files[folder + name] = bench.text(folder + name) }
        }
        return files
    }

    private func addPicture(_ bench: ChangeBench, _ name: String, _ text: String) {
        _ = bench.folder.file(name, text)
        for suffix in Self.suffixes { _ = bench.folder.file(name + suffix, text + suffix) }
    }

    /// A bench with a picture and its companions, and a sidecar without a picture at another name.
    private func bench(stranger: String) -> ChangeBench {
        let bench = ChangeBench()
        bench.folder.folder("sub")
        addPicture(bench, "x.jpg", "x")
        _ = bench.folder.file(stranger, "stranger")
        return bench
    }

    @Test(
        "A picture is not renamed to a name with a companion of another picture",
        arguments: suffixes)
    func rename(suffix: String) {
        let bench = bench(stranger: "z.jpg" + suffix)
        let before = files(bench)
        let result = bench.perform(
            .move(from: bench.path("x.jpg"), to: bench.path("z.jpg"), picksName: false))
        #expect(
            result.failures.map(\.failure)
                == [.companionOfAnother(path: bench.path("z.jpg" + suffix))])
        #expect(files(bench) == before)
    }

    @Test(
        "Companions never stand beside another picture, and the name of the picture is what is taken",
        arguments: [[], suffixes])
    func taken(theirs: [String]) {
        let bench = bench(stranger: "y.jpg.xmp")
        _ = bench.folder.file("z.jpg", "z")
        for suffix in theirs { _ = bench.folder.file("z.jpg" + suffix, "z" + suffix) }
        let before = files(bench)
        let result = bench.perform(
            .move(from: bench.path("x.jpg"), to: bench.path("z.jpg"), picksName: false))
        #expect(result.failures.map(\.failure) == [.exists])
        #expect(files(bench) == before)
    }

    @Test("A companion without contents does not stop a copy")
    func copyWithoutContents() {
        let bench = bench(stranger: "y.jpg.xmp")
        for (suffix, target) in [(".xmp", "nothing"), (".pp3", "sub")] {
            unlink(bench.folder / "x.jpg" + suffix)
            symlink(target, bench.folder / "x.jpg" + suffix)
        }
        let result = bench.perform(
            .copy(from: bench.path("x.jpg"), to: bench.path("sub/x.jpg"), picksName: true))
        #expect(result.failures.isEmpty && bench.names(in: "sub") == ["x.jpg"])
    }

    @Test("Where a name may be chosen, one without companions is", arguments: suffixes)
    func choice(suffix: String) throws {
        let stranger = "sub/x.jpg" + suffix
        let moved = [
            "sub/x (2).jpg": "x", "sub/x (2).jpg.xmp": "x.xmp", "sub/x (2).jpg.pp3": "x.pp3",
        ]
        for isMove in [false, true] {
            let bench = bench(stranger: stranger)
            let before = files(bench)
            let (from, to) = (bench.path("x.jpg"), bench.path("sub/x.jpg"))
            let result = bench.perform(
                isMove
                    ? .move(from: from, to: to, picksName: true)
                    : .copy(from: from, to: to, picksName: true))
            #expect(result.done.first?.path == bench.path("sub/x (2).jpg"))
            let after = (isMove ? [stranger: "stranger"] : before).merging(moved) { $1 }
            #expect(files(bench) == after)
            let undone = try bench.undo().get()
            #expect(undone.failures == 0 && undone.outcome == .other)
            #expect(files(bench) == before)
            let redone = try bench.undo(redo: true).get()
            #expect(redone.failures == 0 && redone.outcome == .other)
            #expect(files(bench) == after)
        }
    }

    @Test("A new file takes no companion over, and none comes with its undo")
    func save() throws {
        let bench = bench(stranger: "new.jpg.xmp")
        let before = files(bench)
        bench.perform(
            .save(path: bench.path("new.jpg"), like: []), contents: Array("new".utf8))
        #expect(files(bench) == before.merging(["new (2).jpg": "new"]) { $1 })
        #expect(try bench.undo().get().failures == 0)
        #expect(files(bench) == before)
    }

    @Test(
        "A picture that comes back to a taken name has its own companions, and leaves those of others",
        arguments: [["x.jpg": "other"], ["x.jpg.xmp": "stranger"], ["x.jpg.pp3": "stranger"]])
    func restore(others: [String: String]) throws {
        let bench = bench(stranger: "y.jpg.xmp")
        let before = files(bench)
        bench.perform(.trash(path: bench.path("x.jpg")))
        #expect(files(bench) == ["y.jpg.xmp": "stranger"])
        for (name, text) in others { _ = bench.folder.file(name, text) }
        let reversal = try bench.undo().get()
        #expect(reversal.failures == 0 && reversal.path == bench.path("x (2).jpg"))
        #expect(reversal.outcome == .restored && reversal.pictures == 1)
        #expect(reversal.subject == reversal.path)
        var after = ["y.jpg.xmp": "stranger"].merging(others) { $1 }
        for (name, text) in before where text.hasPrefix("x") {
            after[name.replacing("x.jpg", with: "x (2).jpg")] = text
        }
        #expect(files(bench) == after)
        // The trash gets all of them again.
        let redone = try bench.undo(redo: true).get()
        #expect(redone.failures == 0 && redone.outcome == .trashed && redone.pictures == 1)
        #expect(files(bench) == ["y.jpg.xmp": "stranger"].merging(others) { $1 })
    }

    @Test("A rename is not undone to a name with a companion of another picture")
    func refusedUndo() throws {
        let bench = bench(stranger: "y.jpg.xmp")
        bench.perform(.move(from: bench.path("x.jpg"), to: bench.path("z.jpg"), picksName: false))
        _ = bench.folder.file("x.jpg.xmp", "stranger")
        let before = files(bench)
        let reversal = try bench.undo().get()
        #expect(reversal.failure == .companionOfAnother(path: bench.path("x.jpg.xmp")))
        #expect(reversal.count == 0 && reversal.failures == 1)
        #expect(files(bench) == before && before["z.jpg.xmp"] == "x.xmp")
    }

    @Test("Companions that another program has made go with the picture, there and back")
    func newCompanions() throws {
        let bench = ChangeBench()
        _ = bench.folder.file("x.jpg", "x")
        bench.perform(.copy(from: bench.path("x.jpg"), to: bench.path("c.jpg"), picksName: true))
        _ = bench.folder.file("c.jpg.xmp", "x.xmp")
        let before = files(bench)
        #expect(try bench.undo().get().failures == 0)
        #expect(files(bench) == ["x.jpg": "x"])
        #expect(try bench.undo(redo: true).get().failures == 0)
        #expect(files(bench) == before)
        bench.perform(.move(from: bench.path("c.jpg"), to: bench.path("d.jpg"), picksName: false))
        _ = bench.folder.file("d.jpg.pp3", "x.pp3")
        #expect(try bench.undo().get().failures == 0)
        #expect(files(bench) == before.merging(["c.jpg.pp3": "x.pp3"]) { $1 })
    }

    @Test("A companion that has left the trash is told; one that the person has put back stays")
    func lostCompanions() throws {
        for isPutBack in [false, true] {
            let bench = bench(stranger: "y.jpg.xmp")
            let before = files(bench)
            bench.perform(.trash(path: bench.path("x.jpg")))
            let trashed = try #require(
                bench.names(in: "trash/").first { bench.text("trash/" + $0) == "x.xmp" })
            if isPutBack {
                Glibc.rename(bench.folder / "trash/\(trashed)", bench.folder / "x.jpg.xmp")
            } else {
                unlink(bench.folder / "trash/\(trashed)")
            }
            let reversal = try bench.undo().get()
            #expect(reversal.failures == (isPutBack ? 0 : 1))
            #expect(reversal.path == bench.path("x.jpg"))
            #expect(files(bench) == before.filter { isPutBack || $0.value != "x.xmp" })
        }
    }

    @Test("A picture and its companions move to another file system, and back")
    func otherFileSystem() throws {
        let bench = bench(stranger: "y.jpg.xmp")
        var name = Array("/dev/shm/vitrine-XXXXXX".utf8CString)
        let other = String(cString: try #require(mkdtemp(&name)))
        defer { _ = ChildProcess.run(["/bin/rm", "-r", other]) }
        TestFile.write(Array("stranger".utf8), to: other + "/x.jpg.xmp")
        let before = files(bench)
        let target = Array((other + "/x.jpg").utf8)
        let refused = bench.perform(
            .move(from: bench.path("x.jpg"), to: target, picksName: false))
        #expect(refused.failures.count == 1 && files(bench) == before)
        bench.perform(.move(from: bench.path("x.jpg"), to: target, picksName: true))
        #expect(files(bench) == ["y.jpg.xmp": "stranger"])
        for suffix in [""] + Self.suffixes {
            #expect(TestFile.text(other + "/x (2).jpg" + suffix) == "x" + suffix)
        }
        #expect(TestFile.text(other + "/x.jpg.xmp") == "stranger")
        #expect(try bench.undo().get().failures == 0)
        #expect(files(bench) == before)
    }

    /// Another program removes the picture while its copy is being made.
    @Test("A copy on another file system outlives its original")
    func vanishedOriginal() throws {
        var name = Array("/dev/shm/vitrine-XXXXXX".utf8CString)
        let other = String(cString: try #require(mkdtemp(&name)))
        defer { _ = ChildProcess.run(["/bin/rm", "-r", other]) }
        let (bench, original) = (ChangeBench(), other + "/x.jpg")
        TestFile.write(Array("x.xmp".utf8), to: original + ".xmp")
        TestFile.write(Array("x".utf8), to: original)
        // The copy takes longer than it takes to notice the copy.
        #expect(truncate(original, 512 << 20) == 0)
        let copy = bench.folder / ".vitrine-*/x.jpg"
        let isStarted = Thread.start {
            var (found, tries) = (glob_t(), 50_000)
            while glob(copy, 0, nil, &found) != 0, tries > 0 {
                usleep(100)
                tries -= 1
            }
            globfree(&found)
            unlink(original)
        }
        #expect(isStarted)
        let result = bench.perform(
            .move(from: Array(original.utf8), to: bench.path("x.jpg"), picksName: true))
        #expect(result.failures.isEmpty && access(original, F_OK) != 0)
        var info = stat()
        #expect(lstat(bench.folder / "x.jpg", &info) == 0 && info.st_size == 512 << 20)
        #expect(bench.text("x.jpg.xmp") == "x.xmp")
    }

    @Test("A deletion for good takes the companions, and leaves those of others")
    func remove() {
        let bench = bench(stranger: "y.jpg.xmp")
        bench.perform(.remove(path: bench.path("x.jpg")))
        #expect(files(bench) == ["y.jpg.xmp": "stranger"])
    }

    @Test(
        "Files that a person chose with their pictures follow these by themselves",
        arguments: [
            (["/a.jpg", "/a.jpg.xmp", "/b.jpg.xmp"], ["/a.jpg", "/b.jpg.xmp"]),
            (["/a.jpg.xmp", "/a.jpg"], ["/a.jpg"]),
            (["/a.jpg", "/f/a.jpg.xmp", "/a.xmp"], ["/a.jpg", "/f/a.jpg.xmp", "/a.xmp"]),
            (["/a.jpg", "/a.jpg.small.jpg", "/a.jpg.json"], ["/a.jpg", "/a.jpg.small.jpg"]),
            ([], []),
        ])
    func chosen(paths: [String], left: [String]) {
        let bytes = CompanionNames.withoutCompanions(paths.map { Array($0.utf8) })
        #expect(bytes == left.map { Array($0.utf8) })
    }

    // MARK: Properties

    /// What another program does: it makes a companion where no picture is, or a picture at a free name.
    private func disturb(
        _ bench: ChangeBench, _ number: Int, using random: inout some RandomNumberGenerator
    ) {
        let name = Self.name(using: &random)
        guard bench.text(name) == nil, bench.text(name + ".xmp") == nil,
            bench.text(name + ".pp3") == nil
        else { return }
        if Bool.random(using: &random) {
            addPicture(bench, name, "p\(number)")
        } else {
            let suffix = Self.suffixes.randomElement(using: &random) ?? ".xmp"
            _ = bench.folder.file(name + suffix, "stranger")
        }
    }

    private static func name(using random: inout some RandomNumberGenerator) -> String {
        let folder = Bool.random(using: &random) ? "" : "sub/"
        return folder + "m\(Int.random(in: 0..<3, using: &random)).jpg"
    }

    private func change(
        _ bench: ChangeBench, using random: inout some RandomNumberGenerator
    ) {
        let pictures = files(bench).keys.filter { $0.hasSuffix(".jpg") }.sorted()
        let choice = Int.random(in: 0..<6, using: &random)
        guard choice > 1 else {
            _ = bench.undo(redo: choice == 1)
            return
        }
        guard let picture = pictures.randomElement(using: &random) else { return }
        let (path, to) = (bench.path(picture), bench.path(Self.name(using: &random)))
        let picksName = Bool.random(using: &random)
        switch choice {
        case 2: bench.perform(.trash(path: path))
        case 3: bench.perform(.copy(from: path, to: to, picksName: picksName))
        default: bench.perform(.move(from: path, to: to, picksName: picksName))
        }
    }

    @Test("Whatever happens, a picture has its own companions, all of them, and no others")
    func ownership() {
        var random = SeededGenerator(seed: 57)
        var changes = 0
        for sequence in 0..<40 {
            let bench = ChangeBench()
            bench.folder.folder("sub")
            addPicture(bench, "a.jpg", "pa")
            addPicture(bench, "sub/b.jpg", "pb")
            for number in 0..<25 {
                if number % 3 == 0 { disturb(bench, number, using: &random) }
                let before = files(bench)
                change(bench, using: &random)
                let after = files(bench)
                changes += after == before ? 0 : 1
                for (name, text) in after where name.hasSuffix(".jpg") {
                    for suffix in Self.suffixes {
                        #expect(
                            after[name + suffix] == text + suffix,
                            "sequence \(sequence), step \(number): \(name), \(before), \(after)")
                        guard after[name + suffix] == text + suffix else { return }
                    }
                }
            }
        }
        #expect(changes > 100)
    }
}
