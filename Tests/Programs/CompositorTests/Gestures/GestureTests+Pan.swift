import CompositorKit
import Geometry
import Glibc
import TestKit
import Testing
import WaylandProtocol

/// One finger on a zoomed picture.
extension LiveTests.GestureTests {
    /// The decay rate of the speed of a throw, per second.
    private static let deceleration = -1000 * log(0.998)

    @Test func aDragThatStopsStaysWhereItIs() throws {
        let stage = try Self.enlarged()
        stage.play {
            $0.touch([1: (320, 200)])
            $0.move([1: (220, 150)], in: 200)
        }
        // 10 px of the drag are the slop.
        let delta = hypot(100.0, 50)
        let rect = Self.full.moved(-100 * (delta - 10) / delta, -50 * (delta - 10) / delta)
        #expect(try stage.last.distance(to: rect) < 0.1)
        stage.play {
            $0.rest(100)
            $0.lift(1)
        }
        #expect(try stage.last.distance(to: rect) < 0.1)
        #expect(try stage.last.phase == "idle")
        try stage.expectGoodEnd()
    }

    /// A turn of the output gives a finger that rests other coordinates.
    @Test func aTurnOfTheOutputMovesNoPicture() throws {
        let stage = try Self.enlarged()
        stage.play {
            $0.touch([1: (320, 200)])
            $0.move([1: (220, 150)], in: 200)
            $0.rest(100)
        }
        let before = try #require(try stage.last.rect)
        stage.compositor.outputs[0].change(transform: ._180)
        stage.play {
            $0.move([1: (420, 250)], in: 8)
            $0.rest(100)
        }
        #expect(try stage.last.distance(to: before) < 0.1)
        stage.play {
            $0.move([1: (440, 220)], in: 100)
            $0.rest(100)
            $0.lift(1)
        }
        #expect(try stage.last.distance(to: before.moved(20, -30)) < 0.1)
        try stage.expectGoodEnd()
    }

    /// The same motion at every refresh rate.
    @Test(arguments: [30.0, 144])
    func aThrowLosesItsSpeedEvenly(_ hertz: Double) throws {
        var setup = Setup()
        setup.frames = .paced(hertz: hertz)
        let stage = try Self.enlarged(setup: setup)
        let frames = stage.play {
            $0.touch([1: (320, 200)])
            $0.move([1: (320, 140)], in: 200)
            $0.lift(1)
        }
        // 300 px/s carry the picture on by 150 px.
        let end = try #require(try stage.last.rect).y
        #expect(abs(end - (-350 - 300 / Self.deceleration)) < 6, "\(end)")
        // At each frame the rest of the distance follows from the time alone.
        let flight = frames.filter { $0.phase == "animating" }
        let first = try #require(flight.first)
        let left = try #require(first.rect).y - end
        #expect(flight.count > 5)
        let farthest = flight.map { frame in
            let time = (frame.time - first.time) / 1000
            return abs((frame.rect?.y ?? 0) - end - left * exp(-Self.deceleration * time))
        }.max()
        #expect(farthest.map { $0 < 0.5 } == true)
        try stage.expectGoodEnd()
    }

    @Test func aThrowBouncesAtTheEdge() throws {
        let stage = try Self.enlarged()
        let frames = stage.play {
            $0.touch([1: (320, 200)])
            $0.move([1: (320, 100)], in: 100)
            $0.lift(1)
        }
        // It reaches the edge at 580 px/s, and overshoots by 15 px.
        let lowest = frames.compactMap { $0.rect?.y }.min() ?? 0
        #expect(lowest < -603 && lowest > -620, "\(lowest)")
        #expect(try stage.last.rect?.y == -600)
        try stage.expectGoodEnd()
    }

