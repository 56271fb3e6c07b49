import Glibc
import ImageWire
import Synchronization
import TestKit
import Testing

@testable import Folders

/// Paths that lead elsewhere, targets of links that are written, and permissions, told by the system.
@Suite struct WayTests {
    private let folder = TemporaryFolder()
    private let mailbox = Mailbox()

    /// Two trees with pictures of the same names.
    private func makeTrees() {
        for tree in ["one", "two"] {
            folder.folder(tree)
            folder.folder("\(tree)/inner")
            for name in ["a.png", "b.png"] { _ = folder.file("\(tree)/inner/\(name)", tree) }
        }
        _ = folder.file("two/inner/c.png", "two")
    }

    private func names(_ update: ListingUpdate) -> [String] {
        update.listing.entries.indices.map { update.listing.title(at: $0) }
    }

    private func swapLink(_ link: String, to target: String) {
        symlink(target, folder / "new-link")
        rename(folder / "new-link", folder / link)
    }

    private func exchange(_ a: String, _ b: String) {
        rename(folder / a, folder / "away")
        rename(folder / b, folder / a)
        rename(folder / "away", folder / b)
    }

    // MARK: Folders

    struct Way: Sendable {
        var name: String
        var path: String
        var prepare: @Sendable (WayTests) -> Void = { _ in }
        var change: @Sendable (WayTests) -> Void
    }

    private static let ways: [Way] = [
        Way(
            name: "a link", path: "link",
            prepare: { symlink("one/inner", $0.folder / "link") },
            change: { $0.swapLink("link", to: "two/inner") }),
        Way(
            name: "a link to a link", path: "first",
            prepare: {
                symlink("one/inner", $0.folder / "second")
                symlink("second", $0.folder / "first")
            }, change: { $0.swapLink("second", to: "two/inner") }),
        Way(
            name: "a link to a folder above", path: "link/inner",
            prepare: { symlink("one", $0.folder / "link") },
            change: { $0.swapLink("link", to: "two") }),
        Way(name: "a folder above", path: "one/inner", change: { $0.exchange("one", "two") }),
        Way(
            name: "a folder above the target of a link", path: "link",
            prepare: { symlink("one/inner", $0.folder / "link") },
            change: { $0.exchange("one", "two") }),
    ]

