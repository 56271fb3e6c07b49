import CompositorKit
import Geometry
import Motion
import TestKit
import Testing

/// Taps of one finger and of two.
extension LiveTests.GestureTests {
    private static func doubleTap(_ hand: inout Hand) {
        hand.tap(160, 100)
        hand.rest(70)
        hand.tap(163, 98)
    }

    @Test(arguments: [("ladder", [0.8, 1, 0.4, 0.8]), ("toggle", [0.8, 0.4, 0.8])])
    func doubleTapsClimbTheLadder(_ setting: String, _ levels: [Double]) throws {
        let stage = try Self.fitted("--set", "gestures.double_tap=\(setting)")
        for level in levels {
            stage.play { Self.doubleTap(&$0) }
            #expect(try stage.last.zoom == level)
            if level == 0.8 {
                // The tapped point has stayed under the finger.
                let place = Point(x: 163, y: 98)
                let pixel = Point(x: place.x / 0.4, y: place.y / 0.4)
                #expect(try stage.last.distance(of: pixel, to: place) < 0.01)
            }
        }
        #expect(try !stage.last.showsChrome)
        try stage.expectGoodEnd()
    }

    /// Which finger lifts first: 0 for both at once.
    @Test(arguments: [0, 1, 2])
    func aTwoFingerTapGoesDownTheLadder(_ first: Int) throws {
        let stage = try Self.enlarged()
        stage.play {
            $0.touch([1: (280, 180)])
            $0.rest(20)
            $0.touch([2: (360, 220)])
            $0.rest(60)
            if first == 0 {
                $0.lift(1, 2)
            } else {
                $0.lift(first)
                $0.rest(50)
                $0.lift(3 - first)
            }
        }
        #expect(try stage.last.zoom == 0.8)
        // About the midpoint, which was at the middle of the picture.
        #expect(
            try stage.last.distance(of: Point(x: 800, y: 500), to: Point(x: 320, y: 200)) < 0.01)
        try stage.expectGoodEnd()
    }

    @Test func aThirdFingerAndAMovedFingerAreNoTwoFingerTap() throws {
        let stage = try Self.enlarged()
        stage.play {
            $0.touch([1: (280, 180), 2: (360, 220)])
            $0.rest(20)
            $0.touch([3: (320, 320)])
            $0.rest(40)
            $0.lift(1, 2, 3)
        }
        #expect(try stage.last.rect == Self.full)
        stage.play {
            $0.touch([1: (280, 180), 2: (360, 220)])
            $0.move([1: (280, 150)], in: 60)
            $0.rest(100)
            $0.lift(1, 2)
        }
        #expect(try stage.last.zoom > 0.95)
        stage.play {
            $0.touch([1: (280, 180), 2: (360, 220)])
            $0.rest(40)
            $0.cancel()
            $0.rest(500)
        }
        #expect(try stage.last.zoom > 0.95)
        #expect(try !stage.last.showsChrome)
        try stage.expectGoodEnd()
    }

    @Test func aSecondTapThatIsDraggedZooms() throws {
        let stage = try Self.fitted()
        stage.play {
            $0.tap(160, 100)
            $0.rest(70)
            $0.touch([1: (160, 100)])
            $0.move([1: (160, 238)], in: 300)
        }
        // 128 px past the slop double the zoom, about the place of the tap.
        let held = try stage.last
        #expect(held.gesture == "zoom-drag")
        #expect(abs(held.zoom - 0.8) < 0.001)
        #expect(held.distance(of: Point(x: 400, y: 250), to: Point(x: 160, y: 100)) < 0.1)
        stage.play { $0.move([1: (160, 174)], in: 200) }
        #expect(abs(try stage.last.zoom - 0.4 * 2.0.squareRoot()) < 0.001)
        stage.play {
            $0.rest(60)
            $0.lift(1)
            $0.rest(400)
        }
        #expect(abs(try stage.last.zoom - 0.4 * 2.0.squareRoot()) < 0.001)
        #expect(try !stage.last.showsChrome)
        try stage.expectGoodEnd()
    }

    @Test func aTapShowsAndHidesTheChrome() throws {
        let stage = try Self.fitted()
        let start = stage.compositor.now
        let frames = stage.play { $0.tap(320, 250) }
        // The tap waits until it can no longer become a double tap.
        if stage.compositor.now.seconds(since: start) < 0.3 {
            #expect(!frames.contains { $0.showsChrome })
        }
        stage.until { $0.showsChrome }
        stage.play { $0.tap(320, 250) }
        stage.until { !$0.showsChrome }
        // Two taps far apart are no double tap.
        let apart = stage.play {
            $0.tap(100, 250)
            $0.rest(100)
            $0.tap(400, 250)
            $0.rest(400)
        }
        #expect(apart.allSatisfy { $0.zoom == 0.4 })
        #expect(try !stage.last.showsChrome)
        try stage.expectGoodEnd()
    }

    @Test func aCancelledTapDoesNothing() throws {
        let stage = try Self.fitted()
        stage.play {
            $0.touch([1: (320, 250)])
            $0.rest(50)
            $0.cancel()
            $0.rest(50)
            $0.tap(320, 250)
            $0.rest(50)
            $0.touch([1: (320, 250)])
            $0.rest(30)
            $0.cancel()
            $0.rest(450)
        }
        stage.untilSeen()
        #expect(try stage.last.rect == Self.fit)
        #expect(!stage.trace.contains { $0.showsChrome })
        try stage.expectGoodEnd()
    }
}
