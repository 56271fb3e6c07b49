import CompositorKit
import Geometry
import Input
import TestKit
import Testing

/// Finding pictures by their names.
extension LiveTests.GridTests {
    /// The button of the header, with 640 logical pixels of width.
    private static let find = (x: 464.0, y: 32.0)
    private static let cross = (x: 360.0, y: 32.0)

    private func filled() throws -> Stage {
        try Stage.shown(
            options: ["--set", "grid.header=true"], pictures: (0..<60).map { Self.picture($0) },
            onGrid: true)
    }

    /// By touch alone: the button, the on-screen keyboard, a result, and the way back.
    @Test func aFingerFindsPictures() throws {
        let stage = try filled()
        stage.play {
            $0.drag(through: Point(x: 320, y: 200), by: Vector(dx: 0, dy: -60), in: 300)
            $0.rest(200)
            $0.lift(1)
        }
        let scroll = try stage.last.scroll.y
        #expect(scroll > 0)
        stage.play { $0.tap(Self.find.x, Self.find.y) }
        let input = try #require(stage.compositor.seats.first?.textInput)
        #expect(input.isEnabled)
        // 01, 10 to 19, 21, 31, 41 and 51.
        input.send(TextInputEvent(commit: "1"))
        stage.untilCount(is: 15)
        #expect(try stage.last.scroll.y == 0)
        input.send(TextInputEvent(commit: "7"))
        stage.untilCount(is: 1)
        // The found picture opens, and the keyboard goes.
        stage.play { $0.tap(62, 110) }
        #expect(try stage.last.path.hasSuffix("17.png") && !stage.last.showsGrid)
        #expect(!input.isEnabled)
        stage.press("Escape")
        #expect(try stage.last.showsGrid)
        stage.untilCount(is: 1)
        // The cross shows all pictures at the place from before.
        stage.play { $0.tap(Self.cross.x, Self.cross.y) }
        stage.untilCount(is: 60)
        #expect(try stage.last.scroll.y == scroll)
        try stage.expectGoodEnd()
    }

    /// By keys alone.
    @Test func keysFindPictures() throws {
        let stage = try filled()
        stage.press("slash", "5", "9")
        stage.untilCount(is: 1)
        stage.press("BackSpace", "Return", "Right", "Return")
        #expect(try stage.last.path.hasSuffix("15.png") && !stage.last.showsGrid)
        stage.press("Escape", "Escape")
        stage.untilCount(is: 60)
        // The arrow leads from the field to the pictures as well; Control F is as good as the slash.
        stage.play { $0.key("f", .control) }
        stage.press("5", "Down", "Escape")
        stage.untilCount(is: 60)
        #expect(stage.exitCode == nil)
        try stage.expectGoodEnd()
    }

    /// Nothing that is found is no empty folder, and nothing that was found can be deleted unseen.
    @Test func nothingFound() throws {
        let stage = try filled()
        stage.play { $0.key("a", .control) }
        stage.press("slash", "x", "y")
        stage.untilCount(is: 0)
        stage.press("Return", "Delete")
        #expect(try stage.last.showsGrid)
        stage.press("Escape")
        stage.untilCount(is: 60)
        try stage.expectGoodEnd()
    }
}
