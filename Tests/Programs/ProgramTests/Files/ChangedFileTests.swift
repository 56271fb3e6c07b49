import Glibc
import TestKit
import Testing

/// A file that another program changes at some time after the start of the viewer.
@Suite struct ChangedFileTests {
    private let folder = TemporaryFolder()
    private static let card = TestPicture.card(1600, 1200).png()
    private static let other = TestPicture.card(40, 30).png()

    /// The changes, by their names.
    private static func change(_ name: String, _ path: String) {
        switch name {
        case "delete": unlink(path)
        case "truncate": truncate(path, 0)
        case "overwrite": TestFile.write(other, to: path)
        default:
            TestFile.write(other, to: path + ".new")
            rename(path + ".new", path)
        }
    }

    /// The viewer shows the picture, or says in a line why not.
    @Test(arguments: ["delete", "truncate", "overwrite", "replace"], [0, 10, 20, 40, 80])
    func thePictureOrALineFollows(_ name: String, milliseconds: UInt32) throws {
        let path = folder.file("card.png", Self.card)
        let viewer = RunningProcess(
            [Binaries.vitrine, "--headless", "200x200", "--shot", folder / "shot.png", path],
            environment: ["XDG_CACHE_HOME=" + folder / "cache"], errors: folder / "errors",
            passing: 1)
        usleep(milliseconds * 1000)
        Self.change(name, path)
        for _ in 0..<2000 where viewer.exitCode == nil { usleep(10_000) }
        let errors = TestFile.text(folder / "errors") ?? ""
        switch viewer.exitCode {
        case 0: #expect(Screenshot(folder / "shot.png") != nil)
        case 1: #expect(errors.hasPrefix("vitrine: "), "\(errors)")
        default: Issue.record("\(String(describing: viewer.exitCode)): \(errors)")
        }
    }

    /// The run waits for the listing after each change, not for one that was made before.
    @Test func aGivenPictureComesBackByUndo() throws {
        let (path, tree) = (folder / "given.png", folder / "tree.json")
        let script = folder.file("script.txt", "500 key Delete\n1500 key Ctrl+z\n3000 end\n")
        // Each run has other times between the processes.
        for _ in 0..<6 {
            TestFile.write(Self.other, to: path)
            let result = Binaries.vitrine(
                ["--headless", "200x200", "--script", script, "--ui-at", "2900:\(tree)", path],
                environment: [
                    "HOME=\(folder.path)", "XDG_DATA_HOME=" + folder / "data", "LANG=C.UTF-8",
                ])
            #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
            #expect(TestFile.read(path) == Self.other)
            let text = try #require(TestFile.text(tree))
            #expect(text.contains(#""list item","name":"given.png""#), "\(text)")
            #expect(!text.contains("no such file"))
        }
    }

    /// More than twenty pictures are deleted after a question that says how many; escaping keeps them.
    @Test(arguments: [(21, "Escape", 21), (21, "Return", 0), (20, "Home", 0)])
    func aLargeSelectionIsDeletedAfterAQuestion(count: Int, answer: String, left: Int) throws {
        let pictures = folder / "album"
        folder.folder("album")
        for number in 0..<count { TestFile.write(Self.other, to: pictures + "/\(number).png") }
        let tree = folder / "tree.json"
        let script = folder.file(
            "script.txt", "500 key Ctrl+a\n1000 key Delete\n2000 key \(answer)\n3500 end\n")
        let result = Binaries.vitrine(
            ["--headless", "600x400", "--script", script, "--ui-at", "1800:\(tree)", pictures],
            environment: [
                "HOME=\(folder.path)", "XDG_DATA_HOME=" + folder / "data", "LANG=C.UTF-8",
            ])
        #expect(result.status == 0 && result.errors.isEmpty == (left > 0), "\(result.errors)")
        let text = try #require(TestFile.text(tree))
        #expect(text.contains("Move 21 pictures to the trash?") == (count > 20))
        let listed = ChildProcess.run(["/bin/ls", pictures]).output.split(separator: "\n").count
        #expect(listed == left)
    }

    /// The restored picture is shown in the viewer, and has the focus in the grid.
    @Test(arguments: [false, true]) func aRestoredPictureIsShown(inGrid: Bool) throws {
        for name in ["a.png", "b.png", "c.png"] { TestFile.write(Self.other, to: folder / name) }
        let tree = folder / "tree.json"
        let script = folder.file(
            "script.txt",
            inGrid
                ? "500 key Right\n600 key Right\n700 key Delete\n1500 key Home\n2000 key Ctrl+z\n3000 end\n"
                : "500 key Right\n800 key Delete\n1500 key Home\n2000 key Ctrl+z\n3000 end\n")
        let result = Binaries.vitrine(
            ["--headless", "600x400", "--script", script, "--ui-at", "2900:\(tree)"]
                + (inGrid ? [folder.path] : ["a.png", "b.png", "c.png"].map { folder / $0 }),
            environment: [
                "HOME=\(folder.path)", "XDG_DATA_HOME=" + folder / "data", "LANG=C.UTF-8",
            ])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        let text = try #require(TestFile.text(tree))
        if inGrid {
            #expect(text.contains(#/"name":"c.png"[^{]*"focused"/#), "\(text)")
        } else {
            #expect(text.contains(#/"frame","name":"b.png/#), "\(text)")
        }
    }
}