    @Test func pastTheEdgeThePictureResistsAndSpringsBack() throws {
        let stage = try Self.enlarged()
        stage.play {
            $0.touch([1: (320, 20)])
            $0.move([1: (320, 390)], in: 300)
        }
        // 60 px past the edge: x·c·d / (d + c·x).
        let y = 60 * 0.55 * 400 / (400 + 0.55 * 60)
        #expect(try stage.last.distance(to: Self.full.moved(0, 300 + y)) < 0.1)
        stage.play {
            $0.rest(100)
            $0.lift(1)
        }
        #expect(try stage.last.rect == Self.full.moved(0, 300))
        #expect(stage.dismissals == 0)
        try stage.expectGoodEnd()
    }

    @Test func aTouchCatchesAThrow() throws {
        let stage = try Self.enlarged()
        let frames = stage.play {
            $0.touch([1: (320, 200)])
            $0.move([1: (320, 140)], in: 200)
            $0.lift(1)
            $0.rest(150)
            $0.touch([1: (320, 100)])
            $0.rest(200)
        }
        // It stays where it was when the finger landed.
        let flown = 300 / Self.deceleration * (1 - exp(-0.15 * Self.deceleration))
        let caught = try #require(try stage.last.rect)
        #expect(abs(caught.y - (-350 - flown)) < 3, "\(caught.y)")
        let flight = frames.filter { $0.phase == "animating" }.compactMap { $0.rect?.y }
        // On a busy machine a late touch catches the picture after frames beyond that point.
        #expect(!flight.isEmpty && flight.allSatisfy { $0 < -349 })
        stage.play {
            $0.lift(1)
            $0.rest(400)
        }
        // The touch was no tap, and the throw goes on to where it would have ended.
        let delta = 300 / Self.deceleration
        #expect(abs(try #require(try stage.last.rect).y - (-350 - delta)) < 4)
        #expect(try !stage.last.showsChrome)
        // A caught picture is dragged without slop.
        stage.play {
            $0.touch([1: (320, 100)])
            $0.move([1: (320, 140)], in: 100)
            $0.lift(1)
            $0.rest(50)
            $0.touch([1: (320, 100)])
        }
        let again = try #require(try stage.last.rect)
        stage.play { $0.move([1: (323, 104)], in: 50) }
        #expect(try stage.last.distance(to: again.moved(3, 4)) < 0.01)
        try stage.expectGoodEnd()
    }

    @Test(arguments: [-100.0, 190])
    func aCancelledDragComesToRest(_ delta: Double) throws {
        let stage = try Self.enlarged()
        let start = 200 - delta / 2
        // The first ends inside the picture at speed, the second past the edge.
        if delta > 0 {
            stage.play {
                $0.touch([1: (320, 20)])
                $0.move([1: (320, 330)], in: 300)
                $0.rest(100)
                $0.lift(1)
            }
            #expect(try stage.last.rect == Self.full.moved(0, 300))
        }
        stage.play {
            $0.touch([1: (320, start)])
            $0.move([1: (320, start + delta)], in: 80)
            $0.cancel()
        }
        let rest = Self.full.moved(0, delta < 0 ? delta + 10 : 300)
        #expect(try stage.last.distance(to: rest) < 0.1)
        #expect(stage.dismissals == 0)
        // The next touch is a new gesture.
        stage.play {
            $0.touch([1: (320, 200)])
            $0.move([1: (320, 170)], in: 100)
            $0.rest(100)
            $0.lift(1)
        }
        #expect(try stage.last.distance(to: rest.moved(0, -20)) < 0.1)
        try stage.expectGoodEnd()
    }

    @Test func aTouchscreenThatIsLostEndsTheDrag() throws {
        let stage = try Self.enlarged()
        let seat = try #require(stage.compositor.seats.first)
        stage.play {
            $0.touch([1: (320, 20)])
            $0.move([1: (320, 390)], in: 200)
        }
        #expect(try stage.last.gesture == "pan")
        seat.capabilities = [.keyboard]
        stage.until { $0.phase == "idle" && $0.rect == Self.full.moved(0, 300) }
        #expect(stage.exitCode == nil)
        try stage.expectGoodEnd()
    }
}
