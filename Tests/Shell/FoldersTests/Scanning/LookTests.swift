import Glibc
import SystemCalls
import TestKit
import Testing

@testable import Folders

/// Paths of whose changes the system tells nothing are looked at again.
@Suite struct LookTests {
    private let folder = TemporaryFolder()
    private let mailbox = Mailbox()

    private func scanner(keepsVanished: Bool = false, isRecursive: Bool = false) -> FolderScanner {
        folder.folder("album")
        _ = folder.file("album/a.png", "one")
        _ = folder.file("album/b.png", "two")
        for name in ["a.png", "b.png"] { age("album/" + name) }
        let scanner = FolderScanner(
            [FilePath(folder / "album"), FilePath(folder / "later.png")],
            ListingOptions(isRecursive: isRecursive, keepsVanished: keepsVanished), mailbox)
        scanner.readOnce()
        return scanner
    }

    /// Makes a file one that was written long ago.
    private func age(_ name: String) {
        _ = ChildProcess.run(["touch", "-d", "2020-01-01", folder / name])
    }

    private func hasOtherMounts(_ scanner: FolderScanner) -> Bool { scanner.mounts.update() }

    private func names(_ scanner: FolderScanner) throws -> [String] {
        scanner.needsRescan = true
        scanner.settle()
        scanner.post()
        let listing = try #require(mailbox.fetchUpdate()).listing
        return listing.entries.indices.map { listing.title(at: $0) }
    }

    @Test func aPathThatAppearsIsFound() throws {
        let scanner = scanner()
        #expect(scanner.unread.map(\.root) == [1])
        let first = try #require(scanner.schedule.time)
        #expect(!scanner.look(at: first - 1))
        #expect(!scanner.look(at: first))
        let second = try #require(scanner.schedule.time)
        #expect(second > first + 1000)
        _ = folder.file("later.png", "three")
        #expect(scanner.look(at: second))
        #expect(try names(scanner) == ["a.png", "b.png", "later.png"])
        #expect(scanner.unread.isEmpty && scanner.schedule.time(of: .unread) == nil)
    }

    @Test(arguments: [false, true])
    func aFolderThatVanishesMayKeepItsPictures(_ keeps: Bool) throws {
        let scanner = scanner(keepsVanished: keeps)
        _ = try names(scanner)
        rename(folder / "album", folder / "away")
        #expect(try names(scanner) == (keeps ? ["a.png", "b.png"] : []))
        let time = try #require(scanner.schedule.time)
        rename(folder / "away", folder / "album")
        unlink(folder / "album/a.png")
        #expect(scanner.look(at: time))
        #expect(try names(scanner) == ["b.png"])
    }

    /// A file of a new subfolder may have been written in part before the folder was watched.
    @Test func newFilesOfANewSubfolderAreListedAtRest() throws {
        let scanner = scanner(isRecursive: true)
        folder.folder("album/new")
        _ = folder.file("album/new/c.png", "a part")
        _ = folder.file("album/new/d.png", "whole")
        age("album/new/d.png")
        #expect(try names(scanner) == ["a.png", "b.png", "d.png"])
        // A rescan soon after that decides nothing.
        #expect(try names(scanner) == ["a.png", "b.png", "d.png"])
        _ = folder.file("album/new/c.png", "a part and more")
        #expect(!scanner.look(at: try #require(scanner.schedule.time(of: .arrivals))))
        #expect(try names(scanner) == ["a.png", "b.png", "d.png"])
        #expect(scanner.look(at: try #require(scanner.schedule.time(of: .arrivals))))
        #expect(scanner.schedule.time(of: .arrivals) == nil)
        #expect(try names(scanner) == ["a.png", "b.png", "c.png", "d.png"])
        // A folder that is renamed keeps its pictures, however new they are.
        _ = folder.file("album/new/c.png", "a part, and more, and all")
        rename(folder / "album/new", folder / "album/newer")
        #expect(try names(scanner) == ["a.png", "b.png", "c.png", "d.png"])
    }