    /// The pictures of the other folder are listed, and those of the same names are read again.
    @Test(arguments: ways.indices, [false, true])
    func aPathThatLeadsElsewhereIsReadAgain(_ number: Int, isFollowed: Bool) throws {
        let way = Self.ways[number]
        makeTrees()
        way.prepare(self)
        let monitor = FolderMonitor([FilePath(folder / way.path)])
        let first = monitor.waitUntilComplete()
        #expect(names(first) == ["a.png", "b.png"], "\(way.name)")
        if isFollowed { monitor.follow(FollowedPictures(first.listing.entries.map(\.id))) }
        way.change(self)
        let last = try #require(
            monitor.update { names($0) == ["a.png", "b.png", "c.png"] }, "\(way.name)")
        #expect(names(last) == ["a.png", "b.png", "c.png"], "\(way.name)")
        let known = Set(first.listing.entries.map { "\($0.id) \($0.revision)" })
        let after = Set(last.listing.entries.map { "\($0.id) \($0.revision)" })
        #expect(known.isDisjoint(with: after), "\(way.name)")
    }

    @Test func aGivenFileOfAnotherFolderIsReadAgain() throws {
        makeTrees()
        symlink("one/inner", folder / "link")
        let monitor = FolderMonitor([FilePath(folder / "link/a.png")])
        #expect(names(monitor.waitUntilComplete()) == ["a.png"])
        swapLink("link", to: "two/inner")
        let last = try #require(monitor.update { $0.listing.entries.first?.revision == 1 })
        #expect(last.listing.entries.map(\.revision) == [1])
    }

    // MARK: Linked pictures

    private static let rewritings: [Way] = [
        Way(
            name: "the target is written", path: "",
            change: { _ = $0.folder.file("target.png", "another") }),
        Way(
            name: "the target is replaced", path: "",
            change: {
                _ = $0.folder.file("new.png", "another")
                rename($0.folder / "new.png", $0.folder / "target.png")
            }),
        Way(
            name: "a link on the way is swapped", path: "",
            prepare: {
                $0.folder.folder("elsewhere")
                _ = $0.folder.file("elsewhere/target.png", "another")
            }, change: { $0.swapLink("way", to: "elsewhere") }),
    ]

    /// A scanner that follows all its pictures, some of which could not be shown.
    ///
    /// The test decides when the scanner reads its events.
    private func following(_ name: String, damaged: [Int] = []) throws -> FolderScanner {
        let scanner = FolderScanner([FilePath(folder / name)], ListingOptions(), mailbox)
        scanner.readOnce()
        let ids = try #require(mailbox.fetchUpdate()).listing.entries.map(\.id)
        let revisions = Dictionary(uniqueKeysWithValues: damaged.map { (ids[$0], 0) })
        let hasChanged = scanner.follow(FollowedPictures(ids, damaged: revisions))
        #expect(!hasChanged)
        // The clock of the file system may tick only every 10 ms.
        usleep(30_000)
        return scanner
    }

    private func revisions(_ scanner: FolderScanner) throws -> [Int] {
        _ = scanner.handleEvents()
        scanner.settle()
        scanner.post()
        return try #require(mailbox.fetchUpdate()).listing.entries.map(\.revision)
    }

    @Test(arguments: rewritings.indices, [false, true])
    func aLinkedPictureIsReadAgain(_ number: Int, isGiven: Bool) throws {
        let rewriting = Self.rewritings[number]
        folder.folder("album")
        _ = folder.file("target.png", "one")
        symlink(".", folder / "way")
        symlink("../way/target.png", folder / "album/a.png")
        rewriting.prepare(self)
        let scanner = try following(isGiven ? "album/a.png" : "album")
        #expect(try revisions(scanner) == [0], "\(rewriting.name)")
        rewriting.change(self)
        #expect(try revisions(scanner) == [1], "\(rewriting.name)")
        // The new target is watched, too.
        _ = folder.file("album/a.png", "the third one")
        #expect(try revisions(scanner) == [2], "\(rewriting.name)")
    }

    /// A link takes the name of a picture that a person sees: its target is watched from then on.
    @Test func aPictureThatBecomesALinkIsFollowed() throws {
        folder.folder("album")
        for name in ["target.png", "album/a.png"] { _ = folder.file(name, "one") }
        let scanner = try following("album")
        swapLink("album/a.png", to: "../target.png")
        #expect(try revisions(scanner) == [1])
        _ = folder.file("target.png", "another")
        #expect(try revisions(scanner) == [2])
    }

    /// A file that is written without a pause is different in any two comparisons: the target is compared
    /// before and after its new watches, and not again and again.
    @Test func aTargetThatIsBeingWrittenIsComparedTwice() throws {
        folder.folder("album")
        _ = folder.file("target.png", "one")
        symlink("../target.png", folder / "album/a.png")
        let isWriting = Atomic(false)
        let comparisons = Atomic(0)
        let server = try ObservedServer { [folder] request in
            guard case .states = request, isWriting.load(ordering: .relaxed) else { return nil }
            let count = comparisons.add(1, ordering: .relaxed).newValue
            // The writer ends, so that endless comparisons end, too.
            if count < 50 {
                _ = folder.file("target.png", [UInt8](repeating: 7, count: 10 + count))
            }
            return nil
        }
        let scanner = FolderScanner(
            [FilePath(folder / "album")], ListingOptions(), mailbox, socket: server.socket)
        scanner.readOnce()
        let ids = try #require(mailbox.fetchUpdate()).listing.entries.map(\.id)
        isWriting.store(true, ordering: .relaxed)
        let hasChanged = scanner.follow(FollowedPictures(ids))
        isWriting.store(false, ordering: .relaxed)
        #expect(hasChanged)
        #expect(comparisons.load(ordering: .relaxed) == 2)
        #expect(try revisions(scanner) == [1])
        // The watches tell what is written later.
        _ = folder.file("target.png", "another")
        #expect(try revisions(scanner) == [2])
    }

    /// A file with two names is written through the other one.
    @Test func aPictureWithTwoNamesIsReadAgain() throws {
        folder.folder("album")
        _ = folder.file("target.png", "one")
        link(folder / "target.png", folder / "album/a.png")
        let scanner = try following("album")
        _ = folder.file("target.png", "another")
        #expect(try revisions(scanner) == [1])
    }

    /// What no person sees or sees next is not watched: watches are few.
    @Test func picturesThatAreLeftAreWatchedNoLonger() throws {
        folder.folder("album")
        _ = folder.file("target.png", "one")
        symlink("../target.png", folder / "album/a.png")
        let scanner = try following("album")
        #expect(!scanner.watch.table.pictures.isEmpty)
        #expect(!scanner.follow(FollowedPictures()))
        #expect(scanner.watch.table.pictures.isEmpty && scanner.polled.pictures.isEmpty)
        _ = folder.file("target.png", "another")
        #expect(try revisions(scanner) == [0])
    }

    // MARK: Permissions

    /// Of the two pictures one could not be read.
    @Test func aPermissionMattersOnlyToWhatFailed() throws {
        folder.folder("album")
        for name in ["a.png", "b.png"] { _ = folder.file("album/" + name, "one") }
        let scanner = try following("album", damaged: [1])
        for name in ["a.png", "b.png"] { chmod(folder / ("album/" + name), 0o640) }
        #expect(try revisions(scanner) == [0, 1])
    }

    /// As root, a file is out of reach only if it is not there.
    @Test func aLinkWhoseTargetComesBackIsReadAgain() throws {
        folder.folder("album")
        symlink("../target.png", folder / "album/a.png")
        let scanner = try following("album", damaged: [0])
        _ = folder.file("target.png", "one")
        #expect(scanner.look(at: try #require(scanner.schedule.time(of: .ways))))
        #expect(try revisions(scanner) == [1])
    }
}
