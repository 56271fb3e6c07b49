import Glibc
import SystemCalls
import TestKit
import Testing

@testable import Folders

/// The scanner without its thread, so that a test decides when the scanner reads its events.
@Suite struct FolderScannerTests {
    private let folder = TemporaryFolder()
    private let mailbox = Mailbox()

    private func makeScanner() -> FolderScanner {
        FolderScanner([FilePath(folder.path)], ListingOptions(), mailbox)
    }

    private func touch(_ name: String) {
        close(open(folder / name, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
    }

    /// More events occur than the inotify queue holds; a rescan finds the lost changes.
    @Test func lostEventsLeadToARescan() throws {
        touch("0.png")
        let scanner = makeScanner()
        scanner.readOnce()
        let first = try #require(mailbox.fetchUpdate()).listing
        let most = ChildProcess.run(["/bin/cat", "/proc/sys/fs/inotify/max_queued_events"]).output
        let limit = Int(most.filter(\.isNumber)) ?? .max
        guard limit <= 100_000 else { return }
        // A child process that another test starts may hold a file open, which delays its event.
        for number in 0..<2 * limit { touch("tmp\(number % 2)") }
        touch("1.png")
        // A new file may still be written; this one is an old one.
        _ = ChildProcess.run(["touch", "-d", "2020-01-01", folder / "1.png"])
        rename(folder / "0.png", folder / "2.png")
        #expect(scanner.handleEvents())
        #expect(scanner.needsRescan)
        scanner.settle()
        scanner.post()
        let listing = try #require(mailbox.fetchUpdate()).listing
        #expect(listing.entries.indices.map { listing.title(at: $0) } == ["1.png", "2.png"])
        #expect(listing.index(of: 0, in: first) == 1)
    }

    /// A folder that the path only leads through, and a subfolder that was read, tell of permissions.
    @Test func whatTheFoldersAboveTellIsNoChange() throws {
        for name in ["album", "album/inner", "other"] { folder.folder(name) }
        touch("album/a.png")
        let scanner = FolderScanner(
            [FilePath(folder / "album")], ListingOptions(isRecursive: true), mailbox)
        scanner.readOnce()
        for name in ["other", "album/inner"] { chmod(folder / name, 0o711) }
        folder.folder("another")
        #expect(!scanner.handleEvents() && !scanner.needsRescan)
        // The same event is one where the subfolder could not be read.
        scanner.unread = [
            UnreadPath(
                FilePath(folder / "album/inner/"), root: 0, SystemError(code: EACCES),
                keepsVanished: false)
        ]
        chmod(folder / "other", 0o755)
        #expect(!scanner.handleEvents() && !scanner.needsRescan)
        chmod(folder / "album/inner", 0o755)
        #expect(scanner.handleEvents() && scanner.needsRescan)
    }

    @Test func problemsAreReportedOnceUntilResolved() throws {
        touch("0.png")
        let gone = folder / "gone"
        let scanner = FolderScanner(
            [FilePath(folder.path), FilePath(gone)], ListingOptions(), mailbox)
        func problems() throws -> [String] {
            scanner.needsRescan = true
            scanner.settle()
            scanner.post()
            return try #require(mailbox.fetchUpdate()).problems.map(\.reason)
        }
        #expect(try problems() == ["there is no such file"])
        #expect(try problems() == [])
        touch("gone")
        #expect(try problems() == [])
        unlink(gone)
        #expect(try problems() == ["there is no such file"])
    }

    /// An album that was opened anew shares no id with any listing before.
    @Test func aScannerAfterAnotherHasOtherIds() throws {
        touch("0.png")
        touch("1.png")
        func scan(_ earlier: Listing) throws -> Listing {
            FolderScanner([FilePath(folder.path)], ListingOptions(), mailbox, after: earlier)
                .readOnce()
            return try #require(mailbox.fetchUpdate()).listing
        }
        let first = try scan(.empty)
        let second = try scan(first)
        let third = try scan(second)
        let ids = [first, second, third].flatMap { $0.entries.map(\.id) }
        #expect(ids.count == 6 && Set(ids).count == 6)
        #expect(second.index(of: 0, in: first) == nil)
        #expect(second.nearestIndex(to: 0, in: first) == nil)
    }

    @Test func aTableAfterAnotherHasOtherIds() {
        func make(_ id: Int) -> Entry { Entry(id: id, folder: 0, name: [1]) }
        var table = EntrySlots()
        var used: Set<Int> = []
        for _ in 0..<3 {
            let id = table.insert(make)
            used.insert(id)
            table[id] = nil
        }
        var next = EntrySlots(firstUse: table.nextUse)
        for _ in 0..<3 { #expect(used.insert(next.insert(make)).inserted) }
        // Ids of the other table, and ids of none, are unknown.
        for id in used.union([1 << 20, 5 << 32 + 7]) where next[id] == nil {
            table[id] = nil
            next[id] = nil
        }
        #expect(next.count == 3)
    }

    @Test func slotsAreReusedButIdsAreNot() {
        var table = EntrySlots()
        func make(_ id: Int) -> Entry { Entry(id: id, folder: 0, name: [1]) }
        let first = table.insert(make)
        table[first] = nil
        let second = table.insert(make)
        #expect(first != second)
        #expect(EntrySlots.slot(of: first) == EntrySlots.slot(of: second))
        #expect(table[first] == nil && table[second]?.id == second)
        table[first] = nil
        #expect(table.count == 1 && table.slotCount == 1)
    }
}
