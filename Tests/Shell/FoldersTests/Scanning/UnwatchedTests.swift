import Glibc
import ImageWire
import Synchronization
import SystemCalls
import TestKit
import Testing
import Threads

@testable import FileAccess
@testable import Folders

/// Folders that the system does not watch are looked at.
///
/// The test decides when the scanner looks. No event arrives, as on a network share.
@Suite struct UnwatchedTests {
    private let folder = TemporaryFolder()
    private let mailbox = Mailbox()

    /// A scanner whose server gets no watch, for a reason that is the number of an error.
    private func scanner(
        _ names: [String] = ["album"], refusedBy code: Int32 = EMFILE
    ) throws -> FolderScanner {
        makeAlbum()
        let (ours, theirs) = try PacketSocket.pair()
        Thread.start { FolderService.run(theirs, watches: WatchInstance(refusedBy: code)) }
        let scanner = FolderScanner(
            names.map { FilePath(folder / $0) }, ListingOptions(), mailbox, socket: ours)
        scanner.readOnce()
        return scanner
    }

    private func makeAlbum() {
        folder.folder("album")
        for name in ["a", "b", "c"] { _ = folder.file("album/\(name).png", "old") }
        for name in ["a", "b", "c"] { setTime("album/\(name).png", 1_600_000_000) }
    }

    /// Adds a picture that may still be written, however slow the computer is.
    private func addFresh(_ name: String) {
        _ = folder.file("album/\(name).png", "new")
        setTime("album/\(name).png", 2_100_000_000)
    }

    private func setTime(_ name: String, _ seconds: Int) {
        let times = [timespec](repeating: timespec(tv_sec: seconds, tv_nsec: 0), count: 2)
        utimensat(AT_FDCWD, folder / name, times, 0)
    }

    private struct Shown: Equatable {
        var names: [String]
        var revisions: [Int]
    }

    private func listing(_ scanner: FolderScanner) throws -> Listing {
        scanner.settle()
        scanner.post()
        return try #require(mailbox.fetchUpdate()).listing
    }

    private func shown(_ scanner: FolderScanner) throws -> Shown {
        let listing = try listing(scanner)
        return Shown(
            names: listing.entries.indices.map { listing.title(at: $0) },
            revisions: listing.entries.map(\.revision))
    }

