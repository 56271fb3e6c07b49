import Folders
import Glibc
import SystemCalls
import TOML
import TestKit
import Testing

/// Storing a setting in the file of the user.
@Suite struct SettingsStoreTests {
    private let folder = TemporaryFolder()
    private var path: String { folder / "vitrine/config.toml" }

    private func store(_ name: String, _ value: TOMLValue) throws {
        try SettingsFiles.store(name, value, in: FilePath(folder / "vitrine"))
    }

    @Test func aFileIsMadeAndChanged() throws {
        try store("viewer.keep_zoom", .flag(true))
        #expect(TestFile.text(path) == "[viewer]\nkeep_zoom = true\n")
        try store("viewer.keep_zoom", .flag(false))
        #expect(TestFile.text(path) == "[viewer]\nkeep_zoom = false\n")
    }

    @Test func modeLinksAndOtherLinesStay() throws {
        folder.folder("vitrine")
        let real = folder.file("real.toml", "# mine\nodd = 1\r\nviewer.wheel = 'zoom' # why\n")
        chmod(real, 0o640)
        symlink(real, path)
        try store("viewer.wheel", .string("page"))
        #expect(TestFile.text(real) == "# mine\nodd = 1\r\nviewer.wheel = \"page\" # why\n")
        var info = stat()
        #expect(lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFLNK)
        #expect(stat(real, &info) == 0 && info.st_mode & 0o777 == 0o640)
    }

    @Test func whatCannotBeStoredLeavesTheFile() throws {
        folder.folder("vitrine")
        _ = folder.file("vitrine/config.toml", "viewer = 1\n")
        #expect(throws: SettingsFiles.StoreError.noPlace) {
            try store("viewer.wheel", .string("page"))
        }
        #expect(TestFile.text(path) == "viewer = 1\n")
        chmod(path, 0o666)
        #expect(throws: SettingsFiles.StoreError.untrusted) {
            try store("grid.columns", .integer(3))
        }
    }

    // MARK: Obstacles

    private var obstacle: SettingsFiles.StoreError? {
        SettingsFiles.obstacle(in: FilePath(folder / "vitrine"))
    }

    @Test func aFolderThatCanBeMadeIsNoObstacle() {
        #expect(obstacle == nil)
        #expect(TestFile.text(path) == nil, "nothing was made")
        folder.folder("vitrine")
        #expect(obstacle == nil)
        _ = folder.file("vitrine/config.toml", "viewer.enlarge = true\n")
        #expect(obstacle == nil)
    }

    @Test func whatCannotBeStoredIsAnObstacle() {
        folder.folder("vitrine")
        _ = folder.file("vitrine/config.toml", "")
        chmod(path, 0o666)
        #expect(obstacle == .untrusted)
        unlink(path)
        folder.folder("vitrine/config.toml")
        #expect(obstacle == .failed(SystemError(code: ENXIO)))
        let blocked = folder.file("blocked", "")
        #expect(
            SettingsFiles.obstacle(in: FilePath(blocked + "/vitrine"))
                == .failed(SystemError(code: ENOTDIR)))
    }

    /// The system lets its administrator write everywhere.
    @Test(.enabled(if: geteuid() != 0)) func modesWithoutWritingAreAnObstacle() {
        folder.folder("vitrine")
        _ = folder.file("vitrine/config.toml", "")
        chmod(path, 0o400)
        #expect(obstacle == .failed(SystemError(code: EACCES)))
        chmod(path, 0o600)
        chmod(folder / "vitrine", 0o500)
        #expect(obstacle == .failed(SystemError(code: EACCES)))
        chmod(folder / "vitrine", 0o700)
    }
}
