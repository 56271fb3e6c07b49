import CompositorKit
import Geometry
import Input
import TestKit
import Testing

/// Keyboard, mouse and touchpad on the grid.
extension HeadlessGridTests {
    @Test func keysScaleMoveOpenAndLeave() throws {
        let run = HeadlessGrid().play(rest: 0.5) { hand in
            hand.rest(100)
            hand.key("plus")
            hand.rest(760)
            hand.key("minus")
            hand.rest(760)
            for name in ["Right", "Right", "Down", "Return"] { hand.key(name) }
            hand.rest(1140)
            hand.key("Escape")
            hand.rest(1000)
            hand.key("Escape")
        }
        #expect(run.frames.last { $0.time < 890 }?.columns == 4)
        #expect(run.frames.last { $0.time < 1690 }?.columns == 5)
        let opened = try #require(run.frames.last { !$0.showsGrid })
        // Two to the right and one down from the first visible picture.
        #expect(opened.path.hasSuffix("/07.png"))
        // Escape leaves the picture first, and then the program.
        let last = try run.last
        #expect(last.showsGrid && last.time < 4200)
        #expect(run.status == 0)
    }

    @Test func keysScrollByPagesAndToTheEnds() throws {
        let run = HeadlessGrid().play { hand in
            hand.rest(100)
            hand.key("Home")
            hand.key("Next")
            hand.rest(900)
            hand.key("End")
            hand.rest(900)
            hand.key("Home")
        }
        let page = try #require(run.frames.last { $0.time < 1030 }).scroll.y
        #expect(page > 100)
        let end = try #require(run.frames.last { $0.time < 1950 }).scroll.y
        #expect(end == 369)
        #expect(try run.last.scroll.y == 0)
    }

    @Test func theMouseScrollsDragsScalesAndOpens() throws {
        let run = HeadlessGrid().play { hand in
            hand.rest(100)
            hand.point(320, 200)
            hand.wheel(120)
            hand.rest(700)
            hand.press()
            hand.drag(from: (320, 200), to: (320, 140), in: 200)
            hand.rest(100)
            hand.release()
            hand.rest(700)
            hand.withControl { $0.wheel(-120) }
            hand.rest(800)
            hand.point(100, 100)
            hand.click()
        }
        #expect(try #require(run.frames.last { $0.time < 790 }).scroll.y == 100)
        let dragged = try #require(run.frames.last { $0.time < 1750 })
        // Less the slop.
        #expect(dragged.scroll.y > 140 && dragged.scroll.y <= 160)
        let zoomed = try #require(run.frames.last { $0.time < 2640 && $0.showsGrid })
        #expect(zoomed.columns == 4 && abs(zoomed.gridScale - 156.25 / 124) < 1e-6)
        #expect(try !run.last.showsGrid)
    }

    @Test func theTouchpadScrollsFlingsPinchesAndLifts() throws {
        let run = HeadlessGrid().play { hand in
            hand.rest(100)
            hand.point(320, 200)
            hand.scroll(Vector(dx: 0, dy: 120), in: 100)
            hand.stopScrolling()
            hand.rest(1600)
            hand.beginPinch()
            hand.pinch(to: 1.3, in: 200)
            hand.endPinch()
        }
        // By the fingers, and by the kinetic scroll after them.
        let scrolled = try #require(run.frames.last { $0.time < 1790 })
        #expect(scrolled.scroll.y > 140)
        #expect(run.pinch.count > 5)
        #expect(try run.last.columns == 4)
        #expect(try run.last.phase == "idle")
    }

    /// A pinch that the compositor cancels has no effect.
    @Test(arguments: [false, true]) func aTouchpadsPinchLiftsToo(_ isCancelled: Bool) throws {
        let run = HeadlessGrid().play(["grid.pinch=peek", "peek.release=open"]) { hand in
            hand.rest(100)
            hand.point(320, 190)
            hand.beginPinch()
            hand.pinch(to: 1.8, by: Vector(dx: 40, dy: 0), in: 300)
            hand.rest(50)
            hand.endPinch(cancelled: isCancelled)
        }
        let peek = try #require(run.peeks.last { $0.time < 440 }).peek
        #expect(peek.path.hasSuffix("/07.png"))
        #expect(abs(peek.scale - 1.8) < 0.04)
        #expect(try run.last.showsGrid == isCancelled)
        #expect(try run.last.peek == nil)
        if isCancelled { #expect((run.peeks.last?.time ?? 0) < 760) }
    }

    @Test func selectionByLongPressByKeyAndByMouse() throws {
        // The first three cells are selected.
        let grid = HeadlessGrid(Array(HeadlessGrid.marked.prefix(6)))
        let plain = try #require(grid.play(rest: 0.1).shots.last)
        func color(_ shot: Screenshot, _ point: Point) -> (r: Int, g: Int, b: Int) {
            shot.color(Int(point.x), Int(point.y))
        }
        let run = grid.play { hand in
            hand.rest(100)
            hand.touch([1: (62, 62)])
            hand.rest(900)
            hand.lift(1)
            hand.rest(200)
            hand.point(191, 62)
            hand.withControl { $0.click() }
            hand.rest(200)
            hand.key("Right")
            hand.key("space", .control)
        }
        let shot = try #require(run.shots.last)
        #expect(run.frames.allSatisfy { $0.showsGrid })
        for index in 0..<6 {
            let cell = HeadlessGrid.cell(index)
            // The picture keeps its colours; a line around the cell and a mark say that it is selected.
            #expect(color(shot, cell.center) == color(plain, cell.center), "\(index)")
            let edge = color(shot, Point(x: cell.x + 1, y: cell.center.y))
            let isFramed = edge.b > edge.r + 80
            #expect(isFramed == (index < 3), "\(index)")
            let mark = color(shot, Point(x: cell.maxX - 8 - 5, y: cell.y + 8 + 14))
            #expect((mark.b > mark.r + 80) == (index < 3), "\(index)")
        }
    }
}
