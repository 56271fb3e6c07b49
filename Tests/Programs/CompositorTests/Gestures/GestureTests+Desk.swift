import CompositorKit
import Geometry
import Glibc
import TestKit
import Testing

/// Mouse, wheel, keys, and reduced motion.
extension LiveTests.GestureTests {
    // MARK: Wheel

    /// Whole detents, fractions of a detent, and the discrete steps of older seats.
    ///
    /// A change of direction discards the fraction so far.
    private static let detents: [(version: UInt32, parts: [Int])] = [
        (8, [120]), (8, [30, 30, 30, 30]), (7, [120]), (8, [60, -60, 60, 60]),
    ]

    @Test(arguments: detents)
    func theWheelTurnsPages(_ version: UInt32, _ parts: [Int]) throws {
        let setup = Setup(offer: OfferedGlobals.everything.with("wl_seat", version: version))
        let stage = try Self.fitted(count: 3, setup: setup)
        func turn(_ hand: inout Hand, _ parts: ArraySlice<Int>) {
            for part in parts {
                hand.wheel(part)
                hand.rest(30)
            }
        }
        // Less than a detent turns no page, and is discarded after half a second.
        stage.play {
            $0.point(320, 200)
            turn(&$0, parts.dropLast())
            $0.rest(600)
        }
        #expect(try stage.last.index == 0)
        for (index, direction) in [(1, 1), (2, 1), (1, -1)] {
            stage.play { turn(&$0, parts.map { $0 * direction }[...]) }
            stage.until { $0.index == index && $0.phase == "idle" && $0.numbers("image") != [] }
            #expect(try stage.last.rect == Self.fit)
        }
        try stage.expectGoodEnd()
    }

    @Test func enlargedTheWheelMovesThePicture() throws {
        let stage = try Self.enlarged()
        stage.play {
            $0.point(320, 200)
            $0.wheel(120)
        }
        #expect(try stage.last.rect == Self.full.moved(0, -80))
        stage.play { $0.wheel(-240) }
        #expect(try stage.last.rect == Self.full.moved(0, 80))
        try stage.expectGoodEnd()
    }

    @Test func theWheelWithControlZoomsAboutThePointer() throws {
        let stage = try Self.fitted()
        stage.play {
            $0.point(160, 100)
            $0.withControl {
                $0.wheel(-120)
                $0.rest(30)
                $0.wheel(-120)
            }
        }
        #expect(abs(try stage.last.zoom - 0.4 * 2.0.squareRoot()) < 0.001)
        let pixel = Point(x: 400, y: 250)
        #expect(try stage.last.distance(of: pixel, to: Point(x: 160, y: 100)) < 0.5)
        try stage.expectGoodEnd()
    }

    // MARK: Mouse

    @Test func aDragWithTheMousePans() throws {
        let stage = try Self.enlarged()
        stage.play {
            $0.point(320, 200)
            $0.press()
            $0.drag(from: (320, 200), to: (220, 150), in: 200)
            $0.rest(100)
            $0.release()
        }
        let length = hypot(100.0, 50)
        let rect = Self.full.moved(-100 * (length - 10) / length, -50 * (length - 10) / length)
        #expect(try stage.last.distance(to: rect) < 0.1)
        // With the button up the mouse moves nothing.
        stage.play { $0.drag(from: (220, 150), to: (320, 200), in: 100) }
        #expect(try stage.last.distance(to: rect) < 0.1)
        try stage.expectGoodEnd()
    }

    @Test func aClickIsATapAndADoubleClickADoubleTap() throws {
        let stage = try Self.fitted()
        stage.play {
            $0.point(160, 100)
            $0.click()
        }
        stage.until { $0.showsChrome }
        stage.play {
            $0.click()
            $0.rest(100)
            $0.click()
        }
        let frame = try stage.last
        #expect(frame.zoom == 0.8)
        #expect(frame.distance(of: Point(x: 400, y: 250), to: Point(x: 160, y: 100)) < 0.01)
        #expect(frame.showsChrome)
        try stage.expectGoodEnd()
    }

    // MARK: Keys

    @Test func keysZoom() throws {
        let panorama = TestPicture.card(1600, 500).png()
        let stage = try Stage.shown(pictures: [panorama])
        let keys: [(String, Double)] = [
            ("plus", 0.6), ("plus", 0.9), ("minus", 0.6), ("0", 0.4), ("1", 1), ("2", 0.8),
            ("minus", 0.8 / 1.5), ("minus", 0.4), ("minus", 0.4),
        ]
        for (key, zoom) in keys {
            stage.play { $0.key(key) }
            #expect(abs(try stage.last.zoom - zoom) < 1e-6, "\(key)")
            #expect(try stage.last.phase == "idle")
        }
        // Keys in quick succession add up.
        stage.play {
            $0.key("plus")
            $0.key("plus")
            $0.key("plus")
        }
        #expect(abs(try stage.last.zoom - 1.35) < 1e-6)
        try stage.expectGoodEnd()
    }

    @Test func keysRotateThePicture() throws {
        let stage = try Self.fitted()
        // Rotated by 90°, the picture fits at 400 / 1600.
        for (key, degrees, zoom) in [
            ("r", 90.0, 0.25), ("r", 180, 0.4), ("R", 90, 0.25), ("R", 0, 0.4), ("R", 270, 0.25),
        ] {
            stage.play { $0.key(key) }
            #expect(try stage.last.rotation == degrees)
            #expect(abs(try stage.last.zoom - zoom) < 1e-6)
        }
        try stage.expectGoodEnd()
    }

    @Test func escapeEndsTheProgram() throws {
        let stage = try Self.fitted()
        stage.play { $0.key("Escape") }
        #expect(stage.untilEnded() == 0)
        #expect(stage.compositor.violations == [])
    }

    // MARK: Reduced motion

    @Test func withReducedMotionNothingIsAnimated() throws {
        let stage = try Self.fitted("--reduced-motion")
        stage.play { $0.key("1") }
        #expect(try stage.last.rect == Self.full)
        stage.play {
            $0.touch([1: (320, 200)])
            $0.move([1: (320, 140)], in: 200)
            $0.lift(1)
        }
        stage.play {
            $0.touch([1: (320, 390)])
            $0.move([1: (320, 20)], in: 200)
        }
        // The edges are not elastic.
        #expect(try stage.last.distance(to: Self.full.moved(0, -300)) < 0.1)
        stage.play {
            $0.rest(100)
            $0.lift(1)
            $0.rest(400)
            $0.tap(160, 100)
            $0.rest(100)
            $0.tap(160, 100)
        }
        #expect(try stage.last.rect == Self.fit)
        stage.play { $0.key("r") }
        #expect(try stage.last.rotation == 90)
        #expect(!stage.trace.contains { $0.phase == "animating" })
        try stage.expectGoodEnd()
    }

    @Test func withReducedMotionAThrowStillDismisses() throws {
        let stage = try Self.fitted("--reduced-motion")
        stage.play {
            $0.touch([1: (320, 100)])
            $0.move([1: (320, 300)], in: 80)
            $0.lift(1)
        }
        #expect(stage.untilEnded() == 0)
    }
}
