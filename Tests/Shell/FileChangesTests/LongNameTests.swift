import FileChanges
import Glibc
import ImageWire
import TestKit
import Testing

/// Names that are as long as a file system allows: what the viewer makes of them is shorter.
@Suite("Pictures with long names")
struct LongNameTests {
    /// Names of 240 to 255 bytes, with and without an extension and characters of several bytes.
    private static let names: [String] = {
        let lengths = [240, 245, 246, 251, 252, 255]
        let ends = [".jpg", "", ". A sentence after a full stop, which is no extension"]
        return lengths.flatMap { length in
            ["a", "ü", "猫"].flatMap { letter in
                ends.map { end in
                    let room = length - end.utf8.count
                    let stem = String(repeating: letter, count: room / letter.utf8.count)
                    return String(repeating: "x", count: room % letter.utf8.count) + stem + end
                }
            }
        } + ["a." + String(repeating: "b", count: 253), "." + String(repeating: "b", count: 254)]
    }()

    /// The files of a bench with their contents, apart from the trash and the journal.
    private func files(_ bench: ChangeBench) -> [String: String] {
        var files: [String: String] = [:]
        for name in bench.names { files[name] = bench.text(name) }
        return files
    }

    private func bench(_ name: String) -> ChangeBench {
        let bench = ChangeBench()
        _ = bench.folder.file(name, "picture")
        if name.utf8.count <= 251 { _ = bench.folder.file(name + ".xmp", "sidecar") }
        return bench
    }

    /// The paths that the texts in the trash say.
    private func originals(_ bench: ChangeBench) -> Set<String> {
        let texts = bench.names(in: "trash/").filter { $0.hasSuffix(".trashinfo") }
        return Set(texts.compactMap { bench.text("trash/" + $0) })
    }

    @Test("They go to the trash and come back, with their companions", arguments: names)
    func trash(name: String) throws {
        let bench = bench(name)
        let before = files(bench)
        #expect(bench.perform(.trash(path: bench.path(name))).failures.isEmpty)
        #expect(files(bench).isEmpty)
        #expect(originals(bench) == Set(before.keys.map { bench.folder / $0 }))
        for isRedo in [false, true] {
            let reversal = try bench.undo(redo: isRedo).get()
            #expect(reversal.failures == 0 && reversal.pictures == 1)
            #expect(files(bench) == (isRedo ? [:] : before))
        }
    }

    @Test("They are turned, and turned back", arguments: names)
    func replace(name: String) throws {
        let bench = bench(name)
        let before = files(bench)
        let stamp = try #require(bench.stamp(name))
        let result = bench.perform(
            .replace(path: bench.path(name), expected: stamp, keepsTimes: true),
            contents: Array("turned".utf8))
        #expect(result.failures.isEmpty)
        #expect(files(bench) == before.merging([name: "turned"]) { $1 })
        #expect(try bench.undo().get().failures == 0)
        #expect(files(bench) == before)
    }

    @Test("Copies have a free name that is possible", arguments: names)
    func copies(name: String) throws {
        let bench = bench(name)
        let path = bench.path(name)
        for _ in 0..<2 {
            let result = bench.perform(.copy(from: path, to: path, picksName: true))
            #expect(result.failures.isEmpty)
        }
        let added = files(bench).filter { $0.value == "picture" && $0.key != name }.keys
        #expect(added.count == 2 && added.allSatisfy { $0.utf8.count <= 255 })
        #expect(added.allSatisfy { $0.contains(" (2)") || $0.contains(" (3)") })
        let sidecars = files(bench).filter { $0.value == "sidecar" }.keys
        #expect(sidecars.count == (name.utf8.count <= 251 ? 3 : 0))
        #expect(added.allSatisfy { sidecars.isEmpty || sidecars.contains($0 + ".xmp") })
    }

    @Test("A new file whose name is too long gets a shorter one")
    func save() {
        let bench = ChangeBench()
        for letter in ["a", "猫"] {
            let name = String(repeating: letter, count: 300) + ".png"
            let result = bench.perform(
                .save(path: bench.path(name), like: []), contents: Array("new".utf8))
            #expect(result.failures.isEmpty)
        }
        #expect(bench.names.count == 2)
        #expect(
            bench.names.allSatisfy { $0.utf8.count <= 255 && $0.hasSuffix(" (2).png") })
    }

    @Test("A name that a person has typed is never cut")
    func rename() {
        let bench = bench("a.jpg")
        let before = files(bench)
        for count in [252, 300] {
            let target = bench.path(String(repeating: "b", count: count) + ".jpg")
            let result = bench.perform(
                .move(from: bench.path("a.jpg"), to: target, picksName: false))
            #expect(result.failures.map(\.failure) == [.system(code: ENAMETOOLONG)])
            #expect(files(bench) == before)
        }
    }
}
