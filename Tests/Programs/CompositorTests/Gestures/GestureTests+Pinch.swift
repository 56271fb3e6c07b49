import CompositorKit
import Geometry
import TestKit
import Testing
import WaylandProtocol
import WaylandServer

/// Two fingers and more on the screen.
extension LiveTests.GestureTests {
    @Test func thePointUnderTheMidpointStaysWhileFingersSpread() throws {
        let stage = try Self.fitted()
        let frames = stage.play {
            $0.touch([1: (210, 150), 2: (290, 150)])
            $0.move([1: (90, 150), 2: (410, 150)], in: 300)
        }
        let pinch = frames.filter { $0.gesture == "pinch" }
        #expect(pinch.count > 2)
        #expect(
            pinch.allSatisfy {
                $0.distance(of: Point(x: 625, y: 375), to: Point(x: 250, y: 150)) < 0.5
            })
        // The slop is 16 px of the spread from 80 to 320.
        let held = try stage.last
        #expect(abs(held.zoom - 0.4 * 320 / 96) < 0.002)
        stage.play {
            $0.rest(100)
            $0.lift(1, 2)
        }
        #expect(try stage.last.rect == held.rect)
        try stage.expectGoodEnd()
    }

    @Test func thePictureTravelsWithTheFingers() throws {
        let stage = try Self.fitted()
        stage.play {
            $0.touch([1: (270, 150), 2: (330, 150)])
            $0.move([1: (220, 150), 2: (380, 150)], in: 200)
        }
        // The fingers spread and travel, and then close and return.
        for (first, second) in [((320.0, 250.0), (560.0, 250.0)), ((250, 100), (330, 100))] {
            stage.play { $0.move([1: first, 2: second], in: 250) }
            let frame = try stage.last
            let midpoint = Point(x: (first.0 + second.0) / 2, y: first.1)
            #expect(frame.distance(of: Point(x: 750, y: 375), to: midpoint) < 0.5)
            #expect(abs(frame.zoom - 0.4 * (second.0 - first.0) / 76) < 0.002)
        }
        stage.play {
            $0.rest(100)
            $0.lift(1, 2)
        }
        #expect(try stage.last.phase == "idle")
        try stage.expectGoodEnd()
    }

    @Test func aQuickSpreadCarriesOn() throws {
        let stage = try Self.fitted()
        stage.play {
            $0.touch([1: (280, 200), 2: (360, 200)])
            $0.move([1: (200, 200), 2: (440, 200)], in: 200)
            $0.lift(1, 2)
        }
        // ×2.5 while the fingers are down, and for 0.1 s more at 3.33 per second.
        let zoom = try stage.last.zoom
        #expect(abs(zoom - 1.395) < 0.07, "\(zoom)")
        try stage.expectGoodEnd()
    }

    @Test func pastTheLargestZoomThePictureResistsAndSpringsBack() throws {
        let stage = try Self.enlarged()
        stage.play {
            $0.touch([1: (180, 120), 2: (220, 120)])
            $0.move([1: (10, 120), 2: (390, 120)], in: 300)
        }
        // The fingers ask for 6.79; half a doubling past the limit, a third of it remains.
        let held = try stage.last
        #expect(held.zoom > 4.8 && held.zoom < 5, "\(held.zoom)")
        let frames = stage.play {
            $0.rest(100)
            $0.lift(1, 2)
        }
        #expect(frames.contains { $0.phase == "animating" })
        let rest = try stage.last
        #expect(rest.zoom == 4)
        #expect(rest.distance(of: Point(x: 680, y: 420), to: Point(x: 200, y: 120)) < 0.5)
        try stage.expectGoodEnd()
    }

    /// Rotation starts after 15°, which do not count, and settles on a quarter turn at fit.
    @Test(arguments: [(100.0, 85.0, 90.0), (40, 25, 0), (-70, 305, 270), (12, 0, 0)])
    func aTwistRotatesByQuarterTurns(_ turn: Double, _ held: Double, _ end: Double) throws {
        let stage = try Self.fitted()
        stage.play {
            $0.touch([1: (270, 200), 2: (370, 200)])
            $0.turn(degrees: turn, in: 400)
        }
        #expect(abs(try stage.last.rotation - held) < 0.5)
        stage.play {
            $0.rest(100)
            $0.lift(1, 2)
        }
        let rest = try stage.last
        #expect(rest.rotation == end)
        let isLying = end == 90 || end == 270
        #expect(rest.zoom == (isLying ? 0.25 : 0.4))
        let center = try #require(rest.rect).center
        #expect((center - Point(x: 320, y: 200)).length < 0.1)
        try stage.expectGoodEnd()
    }

    @Test func fingersThatJoinAndLeaveMoveNothing() throws {
        let stage = try Self.enlarged()
        stage.play {
            $0.touch([1: (300, 200)])
            $0.move([1: (250, 180)], in: 150)
        }
        let rect = try #require(try stage.last.rect)
        stage.play { $0.touch([2: (400, 300)]) }
        #expect(try stage.last.distance(to: rect) < 0.01)
        stage.play { $0.touch([3: (100, 350)]) }
        #expect(try stage.last.distance(to: rect) < 0.01)
        stage.play {
            $0.lift(1, 3)
            $0.rest(150)
        }
        #expect(try stage.last.distance(to: rect) < 0.01)
        // The remaining finger pans, if it does not lift soon after.
        stage.play { $0.move([2: (396, 295)], in: 50) }
        #expect(try stage.last.distance(to: rect.moved(-4, -5)) < 0.01)
        stage.play {
            $0.rest(100)
            $0.lift(2)
        }
        #expect(try stage.last.distance(to: rect.moved(-4, -5)) < 0.01)
        try stage.expectGoodEnd()
    }

    /// Real fingers lift one after another: the zoom carries on as if both lifted at once.
    @Test(arguments: [20.0, 80]) func fingersThatLiftApartCarryTheZoomOn(gap: Double) throws {
        func zoom(_ gap: Double) throws -> Double {
            let stage = try Self.fitted()
            stage.play {
                $0.touch([1: (280, 200), 2: (360, 200)])
                $0.move([1: (220, 200), 2: (420, 200)], in: 120)
                if gap == 0 {
                    $0.lift(1, 2)
                } else {
                    $0.lift(2)
                    $0.rest(gap - Hand.interval)
                    $0.lift(1)
                }
            }
            let zoom = try stage.last.zoom
            try stage.expectGoodEnd()
            return zoom
        }
        let together = try zoom(0)
        // Held, it would be 0.4 · 200 / 96.
        #expect(together > 1)
        #expect(abs(try zoom(gap) / together - 1) < 0.02)
    }

    /// The touchscreen disappears between two lifts: the picture comes to rest.
    @Test func aTouchscreenLostBetweenTwoLiftsEndsThePinch() throws {
        let stage = try Self.fitted()
        let seat = try #require(stage.compositor.seats.first)
        stage.play {
            $0.touch([1: (280, 200), 2: (360, 200)])
            $0.move([1: (220, 200), 2: (420, 200)], in: 120)
            $0.lift(2)
        }
        seat.capabilities = [.pointer, .keyboard]
        stage.compositor.run(seconds: 0.3)
        seat.capabilities = [.touch, .pointer, .keyboard]
        #expect(stage.compositor.run { seat.touches.contains { $0.isAlive } })
        stage.untilSeen()
        #expect(try stage.last.phase == "idle")
        #expect(try stage.last.zoom >= 0.4 && stage.last.zoom <= 4)
        try stage.expectGoodEnd()
    }

    // MARK: Dismissal

    @Test func fingersThatCloseFarBelowFitDismiss() throws {
        let stage = try Self.fitted()
        stage.play {
            $0.touch([1: (120, 200), 2: (520, 200)])
            $0.move([1: (240, 200), 2: (400, 200)], in: 300)
            $0.lift(1, 2)
        }
        #expect(stage.untilEnded() == 0)
        #expect(stage.dismissals == 1)
        #expect(stage.compositor.violations == [])
    }

    @Test func fingersThatCloseALittleDoNot() throws {
        let stage = try Self.fitted()
        stage.play {
            $0.touch([1: (120, 200), 2: (520, 200)])
            $0.move([1: (150, 200), 2: (490, 200)], in: 300)
        }
        // 340 of 384: below fit nothing resists, and the backdrop fades.
        let held = try stage.last
        #expect(abs(held.zoom - 0.4 * 340 / 384) < 0.002)
        #expect(abs(held.dim - (1 - 1.2 * (1 - 340.0 / 384))) < 0.01)
        stage.play {
            $0.rest(100)
            $0.lift(1, 2)
        }
        #expect(try stage.last.rect == Self.fit)
        #expect(try stage.last.dim == 1)
        try stage.expectGoodEnd()
    }

    @Test func aPinchThatBeganEnlargedDismissesNothing() throws {
        let stage = try Self.enlarged()
        stage.play {
            $0.touch([1: (40, 200), 2: (600, 200)])
            $0.move([1: (290, 200), 2: (350, 200)], in: 300)
        }
        // The fingers ask for 0.11; it resists and never gets below half of fit.
        #expect(try stage.last.zoom > 0.2)
        stage.play { $0.lift(1, 2) }
        #expect(try stage.last.rect == Self.fit)
        #expect(stage.dismissals == 0)
        try stage.expectGoodEnd()
    }

    // MARK: Interrupted

    /// With a lift instead, one pinch would dismiss and the other would zoom on.
    @Test(arguments: [80.0, 640])
    func aCancelledPinchComesToRest(_ end: Double) throws {
        let stage = try Self.fitted()
        stage.play {
            $0.touch([1: (160, 200), 2: (480, 200)])
            $0.move([1: (320 - end / 2, 200), 2: (320 + end / 2, 200)], in: 200)
            $0.cancel()
        }
        let zoom = end < 320 ? 0.4 : 0.4 * 640 / 336
        #expect(abs(try stage.last.zoom - zoom) < 0.002)
        #expect(try stage.last.dim == 1)
        #expect(stage.dismissals == 0)
        try stage.expectGoodEnd()
    }

    @Test(arguments: ["capability", "seat"])
    func aTouchscreenThatIsPulledOutEndsThePinch(_ what: String) throws {
        let stage = try Self.fitted()
        let seat = try #require(stage.compositor.seats.first)
        stage.play {
            $0.touch([1: (120, 200), 2: (520, 200)])
            $0.move([1: (240, 200), 2: (400, 200)], in: 300)
        }
        #expect(try stage.last.gesture == "pinch")
        if what == "seat" { seat.remove() } else { seat.capabilities = [.pointer] }
        stage.until { $0.phase == "idle" && $0.rect == Self.fit }
        #expect(stage.dismissals == 0)
        // A new touchscreen works again.
        let count = stage.compositor.seats.flatMap(\.touches).count
        let back = what == "seat" ? try stage.compositor.addSeat() : seat
        back.capabilities = [.pointer, .touch]
        #expect(stage.compositor.run { stage.compositor.seats.flatMap(\.touches).count > count })
        stage.play(by: back) {
            // A new hand, since the fingers of the first one were never lifted.
            $0 = Hand()
            $0.touch([1: (280, 200), 2: (360, 200)])
            $0.move([1: (200, 200), 2: (440, 200)], in: 200)
            $0.rest(100)
            $0.lift(1, 2)
        }
        #expect(abs(try stage.last.zoom - 1) < 0.005)
        try stage.expectGoodEnd()
    }

    @Test func touchEventsWithoutFramesWork() throws {
        let stage = try Self.fitted()
        stage.play {
            $0.completesReports = false
            $0.touch([1: (280, 200), 2: (360, 200)])
            $0.move([1: (200, 200), 2: (440, 200)], in: 200)
            $0.rest(100)
            $0.lift(1, 2)
        }
        #expect(abs(try stage.last.zoom - 1) < 0.005)
        #expect(try stage.last.phase == "idle")
        try stage.expectGoodEnd()
    }
}
