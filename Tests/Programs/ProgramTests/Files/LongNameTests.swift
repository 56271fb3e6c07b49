import TestKit
import Testing

/// Pictures with the longest names, which are too long for the trash of the desktop, by keys.
@Suite struct LongNameTests {
    private static let name = String(repeating: "ü", count: 125) + "x.jpg"

    /// Runs the viewer on the picture and another one; returns the names in the trash.
    private func trashed(
        _ folder: TemporaryFolder, _ script: String, _ options: [String] = []
    ) -> [String] {
        let other = folder.file("zz.jpg", TestMetadata.jpeg([]))
        let result = Binaries.vitrine(
            [
                "--headless", "400x300", "--viewer", "--script",
                folder.file("script.txt", script),
            ] + options + [folder / Self.name, other],
            environment: ["HOME=\(folder.path)", "LANG=C.UTF-8"])
        #expect(result.status == 0 && result.errors == "")
        return ChildProcess.run(["/bin/ls", "-A", folder / ".local/share/Trash/files"]).output
            .split(separator: "\n").map(String.init)
    }

    @Test func aDeletedOneIsInTheTrashWithItsOwnPath() throws {
        let folder = TemporaryFolder()
        let picture = TestMetadata.jpeg([])
        _ = folder.file(Self.name, picture)
        let names = trashed(folder, "500 key Delete\n3000 end\n")
        #expect(TestFile.text(folder / Self.name) == nil)
        let name = try #require(names.first)
        // GLib since 2.84 takes such names, and shortens the name of the entry in ways of its own.
        #expect(names.count == 1)
        #expect(TestFile.read(folder / ".local/share/Trash/files/\(name)") == picture)
        let info = TestFile.text(folder / ".local/share/Trash/info/\(name).trashinfo") ?? ""
        #expect(info.contains(String(repeating: "%C3%BC", count: 125) + "x.jpg\n"), "\(info)")
    }

    @Test func aTurnedOneIsKeptInTheTrash() throws {
        let folder = TemporaryFolder()
        let picture = TestMetadata.jpeg([])
        _ = folder.file(Self.name, picture)
        let names = trashed(
            folder, "500 key r\n4000 end\n", ["--set", "files.save_turns=true"])
        let name = try #require(names.first)
        #expect(TestFile.read(folder / ".local/share/Trash/files/\(name)") == picture)
        let turned = TestFile.read(folder / Self.name)
        #expect(turned != nil && turned != picture)
    }
}
