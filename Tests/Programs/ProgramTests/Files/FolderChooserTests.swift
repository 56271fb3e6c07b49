import Glibc
import TestKit
import Testing

/// The program's own chooser of folders, where no desktop has one.
@Suite struct FolderChooserTests {
    private let folder = TemporaryFolder()
    private let picture = TestPicture.card(40, 30).png()

    init() {
        for name in ["album", "album/Été 2024", "album/Trips", "other"] { folder.folder(name) }
        _ = folder.file("album/a.png", picture)
        _ = folder.file("other/b.png", picture)
    }

    @discardableResult private func run(
        _ script: String, _ arguments: [String] = ["--headless", "800x600"]
    ) -> ChildProcess {
        let path = folder.file("script.txt", script)
        let result = Binaries.vitrine(
            arguments + ["--script", path, folder / "album/a.png"],
            environment: [
                "HOME=\(folder.path)", "XDG_DATA_HOME=" + folder / "data", "LANG=C.UTF-8",
                "USER=nobody-at-all",
            ])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        return result
    }

    /// Rows: up, places, new folder, Trips, Été 2024.
    @Test func aPictureIsCopiedIntoASubfolder() {
        run(
            """
            500 key C
            1050 key Return
            1700 key Return
            2500 end

            """)
        #expect(TestFile.read(folder / "album/Trips/a.png") == picture)
        #expect(TestFile.read(folder / "album/a.png") == picture)
    }

    /// By one finger: the row of the subfolder, then the button.
    @Test(arguments: ["400x780", "1280x800"]) func aPictureIsCopiedByTouch(size: String) throws {
        let tree = folder / "tree.json"
        func center(_ pattern: some RegexComponent<(Substring, Substring)>) throws -> String {
            let text = try #require(TestFile.text(tree))
            let rect = try #require(text.firstMatch(of: pattern)).output.1.split(separator: ",")
                .compactMap { Double($0) }
            return "\(rect[0] + rect[2] / 2) \(rect[1] + rect[3] / 2)"
        }
        func tap(_ place: String, at time: Int) -> String {
            """
            \(time) touch down 0 \(place)
            \(time) touch frame
            \(time + 60) touch up 0
            \(time + 60) touch frame

            """
        }
        var script = "500 key C\n"
        run(script + "1200 end\n", ["--headless", size, "--ui-at", "1100:\(tree)"])
        script += tap(
            try center(#/"list item","name":"Trips","description":"","rect":\[([0-9.,]+)\]/#),
            at: 1100)
        run(script + "2000 end\n", ["--headless", size, "--ui-at", "1900:\(tree)"])
        script += tap(
            try center(#/"push button","name":"Copy here","description":"","rect":\[([0-9.,]+)\]/#),
            at: 1900)
        run(script + "3000 end\n", ["--headless", size])
        #expect(TestFile.read(folder / "album/Trips/a.png") == picture)
    }

    /// A new folder is made, and entered; a name that is taken is refused, and the text stays.
    @Test func aPictureIsMovedIntoANewFolder() {
        run(
            """
            500 key M
            900 key Up
            1000 key Return
            1300 text commit Trips
            1400 key Return
            1800 key Ctrl+a
            1900 text commit New
            2000 key Return
            2700 key Return
            3500 end

            """)
        #expect(TestFile.read(folder / "album/New/a.png") == picture)
        #expect(TestFile.read(folder / "album/a.png") == nil)
    }

    /// Up, into the neighbour, and open: the grid shows the other folder.
    @Test func anotherFolderIsOpened() throws {
        let tree = folder / "tree.json"
        run(
            """
            500 key Ctrl+O
            800 key Home
            900 key Return
            1300 key End
            1400 key Return
            2000 key Return
            3000 end

            """, ["--headless", "800x600", "--ui-at", "2900:\(tree)"])
        let text = try #require(TestFile.text(tree))
        #expect(text.contains(#""list item","name":"b.png""#), "\(text)")
    }

    /// A folder that cannot be written to offers neither a new folder nor the button.
    @Test(.enabled(if: getuid() != 0)) func aFolderThatCannotBeWrittenToSaysSo() throws {
        chmod(folder / "album/Trips", 0o500)
        defer { chmod(folder / "album/Trips", 0o700) }
        let tree = folder / "tree.json"
        run(
            "500 key C\n1050 key Return\n2000 end\n",
            ["--headless", "800x600", "--ui-at", "1900:\(tree)"])
        let text = try #require(TestFile.text(tree))
        #expect(text.contains("You cannot write to this folder."), "\(text)")
        #expect(!text.contains("New folder") && !text.contains("Copy here"))
    }
}
