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
}
