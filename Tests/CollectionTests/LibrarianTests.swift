import Glibc
import TestKit
import Testing

@testable import Collection

/// The librarian without its thread, so that a test can be quicker than it.
@Suite struct LibrarianTests {
    private let folder = TemporaryFolder()
    private let exchange = Exchange()

    private func makeLibrarian() -> Librarian {
        Librarian([FilePath(folder.path)], CollectionOptions(), exchange)
    }

    private func touch(_ name: String) {
        close(open(folder / name, O_CREAT | O_WRONLY, 0o600))
    }

    /// More happens than the system keeps for someone who does not look.
    @Test func lostEventsAreMadeUpFor() throws {
        touch("0.png")
        let librarian = makeLibrarian()
        librarian.readOnce()
        let first = try #require(exchange.takeUpdate()).listing
        let most = ChildProcess.run(["/bin/cat", "/proc/sys/fs/inotify/max_queued_events"]).output
        let limit = Int(most.filter(\.isNumber)) ?? .max
        guard limit <= 100_000 else { return }
        for number in 0..<limit { touch("tmp\(number % 2)") }
        touch("1.png")
        rename(folder / "0.png", folder / "2.png")
        #expect(librarian.takeEvents())
        #expect(librarian.needsCensus)
        librarian.settle()
        librarian.post()
        let listing = try #require(exchange.takeUpdate()).listing
        #expect(listing.entries.indices.map { listing.title(at: $0) } == ["1.png", "2.png"])
        #expect(listing.index(of: 0, in: first) == 1)
    }

    @Test func problemsAreSaidOnceUntilTheyHaveGone() throws {
        touch("0.png")
        let gone = folder / "gone"
        let librarian = Librarian(
            [FilePath(folder.path), FilePath(gone)], CollectionOptions(), exchange)
        func problems() throws -> [String] {
            librarian.needsCensus = true
            librarian.settle()
            librarian.post()
            return try #require(exchange.takeUpdate()).problems.map(\.reason)
        }
        #expect(try problems() == ["there is no such file"])
        #expect(try problems() == [])
        touch("gone")
        #expect(try problems() == [])
        unlink(gone)
        #expect(try problems() == ["there is no such file"])
    }

    @Test func aSlotIsUsedAgainButNoId() {
        var table = EntryTable()
        func make(_ id: Int) -> Entry { Entry(id: id, folder: 0, name: [1]) }
        let first = table.insert(make)
        table[first] = nil
        let second = table.insert(make)
        #expect(first != second)
        #expect(EntryTable.slot(of: first) == EntryTable.slot(of: second))
        #expect(table[first] == nil && table[second]?.id == second)
        table[first] = nil
        #expect(table.count == 1 && table.slotCount == 1)
    }
}
