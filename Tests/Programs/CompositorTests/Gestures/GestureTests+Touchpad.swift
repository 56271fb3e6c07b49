import CompositorKit
import Geometry
import Glibc
import Input
import TestKit
import Testing

/// Touchpad gestures and scrolling.
extension LiveTests.GestureTests {
    @Test func aTouchpadPinchZoomsAboutThePointer() throws {
        let stage = try Self.fitted()
        stage.play {
            $0.point(160, 100)
            $0.beginPinch()
            $0.pinch(to: 2, in: 250)
        }
        let pixel = Point(x: 400, y: 250)
        #expect(try stage.last.gesture == "pinch")
        #expect(abs(try stage.last.zoom - 0.8) < 0.002)
        #expect(try stage.last.distance(of: pixel, to: Point(x: 160, y: 100)) < 0.5)
        // The picture travels with the fingers.
        stage.play { $0.pinch(to: 3, by: Vector(dx: 60, dy: 40), in: 250) }
        #expect(abs(try stage.last.zoom - 1.2) < 0.002)
        #expect(try stage.last.distance(of: pixel, to: Point(x: 220, y: 140)) < 1)
        let held = try #require(try stage.last.rect)
        stage.play {
            $0.rest(100)
            $0.endPinch()
        }
        #expect(try stage.last.distance(to: held) < 0.01)
        try stage.expectGoodEnd()
    }

    @Test(arguments: [(100.0, 85.0, 90.0), (-40, 335, 0)])
    func aTouchpadPinchRotatesThePicture(_ turn: Double, _ held: Double, _ end: Double) throws {
        let stage = try Self.fitted()
        stage.play {
            $0.point(320, 200)
            $0.beginPinch()
            $0.pinch(to: 1, degrees: turn, in: 300)
        }
        #expect(abs(try stage.last.rotation - held) < 0.5)
        stage.play {
            $0.rest(100)
            $0.endPinch()
        }
        #expect(try stage.last.rotation == end)
        let center = try #require(try stage.last.rect).center
        #expect((center - Point(x: 320, y: 200)).length < 0.1)
        try stage.expectGoodEnd()
    }

    @Test(arguments: [0.4, 3])
    func aCancelledTouchpadPinchReturnsToItsBeginning(_ scale: Double) throws {
        let stage = try Self.enlarged()
        stage.play {
            $0.point(160, 100)
            $0.beginPinch()
            $0.pinch(to: scale, by: Vector(dx: 30, dy: 20), degrees: 60, in: 250)
        }
        #expect(abs(try stage.last.rotation - 45) < 0.5)
        stage.play { $0.endPinch(cancelled: true) }
        #expect(try stage.last.rect == Self.full)
        #expect(try stage.last.rotation == 0)
        try stage.expectGoodEnd()
    }

    @Test func aTouchpadPinchFarBelowFitDismisses() throws {
        let stage = try Self.fitted()
        stage.play {
            $0.point(320, 200)
            $0.beginPinch()
            $0.pinch(to: 0.5, in: 200)
            $0.endPinch()
        }
        #expect(stage.untilEnded() == 0)
        #expect(stage.dismissals == 1)
    }

    // MARK: Scrolling

    @Test func aScrollMovesThePictureAndFliesOn() throws {
        let stage = try Self.enlarged()
        stage.play {
            $0.point(320, 200)
            $0.scroll(Vector(dx: 0, dy: 60), in: 200)
        }
        // Scrolling has no slop: the driver has recognized it.
        #expect(try stage.last.distance(to: Self.full.moved(0, -60)) < 0.5)
        #expect(try stage.last.gesture == "scroll")
        stage.play { $0.scroll(Vector(dx: 20, dy: 60), in: 200) }
        #expect(try stage.last.distance(to: Self.full.moved(-20, -120)) < 0.5)
        let frames = stage.play {
            $0.scroll(Vector(dx: 0, dy: 60), in: 200)
            $0.stopScrolling()
            $0.stopScrolling(.horizontal)
        }
        let end = try #require(try stage.last.rect)
        #expect(abs(end.y - (-480 - 150)) < 33, "\(end.y)")
        #expect(end.y == -600)
        #expect(frames.contains { $0.phase == "animating" })
        try stage.expectGoodEnd()
    }

    @Test(arguments: [0.0, 100])
    func aScrollIsKineticOnlyIfItMovedToTheEnd(_ pause: Double) throws {
        let stage = try Self.enlarged()
        stage.play {
            $0.point(320, 200)
            $0.scroll(Vector(dx: 0, dy: 60), in: 200)
            $0.rest(pause)
            $0.stopScrolling()
        }
        let delta = pause == 0 ? 300 / (-1000 * log(0.998)) : 0
        let y = try #require(try stage.last.rect).y
        #expect(abs(y - (-360 - delta)) < 8, "\(y)")
        try stage.expectGoodEnd()
    }

    @Test func aTouchpadHoldStopsAThrow() throws {
        let stage = try Self.enlarged()
        stage.play {
            $0.point(320, 200)
            $0.scroll(Vector(dx: 0, dy: 60), in: 200)
            $0.stopScrolling()
            $0.rest(150)
            $0.beginHold()
            $0.rest(100)
        }
        let caught = try #require(try stage.last.rect)
        let flown = 150 * (1 - exp(-0.3))
        #expect(abs(caught.y - (-360 - flown)) < 5, "\(caught.y)")
        stage.play { $0.endHold() }
        #expect(try stage.last.distance(to: caught) < 0.01)
        #expect(try stage.last.phase == "idle")
        try stage.expectGoodEnd()
    }

    @Test func aScrollWithControlZoomsAboutThePointer() throws {
        let stage = try Self.fitted()
        stage.play {
            $0.point(160, 100)
            $0.withControl {
                $0.scroll(Vector(dx: 0, dy: -50), in: 150)
                $0.stopScrolling()
            }
        }
        #expect(abs(try stage.last.zoom - 0.4 * exp(0.25)) < 0.001)
        let pixel = Point(x: 400, y: 250)
        #expect(try stage.last.distance(of: pixel, to: Point(x: 160, y: 100)) < 0.5)
        try stage.expectGoodEnd()
    }
}
