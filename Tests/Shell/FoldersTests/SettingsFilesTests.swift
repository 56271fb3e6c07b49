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
        var ready = pollfd(fd: files.updated.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&ready, 1, 10_000) > 0 ? files.fetch() : nil
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
        var ready = pollfd(fd: files.updated.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&ready, 1, 500) == 0)
        _ = folder.file("config.toml", "a = 2\n")
        #expect(nextFiles(files) == contents("a = 2\n"))
    }
}
