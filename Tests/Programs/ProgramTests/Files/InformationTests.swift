import Geometry
import TestKit
import Testing

/// The information panel of the release build, headless.
@Suite struct InformationPanelTests {
    private let folder = TemporaryFolder()

    private func run(
        _ script: String, size: String = "1000x700", _ options: [String] = []
    ) throws -> [TraceFrame] {
        let result = Binaries.vitrine(
            [
                "--headless", size, "--script", folder.file("script.txt", script), "--trace", "-",
                "--shot", folder / "last.png",
            ] + options)
        #expect(result.errors == "" && result.status == 0)
        return TraceFrame.all(result.output)
    }

    private func shot(_ name: String = "last.png") throws -> Screenshot {
        try #require(Screenshot(folder / name))
    }

    /// The number of pixels in a rectangle that are as light as text on the dark panel.
    private func textPixels(_ shot: Screenshot, _ x: Range<Int>, _ y: Range<Int>) -> Int {
        var count = 0
        for row in y {
            for column in x where shot.color(column, row).g > 170 { count += 1 }
        }
        return count
    }

    /// A dark picture, so that all light pixels are text.
    private func picture(_ name: String, model: String) -> String {
        let exif = Array("Exif\0\0".utf8) + TestMetadata.camera(model)
        let dark: [UInt8] = TestPicture(size: PixelSize(width: 1000, height: 700)) { _, _ in
            (20, 20, 20)
        }
        .jpeg()
        let segment = [0xFF, 0xE1] + TestMetadata.number(exif.count + 2, 2) + exif
        return folder.file(name, dark.inserting(segment, at: 2))
    }

    @Test func theKeyShowsThePanelWhichFollowsThePages() throws {
        let first = picture("a.jpg", model: "Example One")
        let second = picture("b.jpg", model: "Another Camera With A Longer Name")
        let frames = try run(
            """
            100 key i
            900 key Right
            2000 key i
            3000 end
            """,
            [
                "--viewer", "--shot-at", "800:\(folder / "one.png")", "--shot-at",
                "1900:\(folder / "two.png")", first, second,
            ])
        let shown = { (time: Double) in frames.last { $0.time <= time }?.showsInformation }
        #expect(shown(90) == false && shown(200) == true && shown(1900) == true)
        #expect(shown(2990) == false)
        #expect(frames.last?.index == 1)
        // The second camera's name is longer, so its line has more text. The panel begins at x = 612,
        // its values right of 700.
        let (one, two) = (try shot("one.png"), try shot("two.png"))
        func camera(_ shot: Screenshot) -> Int { textPixels(shot, 700..<970, 112..<400) }
        #expect(camera(one) > 300)
        #expect(camera(two) > camera(one) + 100)
        // The closed panel leaves no pixels behind.
        #expect(textPixels(try shot(), 0..<1000, 0..<700) == 0)
        // While nothing moved, nothing was painted.
        let idle = frames.filter { $0.time > 700 && $0.time < 890 }
        #expect(!idle.isEmpty && idle.allSatisfy { $0.line.contains("\"damage\":[]") })
    }

    /// A long press, taps on the rows of the menu and of its part View, a drag, and a tap outside the panel.
    @Test func fingersOpenAndCloseThePanel() throws {
        // The menus' rows of 48 px end 8 px above the bottom of the surface, at 700 px. These are the
        // middles of View, the sixth of twelve rows, and of Information, the eighth of nine rows.
        let (part, row) = (700.0 - 8 - 6.5 * 48, 700.0 - 8 - 1.5 * 48)
        let frames = try run(
            """
            100 touch down 0 200 600
            100 touch frame
            800 touch up 0
            800 touch frame
            900 touch down 0 300 \(part)
            900 touch frame
            960 touch up 0
            960 touch frame
            1000 touch down 0 300 \(row)
            1000 touch frame
            1060 touch up 0
            1060 touch frame
            2000 touch down 0 800 200
            2000 touch frame
            2050 touch move 0 800 150
            2050 touch frame
            2300 touch up 0
            2300 touch frame
            3000 touch down 0 300 300
            3000 touch frame
            3060 touch up 0
            3060 touch frame
            4000 end
            """, [picture("a.jpg", model: "Example")])
        let shown = { (time: Double) in frames.last { $0.time <= time }?.showsInformation }
        #expect(shown(1050) == false && shown(1200) == true && shown(2900) == true)
        #expect(shown(3990) == false)
        #expect(frames.allSatisfy { $0.index == 0 && $0.gesture == "none" && !$0.showsChrome })
    }

    /// The tree names everything in the panel, and a finger where it says presses the button.
    @Test(arguments: ["360x640", "1000x700"])
    func thePanelIsReadAndClosed(size: String) throws {
        let path = picture("a.jpg", model: "Example")
        _ = try run(
            "100 key i\n1000 end", size: size, ["--ui-at", "900:\(folder / "tree.json")", path])
        let tree = try #require(TestFile.text(folder / "tree.json"))
        for part in [
            #""role":"panel","name":"Information""#, #""role":"heading","name":"Camera""#,
            #""role":"list item","name":"Model","description":"Example""#,
            #""role":"label","name":"Example""#,
        ] {
            #expect(tree.contains(part), "\(part)")
        }
        let pattern =
            #/"push button","name":"Close information","description":"","rect":\[([0-9.,]+)\]/#
        let rect = try #require(tree.firstMatch(of: pattern)).1.split(separator: ",")
            .compactMap { Double($0) }
        #expect(rect[2] >= 48 && rect[3] >= 48)
        let place = "\(rect[0] + rect[2] / 2) \(rect[1] + rect[3] / 2)"
        let frames = try run(
            """
            100 key i
            1000 touch down 0 \(place)
            1000 touch frame
            1060 touch up 0
            1060 touch frame
            2000 end
            """, size: size, [path])
        let shown = { (time: Double) in frames.last { $0.time <= time }?.showsInformation }
        #expect(shown(990) == true && shown(1200) == false && shown(1990) == false)
    }

    /// Entity declarations in hostile metadata are not expanded, and the viewer goes on.
    @Test(arguments: ["1000x700", "360x640"])
    func hostileMetadataIsShown(size: String) throws {
        let laughs = TestMetadata.xmp(
            TestMetadata.title("&lol;"), before: "<!DOCTYPE x [<!ENTITY lol \"lol\">]>")
        let path = folder.file("a.jpg", TestMetadata.jpeg(xmp: laughs))
        let frames = try run("100 key i\n1000 end", size: size, [path])
        #expect(frames.last?.showsInformation == true)
        let picture = try shot()
        #expect(textPixels(picture, 0..<picture.size.width, 0..<picture.size.height) > 300)
    }

    @Test func aBrokenPictureHasInformationToo() throws {
        let path = folder.file("a.jpg", Array(TestPicture.card(64, 64).jpeg().prefix(150)))
        let result = Binaries.vitrine([
            "--headless", "1000x700", "--script", folder.file("script.txt", "100 key i\n900 end"),
            "--trace", "-", path,
        ])
        #expect(TraceFrame.all(result.output).last?.showsInformation == true)
    }
}