    /// A file system that is mounted late, goes, and comes back.
    @Test(
        .enabled(if: geteuid() == 0, "only root can mount a file system"), arguments: [false, true])
    func aFileSystemThatIsUnmountedMayKeepItsPictures(_ keeps: Bool) throws {
        folder.folder("album")
        let album = folder / "album"
        let scanner = FolderScanner(
            [FilePath(album + "/")], ListingOptions(keepsVanished: keeps), mailbox)
        scanner.readOnce()
        #expect(!hasOtherMounts(scanner))
        func mount(_ name: String) throws {
            try #require(ChildProcess.run(["mount", "-t", "tmpfs", "vitrine", album]).status == 0)
            _ = folder.file("album/" + name, "one")
            age("album/" + name)
        }
        defer { _ = ChildProcess.run(["umount", "-l", album]) }
        try mount("a.png")
        #expect(hasOtherMounts(scanner))
        #expect(try names(scanner) == ["a.png"])
        try #require(ChildProcess.run(["umount", album]).status == 0)
        #expect(hasOtherMounts(scanner))
        #expect(try names(scanner) == (keeps ? ["a.png"] : []))
        // The bare folder is no reason to read everything again and again.
        if let time = scanner.schedule.time { #expect(!scanner.look(at: time)) }
        try mount("b.png")
        #expect(hasOtherMounts(scanner))
        #expect(try names(scanner) == ["b.png"])
        #expect(scanner.unread.isEmpty)
    }

    /// One folder that cannot be read is no reason to read all others again and again.
    @Test func onlyWhatCouldNotBeReadIsLookedAt() throws {
        let scanner = scanner(isRecursive: true)
        scanner.unread = [
            UnreadPath(
                FilePath(folder / "album/nothing"), root: 0, SystemError(code: EACCES),
                keepsVanished: false)
        ]
        let time = try #require(scanner.schedule.time(of: .unread))
        #expect(!scanner.look(at: time))
        folder.folder("album/nothing")
        #expect(scanner.look(at: try #require(scanner.schedule.time(of: .unread))))
    }

    /// A folder that cannot be read keeps its pictures and those below, but no others.
    @Test(arguments: [
        ("album/", EACCES, [true, true, true, true, false, false]),
        ("album/inner/", EACCES, [false, true, true, false, false, false]),
        ("album/inner/", ENOENT, [false, false, false, false, false, false]),
        ("album", EIO, [true, true, true, true, false, false]),
    ])
    func onlyWhatCouldNotBeReadKeepsItsPictures(
        _ path: String, _ code: Int32, _ kept: [Bool]
    ) {
        let unread = UnreadPath(
            FilePath(path), root: 0, SystemError(code: code), keepsVanished: false)
        let folders = [
            ("album/", 0), ("album/inner/", 0), ("album/inner/most/", 0), ("album/innermost/", 0),
            ("other/", 0), ("album/inner/", 1),
        ].map { Folder(prefix: Array($0.0.utf8), root: $0.1, givenLength: 6) }
        #expect(folders.map { unread.keeps($0) } == kept)
    }

    /// The folder of a given file is that of other files, too.
    @Test func aGivenFileThatCannotBeReadStays() {
        let unread = UnreadPath(
            FilePath("album/a.png"), root: 1, SystemError(code: EIO), keepsVanished: false)
        let folders = (0..<3).map {
            Folder(prefix: Array("album/".utf8), root: $0, only: Array("a.png".utf8))
        }
        #expect(folders.map { unread.keeps($0) } == [false, true, false])
    }

    // MARK: The schedule

    @Test func pausesGrowAndBeginAnew() {
        var schedule = LookSchedule()
        var now = 1000.0
        func pause(_ reason: LookSchedule.Reason, isNeeded: Bool = true) -> Double? {
            schedule.plan(isNeeded ? [reason] : [], now: now)
            guard let time = schedule.time else { return nil }
            let pause = time - now
            now = time
            let early = schedule.takeDue(at: now - 1)
            let due = schedule.takeDue(at: now)
            #expect(early.isEmpty && due == [reason])
            return pause
        }
        for (reason, pauses) in [
            (LookSchedule.Reason.unread, [2000.0, 8000, 30_000, 60_000, 60_000]),
            (.restless, [2000, 4000, 8000, 16_000, 30_000, 30_000]), (.arrivals, [2000, 2000]),
            (.ways, [5000, 5000]), (.folders, [30_000, 30_000]),
        ] {
            for expected in pauses { #expect(pause(reason) == expected) }
            #expect(pause(reason, isNeeded: false) == nil)
            #expect(pause(reason) == pauses[0])
            #expect(pause(reason, isNeeded: false) == nil)
        }
    }

    @Test func eachReasonHasItsTime() {
        var schedule = LookSchedule()
        schedule.plan([.folders], now: 0)
        #expect(schedule.time == 30_000)
        schedule.plan([.folders, .arrivals], now: 1000)
        #expect(schedule.time == 3000 && schedule.time(of: .folders) == 30_000)
        let early = schedule.takeDue(at: 2999)
        let first = schedule.takeDue(at: 3000)
        #expect(early.isEmpty && first == [.arrivals])
        schedule.plan([.folders], now: 3000)
        #expect(schedule.time == 30_000)
    }

    /// A share that answers slowly is looked at less often.
    @Test func looksTakeASmallPartOfTheTime() {
        var schedule = LookSchedule()
        schedule.folderCost = 4000
        schedule.plan([.folders], now: 0)
        #expect(schedule.time == 80_000)
    }

    /// The machine may have slept for weeks during a look.
    @Test func aLookThatTookWeeksIsFollowedByOneInAnHour() {
        var schedule = LookSchedule()
        schedule.folderCost = 2e9
        schedule.plan([.folders], now: 0)
        #expect(schedule.time == 3_600_000)
    }
}
