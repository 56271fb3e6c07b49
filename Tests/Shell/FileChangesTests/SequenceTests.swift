import CLinux
import SeededRandom
import Edits
import FileChanges
import Glibc
import ImageWire
import SystemCalls
import TestKit
import Testing
import Threads

/// Random changes that are undone, and two services that change the same file.
@Suite("Sequences of changes")
struct SequenceTests {
    /// `VITRINE_SEQUENCES` says how many sequences are tried.
    private static let count =
        getenv("VITRINE_SEQUENCES").flatMap { Int(String(cString: $0)) } ?? 60

    private func contents(_ bench: ChangeBench) -> [String: String] {
        var contents: [String: String] = [:]
        for name in bench.names where name != "sub" { contents[name] = bench.text(name) }
        return contents
    }

    private func step(
        _ bench: ChangeBench, using random: inout some RandomNumberGenerator
    ) -> FileAction? {
        let names = bench.names.filter { $0.hasSuffix(".jpg") }
        guard let name = names.randomElement(using: &random) else { return nil }
        let path = bench.path(name)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return .trash(path: path)
        case 1:
            let target = bench.path("m\(Int.random(in: 0..<3, using: &random)).jpg")
            return .move(from: path, to: target, picksName: Bool.random(using: &random))
        case 2: return .copy(from: path, to: bench.path("c.jpg"), picksName: true)
        case 3:
            let stars = Int.random(in: 0...5, using: &random)
            return .mark(
                path: path,
                Bool.random(using: &random) ? .rating(stars) : .favourite(stars % 2 == 1))
        case 4: return .move(from: path, to: bench.path("sub/" + name), picksName: true)
        default:
            return bench.stamp(name).map {
                .replace(path: path, expected: $0, keepsTimes: Bool.random(using: &random))
            }
        }
    }

    @Test("Everything undone gives the first files, also in a later run")
    func random() throws {
        var random = SeededGenerator(seed: 22)
        var steps = 0
        for number in 0..<Self.count {
            let bench = ChangeBench()
            bench.folder.folder("sub")
            for name in ["a.jpg", "b.jpg", "c.jpg"] { _ = bench.folder.file(name, "first \(name)") }
            // A companion, and three without a picture, at names that the changes choose.
            for name in ["b.jpg.xmp", "m0.jpg.xmp", "c (2).jpg.pp3", "sub/a.jpg.xmp"] {
                _ = bench.folder.file(name, "no sidecar")
            }
            let first = contents(bench)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                guard let action = step(bench, using: &random) else { break }
                bench.perform(action, contents: Array("new \(number)".utf8))
            }
            // The next run undoes the rest.
            if !bench.client.undoTitle.isEmpty { _ = try bench.undo().get() }
            let later = ChangeBench(in: bench)
            later.client.stamp(of: []) { _ in }
            later.wait()
            while !later.client.undoTitle.isEmpty {
                _ = try later.undo().get()
                steps += 1
            }
            #expect(contents(bench) == first, "sequence \(number)")
            guard contents(bench) == first else { return }
        }
        #expect(steps > Self.count)
    }

    /// Of two viewers that replace the same file, one is told that it has changed.
    @Test("Two services replace one file: one of them wins, and nothing is lost")
    func two() throws {
        for round in 0..<40 {
            let first = ChangeBench()
            let second = ChangeBench(in: first)
            _ = first.folder.file("a.jpg", "old \(round)")
            let stamp = try #require(first.stamp("a.jpg"))
            let action = FileAction.replace(
                path: first.path("a.jpg"), expected: stamp, keepsTimes: round % 2 == 0)
            var results: [ChangeClient.Result] = []
            for (name, bench) in [("one", first), ("two", second)] {
                let descriptor = clinux_memfd_create("test")
                try writeAll(Array(name.utf8), to: descriptor)
                bench.client.perform(name, [ChangeClient.Step(action, contents: descriptor)]) {
                    results.append($0)
                }
            }
            first.wait()
            second.wait()
            let winners = results.filter { $0.failures.isEmpty }
            #expect(winners.count == 1, "\(results)")
            #expect(first.text("a.jpg") == winners.first?.title)
            let losers = results.filter { !$0.failures.isEmpty }
            #expect(losers.allSatisfy { $0.failures[0].failure == .changed }, "\(losers)")
            #expect(first.names == ["a.jpg"])
            // The winner undoes; the other has nothing of its own to undo.
            _ = (winners.first?.title == "one" ? first : second).undo()
            #expect(first.text("a.jpg") == "old \(round)")
        }
    }

    /// Each start looks for folders that ended processes have left, and must not take those in use.
    @Test("Services that start meanwhile disturb no change")
    func starts() throws {
        let bench = ChangeBench()
        _ = bench.folder.file("a.jpg", "first")
        for round in 0..<100 {
            let later = [ChangeBench(in: bench), ChangeBench(in: bench)]
            for bench in later { bench.client.stamp(of: []) { _ in } }
            let result = bench.perform(
                .replace(
                    path: bench.path("a.jpg"), expected: try #require(bench.stamp("a.jpg")),
                    keepsTimes: false),
                contents: Array("\(round)".utf8))
            #expect(result.failures.isEmpty, "\(result)")
            for bench in later { bench.wait() }
        }
        #expect(bench.names == ["a.jpg"])
        #expect(bench.text("a.jpg") == "99")
    }
}
