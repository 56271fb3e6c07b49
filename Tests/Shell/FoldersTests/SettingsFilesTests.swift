import CLinux
import Folders
import Glibc
import SystemCalls
import TestKit
import Testing
import Threads

@testable import FileAccess

/// Settings files that are read by a server.
@Suite struct SettingsFilesTests {
    private let folder = TemporaryFolder()

    private func nextFiles(_ files: SettingsFiles) -> [SettingsFiles.File]? {
        waitUntilReady(files.updated.descriptor, milliseconds: 10_000) ? files.fetch() : nil
    }

    /// The process that opens files may be killed when memory runs out.
    @Test func settingsOutliveTheServer() throws {
        let path = FilePath(folder.file("config.toml", "a = 1\n"))
        let (ours, theirs) = try PacketSocket.pair()
        let socket = dup(theirs)
        Thread.start { FolderService.run(theirs) }
        let files = SettingsFiles(
            folder: FilePath(folder.path), extra: nil, socket: ours, watches: true)
        func contents(_ text: String) -> [SettingsFiles.File] {
            [SettingsFiles.File(path: path, content: .bytes(Array(text.utf8)))]
        }
        #expect(nextFiles(files) == contents("a = 1\n"))
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
        // Nothing is reported about settings that are as before.
        #expect(!waitUntilReady(files.updated.descriptor, milliseconds: 500))
        _ = folder.file("config.toml", "a = 2\n")
        #expect(nextFiles(files) == contents("a = 2\n"))
    }

    // MARK: Links and limits

    enum Change: CaseIterable, Sendable {
        case targetIsWritten, targetIsReplaced, linkIsSwapped, folderIsSwapped, folderAboveIsSwapped
    }

    /// Settings in the folder of a repository, as the links of "dotfiles" have them.
    private func makeDotfiles(_ change: Change) {
        for name in ["dotfiles", "others"] {
            folder.folder(name)
            folder.folder("\(name)/vitrine")
            _ = folder.file("\(name)/vitrine/config.toml", "from = \"\(name)\"\n")
        }
        switch change {
        case .targetIsWritten, .targetIsReplaced, .linkIsSwapped:
            folder.folder("config")
            symlink("../dotfiles/vitrine/config.toml", folder / "config/config.toml")
        case .folderIsSwapped, .folderAboveIsSwapped:
            symlink("dotfiles/vitrine", folder / "config")
        }
    }

    private func swapLink(_ link: String, to target: String) {
        symlink(target, folder / "new-link")
        rename(folder / "new-link", folder / link)
    }

    private func apply(_ change: Change) {
        switch change {
        case .targetIsWritten:
            _ = folder.file("dotfiles/vitrine/config.toml", "from = \"others\"\n")
        case .targetIsReplaced:
            rename(
                folder / "others/vitrine/config.toml", folder / "dotfiles/vitrine/config.toml")
        case .linkIsSwapped: swapLink("config/config.toml", to: "../others/vitrine/config.toml")
        case .folderIsSwapped: swapLink("config", to: "others/vitrine")
        case .folderAboveIsSwapped:
            rename(folder / "dotfiles", folder / "away")
            rename(folder / "others", folder / "dotfiles")
        }
    }

    /// With watches, and without any because a limit of the system is reached.
    @Test(arguments: Change.allCases, [false, true])
    func linkedSettingsAreFollowed(_ change: Change, isAtLimit: Bool) throws {
        makeDotfiles(change)
        let (ours, theirs) = try PacketSocket.pair()
        let instance = isAtLimit ? WatchInstance(refusedBy: EMFILE) : WatchInstance()
        Thread.start { FolderService.run(theirs, watches: instance) }
        let files = SettingsFiles(
            folder: FilePath(folder / "config"), extra: nil, socket: ours, watches: true)
        func contents(_ text: String) -> [SettingsFiles.File] {
            [
                SettingsFiles.File(
                    path: FilePath(folder / "config/config.toml"),
                    content: .bytes(Array("from = \"\(text)\"\n".utf8)))
            ]
        }
        #expect(nextFiles(files) == contents("dotfiles"))
        #expect(files.hasReachedWatchLimit == isAtLimit)
        apply(change)
        var last = nextFiles(files)
        // Between two renames there is no file.
        if last == [] { last = nextFiles(files) }
        #expect(last == contents("others"))
    }

    // MARK: Changes of other files

    /// Longer than a change is at rest before the settings are read again, in microseconds.
    private static let rest: UInt32 = 400_000

    /// Programs change files in the home folder at any time; that wakes nobody.
    @Test func attributesInFoldersAboveAreNotRead() throws {
        for name in ["home", "home/config", "home/config/vitrine"] { folder.folder(name) }
        let path = folder.file("home/config/vitrine/config.toml", "a = 1\n")
        let other = folder.file("home/other", "")
        let server = try ObservedServer()
        let files = SettingsFiles(
            folder: FilePath(folder / "home/config/vitrine"), extra: nil, socket: server.socket,
            watches: true)
        #expect(nextFiles(files) != nil)
        let before = server.requests
        chmod(other, 0o600)
        chmod(folder / "home", 0o700)
        usleep(Self.rest)
        #expect(server.requests == before)
        TestFile.write(Array("a = 2\n".utf8), to: path)
        #expect(nextFiles(files) != nil)
        #expect(server.requests > before)
    }

    /// The folder that a link led to before is watched still; its files are no settings any more.
    @Test func filesOfAFormerFolderAreNotRead() throws {
        makeDotfiles(.folderIsSwapped)
        let server = try ObservedServer()
        let files = SettingsFiles(
            folder: FilePath(folder / "config"), extra: nil, socket: server.socket, watches: true)
        #expect(nextFiles(files) != nil)
        apply(.folderIsSwapped)
        #expect(nextFiles(files) != nil)
        let before = server.requests
        _ = folder.file("dotfiles/vitrine/other.toml", "a = 1\n")
        usleep(Self.rest)
        #expect(server.requests == before)
        _ = folder.file("others/vitrine/config.toml", "a = 2\n")
        #expect(nextFiles(files) != nil)
    }
}
