import Glibc
import ImageWire
import SystemCalls
import TOML
import TestKit
import Testing

@testable import FileAccess
@testable import Folders

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
        #expect(throws: SettingsFiles.StoreError.untrusted(.writable)) {
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
        #expect(obstacle == .untrusted(.writable))
        unlink(path)
        folder.folder("vitrine/config.toml")
        #expect(obstacle == .failed(SystemError(code: ENXIO)))
        let blocked = folder.file("blocked", "")
        #expect(
            SettingsFiles.obstacle(in: FilePath(blocked + "/vitrine"))
                == .failed(SystemError(code: ENOTDIR)))
    }

    /// A file that belongs to somebody else is left as it is, and its owner is named: by name, or by
    /// number.
    @Test(
        .enabled(if: geteuid() == 0 && UserMap.ofThisProcess?.contains(54_321) ?? true),
        arguments: [(1, "daemon"), (54_321, "54321")])
    func aFileOfSomebodyElseIsNamedAsSuch(owner: uid_t, name: String) throws {
        folder.folder("vitrine")
        _ = folder.file("vitrine/config.toml", "grid.columns = 4\n")
        try #require(chown(path, owner, 0) == 0)
        // To take writing from others does not make the file the user's.
        for mode: mode_t in [0o600, 0o666] {
            chmod(path, mode)
            let distrust = Distrust.foreign(owner: name)
            #expect(throws: SettingsFiles.StoreError.untrusted(distrust)) {
                try store("grid.columns", .integer(3))
            }
            #expect(obstacle == .untrusted(distrust))
            let file = try SmallFile(Array(path.utf8), limit: 100)
            #expect(file.trust == .foreign(owner: owner))
        }
        #expect(TestFile.text(path) == "grid.columns = 4\n")
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

/// Who can change a settings file.
@Suite struct DistrustTests {
    @Test(
        arguments: [
            (1000, 0o100_600, FileTrust.trusted), (1000, 0o100_644, .trusted),
            (0, 0o100_644, .trusted),
            (1000, 0o100_664, .writable), (1000, 0o100_602, .writable), (0, 0o100_666, .writable),
            (1001, 0o100_600, .foreign(owner: 1001)), (1001, 0o100_666, .foreign(owner: 1001)),
            (65_534, 0o100_600, .foreign(owner: 65_534)), (.max, 0, .foreign(owner: .max)),
        ] as [(UInt32, UInt32, FileTrust)])
    func theOwnerComesBeforeTheMode(owner: UInt32, mode: UInt32, trust: FileTrust) throws {
        #expect(FileTrust(owner: owner, mode: mode, user: 1000) == trust)
        // The administrator trusts no file of a person.
        let ofRoot = FileTrust(owner: owner, mode: mode, user: 0)
        #expect(owner == 0 ? ofRoot == trust : ofRoot == .foreign(owner: owner))
        let reply = FolderReply.contents([7], trust, isLast: true)
        #expect(try FolderReply(reply.bytes) == reply)
    }

    @Test func whatIsNoTrustIsNoMessage() {
        var bytes = FolderReply.contents([7], .writable, isLast: true).bytes
        bytes[bytes.count - 2] = 3
        #expect(throws: WireError.self) { try FolderReply(bytes) }
    }

    @Test(arguments: [
        ("         0          0 4294967295\n", [0, 1000, 65_534], [] as [uid_t]),
        ("         0       1000          1\n", [0], [1, 1000, 65_534]),
        ("0 1000 1\n1 100000 65536\n", [0, 1, 65_536], [65_537, 100_000]),
    ])
    func aNamespaceKnowsTheUsersOfItsMap(_ text: String, known: [uid_t], unknown: [uid_t]) throws {
        let map = try #require(UserMap(text))
        #expect(known.allSatisfy { map.contains($0) })
        #expect(!unknown.contains { map.contains($0) })
    }

    @Test(arguments: ["", "\n", "0 0", "0 0 -1", "a b c", "0 0 4294967296", "0 0 1 1"])
    func aStrangeMapIsNone(_ text: String) { #expect(UserMap(text) == nil) }
}
