import Glibc
import TestKit
import Testing

@testable import FileAccess

/// Each folder, link and file that a path leads through has a watch.
@Suite struct PathWatchTests {
    private let folder = TemporaryFolder()

    private func way(_ path: String, _ watches: WatchInstance) -> PathWatch {
        PathWatch(Array((folder / path).utf8), watches)
    }

    private func makeFiles() {
        folder.folder("album")
        _ = folder.file("album/a.png", "a")
        let long = String(repeating: "./", count: 1500) + "album/a.png"
        for (name, target) in [
            ("link", "album/a.png"), ("absolute", folder / "album"), ("chain", "link"),
            ("loop", "other"), ("other", "loop"), ("itself", "itself/a"), ("dangling", "nothing"),
            ("long", long),
        ] {
            symlink(target, folder / name)
        }
    }

    /// Names beside the number of files, folders and links of the way below the folder of the test, and
    /// whether all of them are watched.
    @Test(arguments: [
        ("album", 1, true), ("album/a.png", 2, true), ("link", 3, true), ("chain", 4, true),
        ("absolute/a.png", 3, true), ("album/../album//a.png", 2, true), ("nothing", 0, false),
        ("album/b.png", 1, false), ("loop", 2, false), ("itself", 1, false),
        ("dangling", 1, false), ("long", 1, false),
    ])
    func aWayIsWatched(_ path: String, _ count: Int, _ isWhole: Bool) {
        makeFiles()
        let watches = WatchInstance()
        defer { close(watches.descriptor) }
        let above = way(".", watches).numbers.count
        let found = way(path, watches)
        #expect(found.isWhole == isWhole)
        #expect(found.numbers.count == above + count)
        #expect(Set(found.numbers).count == found.numbers.count)
    }

    /// Programs change files in the home folder at any time; that wakes nobody.
    @Test func attributesInFoldersAboveAreNotTold() {
        makeFiles()
        let watches = WatchInstance()
        defer { close(watches.descriptor) }
        let found = way("album/a.png", watches)
        #expect(found.isWhole)
        func hasEvents() -> Bool {
            var bytes = [UInt8](repeating: 0, count: 4096)
            return read(watches.descriptor, &bytes, bytes.count) > 0
        }
        _ = folder.file("other.png", "b")
        chmod(folder / "other.png", 0o600)
        unlink(folder / "other.png")
        #expect(!hasEvents())
        chmod(folder / "album/a.png", 0o600)
        #expect(hasEvents())
        rename(folder / "album", folder / "moved")
        #expect(hasEvents())
    }

    @Test func aRefusalEndsTheWay() {
        makeFiles()
        let found = way("album/a.png", WatchInstance(refusedBy: ENOSPC))
        #expect(!found.isWhole && found.numbers.isEmpty)
    }

    /// A medium of a stranger may have a link to any folder.
    @Test func linksOfStrangersAreNotFollowed() {
        makeFiles()
        folder.folder("medium")
        symlink("../album", folder / "medium/link")
        UntrustedFolders.add(Array((folder / "medium").utf8))
        let watches = WatchInstance()
        defer { close(watches.descriptor) }
        let album = way("album", watches).numbers
        let found = way("medium/link", watches)
        #expect(found.numbers.count == album.count + 1)
        #expect(!found.numbers.contains(album[album.count - 1]))
    }
}
