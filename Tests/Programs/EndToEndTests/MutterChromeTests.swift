import Geometry
import TestKit
import Testing

/// The bars of a window in mutter, by real touch: every button of grid and viewer is pressed, and the
/// window is moved, resized, maximised and minimised.
///
/// All parts are one test, because a session of mutter takes seconds to start.
@Suite(.serialized) struct MutterChromeTests {
    private static let monitor = Size(width: 1600, height: 1000)
    private static let size = Size(width: 960, height: 640)

    @Test
    func everyButtonAndEdgeWorksByTouch() throws {
        let session = CompositorSession([:])
        for (folder, width) in [("album", 600), ("other", 500)] {
            session.folder.folder(folder)
            for (number, name) in ["a", "b", "c"].enumerated() where folder == "album" || number < 2
            {
                _ = session.folder.file(
                    "\(folder)/\(name).jpg",
                    TestPicture.photograph(width + number * 30, 400).jpeg(quality: 85))
            }
        }
        let hand = MutterHand(
            session, on: Self.monitor,
            runs: [["--reduced-motion", "album"], ["album"]],
            choosing: ["other", "album", "other/b.jpg"])
        try hand.findWindow(tapping: Point(x: 800, y: 700))
        #expect(hand.view == Self.size)
        try grid(hand)
        try viewer(hand)
        try window(hand)
        try remembered(hand)
    }

    // MARK: Grid

    /// The names of the pictures in the grid.
    private func pictures(_ hand: MutterHand) -> [String] {
        hand.widgets.filter { $0.line.contains("\"list item\"") }.compactMap { $0.text("name") }
    }

    private func grid(_ hand: MutterHand) throws {
        #expect(pictures(hand) == ["a.jpg", "b.jpg", "c.jpg"])
        let columns = try #require(hand.last.columns)
        try hand.press("Larger pictures", "larger cells") { $0.columns == columns - 1 }
        try hand.press("Smaller pictures", "smaller cells") { $0.columns == columns }
        try hand.press("Sort", "a menu") { $0.showsMenu }
        try hand.press("Z to A", "the reversed order") { _ in
            pictures(hand) == ["c.jpg", "b.jpg", "a.jpg"]
        }
        try hand.press("Sort", "a menu") { $0.showsMenu }
        try hand.press("A to Z", "the order") { _ in
            pictures(hand) == ["a.jpg", "b.jpg", "c.jpg"]
        }
        try hand.press("Select pictures", "a selection") { _ in
            hand.widget("End the selection") != nil
        }
        try hand.press("b.jpg", "one selected") { $0.selected == 1 }
        try hand.press("Select all", "all selected") { $0.selected == 3 }
        try hand.press("End the selection", "nothing selected") { $0.selected == 0 }
        try hand.press("Menu", "a menu") { $0.showsMenu }
        try hand.press("help", "the help") { $0.showsHelp }
        try hand.press("Close", "no help") { !$0.showsHelp }
        for folder in [["a.jpg", "b.jpg"], ["a.jpg", "b.jpg", "c.jpg"]] {
            try hand.press("Menu", "a menu") { $0.showsMenu }
            try hand.press("Open", "a part of the menu") { _ in hand.widget("Back") != nil }
            try hand.press("open-folder", "another folder") { _ in pictures(hand) == folder }
        }
        for (row, size) in [("fullscreen", Self.monitor), ("fullscreen", Self.size)] {
            try hand.press("Menu", "a menu") { $0.showsMenu }
            try hand.press("View", "a part of the menu") { _ in hand.widget("Back") != nil }
            try hand.press(row, "\(size)") { _ in hand.view == size }
        }
    }

    // MARK: Viewer

    private func viewer(_ hand: MutterHand) throws {
        try hand.press("b.jpg", "the picture") { $0.text("mode") == "viewer" && $0.index == 1 }
        try hand.press("rotate-clockwise", "turned") { $0.rotation == 90 }
        try hand.press("rotate-anticlockwise", "upright") { $0.rotation == 0 }
        try hand.press("information", "the panel") { $0.showsInformation }
        #expect(hand.widget("information")?.line.contains("\"checked\"") == true)
        try hand.press("information", "no panel") { !$0.showsInformation }
        try hand.press("Menu", "a menu") { $0.showsMenu }
        try hand.press("View", "a part of the menu") { _ in hand.widget("Back") != nil }
        try hand.press("checkerboard", "no menu") { !$0.showsMenu }
        try hand.press("Menu", "a menu") { $0.showsMenu }
        try hand.press("View", "a part of the menu") { _ in hand.widget("Back") != nil }
        #expect(hand.widget("checkerboard")?.line.contains("\"checked\"") == true)
        try hand.press("checkerboard", "no menu") { !$0.showsMenu }
        try hand.press("Menu", "a menu") { $0.showsMenu }
        try hand.press("help", "the help") { $0.showsHelp }
        hand.tap(Point(x: 4, y: 300))
        try hand.settle("no help after a tap beside the sheet") { !$0.showsHelp }
        let fit = hand.last.zoom
        try hand.press("zoom-in", "larger") { $0.zoom > fit * 1.2 }
        try hand.press("zoom-out", "smaller") { abs($0.zoom - fit) < 1e-6 }
        try hand.press("zoom-in", "larger") { $0.zoom > fit * 1.2 }
        try hand.press("fit", "the whole picture") { abs($0.zoom - fit) < 1e-6 }
        try hand.press("one-to-one", "its own size") { $0.zoom == 1 }
        try hand.press("Zoom", "the percentage is edited") { $0.text("focus") == "zoom" }
        try hand.press("fit", "the whole picture") {
            $0.text("focus") == nil && abs($0.zoom - fit) < 1e-6
        }
        try filmstrip(hand)
        try hand.press("fullscreen", "the whole monitor") { _ in hand.view == Self.monitor }
        try hand.press("fullscreen", "a window") { _ in hand.view == Self.size }
        try hand.showBars()
        // The arrow is the one way back to the grid, so there is no other button for it.
        #expect(hand.widget("rotate-clockwise") != nil && hand.widget("grid") == nil)
        try hand.press("Back to the grid", "the grid") { $0.showsGrid }
        try hand.press("a.jpg", "the picture") { $0.text("mode") == "viewer" }
        // What the desktop's file chooser answers replaces the pictures.
        try hand.press("Menu", "a menu") { $0.showsMenu }
        try hand.press("Pictures", "a part of the menu") { _ in hand.widget("Back") != nil }
        try hand.press("open-files", "the other file") { $0.path.hasSuffix("other/b.jpg") }
    }

