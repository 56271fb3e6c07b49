import Folders
import Glibc
import ImageTypes
import TestKit
import Testing

@testable import Application

/// An album whose paths are replaced.
@Suite struct AlbumTests {
    private let folder = TemporaryFolder()

    init() {
        for album in ["a", "b", "empty"] { folder.folder(album) }
        for name in ["a/0.png", "a/1.png", "b/2.png"] { _ = folder.file(name, "") }
    }

    private func path(_ name: String) -> FilePath { FilePath(folder / name) }

    private func nextChange(_ album: Album) -> ListingChange {
        while true {
            var ready = pollfd(fd: album.pollDescriptor, events: Int16(POLLIN), revents: 0)
            poll(&ready, 1, -1)
            if let change = album.fetchChange() { return change }
        }
    }

    private func titles(_ album: Album) -> [String] {
        (0..<album.count).map { album.title($0) }
    }

    @Test func theOldListingStaysUntilTheNewOneIsRead() {
        let album = Album([path("a")], options: ListingOptions())
        album.readAll()
        let old = album.pollDescriptor
        album.replace(with: [path("b/2.png")], isRecursive: false)
        #expect(album.isWaiting && album.pollDescriptor != old)
        #expect(titles(album) == ["0.png", "1.png"])
        let change = nextChange(album)
        #expect(change.isReplacement && !album.isWaiting)
        #expect(titles(album) == ["2.png"])
        #expect(change.changed == Set(change.earlier.entries.map(\.id)))
        #expect(change.current.index(of: 0, in: change.earlier) == nil)
    }

    @Test func onlyAChosenOrderIsNew() {
        let album = Album([path("a")], options: ListingOptions())
        album.readAll()
        album.sort(ListingOrder(.name, isReversed: true))
        #expect(nextChange(album).hasNewOrder && titles(album) == ["1.png", "0.png"])
        _ = folder.file("a/2.png", "")
        album.rescan()
        #expect(!nextChange(album).hasNewOrder && titles(album) == ["2.png", "1.png", "0.png"])
    }

    /// The folder of a schedule may be missing, or empty until its file system is mounted.
    @Test(arguments: ["empty", "missing"])
    func picturesStayUntilThereAreOthers(_ name: String) {
        let album = Album([path("a")], options: ListingOptions())
        album.readAll()
        album.replace(with: [path(name)], isRecursive: false, keepsPictures: true)
        let change = nextChange(album)
        #expect(!change.isReplacement && change.keepsPictures)
        #expect(titles(album) == ["0.png", "1.png"])
        folder.folder("missing")
        _ = folder.file("\(name)/3.png", "")
        album.rescan()
        while !nextChange(album).isReplacement {}
        #expect(titles(album) == ["3.png"])
    }

    /// The same file in another album is another picture.
    @Test func nothingIsTakenForThePictureBefore() {
        let album = Album([path("a")], options: ListingOptions())
        album.readAll()
        let ids = Set((0..<2).map { album.id($0) })
        album.replace(with: [path("a")], isRecursive: false)
        #expect(nextChange(album).isReplacement)
        #expect(album.count == 2 && ids.isDisjoint(with: (0..<2).map { album.id($0) }))
        // Dates of pictures that are gone are no one's.
        album.setTaken(
            Dictionary(uniqueKeysWithValues: ids.map { ($0, CaptureTime(wallClock: 1)) }))
        let change = nextChange(album)
        #expect(!change.isReplacement && change.keepsPictures)
        #expect(album.listing.entries.allSatisfy { $0.taken == nil })
    }

    /// An update that was made before a request, and is fetched after the request, is not the answer.
    @Test(arguments: ["rescan", "sort", "dates"])
    func theWaitEndsWithTheAnswer(_ request: String) {
        let album = Album([path("b")], options: ListingOptions())
        album.readAll()
        let (first, second) = (folder / "b/3.png", folder / "b/4.png")
        rename(folder / "b/2.png", first)
        // This update stays unfetched.
        var ready = pollfd(fd: album.pollDescriptor, events: Int16(POLLIN), revents: 0)
        poll(&ready, 1, -1)
        let id = album.id(0)
        switch request {
        case "sort": album.sort(ListingOrder(.modified))
        case "dates": album.setTaken([id: CaptureTime(wallClock: 1)])
        default:
            rename(first, second)
            album.rescan()
        }
        while album.isWaiting { _ = nextChange(album) }
        if request == "rescan" { #expect(titles(album) == ["4.png"]) }
        if request == "sort" { #expect(album.entry(id)?.details != nil) }
        if request == "dates" { #expect(album.entry(id)?.taken != nil) }
    }

    @Test func anAlbumMayBeReplacedAgainBeforeItIsRead() {
        let album = Album([path("a")], options: ListingOptions())
        album.readAll()
        album.replace(with: [path("empty")], isRecursive: false)
        album.replace(with: [path("b")], isRecursive: false)
        #expect(nextChange(album).isReplacement)
        #expect(titles(album) == ["2.png"])
        album.replace(with: [path("empty")], isRecursive: false)
        #expect(nextChange(album).isReplacement)
        #expect(album.count == 0)
    }
}
