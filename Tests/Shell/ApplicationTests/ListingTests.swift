import Geometry
import Grid
import ImageTypes
import Testing

@testable import Application
@testable import Folders

/// Listings with their sections and their changes.
@Suite struct ListingTests {
    private var builder = ListingBuilder()

    private mutating func place(_ path: String) -> ListingBuilder.Place {
        let path = FilePath(Array(path.utf8))
        let folder = builder.index(of: Folder(prefix: path.parentPrefix, root: 0))
        return ListingBuilder.Place(folder: folder, name: path.name)
    }

    private mutating func add(_ path: String, modified: Int = 0) {
        builder.see(
            ListingBuilder.FoundFile(
                place: place(path),
                details: Entry.Details(modified: Timestamp(seconds: modified), size: 1)))
    }

    private mutating func listing() -> Listing { builder.listing(in: ListingOrder(.name)) }

    @Test mutating func foldersAreSections() {
        for path in ["/p/a/1", "/p/a/2", "/p/b/3"] { add(path) }
        let contents = SectionKind.folder.contents(of: listing()) { _ in nil }
        #expect(contents.count == 3)
        #expect(contents.sections.map(\.title) == ["a", "b"])
        #expect(contents.sections.map(\.first) == [0, 2])
        #expect(SectionKind.none.contents(of: listing()) { _ in nil }.sections.isEmpty)
    }

    @Test mutating func monthsAreSections() {
        add("/p/1", modified: 10 * 86400)
        add("/p/2", modified: 40 * 86400)
        let contents = SectionKind.month.contents(of: listing()) { _ in nil }
        #expect(contents.sections.map(\.title) == ["January 1970", "February 1970"])
    }

    @Test mutating func aSingleSectionHasNoHeading() {
        for path in ["/p/1", "/p/2"] { add(path) }
        for kind in SectionKind.allCases {
            #expect(kind.contents(of: listing()) { _ in nil }.sections.isEmpty)
        }
    }

    @Test mutating func anAddedPictureChangesNoOther() {
        add("/p/b")
        let earlier = listing()
        add("/p/a")
        let change = ListingChange(earlier: earlier, current: listing())
        #expect(change.changed.isEmpty)
        #expect(!change.keepsPictures)
    }

    @Test mutating func newDatesKeepThePictures() {
        add("/p/a")
        let earlier = listing()
        builder.setTaken([earlier.entries[0].id: CaptureTime(wallClock: 5)])
        let change = ListingChange(earlier: earlier, current: listing())
        #expect(change.keepsPictures)
    }

    @Test mutating func removedAndTouchedPicturesAreChanged() {
        for path in ["/p/a", "/p/b", "/p/c"] { add(path) }
        let earlier = listing()
        builder.remove(place("/p/a"))
        builder.touch(place("/p/b"), inode: 0, details: nil)
        let change = ListingChange(earlier: earlier, current: listing())
        #expect(change.changed == Set(earlier.entries[0...1].map(\.id)))
        #expect(!change.keepsPictures)
    }

    @Test mutating func removedPicturesAreGone() {
        for path in ["/p/a", "/p/b", "/p/c"] { add(path) }
        let earlier = listing()
        builder.remove(place("/p/a"))
        builder.touch(place("/p/b"), inode: 0, details: nil)
        builder.rename(place("/p/c"), to: place("/p/d"))
        let change = ListingChange(earlier: earlier, current: listing())
        #expect(change.gone.map(\.description) == ["/p/a"])
    }

    /// Files come and go for a year.
    @Test mutating func tablesForgetPicturesThatAreNotListed() {
        add("/p/stays")
        var table: [Int: Int] = [:]
        var ids: Set<Int> = []
        let staying = listing().entries[0].id
        for number in 0..<10_000 {
            add("/p/new\(number)")
            for entry in listing().entries { table[entry.id] = 1 }
            ids.formUnion(table.keys)
            builder.remove(place("/p/new\(number)"))
            let listing = listing()
            listing.prune(&table)
            listing.prune(&ids)
            #expect(table.count < 1010 && ids.count < 1010)
        }
        #expect(table[staying] == 1 && ids.contains(staying))
    }

    @Test mutating func aRenamedPictureIsUnchanged() {
        for path in ["/p/a", "/p/b"] { add(path) }
        let earlier = listing()
        builder.rename(place("/p/a"), to: place("/p/c"))
        #expect(ListingChange(earlier: earlier, current: listing()).keepsPictures)
    }
}
