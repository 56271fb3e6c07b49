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
@Suite struct TrashTests {
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

    @Test func aFileGoesToTheTrash() async {
        await #expect(processExitsWith: .success) {
            let home = Home()
            defer { withExtendedLifetime(home) {} }
            let path = home.picture("ü %.png")
            let entry = try #require(try Trash.move(path))
            #expect(!exists(path))
            #expect(entry.folder == home.trash && entry.name == path.name)
            #expect(text(entry.file) == "pixels")
            #expect(Trash.originalPath(entry) == path)
            // Another program sees the same.
            let info = try #require(text(entry.info))
            #expect(info.contains("Path=" + PercentEncoding.encoded(path.bytes)))
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
            var bytes = [CChar](repeating: 0, count: 4096)
            let count = readlink(entry.file.description, &bytes, bytes.count)
            #expect(count == target.description.utf8.count)
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
        }
    }

    /// The numbers of the system, not the sentences of GLib.
    @Test func theCauseIsANumber() async {
        await #expect(processExitsWith: .success) {
            let home = Home()
            defer { withExtendedLifetime(home) {} }
            for length in [246, 250, 255] {
                let path = home.picture(String(repeating: "a", count: length - 4) + ".png")
                // GLib 2.90 shortens the name of the entry.
                switch Result(catching: { () throws(TrashError) in try Trash.move(path) }) {
                case .success(let entry):
                    #expect(!exists(path) && entry.map { exists($0.file) } == true)
                case .failure(let error):
                    #expect(error == .system(ENAMETOOLONG) && exists(path))
                }
            }
            let path = home.picture(String(repeating: "b", count: 241) + ".png")
            try #require(try Trash.move(path) != nil)
            guard geteuid() != 0 else { return }
            let locked = home.picture("locked.png")
            let info = home.trash.description + "/info"
            chmod(info, 0o500)
            defer { chmod(info, 0o700) }
            #expect(throws: TrashError.system(EACCES)) { try Trash.move(locked) }
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
            #expect(text(entry.file) == "pixels")
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
            do throws(TrashError) {
                try Trash.move(path)
                Issue.record("no error")
            } catch {
                guard case .noTrash(let reason) = error else {
                    Issue.record("\(error)")
                    return
                }
                #expect(reason == "there is no trash on this disk")
            }
            #expect(exists(path))
        }
    }
}
