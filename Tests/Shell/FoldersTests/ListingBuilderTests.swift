import ImageTypes
import Testing

@testable import Folders

@Suite struct ListingBuilderTests {
    private var builder = ListingBuilder()
    private let folder: Int

    init() { folder = builder.index(of: Folder(prefix: Array("/p/".utf8), root: 0)) }

    private func place(_ name: String) -> ListingBuilder.Place {
        ListingBuilder.Place(folder: folder, name: Array(name.utf8))
    }

    private func foundFile(
        _ name: String, inode: UInt64 = 0, modified: Int = 0, size: Int = 0
    ) -> ListingBuilder.FoundFile {
        ListingBuilder.FoundFile(
            place: place(name), inode: inode,
            details: Entry.Details(modified: Timestamp(seconds: modified), size: size))
    }

    private mutating func names(_ key: ListingOrder.Key = .name, reversed: Bool = false) -> [String]
    {
        let listing = builder.listing(in: ListingOrder(key, isReversed: reversed))
        return listing.entries.indices.map { listing.title(at: $0) }
    }

    @Test mutating func everyOrderSorts() {
        builder.see(foundFile("b10", modified: 3, size: 20))
        builder.see(foundFile("b9", modified: 1, size: 30))
        builder.see(foundFile("a", modified: 2, size: 10))
        #expect(names() == ["a", "b9", "b10"])
        #expect(names(reversed: true) == ["b10", "b9", "a"])
        #expect(names(.modified) == ["b9", "a", "b10"])
        #expect(names(.size) == ["a", "b10", "b9"])
        let id = builder.listing(in: ListingOrder(.name)).entries[0].id
        builder.setTaken([id: CaptureTime(wallClock: 200_000)])
        #expect(names(.taken) == ["b9", "b10", "a"])
    }

    /// A file that takes the place of another one is reported by the system, and found by the next rescan.
    @Test mutating func aReplacedFileIsOneRevision() {
        builder.see(foundFile("a", inode: 1))
        builder.touch(place("a"), inode: 2, details: foundFile("a").details)
        builder.see(foundFile("a", inode: 2))
        #expect(builder.listing(in: ListingOrder(.name)).entries[0].revision == 1)
        builder.see(foundFile("a", inode: 3))
        #expect(builder.listing(in: ListingOrder(.name)).entries[0].revision == 2)
    }

    @Test mutating func aShuffleKeepsItsOrderWhenEntriesChange() {
        for number in 0..<50 { builder.see(foundFile("\(number)")) }
        let before = names(.random(seed: 4))
        #expect(before != names())
        #expect(before != names(.random(seed: 5)))
        builder.remove(place("7"))
        builder.see(foundFile("x"))
        #expect(names(.random(seed: 4)).filter { $0 != "x" } == before.filter { $0 != "7" })
    }

    @Test mutating func aRenameKeepsTheId() throws {
        builder.see(foundFile("a"))
        builder.see(foundFile("b"))
        let before = builder.listing(in: ListingOrder(.name))
        builder.rename(place("a"), to: place("c"))
        let after = builder.listing(in: ListingOrder(.name))
        #expect(after.index(of: 0, in: before) == 1)
        #expect(after.title(at: 1) == "c")
        #expect(after.entries[1].revision == 0)
    }

    @Test mutating func savingOverAPictureKeepsItsIdAndChangesIt() {
        builder.see(foundFile("a"))
        builder.see(foundFile("new"))
        let before = builder.listing(in: ListingOrder(.name))
        builder.rename(place("new"), to: place("a"))
        let after = builder.listing(in: ListingOrder(.name))
        #expect(after.count == 1)
        #expect(after.entries[0].id == before.entries[0].id)
        #expect(after.entries[0].revision == 1)
    }

