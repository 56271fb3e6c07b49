import CompositorKit
import Geometry
import TestKit
import Testing

/// The feed: whole pictures, and sharp ones at rest.
extension LiveTests.GridTests {
    /// Stripes of one pixel each; at 1170 × 780 the picture has the size of its cell in the feed of a
    /// window of 1240 × 800.
    private static func stripes(_ number: Int) -> [UInt8] {
        TestPicture(size: PixelSize(width: 1170, height: 780)) { x, y in
            let isBright = (x + number).isMultiple(of: 2)
            return isBright ? (250, 250, 250) : (5, 5, 5)
        }.png()
    }

    private static func stage(_ pictures: [[UInt8]]) throws -> Stage {
        var setup = Setup()
        setup.windowSize = Size(width: 1240, height: 800)
        return try Stage.shown(setup, pictures: pictures, onGrid: true)
    }

    /// The difference between neighbouring pixels of a row.
    private static func contrast(_ stage: Stage, _ xs: Range<Int>, _ y: Int) -> Int {
        guard let pixels = stage.compositor.surface?.pixels else { return 0 }
        return xs.map { abs(pixels.color($0, y).r - pixels.color($0 + 1, y).r) }.min() ?? 0
    }

    /// A thumbnail of 1024 px would blur the stripes: they are decoded for the size of the cell, and
    /// again after every scroll.
    @Test func whatRestsInTheFeedIsSharp() throws {
        let stage = try Self.stage((0..<6).map(Self.stripes))
        stage.play {
            $0.touch([1: (580, 300), 2: (660, 300)])
            $0.move([1: (130, 300), 2: (1110, 300)], in: 500)
            $0.rest(150)
            $0.lift(1, 2)
        }
        stage.until { $0.columns == 1 && $0.phase == "idle" }
        // Beside the picture the surface is black: the picture is whole.
        let isSharp = stage.compositor.run { Self.contrast(stage, 40..<1200, 300) > 200 }
        #expect(isSharp)
        #expect(try #require(try stage.surface.pixels).color(20, 300) == (0, 0, 0))
        stage.play {
            $0.drag(through: Point(x: 600, y: 500), by: Vector(dx: 0, dy: -400), in: 200)
            $0.lift(1)
            $0.rest(1500)
        }
        #expect(
            stage.compositor.run {
                stage.trace.last?.phase == "idle" && Self.contrast(stage, 40..<1200, 300) > 200
            })
        try stage.expectGoodEnd()
    }

    /// Pictures of different shapes: with their sizes known, the held picture has opened, and stays
    /// under the fingers in every frame.
    @Test func aPinchOpensTheCellsToTheirShapes() throws {
        let shapes = [(600, 400), (400, 600), (900, 300), (500, 500), (300, 900), (800, 450)]
        let stage = try Self.stage(
            shapes.map { TestPicture.card($0.0, $0.1).png() })
        let frames = stage.play {
            $0.touch([1: (90, 124), 2: (150, 124)])
            $0.move([1: (20, 124), 2: (220, 124)], in: 300)
            $0.move([1: (5, 124), 2: (320, 124)], in: 400)
            $0.rest(150)
        }
        let held = frames.filter { $0.gesture == "pinch" }.compactMap(\.anchor)
        #expect(held.count > 20 && Set(held.map(\.index)) == [0])
        #expect(try stage.last.columns == 1)
        stage.play {
            $0.lift(1, 2)
            $0.rest(800)
        }
        stage.until { $0.columns == 1 && $0.phase == "idle" }
        // 3 : 2 and at most 780 px high, then 2 : 3, 3 : 1, 1 : 1, 1 : 3 and 16 : 9.
        let heights = [780, 780, 1220 / 3.0, 780, 780, 1220 * 450 / 800.0]
        let expected = heights.reduce(0, +) + 5 * 5
        stage.until { abs($0.content.height - expected) < 1 }
        stage.press("Home")
        #expect(try stage.last.scroll == .zero)
        // The corners of the first picture, inside the mark of the focus, are those of the card.
        let pixels = try #require(try stage.surface.pixels)
        #expect(pixels.color(45, 9).r > 190 && pixels.color(1194, 9).g > 170)
        #expect(pixels.color(45, 770).b > 190 && pixels.color(1194, 770).r > 170)
        try stage.expectGoodEnd()
    }
}
