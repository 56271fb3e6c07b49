import Geometry
import Glibc
import TestKit
import Testing

/// Changes of files in mutter, by real touch: deleted and brought back, turned, cropped, copied, opened
/// with another program, and dragged by mouse into a window of GTK.
///
/// All parts are one test, because a session of mutter takes seconds to start.
@Suite(.serialized) struct FileChangesByTouchTests {
    private static let monitor = Size(width: 1600, height: 1000)
    private let session = CompositorSession([:])
    private var folder: TemporaryFolder { session.folder }

    /// Registers a program for JPEG pictures that writes down what it opens.
    private func register() {
        folder.folder(".local")
        folder.folder(".local/share")
        folder.folder(".local/share/applications")
        let tool = folder.file(
            "editor",
            "#!/bin/sh\nprintf '%s' \"$1\" >'\(folder / "part")'\n"
                + "mv '\(folder / "part")' '\(folder / "opened.txt")'\n")
        chmod(tool, 0o755)
        _ = folder.file(
            ".local/share/applications/editor.desktop",
            """
            [Desktop Entry]
            Type=Application
            Name=Test editor
            Exec=\(tool) %f
            MimeType=image/jpeg;
            """)
        _ = folder.file(
            ".local/share/applications/mimeinfo.cache",
            "[MIME Cache]\nimage/jpeg=editor.desktop;\n")
    }

    private func orientation(_ name: String) -> String {
        ChildProcess.run(["/usr/bin/exiftool", "-n", "-s3", "-Orientation", folder / name]).output
    }

    /// Waits until a condition about files holds.
    private func wait(_ outcome: String, _ hand: MutterHand, _ condition: () -> Bool) throws {
        try hand.wait(outcome, until: condition)
    }

    private func inTrash(_ name: String) -> Bool {
        access(folder / ".local/share/Trash/files/\(name)", F_OK) == 0
    }

    @Test
    func filesAreChangedByTouch() throws {
        register()
        folder.folder("keep")
        session.photographs(["a", "b", "c"])
        let hand = MutterHand(
            session, on: Self.monitor, runs: [["--reduced-motion", "album"]], choosing: ["keep"],
            beside: "./drop-target drops.txt 2>target.txt &\n"
                + "until grep -q shown drops.txt 2>/dev/null; do sleep 0.1; done")
        // Beside the other window, which a tap would raise if the viewer were not there yet.
        try hand.findWindow(tapping: Point(x: 1200, y: 700))
        try deleteAndUndo(hand)
        try turn(hand)
        try crop(hand)
        try copy(hand)
        try open(hand)
        try dragOut(hand)
    }

    /// The viewer's own drag, which mutter offers to the viewer: the picture is moved into the folder, and Undo brings
    /// the picture back.
    @Test func aPictureIsDraggedIntoAFolder() throws {
        session.photographs(["a", "b", "c"])
        folder.folder("album/Sea")
        let hand = MutterHand(
            session, on: Self.monitor, runs: [["--reduced-motion", "album"]], choosing: [])
        try hand.findWindow(tapping: Point(x: 800, y: 750))
        let start = try #require(hand.widget("b.jpg")?.rect).center
        let target = try #require(hand.widget("Sea")?.rect).center
        // mutter 43 begins no drag by touch.
        for step in 0..<4 {
            hand.movePointer(to: start + Vector(dx: Double(step), dy: 0))
            hand.rest(milliseconds: 150)
        }
        hand.holdButton(true)
        hand.rest(milliseconds: 700)
        for step in 1...20 {
            hand.movePointer(to: start + (target - start) * (Double(step) / 20))
            hand.rest(milliseconds: 40)
        }
        hand.rest(milliseconds: 300)
        hand.holdButton(false)
        try wait("in the folder", hand) {
            TestFile.read(folder / "album/Sea/b.jpg") != nil
                && TestFile.read(folder / "album/b.jpg") == nil
        }
        try hand.press("Undo", "back") { _ in
            TestFile.read(folder / "album/b.jpg") != nil
        }
        #expect(TestFile.read(folder / "album/Sea/b.jpg") == nil)
    }

    private func deleteAndUndo(_ hand: MutterHand) throws {
        try hand.press("a.jpg", "the picture") { $0.text("mode") == "viewer" }
        try hand.press("delete", "the next picture") { $0.path.hasSuffix("b.jpg") }
        try wait("in the trash", hand) {
            inTrash("a.jpg") && access(folder / "album/a.jpg", F_OK) != 0
        }
        try hand.press("undo", "the picture again") {
            $0.line.contains("\"count\":3")
        }
        try wait("out of the trash", hand) {
            !inTrash("a.jpg") && access(folder / "album/a.jpg", F_OK) == 0
        }
    }

