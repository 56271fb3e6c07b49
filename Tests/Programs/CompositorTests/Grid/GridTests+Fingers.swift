import CompositorKit
import Geometry
import TestKit
import Testing

/// Two fingers on the grid, and the flight to the viewer and back.
extension LiveTests.GridTests {
    @Test func aPinchReflowsAboutThePictureUnderTheFingers() throws {
        let stage = try Self.filled()
        let frames = stage.play {
            $0.touch([1: (280, 191), 2: (360, 191)])
            $0.move([1: (160, 191), 2: (480, 191)], in: 400)
        }
        let pinch = frames.filter { $0.gesture == "pinch" }
        #expect(pinch.count > 5)
        #expect(pinch.allSatisfy { $0.anchor?.index == 7 })
        #expect(try stage.last.columns == 2)
        #expect(stage.number(at: 320, 191) == 7)
        stage.play {
            $0.rest(100)
            $0.lift(1, 2)
        }
        #expect(try stage.last.columns == 2)
        #expect(abs(try stage.last.gridScale - 317.5 / 124) < 1e-6)
        // A pinch in restores the grid.
        stage.play {
            $0.touch([1: (100, 200), 2: (540, 200)])
            $0.move([1: (240, 200), 2: (400, 200)], in: 400)
            $0.rest(100)
            $0.lift(1, 2)
        }
        #expect(try stage.last.columns == 5 && stage.last.gridScale == 1)
        // Another one leads beyond the most columns, to the months.
        stage.play {
            $0.touch([1: (100, 200), 2: (540, 200)])
            $0.move([1: (220, 200), 2: (420, 200)], in: 400)
            $0.rest(100)
            $0.lift(1, 2)
        }
        #expect(try stage.last.columns == 10)
        try stage.expectGoodEnd()
    }

    @Test func aPictureIsLiftedOutOfTheFeedAndGoesBack() throws {
        let stage = try Self.filled()
        stage.play {
            for _ in 0..<4 { $0.key("plus") }
        }
        #expect(try stage.last.columns == 1)
        let scroll = try stage.last.scroll
        let number = try #require(stage.number(at: 320, 200))
        let frames = stage.play {
            $0.touch([1: (280, 200), 2: (360, 200)])
            $0.move([1: (230, 200), 2: (410, 200)], in: 500)
        }
        let peeks = frames.compactMap { frame in frame.peek.map { (frame.time, $0) } }
        let start = try #require(peeks.first?.0)
        for (time, peek) in peeks where time > start + 80 {
            #expect(abs(peek.dim - min(0.4 + (peek.scale - 1), 0.8)) < 2e-6)
        }
        let held = try #require(try stage.last.peek)
        #expect(abs(held.scale - 180 / 96) < 0.01 && held.dim == 0.8)
        #expect(stage.number(at: 320, 200) == number)
        let lifted = try stage.last.time
        let fall = stage.play { $0.lift(1, 2) }
        #expect(fall.contains { $0.peek != nil && $0.phase == "animating" })
        #expect(try stage.last.peek == nil && stage.last.scroll == scroll)
        let over = try #require(fall.last { $0.peek != nil }).time
        // The bound is loose: one report, one frame, and 0.3 s of motion.
        #expect(over - lifted < 1000)
        try stage.expectGoodEnd()
    }

    @Test func aCancelledTouchEndsAPeek() throws {
        let stage = try Self.filled("grid.pinch=peek")
        stage.play {
            $0.touch([1: (280, 191), 2: (360, 191)])
            $0.move([1: (200, 191), 2: (440, 191)], in: 200)
        }
        #expect(try stage.last.peek != nil)
        stage.play { $0.cancel() }
        #expect(try stage.last.peek == nil && stage.last.phase == "idle")
        #expect(stage.number(at: 320, 191) == 7)
        #expect(stage.trace.allSatisfy { $0.showsGrid })
        try stage.expectGoodEnd()
    }

    @Test func aPictureFliesToTheViewerAndBack() throws {
        let stage = try Self.filled()
        stage.play { $0.tap(320, 191) }
        stage.until { !$0.showsGrid && $0.phase == "idle" }
        stage.untilSeen()
        let opened = try stage.last
        #expect(opened.path.hasSuffix("/07.png"))
        #expect(opened.numbers("image") == [180, 120] && opened.zoom == 1)
        let flight = stage.trace.filter { !$0.showsGrid }
        #expect(flight.first?.phase == "animating")
        stage.play {
            $0.touch([1: (320, 150)])
            $0.move([1: (330, 330)], in: 120)
            $0.lift(1)
        }
        stage.until { $0.showsGrid && $0.phase == "idle" }
        stage.untilSeen()
        #expect(stage.dismissals == 1)
        #expect(stage.exitCode == nil)
        #expect(stage.numbers(atHeights: [62, 191]) == Array(0..<10))
        try stage.expectGoodEnd()
    }

    @Test func aFingerCatchesAPictureThatFliesBack() throws {
        let stage = try Self.filled()
        stage.play { $0.tap(320, 191) }
        stage.until { !$0.showsGrid && $0.phase == "idle" }
        stage.play {
            $0.key("Escape")
            $0.rest(20)
            $0.touch([1: (320, 190)])
            $0.rest(200)
        }
        #expect(try !stage.last.showsGrid)
        let caught = try #require(try stage.last.rect)
        #expect(caught.width > 180)
        stage.play {
            $0.move([1: (340, 200)], in: 100)
            $0.rest(100)
            $0.lift(1)
        }
        stage.until { $0.phase == "idle" }
        #expect(try !stage.last.showsGrid && stage.last.dim == 1)
        stage.play { $0.key("Escape") }
        stage.until { $0.showsGrid && $0.phase == "idle" }
        try stage.expectGoodEnd()
    }
}