    @Test mutating func aRescanFindsRemovedAddedAndRenamedEntries() {
        for (number, name) in ["a", "b", "c", "d"].enumerated() {
            builder.see(foundFile(name, inode: UInt64(number + 1)))
        }
        let before = builder.listing(in: ListingOrder(.name))
        builder.beginRescan()
        builder.see(foundFile("a", inode: 1))
        builder.see(foundFile("c", inode: 33))
        builder.see(foundFile("z", inode: 2))
        builder.see(foundFile("new", inode: 50))
        builder.endRescan()
        let after = builder.listing(in: ListingOrder(.name))
        #expect(
            after.entries.map { String(decoding: $0.name, as: UTF8.self) } == [
                "a", "c", "new", "z",
            ])
        #expect((0..<4).map { after.index(of: $0, in: before) } == [0, 3, 1, nil])
        #expect(after.entries.map(\.revision) == [0, 1, 0, 1])
        #expect(after.nearestIndex(to: 3, in: before) == 1)
        #expect(builder.count == 4)
    }

    /// A folder that could not be read keeps its pictures, while others lose theirs.
    @Test mutating func aRescanKeepsWhatWasNotRead() {
        for name in ["one/", "two/"] {
            let folder = builder.index(of: Folder(prefix: Array(name.utf8), root: 0))
            for name in ["a", "b"] {
                builder.see(
                    ListingBuilder.FoundFile(
                        place: ListingBuilder.Place(folder: folder, name: Array(name.utf8))))
            }
        }
        builder.beginRescan()
        builder.endRescan { $0.prefix == Array("two/".utf8) }
        let listing = builder.listing(in: ListingOrder(.name))
        #expect(
            listing.entries.indices.map { listing.path(at: $0).description } == ["two/a", "two/b"])
    }

    @Test mutating func foldersPrecedeSubfoldersAndRootsKeepTheirOrder() {
        for (root, path) in [(1, "/p/s10/"), (1, "/p/s9/"), (1, "/p/"), (0, "/z/")] {
            let given = path.hasPrefix("/p/") ? 3 : path.utf8.count
            let number = builder.index(
                of: Folder(prefix: Array(path.utf8), root: root, givenLength: given))
            builder.see(
                ListingBuilder.FoundFile(
                    place: ListingBuilder.Place(folder: number, name: Array("x.png".utf8))))
        }
        let listing = builder.listing(in: ListingOrder(.name))
        let paths = listing.entries.indices.map { listing.path(at: $0).description }
        #expect(paths == ["/z/x.png", "/p/x.png", "/p/s9/x.png", "/p/s10/x.png"])
        #expect(
            listing.sectionsByFolder() == [
                Section(title: "z", firstIndex: 0), Section(title: "p", firstIndex: 1),
                Section(title: "s9", firstIndex: 2), Section(title: "s10", firstIndex: 3),
            ])
    }

    @Test mutating func monthsAreSections() {
        builder.see(foundFile("a", modified: 1_767_225_599))
        builder.see(foundFile("b", modified: 1_767_225_600))
        builder.see(foundFile("c", modified: 1_767_225_601))
        let listing = builder.listing(in: ListingOrder(.modified))
        #expect(
            listing.sectionsByMonth(by: WallClock { _ in 0 }) == [
                Section(title: "December 2025", firstIndex: 0),
                Section(title: "January 2026", firstIndex: 1),
            ])
        #expect(listing.sectionsByMonth(by: WallClock { _ in 3600 }).count == 1)
        let overviews = listing.overviews(by: WallClock { _ in 0 })
        #expect(overviews.months == listing.sectionsByMonth(by: WallClock { _ in 0 }))
        #expect(
            overviews.years == [
                Section(title: "2025", firstIndex: 0), Section(title: "2026", firstIndex: 1),
            ])
    }

    /// Where a month comes twice, the order is not that of the dates.
    @Test mutating func anotherOrderHasNoOverviews() {
        builder.see(foundFile("a", modified: 1_767_225_600))
        builder.see(foundFile("b", modified: 1_767_225_599))
        builder.see(foundFile("c", modified: 1_767_225_601))
        let overviews = builder.listing(in: ListingOrder(.name)).overviews(by: WallClock { _ in 0 })
        #expect(overviews.months.isEmpty && overviews.years.isEmpty)
    }
}