    private func turn(_ hand: MutterHand) throws {
        while !hand.last.path.hasSuffix("a.jpg") {
            let index = hand.last.index
            hand.rest(milliseconds: 400)
            try hand.showBars()
            let strip = try #require(hand.widget("Pictures")?.rect)
            hand.tap(strip.center - Vector(dx: 60, dy: 0))
            try hand.settle("another picture") { $0.index != index }
        }
        try hand.press("rotate-clockwise", "turned") { $0.rotation == 90 }
        try wait("turned in the file", hand) { orientation("album/a.jpg") == "6\n" }
        try hand.settle("the new pixels") {
            $0.numbers("image") == [480, 640] && $0.rotation == 0 && $0.path.hasSuffix("a.jpg")
        }
    }

    private func crop(_ hand: MutterHand) throws {
        try hand.press("Edit", "a menu") { $0.showsMenu }
        try hand.press("crop", "the frame") { _ in hand.widget("Save") != nil }
        let middle = Point(x: hand.view.width / 2, y: hand.view.height / 2)
        // The left handle moves inwards.
        let frame = try #require(
            hand.widgets.first { $0.text("name") == "Crop frame" }?.rect)
        let handle = Point(x: frame.x + 2, y: middle.y)
        hand.touch(handle)
        for step in 1...10 {
            hand.rest(milliseconds: 30)
            hand.move(to: handle + Vector(dx: Double(step) * 8, dy: 0))
        }
        hand.lift()
        hand.rest(milliseconds: 500)
        try hand.press("Save", "the ways to save") { _ in hand.widget("Save as a copy") != nil }
        try hand.press("Save as a copy", "no frame") { _ in hand.widget("Save") == nil }
        try wait("a cropped copy", hand) { TestFile.read(folder / "album/a (cropped).jpg") != nil }
        let size = ChildProcess.run(
            ["/usr/bin/exiftool", "-n", "-s3", "-ImageSize", folder / "album/a (cropped).jpg"]
        ).output.split { " x\n".contains($0) }.compactMap { Int($0) }
        #expect(size.count == 2 && size[0] < 470 && size[1] == 640, "\(size)")
        // The copy is shown, and its message leads back.
        try wait("a message about the copy", hand) { hand.widget("Show original") != nil }
        #expect(hand.last.path.hasSuffix("/a (cropped).jpg"))
        try hand.press("Show original", "the original") { $0.path.hasSuffix("/a.jpg") }
    }

    private func copy(_ hand: MutterHand) throws {
        try hand.press("Menu", "a menu") { $0.showsMenu }
        try hand.press("File", "a part of the menu") { _ in hand.widget("copy-to") != nil }
        hand.tap(try #require(hand.widget("copy-to")?.rect?.center))
        try wait("a copy", hand) { names(in: folder / "keep").count == 1 }
    }

    private func names(in path: String) -> [String] {
        ChildProcess.run(["/bin/ls", path]).output.split(separator: "\n").map(String.init)
    }

    private func open(_ hand: MutterHand) throws {
        try hand.press("Share and open", "a menu") { $0.showsMenu }
        try hand.press("open-with", "applications") { _ in hand.widget("Test editor") != nil }
        try hand.press("Test editor", "no prompt") { _ in hand.widget("Test editor") == nil }
        let name = String(hand.last.path.split(separator: "/").last ?? "?")
        try wait("opened", hand) {
            TestFile.text(folder / "opened.txt")?.hasSuffix("/album/\(name)") == true
        }
    }

    /// By mouse: mutter 43 lets only a pointer drag out of a window.
    private func dragOut(_ hand: MutterHand) throws {
        let name = String(hand.last.path.split(separator: "/").last ?? "?")
        let start = Point(x: hand.view.width / 2, y: hand.view.height / 2)
        // The pointer appears with its first movement, which mutter may drop.
        for step in 0..<4 {
            hand.movePointer(to: start + Vector(dx: Double(step), dy: 0))
            hand.rest(milliseconds: 150)
        }
        hand.holdButton(true)
        // A picture is dragged after a rest; a movement at once turns the page.
        hand.rest(milliseconds: 700)
        // Away from the start first, then over the whole monitor until the other window answers.
        for step in 1...6 { hand.movePointer(to: start + Vector(dx: Double(step) * 4, dy: 0)) }
        var isOver = false
        for y in stride(from: 40.0, to: Self.monitor.height, by: 120) where !isOver {
            for x in stride(from: 20.0, to: Self.monitor.width, by: 40) where !isOver {
                hand.movePointer(to: Point(x: x - hand.origin.x, y: y - hand.origin.y))
                isOver = TestFile.text(folder / "drops.txt")?.contains("motion") == true
            }
        }
        let place = hand.origin
        #expect(isOver, "the other window is never reached; this one is at \(place)")
        hand.rest(milliseconds: 300)
        hand.holdButton(false)
        try wait("dropped", hand) {
            TestFile.text(folder / "drops.txt")?.contains(
                "dropped file://\(folder.path)/album/\(name)") == true
        }
    }
}
