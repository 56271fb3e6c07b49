import CompositorKit
import Geometry
import Input
import TestKit
import Testing

/// The grid of the release build without a compositor: input scripts, traces and screenshots.
@Suite struct HeadlessGridTests {
    @Test func theTraceSaysWhatTheGridShows() throws {
        let grid = HeadlessGrid()
        let run = grid.play(rest: 0.1)
        let frame = try run.first
        #expect(frame.showsGrid && frame.phase == "idle" && frame.gesture == "none")
        #expect(frame.path == grid.album + "/00.png")
        #expect(frame.index == 0 && frame.number("count") == 30)
        #expect(frame.columns == 5 && frame.gridScale == 1)
        #expect(frame.scroll == Point(x: 0, y: 0))
        #expect(frame.content == Size(width: 640, height: 6 * 124 + 5 * 5))
        #expect(frame.anchor == nil && frame.line.contains("\"anchor\":null"))
        #expect(frame.peek == nil && frame.number("zoom") == nil)
        #expect(frame.number("dismiss") == 0)
        #expect(run.errors == "" && run.status == 0)
        // Every visible cell has its picture, in order.
        let shot = try #require(run.shots.last)
        for index in 0..<15 {
            let middle = HeadlessGrid.cell(index).center
            #expect(abs(shot.color(Int(middle.x), Int(middle.y)).b - index * 8) <= 1)
        }
    }

    /// On the canvas five columns stay five, and the grid scrolls in both directions.
    @Test func theCanvasGrowsAndIsScrolledBothWays() throws {
        let run = HeadlessGrid().play(["grid.layout=canvas"]) {
            $0.rest(100)
            $0.touch([1: (280, 200), 2: (360, 200)])
            $0.move([1: (200, 200), 2: (440, 200)], in: 300)
            $0.rest(100)
            $0.lift(1, 2)
            $0.rest(500)
            $0.touch([1: (500, 300)])
            $0.move([1: (300, 200)], in: 300)
            $0.rest(100)
            $0.lift(1)
        }
        #expect(run.frames.allSatisfy { $0.columns == 5 })
        let pinched = try #require(run.frames.last { $0.time < 1000 })
        // The canvas may rest at any scale.
        #expect(abs(pinched.gridScale - 2.5) < 0.01)
        #expect(abs(pinched.content.width - 640 * pinched.gridScale) < 0.01)
        #expect(abs(pinched.content.height - 769 * pinched.gridScale) < 0.01)
        let last = try run.last
        let (dx, dy) = (last.scroll.x - pinched.scroll.x, last.scroll.y - pinched.scroll.y)
        #expect(dx > 180 && dx <= 200 && dy > 90 && dy <= 100)
        #expect(last.gridScale == pinched.gridScale)
    }

    @Test func justifiedRowsKeepThePicturesShapes() throws {
        let grid = HeadlessGrid(HeadlessGrid.cards)
        let run = grid.play(["grid.layout=justified"]) {
            $0.rest(100)
            $0.key("plus")
            $0.rest(600)
            $0.tap(10, 10)
        }
        let whole = try run.first
        #expect(whole.columns == 5 && whole.content.width == 640)
        let grown = try #require(run.frames.last { $0.showsGrid })
        #expect(grown.columns == 4 && grown.content.height > whole.content.height)
        #expect(grown.phase == "idle")
        // The picture leaves its cell of 3 : 2 without a crop.
        let opened = try #require(run.frames.first { !$0.showsGrid })
        let rect = try #require(opened.rect)
        #expect(abs(rect.width / rect.height - 1.5) < 0.01)
        #expect(rect.width < 260 && rect.x < 30)
        #expect(try run.last.zoom == 1)
    }

    /// Wide, square and high pictures in turn, with no space wider than the gap between them.
    @Test func justifiedRowsAreFilledFromEdgeToEdge() throws {
        let sizes = [(300, 100), (100, 100), (100, 160)].map { PixelSize(width: $0, height: $1) }
        let grid = HeadlessGrid(
            (0..<30).map { TestPicture(size: sizes[$0 % 3]) { _, _ in (255, 255, 255) }.png() })
        let run = grid.play(["grid.layout=justified"], rest: 0.1)
        let shot = try #require(run.shots.last)
        // Up to five gaps of five pixels in a row, and the gaps between the rows.
        let filled = (0..<400).filter { y in
            (0..<640).filter { shot.color($0, y).r < 128 }.count <= 5 * 5
        }
        #expect(filled.count > 360)
    }

    @Test(arguments: [
        ("name", "false", "a.png", "c.png"), ("name", "true", "c.png", "a.png"),
        ("size", "false", "b.png", "a.png"), ("modified", "false", "c.png", "b.png"),
    ])
    func theGridIsSortedBySettings(
        _ key: String, _ descending: String, _ first: String, _ last: String
    ) throws {
        let grid = HeadlessGrid([])
        // Larger files for a, c and b in turn, older ones for c, a and b.
        for (name, side, time) in [("a", 90, 2), ("b", 10, 3), ("c", 40, 1)] {
            grid.put(
                TestPicture.photograph(side, side).png(), as: "\(name).png", time: time)
        }
        let run = grid.play(["collection.sort=\(key)", "collection.descending=\(descending)"]) {
            $0.rest(50)
            $0.key("End")
            $0.key("Return")
        }
        #expect(try run.first.path.hasSuffix(first))
        #expect(try run.last.path.hasSuffix(last))
        #expect(try !run.last.showsGrid)
    }

    @Test func everyFolderHasItsSection() throws {
        let grid = HeadlessGrid(Array(HeadlessGrid.marked.prefix(7)))
        grid.folder.folder("album/beach")
        for index in 7..<9 {
            grid.put(HeadlessGrid.marked[index], as: "beach/" + HeadlessGrid.name(index))
        }
        let plain = grid.play(
            ["collection.recursive=true", "collection.sections=none"], rest: 0.1)
        #expect(try plain.first.number("count") == 9)
        #expect(try plain.first.content.height == 2 * 124 + 5)
        let run = grid.play(
            ["collection.recursive=true", "collection.sections=folder"], rest: 0.1)
        // Two rows of one section, one row of the other, and two headers.
        let height = try run.first.content.height
        let (rows, headers) = (3.0 * 124, 2.0 * 44)
        #expect(height >= rows + headers && height <= rows + headers + 20)
        let shot = try #require(run.shots.last)
        var bright = 0
        for y in 0..<40 {
            for x in 0..<200 where shot.color(x, y).b > 150 { bright += 1 }
        }
        #expect(bright > 20)
        #expect(try run.last.number("count") == 9)
    }
}