    private func look(_ scanner: FolderScanner, _ reason: LookSchedule.Reason) throws -> Bool {
        scanner.look(at: try #require(scanner.schedule.time(of: reason)))
    }

    private func id(_ index: Int, _ scanner: FolderScanner) throws -> Int {
        try listing(scanner).entries[index].id
    }

    /// Only limits of the system are worth a message.
    @Test(arguments: [(EMFILE, true), (ENOSPC, true), (ENOMEM, true), (EACCES, false)])
    func aLimitIsReported(_ code: Int32, _ isLimit: Bool) throws {
        let scanner = try scanner(refusedBy: code)
        #expect(try #require(mailbox.fetchUpdate()).hasReachedWatchLimit == isLimit)
        #expect(scanner.schedule.time(of: .folders) != nil)
    }

    @Test func nothingHappensWhileNothingChanges() throws {
        let scanner = try scanner()
        for _ in 0..<3 {
            #expect(try !look(scanner, .folders))
            #expect(try !look(scanner, .ways))
        }
        let same = Shown(names: ["a.png", "b.png", "c.png"], revisions: [0, 0, 0])
        #expect(try shown(scanner) == same)
    }

    /// Names are compared, not the time of the folder, which some file systems never change.
    @Test(arguments: [false, true])
    func namesAreCompared(keepsTime: Bool) throws {
        let scanner = try scanner()
        setTime("album", 1_600_000_000)
        unlink(folder / "album/b.png")
        _ = folder.file("album/d.png", "new")
        setTime("album/d.png", 1_600_000_000)
        if keepsTime { setTime("album", 1_600_000_000) }
        #expect(try look(scanner, .folders))
        #expect(try shown(scanner).names == ["a.png", "c.png", "d.png"])
    }

    @Test func aNewFileIsListedAtRest() throws {
        let scanner = try scanner()
        _ = folder.file("album/d.png", "a part")
        #expect(try look(scanner, .folders))
        #expect(try shown(scanner).names.count == 3)
        for size in 10..<13 {
            _ = folder.file("album/d.png", [UInt8](repeating: 7, count: size))
            #expect(try !look(scanner, .arrivals))
            #expect(try shown(scanner).names.count == 3)
        }
        #expect(try look(scanner, .arrivals))
        #expect(try shown(scanner).names == ["a.png", "b.png", "c.png", "d.png"])
        // Its writer had only paused.
        _ = folder.file("album/d.png", "all of the picture")
        #expect(try look(scanner, .restless))
        #expect(try shown(scanner).revisions == [0, 0, 0, 1])
    }

    /// A picture that is shown, and any other one.
    @Test(arguments: [false, true], [(3, 1_700_000_000), (9, 1_600_000_000), (9, 1_700_000_000)])
    func aFileThatIsOverwrittenHasANewRevision(isFollowed: Bool, to: (Int, Int)) throws {
        let scanner = try scanner()
        if isFollowed { #expect(!scanner.follow(FollowedPictures([try id(1, scanner)]))) }
        // The first look at a file finds nothing that has changed.
        #expect(try !look(scanner, .folders))
        _ = folder.file("album/b.png", [UInt8](repeating: 7, count: to.0))
        setTime("album/b.png", to.1)
        #expect(try look(scanner, .folders))
        #expect(try shown(scanner).revisions == [0, 1, 0])
        #expect(try !look(scanner, .folders))
        #expect(try shown(scanner).revisions == [0, 1, 0])
    }

    /// More pictures than one look compares.
    @Test func allPicturesAreComparedInTurn() throws {
        folder.folder("album")
        for number in 0..<600 { _ = folder.file("album/\(number).png", "old") }
        let scanner = try scanner()
        func lookAtAll() throws -> Bool {
            var hasChanged = false
            for _ in 0..<100 {
                if try look(scanner, .folders) { hasChanged = true }
                if scanner.polled.nextSlot == 0 { return hasChanged }
            }
            return hasChanged
        }
        #expect(try !lookAtAll())
        _ = folder.file("album/500.png", "another one")
        #expect(try lookAtAll())
        #expect(try shown(scanner).revisions.reduce(0, +) == 1)
    }

    /// More new pictures than one look compares: nobody who asks for another order waits for all of them.
    @Test func manyNewFilesAreListedInParts() throws {
        let scanner = try scanner()
        for number in 0..<400 { addFresh("\(number)") }
        #expect(try look(scanner, .folders))
        #expect(try shown(scanner).names.count == 3)
        var counts: [Int] = []
        while scanner.schedule.time(of: .arrivals) != nil {
            #expect(try look(scanner, .arrivals))
            counts.append(try shown(scanner).names.count)
        }
        #expect(counts.count > 1 && counts.last == 403)
    }

    /// More pictures that may change again than one look compares.
    @Test func manyChangedFilesAreComparedInParts() throws {
        folder.folder("album")
        for number in 0..<400 { _ = folder.file("album/\(number).png", "old") }
        let scanner = try scanner()
        func looksAtAll() throws -> Int {
            let all = scanner.builder.places(from: 0, most: 1000, where: { _ in true }).places
            scanner.polled.restless = Set(all)
            scanner.planLooks()
            var count = 0
            while scanner.schedule.time(of: .restless) != nil {
                _ = try look(scanner, .restless)
                count += 1
            }
            return count
        }
        // The first comparison finds nothing that has changed.
        #expect(try looksAtAll() > 1)
        _ = folder.file("album/300.png", "another one")
        #expect(try looksAtAll() > 1)
        #expect(try shown(scanner).revisions.reduce(0, +) == 1)
    }

    /// A folder that does not answer for now has not changed, and is looked at again.
    @Test func aLookWithoutAnAnswerIsNoChange() throws {
        makeAlbum()
        let isStalled = Atomic(false)
        let server = try ObservedServer(WatchInstance(refusedBy: EMFILE)) { _ in
            isStalled.load(ordering: .relaxed) ? .stalled : nil
        }
        var schedule = LookSchedule()
        // No look at the ways to the folder comes between those of the test.
        schedule.wayPause = 1e9
        let scanner = FolderScanner(
            [FilePath(folder / "album")], ListingOptions(), mailbox, socket: server.socket,
            schedule: schedule)
        scanner.readOnce()
        func lookTwice(_ reason: LookSchedule.Reason) throws -> [Bool] {
            isStalled.store(true, ordering: .relaxed)
            let first = try look(scanner, reason)
            isStalled.store(false, ordering: .relaxed)
            return [first, try look(scanner, reason)]
        }
        #expect(try lookTwice(.ways) == [false, false])
        addFresh("d")
        #expect(try lookTwice(.folders) == [false, true])
        #expect(try shown(scanner).names.count == 3)
        #expect(try lookTwice(.arrivals) == [false, true])
        #expect(try shown(scanner).names.count == 4)
        // The second look would have no time if the first one had forgotten the file.
        #expect(try lookTwice(.restless) == [false, false])
        #expect(scanner.schedule.time(of: .restless) == nil)
    }

    /// Half a picture is read again as long as its file grows, and once after that.
    @Test func aGrowingFileIsReadAgainUntilItRests() throws {
        let scanner = try scanner()
        let id = try id(1, scanner)
        func follow(damaged revision: Int?) -> Bool {
            scanner.follow(
                FollowedPictures([id], damaged: revision.map { [id: $0] } ?? [:]))
        }
        #expect(!follow(damaged: nil))
        // An old file is what it is.
        #expect(!follow(damaged: 0))
        for revision in 1...3 {
            _ = folder.file("album/b.png", [UInt8](repeating: 7, count: 10 * revision))
            #expect(try look(scanner, revision == 1 ? .folders : .restless))
            #expect(try shown(scanner).revisions[1] == revision)
        }
        // The file may have grown between its reading and the look.
        #expect(follow(damaged: 3))
        #expect(try shown(scanner).revisions[1] == 4)
        #expect(!follow(damaged: 4))
        while scanner.schedule.time(of: .restless) != nil { #expect(try !look(scanner, .restless)) }
        #expect(try !look(scanner, .folders))
        #expect(try shown(scanner).revisions[1] == 4)
    }

    @Test func aGivenFileIsLookedAt() throws {
        let scanner = try scanner(["album/b.png"])
        #expect(try !look(scanner, .folders))
        _ = folder.file("album/b.png", "another one")
        #expect(try look(scanner, .folders))
        #expect(try shown(scanner) == Shown(names: ["b.png"], revisions: [1]))
        unlink(folder / "album/b.png")
        #expect(try look(scanner, .folders))
        #expect(try shown(scanner).names == [])
        _ = folder.file("album/b.png", "back")
        #expect(try look(scanner, .unread))
        #expect(try shown(scanner).names == ["b.png"])
    }

    /// The folder has the same names as the one before.
    @Test func anotherFolderOfTheSamePathIsFound() throws {
        let scanner = try scanner()
        folder.folder("other")
        for name in ["a", "b", "c"] { _ = folder.file("other/\(name).png", "new") }
        rename(folder / "album", folder / "away")
        rename(folder / "other", folder / "album")
        #expect(try look(scanner, .ways))
        #expect(try shown(scanner).revisions == [1, 1, 1])
    }
}
