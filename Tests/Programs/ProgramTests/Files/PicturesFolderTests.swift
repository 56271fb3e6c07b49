import TestKit
import Testing

/// The viewer without a path.
@Suite struct PicturesFolderTests {
    private let home = TemporaryFolder()

    private func run(_ arguments: [String] = []) -> ChildProcess {
        Binaries.vitrine(
            ["--headless", "300x200", "--trace", "-"] + arguments,
            environment: ["HOME=\(home.path)", "XDG_CACHE_HOME=\(home.path)/cache"])
    }

    @Test func itOpensThePicturesFolderAsAGrid() throws {
        home.folder(".config")
        home.folder("photos")
        _ = home.file(".config/user-dirs.dirs", "XDG_PICTURES_DIR=\"$HOME/photos\"\n")
        for name in ["a", "b"] {
            _ = home.file("photos/\(name).png", TestPicture.card(30, 20).png())
        }
        let result = run()
        #expect(result.status == 0, "\(result)")
        let last = try #require(TraceFrame.all(result.output).last)
        #expect(last.text("mode") == "grid" && last.number("count") == 2)
        let viewer = try #require(TraceFrame.all(run(["--viewer"]).output).last)
        #expect(viewer.text("mode") == "viewer")
    }

    @Test func withoutOneItSaysSo() {
        let result = run()
        #expect(result.status == 2)
        #expect(result.errors.contains("no picture given, and there is no pictures folder"))
        home.folder("Pictures")
        #expect(
            run().errors == "vitrine: \(home.path)/Pictures: there is no picture in this folder\n")
    }

    /// The recipes name no folder, as a folder of pictures has another name in another language: the kiosk
    /// ends while the folder is missing, and shows the pictures once they are there.
    @Test(arguments: ["Pictures", "Bilder", "Mes images/été"])
    func aKioskShowsTheFolderOfTheUser(_ name: String) throws {
        if name != "Pictures" {
            home.folder(".config")
            _ = home.file(".config/user-dirs.dirs", "XDG_PICTURES_DIR=\"$HOME/\(name)\"\n")
        }
        let kiosk = ["--kiosk", "--slideshow", "20", "--set", "decode.sandbox=wanted"]
        let missing = run(kiosk)
        #expect(missing.status == 1)
        #expect(missing.errors.contains("\(home.path)/\(name): there is no such file"))
        // Other pictures may come.
        for setting in ["kiosk.media=/media", "kiosk.outputs=A \(home.path)"] {
            #expect(run(kiosk + ["--set", setting]).status != 1, "\(setting)")
        }
        var path = ""
        for part in name.split(separator: "/") {
            path += (path.isEmpty ? "" : "/") + part
            home.folder(path)
        }
        _ = home.file("\(name)/a.png", TestPicture.card(30, 20).png())
        let script = home.file("script.txt", "500 end\n")
        let shown = run(kiosk + ["--script", script])
        #expect(shown.status == 0)
        let last = try #require(TraceFrame.all(shown.output).last)
        #expect(last.text("path") == "\(home.path)/\(name)/a.png")
    }

    /// An empty folder is no error of the folder: a page says so, also in a screenshot.
    @Test func anEmptyFolderHasAPage() throws {
        home.folder("Pictures")
        let result = run(["--ui-at", "0:/dev/stdout", "--shot", home / "shot.png"])
        #expect(result.status == 1)
        let interface = result.output
        #expect(interface.contains("No pictures here") && interface.contains("Open…"))
        #expect(!interface.contains("cannot be read"))
        _ = try #require(Screenshot(home / "shot.png"))
    }

    /// Our own chooser of folders is shown.
    @Test(arguments: ["Ctrl+o", "Ctrl+O"]) func withoutADesktopAFolderCanBeChosen(key: String)
        throws
    {
        let picture = home.file("a.png", TestPicture.card(30, 20).png())
        let script = home.file("open.txt", "10 key \(key)\n800 end\n")
        for mode in ["--viewer", "--grid"] {
            let tree = home / "tree.json"
            let result = run([mode, "--script", script, "--ui-at", "700:\(tree)", picture])
            #expect(result.status == 0 && result.errors.isEmpty)
            let text = try #require(TestFile.text(tree))
            #expect(text.contains(#""dialog","name":"Open folder""#), "\(text)")
        }
    }
}
