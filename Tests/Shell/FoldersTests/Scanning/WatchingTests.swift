import CLinux
import Folders
import Glibc
import ImageTypes
import TestKit
import Testing

/// Changes of a folder while it is shown.
@Suite struct WatchingTests {
    private let folder = TemporaryFolder()

    private func names(_ listing: Listing) -> [String] {
        listing.entries.indices.map { listing.title(at: $0) }
    }

    private func start(recursive: Bool = false, _ path: String? = nil) -> (
        FolderMonitor, Listing
    ) {
        let monitor = FolderMonitor(
            [FilePath(path ?? folder.path)], options: ListingOptions(isRecursive: recursive))
        return (monitor, monitor.waitUntilComplete().listing)
    }

    @Test func picturesComeGoAndAreRenamed() throws {
        for name in ["a.png", "b.png", "c.png"] { _ = folder.file(name, name) }
        let (monitor, first) = start()
        #expect(names(first) == ["a.png", "b.png", "c.png"])
        _ = folder.file("aa.png", "new")
        _ = folder.file("note.txt", "new")
        rename(folder / "b.png", folder / "z.png")
        unlink(folder / "a.png")
        let update = try #require(
            monitor.update { names($0.listing) == ["aa.png", "c.png", "z.png"] })
        #expect(names(update.listing) == ["aa.png", "c.png", "z.png"])
        #expect((0..<3).map { update.listing.index(of: $0, in: first) } == [nil, 2, 1])
        #expect(update.listing.nearestIndex(to: 0, in: first) == 2)
    }

    @Test func aRewrittenPictureHasANewRevision() throws {
        _ = folder.file("a.png", "one")
        let (monitor, first) = start()
        _ = folder.file("a.png", "two")
        let update = try #require(monitor.update { $0.listing.entries.first?.revision != 0 })
        #expect(update.listing.entries[0].id == first.entries[0].id)
        #expect(update.listing.entries[0].revision > 0)
    }

    @Test func savingThroughATemporaryNameIsAChange() throws {
        _ = folder.file("a.png", "one")
        let (monitor, first) = start()
        _ = folder.file("a.png.tmp", "two")
        rename(folder / "a.png.tmp", folder / "a.png")
        let update = try #require(monitor.update { $0.listing.entries.first?.revision == 1 })
        #expect(update.listing.entries.map(\.id) == first.entries.map(\.id))
        #expect(update.listing.entries[0].revision == 1)
    }

    /// As a change of a file is made: the kernel reports the new file before the old one moves away.
    @Test func exchangedPicturesKeepTheirEntries() throws {
        for name in ["a.png", "b.png", "c.png"] { _ = folder.file(name, name) }
        folder.folder(".work")
        _ = folder.file(".work/a.png", "new")
        let (monitor, first) = start()
        #expect(clinux_exchange(folder / ".work/a.png", folder / "a.png") == 0)
        let update = try #require(
            monitor.update { $0.listing.entries.first?.revision ?? 0 > 0 })
        #expect(update.listing.entries.map(\.id) == first.entries.map(\.id))
        #expect(clinux_exchange(folder / "b.png", folder / "c.png") == 0)
        var names: [[String]] = []
        let after = try #require(
            monitor.update {
                names.append(self.names($0.listing))
                return $0.listing.entries.dropFirst().contains { entry in
                    !update.listing.entries.contains {
                        $0.id == entry.id && $0.revision == entry.revision
                    }
                }
            })
        #expect(after.listing.count == 3)
        #expect(names.allSatisfy { $0 == ["a.png", "b.png", "c.png"] }, "\(names)")
    }

    @Test func aGivenFileIsWatchedAlone() throws {
        let path = folder.file("a.png", "one")
        let (monitor, first) = start(path)
        _ = folder.file("b.png", "other")
        unlink(path)
        let gone = try #require(monitor.update { $0.listing.count == 0 })
        #expect(first.count == 1 && gone.listing.count == 0)
        _ = folder.file("a.png", "back")
        let back = try #require(monitor.update { $0.listing.count == 1 })
        #expect(names(back.listing) == ["a.png"])
    }

    /// Waits for a listing of these names.
    @discardableResult
    private func listed(
        _ expected: [String], _ monitor: FolderMonitor,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ListingUpdate {
        let update = try #require(
            monitor.update { names($0.listing) == expected }, sourceLocation: sourceLocation)
        #expect(names(update.listing) == expected, sourceLocation: sourceLocation)
        return update
    }

    /// Also after the folder was read again; the name that was given is no longer asked for.
    @Test(arguments: [false, true]) func aGivenFileThatIsRenamedStays(isRead: Bool) throws {
        let path = folder.file("a.png", "one")
        _ = folder.file("other.png", "other")
        let (monitor, first) = start(path)
        func expect(_ name: String) throws {
            if isRead { monitor.rescan() }
            let update = try listed([name], monitor)
            #expect(update.listing.entries.map(\.id) == first.entries.map(\.id))
            #expect(update.problems.isEmpty && update.listing.entries[0].revision == 0)
        }
        rename(path, folder / "b.png")
        try expect("b.png")
        rename(folder / "b.png", folder / "c.png")
        try expect("c.png")
        rename(folder / "c.png", path)
        try expect("a.png")
        unlink(path)
        try listed([], monitor)
    }

    /// A program that saves keeps the former file under another name, often that of no picture.
    @Test(arguments: ["a~.png", "a.png_original", ".a.png"], [false, true])
    func theGivenNameCountsWhenAFileHasTheNameAgain(_ kept: String, isRead: Bool) throws {
        let path = folder.file("a.png", "one")
        let (monitor, first) = start(path)
        for round in 0..<3 {
            rename(path, folder / kept)
            let followed = kept == "a~.png" ? [kept] : []
            try listed(followed, monitor)
            if isRead { monitor.rescan() }
            _ = folder.file("a.png", "number \(round)")
            let back = try listed(["a.png"], monitor)
            #expect(back.listing.entries[0].id != first.entries[0].id)
        }
        monitor.rescan()
        try listed(["a.png"], monitor)
        unlink(folder / kept)
        unlink(path)
        try listed([], monitor)
    }

    /// The given name counts, and has the content of the other file now.
    @Test func aGivenFileThatIsExchangedHasANewRevision() throws {
        let path = folder.file("a.png", "one")
        _ = folder.file("b.png", "the other one")
        let (monitor, first) = start(path)
        #expect(clinux_exchange(path, folder / "b.png") == 0)
        let update = try #require(
            monitor.update {
                $0.listing.entries.contains {
                    $0.id != first.entries[0].id || $0.revision > first.entries[0].revision
                }
            })
        #expect(names(update.listing) == ["a.png"])
    }

    /// A renamed file that is deleted and restored, as by an undo, is listed under its new name.
    @Test func aRenamedFileThatIsRestoredIsBack() throws {
        let path = folder.file("a.png", "one")
        let (monitor, _) = start(path)
        rename(path, folder / "b.png")
        try listed(["b.png"], monitor)
        unlink(folder / "b.png")
        monitor.rescan()
        let gone = try #require(monitor.update { $0.listing.count == 0 && !$0.problems.isEmpty })
        #expect(gone.problems.map(\.path) == [FilePath(path)])
        _ = folder.file("b.png", "one")
        monitor.rescan()
        try listed(["b.png"], monitor)
    }

    @Test func aFolderThatIsDeletedWhileShownIsEmpty() throws {
        let inner = folder / "inner"
        mkdir(inner, 0o755)
        _ = folder.file("inner/a.png", "a")
        let (monitor, first) = start(inner)
        #expect(first.count == 1)
        _ = ChildProcess.run(["/bin/rm", "-r", inner])
        let update = try #require(monitor.update { !$0.problems.isEmpty })
        #expect(update.listing.count == 0)
        #expect(update.problems.map(\.reason) == ["there is no such file"])
    }

    @Test(.enabled(if: geteuid() == 0, "only root can mount a file system"))
    func aFileSystemThatIsMountedLateIsFound() throws {
        mkdir(folder / "inner", 0o755)
        let (monitor, first) = start(folder / "inner")
        #expect(first.count == 0)
        try #require(
            ChildProcess.run(["mount", "-t", "tmpfs", "vitrine", folder / "inner"]).status == 0)
        defer { _ = ChildProcess.run(["umount", "-l", folder / "inner"]) }
        _ = folder.file("inner/a.png", "a")
        let update = try #require(monitor.update { $0.listing.count == 1 })
        #expect(names(update.listing) == ["a.png"])
    }

    @Test func foldersInFoldersComeAndMove() throws {
        mkdir(folder / "one", 0o755)
        _ = folder.file("one/a.png", "a")
        let (monitor, first) = start(recursive: true)
        rename(folder / "one", folder / "two")
        let moved = try #require(
            monitor.update { $0.listing.folders.last?.title == "two" && $0.listing.count == 1 })
        #expect(moved.listing.index(of: 0, in: first) == 0)
        _ = folder.file("two/b.png", "b")
        let grown = try #require(monitor.update { $0.listing.count == 2 })
        #expect(names(grown.listing) == ["a.png", "b.png"])
        rename(folder / "two/a.png", folder / "two/c.png")
        let renamed = try #require(
            monitor.update { names($0.listing) == ["b.png", "c.png"] })
        #expect(renamed.listing.index(of: 0, in: first) == 1)
        #expect(renamed.listing.path(at: 1).description == folder / "two/c.png")
    }

    @Test func theOrderCanBeChanged() throws {
        for (name, size) in [("a.png", 3), ("b.png", 1)] {
            _ = folder.file(name, [UInt8](repeating: 7, count: size))
        }
        let (monitor, _) = start()
        monitor.setOptions(ListingOptions(order: ListingOrder(.size)))
        let sized = try #require(monitor.update { names($0.listing) == ["b.png", "a.png"] })
        #expect(names(sized.listing) == ["b.png", "a.png"])
        monitor.setOptions(ListingOptions(order: ListingOrder(.taken)))
        let time = CaptureTime(wallClock: 5)
        monitor.setTaken([sized.listing.entries[1].id: time])
        let taken = try #require(monitor.update { names($0.listing) == ["a.png", "b.png"] })
        #expect(taken.listing.entries[0].taken == time)
    }

    /// `FolderBench` measures a hundred thousand pictures.
    @Test func thousandsOfPicturesAreListedInNaturalOrder() throws {
        for number in 0..<3000 {
            close(open(folder / "IMG_\(number).jpg", O_CREAT | O_WRONLY, 0o600))
        }
        let monitor = FolderMonitor([FilePath(folder.path)])
        let listing = monitor.waitUntilComplete().listing
        #expect(listing.count == 3000)
        #expect((0..<3000).allSatisfy { listing.title(at: $0) == "IMG_\($0).jpg" })
    }
}
