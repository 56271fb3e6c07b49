import Glibc
import TestKit
import Testing

@testable import Application
@testable import Folders

/// The folders to which files were copied and moved last.
@Suite struct RecentFoldersTests {
    private let state = TemporaryFolder()

    /// A run that uses a folder, and waits for the disk.
    private func run(_ folders: [String]) -> RecentFolders {
        let disk = DiskWork()
        let recent = RecentFolders(in: FilePath(state.path), on: disk)
        for folder in folders { recent.use(Array(folder.utf8)) }
        // The end of a program waits two seconds, which a slow machine exceeds.
        for _ in 0..<3000 where disk.isBusy { usleep(10_000) }
        return recent
    }

    /// The folders of a run, after the disk has answered: a slow machine takes longer than a person waits.
    private func texts(_ recent: RecentFolders) -> [String] {
        for _ in 0..<300 where recent.folders.isEmpty { usleep(10_000) }
        return recent.folders.map { String(decoding: $0, as: UTF8.self) }
    }

    /// A run that never asked for the folders keeps those of earlier runs.
    @Test func laterRunsAddTheirFolders() {
        #expect(texts(run(["/a/", "/b/"])) == ["/b/", "/a/"])
        _ = run(["/c/"])
        _ = run(["/a/"])
        #expect(TestFile.text(state / "folders") == "/a/\n/c/\n/b/\n")
        #expect(texts(run([])) == ["/a/", "/c/", "/b/"])
    }

    @Test func eightFoldersAreRemembered() {
        _ = run((0..<9).map { "/\($0)/" })
        _ = run(["/a line\nbreak/", "/9/"])
        #expect(texts(run([])) == (2...9).reversed().map { "/\($0)/" })
    }
}
