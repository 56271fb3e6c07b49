import Folders
import Glibc
import TestKit
import Testing

/// Listings of real folders.
@Suite struct ReadingTests {
    private let folder = TemporaryFolder()

    private func read(
        _ paths: [String], recursive: Bool = false, _ key: ListingOrder.Key = .name
    ) -> ListingUpdate {
        FolderMonitor(
            paths.map { FilePath($0) },
            options: ListingOptions(order: ListingOrder(key), isRecursive: recursive)
        ).waitUntilComplete()
    }

    private func paths(_ update: ListingUpdate) -> [String] {
        update.listing.entries.indices.map {
            String(update.listing.path(at: $0).description.dropFirst(folder.path.count + 1))
        }
    }

    private func make(_ path: String) {
        if let slash = path.lastIndex(of: "/") {
            _ = ChildProcess.run(["/bin/mkdir", "-p", folder / String(path[..<slash])])
        }
        _ = folder.file(path, path)
    }

    @Test func picturesOfAFolderAreListedInNaturalOrder() {
        for name in ["b10.jpg", "b9.JPG", "a.png", ".hidden.jpg", "text.txt", "sub/deep.png"] {
            make(name)
        }
        let update = read([folder.path])
        #expect(paths(update) == ["a.png", "b9.JPG", "b10.jpg"])
        #expect(update.problems.isEmpty)
        #expect(paths(read([folder.path], recursive: true)).last == "sub/deep.png")
    }

    @Test func givenFilesKeepTheirOrderAndAnyExtension() {
        for name in ["z.jpg", "a.dat"] { make(name) }
        #expect(paths(read([folder / "z.jpg", folder / "a.dat"])) == ["z.jpg", "a.dat"])
    }

    @Test func fileNamesMayHoldAnyBytes() throws {
        let odd: [UInt8] = [0xFF, 0x0A, 0xC3, 0x28] + Array(".png".utf8)
        let path = FilePath(folder.path).appending(odd)
        let descriptor = path.withCString { open($0, O_CREAT | O_WRONLY, 0o600) }
        try #require(descriptor >= 0)
        close(descriptor)
        let listing = read([folder.path]).listing
        #expect(listing.entries.map(\.name) == [odd])
        #expect(listing.path(at: 0) == path)
    }

    @Test func cyclicLinksAreFollowedOnce() {
        for name in ["a/1.png", "b/2.png", "b/c/3.png"] { make(name) }
        for (target, link) in [
            ("..", "a/up"), (folder.path, "b/c/top"), ("../a", "b/other"), ("self", "self"),
            ("../b", "a/aside"), ("nowhere", "lost.png"),
        ] {
            symlink(target, folder / link)
        }
        let update = read([folder.path], recursive: true)
        #expect(paths(update) == ["lost.png", "a/1.png", "b/2.png", "b/c/3.png"])
    }

    @Test func foldersFullOfLinksToEachOtherDoNotMultiply() {
        for a in 0..<12 {
            make("d\(a)/p.png")
            for b in 0..<12 where a != b { symlink("../d\(b)", folder / "d\(a)/l\(b)") }
        }
        #expect(read([folder.path], recursive: true).listing.count == 12)
    }

    @Test func aLinkedFolderOutsideIsRead() {
        make("real/1.png")
        make("shown/2.png")
        symlink("../real", folder / "shown/link")
        let update = read([folder / "shown"], recursive: true)
        #expect(paths(update) == ["shown/2.png", "shown/link/1.png"])
        #expect(update.listing.sectionsByFolder().map(\.title) == ["shown", "link"])
    }

    @Test func pathsThatCannotBeListedAreReported() {
        make("empty/readme")
        mkfifo(folder / "pipe", 0o600)
        symlink("loop", folder / "loop")
        let reasons = read([
            folder / "missing", folder / "empty", folder / "pipe", "/dev/null", folder / "loop",
        ]).problems.map(\.reason)
        #expect(
            reasons == [
                "there is no such file", "there is no picture in this folder",
                "is a pipe, not a file; give - to read one as standard input",
                "is a device, not a picture", "the symbolic links form a loop",
            ])
    }

    @Test func datesAndSizesSortOnRequest() {
        for (name, size, time) in [("a.png", 30, 100), ("b.png", 10, 300), ("c.png", 20, 200)] {
            let path = folder.file(name, [UInt8](repeating: 1, count: size))
            let times = [timespec(tv_sec: time, tv_nsec: 0), timespec(tv_sec: time, tv_nsec: 5)]
            utimensat(AT_FDCWD, path, times, 0)
        }
        #expect(paths(read([folder.path], .size)) == ["b.png", "c.png", "a.png"])
        let update = read([folder.path], .modified)
        #expect(paths(update) == ["a.png", "c.png", "b.png"])
        #expect(
            update.listing.entries[0].details?.modified == Timestamp(seconds: 100, nanoseconds: 5))
        #expect(read([folder.path]).listing.entries[0].details == nil)
    }
}
