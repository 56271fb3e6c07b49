import Folders
import Glibc
import TestKit
import Testing

@testable import Desktop

private func exists(_ path: FilePath) -> Bool { FileStatus.withoutLinks(path) != nil }

private func text(_ path: FilePath) -> String? { TestFile.text(path.description) }

/// A new folder on a tmpfs, which is a file system of its own.
private func folderInMemory() -> String? {
    var name = Array("/dev/shm/vitrine-XXXXXX".utf8CString)
    return mkdtemp(&name).map { String(cString: $0) }
}

/// The trash by the real GIO, without a session bus.
///
/// GIO looks up the home folder once in a process, so that
/// each test has a process of its own.
@Suite(.timeLimit(.minutes(3))) struct TrashTests {
    /// A home folder, and pictures on the same file system.
    private final class Home {
        let folder = TemporaryFolder()

        init() {
            folder.folder("home")
            folder.folder("pictures")
            setenv("HOME", folder / "home", 1)
            setenv("XDG_DATA_HOME", folder / "home/data", 1)
            setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent", 1)
        }

        func picture(_ name: String, _ text: String = "pixels") -> FilePath {
            FilePath(folder.file("pictures/\(name)", text))
        }

        var trash: FilePath { FilePath(folder / "home/data/Trash") }
    }

    @Test func aFileGoesToTheTrashAndComesBack() async {
        await #expect(processExitsWith: .success) {
            let home = Home()
            defer { withExtendedLifetime(home) {} }
            let path = home.picture("ü %.png")
            #expect(Trash.accepts(path))
            let entry = try #require(try Trash.move(path))
            #expect(!exists(path))
            #expect(entry.folder == home.trash && entry.name == path.name)
            #expect(text(entry.file) == "pixels")
            #expect(Trash.originalPath(entry) == path)
            // Another program sees the same.
            let info = try #require(text(entry.info))
            #expect(info.contains("Path=" + PercentEncoding.encoded(path.bytes)))
            try Trash.restore(entry, to: path)
            #expect(text(path) == "pixels" && !exists(entry.file) && !exists(entry.info))
            #expect(throws: TrashError.failed("the file is not in the trash any more")) {
                try Trash.restore(entry, to: path)
            }
        }
    }

    @Test func equalNamesAreTwoEntries() async {
        await #expect(processExitsWith: .success) {
            let home = Home()
            defer { withExtendedLifetime(home) {} }
            let path = home.picture("a.png", "first")
            let first = try #require(try Trash.move(path))
            _ = home.picture("a.png", "second")
            let second = try #require(try Trash.move(path))
            #expect(first.name != second.name)
            #expect(text(first.file) == "first" && text(second.file) == "second")
            _ = home.picture("a.png", "third")
            #expect(throws: TrashError.nameExists) { try Trash.restore(second, to: path) }
            #expect(text(path) == "third" && second.isThere)
            try Trash.erase(second)
            #expect(!second.isThere && !exists(second.info) && first.isThere)
        }
    }

    @Test func aLinkIsMovedAsItself() async {
        await #expect(processExitsWith: .success) {
            let home = Home()
            defer { withExtendedLifetime(home) {} }
            let target = home.picture("target.png")
            let link = FilePath(home.folder / "pictures/link.png")
            symlink(target.description, link.description)
            let entry = try #require(try Trash.move(link))
            #expect(exists(target) && !exists(link))
            try Trash.restore(entry, to: link)
            #expect(text(link) == "pixels")
            let broken = FilePath(home.folder / "pictures/broken.png")
            symlink("/nonexistent", broken.description)
            #expect(try Trash.move(broken) != nil)
        }
    }

    @Test func failuresAreTold() async {
        await #expect(processExitsWith: .success) {
            let home = Home()
            defer { withExtendedLifetime(home) {} }
            let lost = FilePath(home.folder / "pictures/lost.png")
            #expect(throws: TrashError.failed("there is no such file any more")) {
                try Trash.move(lost)
            }
            let path = home.picture("a.png")
            let entry = try #require(try Trash.move(path))
            #expect(throws: TrashError.failed("the folder of the file is not there any more")) {
                try Trash.restore(entry, to: FilePath(home.folder / "gone/a.png"))
            }
            // Another file in the place of the entry is not taken for it.
            rename(entry.file.description, home.folder / "away")
            TestFile.write(Array("other".utf8), to: entry.file.description)
            #expect(throws: TrashError.self) { try Trash.restore(entry, to: path) }
            #expect(throws: TrashError.self) { try Trash.erase(entry) }
            #expect(text(entry.file) == "other")
        }
    }

    @Test func theTextOfAnEntryIsNotTrusted() async {
        await #expect(processExitsWith: .success) {
            let home = Home()
            defer { withExtendedLifetime(home) {} }
            let path = home.picture("a.png")
            let entry = try #require(try Trash.move(path))
            let new = FilePath(home.folder / "pictures/new ü.png")
            try Trash.setOriginalPath(new, of: entry)
            #expect(Trash.originalPath(entry) == new)
            #expect(text(entry.info)?.contains("DeletionDate=") == true)
            for lie in ["", "[Trash Info]\nPath=/a/../../b\n", "[Trash Info]\n", "\u{0}"] {
                TestFile.write(Array(lie.utf8), to: entry.info.description)
                #expect(Trash.originalPath(entry) == nil)
                let hasPath = lie.contains("Path=")
                #expect(((try? Trash.setOriginalPath(path, of: entry)) != nil) == hasPath)
            }
            // A link in the place of the text is not followed.
            unlink(entry.info.description)
            symlink(home.folder.file("secret", "[Trash Info]\nPath=/x\n"), entry.info.description)
            #expect(Trash.originalPath(entry) == nil)
            // The file comes back all the same.
            try Trash.restore(entry, to: path)
            #expect(text(path) == "pixels")
            withExtendedLifetime(home) {}
        }
    }

    @Test func oneOfTenThousandIsFound() async {
        await #expect(processExitsWith: .success) {
            let home = Home()
            defer { withExtendedLifetime(home) {} }
            let first = home.picture("seed.png")
            try Trash.move(first)
            for number in 0..<10_000 {
                TestFile.write([], to: home.trash.description + "/files/\(number).png")
            }
            // The name is taken, so that the entry has another one.
            TestFile.write([], to: home.trash.description + "/info/17.png.trashinfo")
            let path = home.picture("17.png", "mine")
            let entry = try #require(try Trash.move(path))
            #expect(entry.name != path.name && text(entry.file) == "mine")
            #expect(Trash.originalPath(entry) == path)
            withExtendedLifetime(home) {}
        }
    }

    @Test func aFileWithTwoNamesIsTwoEntries() async {
        await #expect(processExitsWith: .success) {
            let home = Home()
            defer { withExtendedLifetime(home) {} }
            let path = home.picture("a.png")
            let other = FilePath(home.folder / "pictures/b.png")
            link(path.description, other.description)
            let first = try #require(try Trash.move(path))
            let second = try #require(try Trash.move(other))
            #expect(Trash.originalPath(first) == path && Trash.originalPath(second) == other)
        }
    }

    /// The file comes back to another file system as a copy.
    @Test func aFileComesBackToAnotherFileSystem() async {
        await #expect(processExitsWith: .success) {
            let home = Home()
            defer { withExtendedLifetime(home) {} }
            let path = home.picture("a.png")
            chmod(path.description, 0o640)
            let entry = try #require(try Trash.move(path))
            let folder = try #require(folderInMemory())
            defer { rmdir(folder) }
            try #require(
                FileIdentity(of: FilePath(folder))?.device != entry.identity.device,
                "/dev/shm has to be a file system of its own")
            let target = FilePath(folder + "/a.png")
            defer { unlink(target.description) }
            TestFile.write([1], to: target.description)
            #expect(throws: TrashError.nameExists) { try Trash.restore(entry, to: target) }
            #expect(entry.isThere)
            unlink(target.description)
            try Trash.restore(entry, to: target)
            #expect(text(target) == "pixels" && !entry.isThere && !exists(entry.info))
            #expect(FileStatus.withoutLinks(target).map { $0.st_mode & 0o777 } == 0o640)
        }
    }

    /// A tmpfs has no trash, by the rules of GIO.
    @Test func aFileSystemWithoutATrash() async {
        await #expect(processExitsWith: .success) {
            let home = Home()
            defer { withExtendedLifetime(home) {} }
            let folder = try #require(folderInMemory())
            let path = FilePath(folder + "/a.png")
            TestFile.write([1], to: path.description)
            defer {
                unlink(path.description)
                rmdir(folder)
            }
            #expect(!Trash.accepts(path))
            do throws(TrashError) {
                try Trash.move(path)
                Issue.record("no error")
            } catch {
                guard case .noTrash(let reason) = error else {
                    Issue.record("\(error)")
                    return
                }
                #expect(!reason.isEmpty)
            }
            #expect(exists(path))
        }
    }
}