    private func filmstrip(_ hand: MutterHand) throws {
        try hand.showBars()
        let strip = try #require(hand.widget("Pictures")?.rect)
        // The cell of the selected picture is in the middle.
        hand.tap(strip.center + Vector(dx: 60, dy: 0))
        try hand.settle("the next picture") { $0.index == 2 }
        try hand.showBars()
        hand.tap(strip.center - Vector(dx: 60, dy: 0))
        try hand.settle("the picture before") { $0.index == 1 }
    }

    // MARK: Window

    /// A free point of the bar at the top.
    private func bar(_ hand: MutterHand) -> Point { Point(x: hand.view.width / 2, y: 32) }

    private func window(_ hand: MutterHand) throws {
        try move(hand)
        try resize(hand)
        try hand.press("information", "the panel") { $0.showsInformation }
        try hand.press("information", "no panel") { !$0.showsInformation }
        try maximize(hand)
        try menu(hand)
        try hand.press("window-close", "the last frame") { _ in true }
        try hand.wait("the end") { hand.end == "code 0\n" }
    }

    private func move(_ hand: MutterHand) throws {
        let delta = Vector(dx: -120, dy: 80)
        try hand.showBars()
        try hand.drag(from: bar(hand), by: delta, once: ".move(")
        hand.lift()
        hand.expectMoved(by: delta)
        try hand.expectPlace()
    }

    /// Drags each edge and corner, first outwards and then inwards.
    private func resize(_ hand: MutterHand) throws {
        let count = hand.frames.count
        let ends = [-1.0, 0, 1]
        for (index, (x, y)) in ends.flatMap({ y in ends.map { ($0, y) } }).enumerated()
        where (x, y) != (0, 0) {
            let (size, sign) = (hand.view, index % 2 == 0 ? 1.0 : -1)
            let growth = Size(width: 40 * sign * abs(x), height: 24 * sign * abs(y))
            // 6 px outside of the window.
            let place = Point(
                x: size.width / 2 * (1 + x) + 6 * x, y: size.height / 2 * (1 + y) + 6 * y)
            try hand.drag(
                from: place, by: Vector(dx: growth.width * x, dy: growth.height * y),
                once: ".resize(")
            try hand.wait("resized at (\(x), \(y))") {
                hand.view
                    == Size(width: size.width + growth.width, height: size.height + growth.height)
            }
            hand.lift()
            hand.expectMoved(
                by: Vector(dx: min(x, 0) * growth.width, dy: min(y, 0) * growth.height))
        }
        // No frame has seen the fingers, which were on the border.
        #expect(
            hand.frames.dropFirst(count).allSatisfy {
                $0.phase != "touching" && $0.gesture == "none"
            })
        try hand.expectPlace()
    }

    private func maximize(_ hand: MutterHand) throws {
        let size = hand.view
        for expected in [Self.monitor, size] {
            try hand.showBars()
            hand.doubleTap(bar(hand))
            try hand.settle("\(expected) after a double tap") { _ in hand.view == expected }
            // Longer than between the two taps of a double tap.
            hand.rest(milliseconds: 300)
        }
        for expected in [Self.monitor, size] {
            try hand.press("window-maximize", "\(expected)") { _ in hand.view == expected }
        }
    }

    /// mutter has no menu without a shell, so the request is all that can be seen.
    private func menu(_ hand: MutterHand) throws {
        try hand.showBars()
        hand.touch(bar(hand))
        try hand.wait("a window menu") { !hand.messages(".show_window_menu(").isEmpty }
        hand.lift()
    }

    /// A second viewer has the size of the first one's window, and is minimised.
    private func remembered(_ hand: MutterHand) throws {
        let size = hand.view
        try hand.followNextRun()
        try hand.findWindow(tapping: Point(x: 800, y: 700))
        #expect(hand.view == size)
        let button = try #require(hand.widget("window-minimize")?.rect?.center)
        let before = hand.messages(".configure(").count
        for _ in 0..<8 where hand.tap(button) {
            break
        }
        try hand.wait("minimised") { !hand.messages(".set_minimized(").isEmpty }
        // The window loses the focus. Touches at its place arrive no more, once it has shrunk away.
        try hand.wait("a new state") { hand.messages(".configure(").count > before }
        try hand.wait("out of reach") {
            let touches = hand.messages(".down(").count
            hand.tap(Point(x: 20, y: size.height - 20))
            return hand.messages(".down(").count == touches
        }
    }
}
