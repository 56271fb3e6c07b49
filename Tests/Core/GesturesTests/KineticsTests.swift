import Geometry
import Gestures
import Glibc
import Input
import Motion
import Testing

/// Script lines of fingers that follow the given paths, sampled at 125 Hz.
private func moves(
    _ times: ClosedRange<Int>, _ fingers: [(id: Int, at: (_ time: Double) -> Point)]
) -> String {
    var script = ""
    for time in stride(from: times.lowerBound, through: times.upperBound, by: 8) {
        for finger in fingers {
            let point = finger.at(Double(time))
            script += "\(time) touch move \(finger.id) \(point.x) \(point.y)\n"
        }
        script += "\(time) touch frame\n"
    }
    return script
}

private let pair = "0 touch down 0 100 100\n0 touch down 1 300 100\n0 touch frame\n"

@Suite struct KineticsTests {
    @Test func aDragIsReleasedWithItsVelocity() throws {
        let gestures = try play(
            "0 touch down 0 100 100\n0 touch frame\n"
                + moves(8...56, [(0, { Point(x: 100 + $0, y: 100 - 2 * $0) })])
                + "60 touch up 0\n60 touch frame")
        let release = try #require(gestures.releases.first)
        #expect(abs(release.velocity.dx - 1000) < 1e-6)
        #expect(abs(release.velocity.dy + 2000) < 1e-6)
        #expect(release.zoomRate == 0 && release.rotationRate == 0)
    }

    /// A resting finger is reported at the same place with jitter of one pixel.
    @Test func aRestingFingerHasNoReleaseVelocity() throws {
        let jitter: [(Int, Double)] = [
            (484, 191), (489, 191), (491, 190), (496, 191), (500, 191), (508, 191), (516, 191),
            (525, 191), (537, 190), (541, 191), (549, 191), (557, 191), (566, 191), (575, 191),
        ]
        let script =
            "0 touch down 0 300 100\n0 touch frame\n"
            + moves(8...480, [(0, { Point(x: 300 - $0 / 480 * 109, y: 100) })])
            + jitter.map { "\($0.0) touch move 0 \($0.1) 100\n\($0.0) touch frame\n" }.joined()
        let release = try #require(
            try play(script + "576 touch up 0\n576 touch frame").releases.first)
        #expect(release.velocity == .zero)
    }

    @Test func aSlowReleaseHasNoVelocity() throws {
        let gestures = try play(
            "0 touch down 0 100 100\n0 touch frame\n"
                + moves(8...400, [(0, { Point(x: 100 + 0.04 * $0, y: 100) })])
                + "400 touch up 0\n400 touch frame")
        #expect(gestures.releases.map(\.velocity) == [.zero])
    }

    private static func pinch(lift: String) throws -> Release {
        let script =
            pair
            + moves(
                8...80,
                [
                    (0, { Point(x: 200 - 100 * exp(0.004 * $0), y: 100) }),
                    (1, { Point(x: 200 + 100 * exp(0.004 * $0), y: 100) }),
                ]) + lift
        return try #require(try play(script).releases.last)
    }

    @Test func aPinchLiftedInOneFrameKeepsItsZoomRate() throws {
        let release = try Self.pinch(lift: "84 touch up 0\n84 touch up 1\n84 touch frame")
        #expect(abs(release.zoomRate - 4) < 1e-6)
        #expect(release.velocity == .zero)
    }

    /// The final placement after a rotating and moving pinch that ends with the lines `lifts`.
    private static func finalPlacement(ofLifts lifts: String) throws -> Placement {
        let spread = moves(
            8...80,
            [
                (
                    0,
                    { time in
                        let arm = Vector(dx: -100 * exp(0.003 * time), dy: 0)
                        return Point(x: 300 + time, y: 300) + arm.rotated(by: 0.006 * time)
                    }
                ),
                (
                    1,
                    { time in
                        let arm = Vector(dx: 100 * exp(0.003 * time), dy: 0)
                        return Point(x: 300 + time, y: 300) + arm.rotated(by: 0.006 * time)
                    }
                ),
            ])
        let down = "0 touch down 0 200 300\n0 touch down 1 400 300\n0 touch frame\n"
        let gestures = try play(down + spread + lifts)
        var placement = Placement(scale: 1, origin: .zero)
        for timed in gestures { placement.apply(timed.gesture) }
        let release = try #require(gestures.releases.last)
        #expect(gestures.releases.count == 1)
        // The rates continue for 0.1 s.
        placement.scale *= exp(release.zoomRate / 10)
        placement.rotation += release.rotationRate / 10
        return placement
    }

    /// Fingers that lift up to 90 ms apart, in any order, give one release and the same placement.
    @Test(arguments: [0.0, 1, 8, 17, 40, 60, 90], [true, false])
    func fingersThatLiftApartGiveOneRelease(gap: Double, isFirstFirst: Bool) throws {
        let (first, second) = isFirstFirst ? (0, 1) : (1, 0)
        let together = try Self.finalPlacement(
            ofLifts: "84 touch up 0\n84 touch up 1\n84 touch frame")
        let apart = try Self.finalPlacement(
            ofLifts: "84 touch up \(first)\n84 touch frame\n\(84 + gap) touch up \(second)\n"
                + "\(84 + gap) touch frame")
        #expect(together.scale > 1.5 && together.rotation > 0.5)
        #expect(abs(apart.scale / together.scale - 1) < 1e-9)
        #expect(abs(apart.rotation - together.rotation) < 1e-9)
    }

    /// The remaining finger keeps moving: it changes the translation, not the zoom or rotation.
    @Test func aRemainingFingerDragsAndKeepsTheZoom() throws {
        let lone = try Self.finalPlacement(
            ofLifts: "84 touch up 0\n84 touch frame\n"
                + moves(88...140, [(1, { Point(x: 500 + 2 * $0, y: 300) })])
                + "144 touch up 1\n144 touch frame")
        let together = try Self.finalPlacement(
            ofLifts: "84 touch up 0\n84 touch up 1\n84 touch frame")
        #expect(abs(lone.scale / together.scale - 1) < 1e-9)
        #expect(abs(lone.rotation - together.rotation) < 1e-9)
    }

    /// The prediction continues the zoom between two lifts.
    @Test func thePinchContinuesBetweenTheLifts() throws {
        let script = try GestureScript(
            parsing: pair
                + moves(
                    8...80,
                    [
                        (0, { Point(x: 200 - 100 * exp(0.004 * $0), y: 100) }),
                        (1, { Point(x: 200 + 100 * exp(0.004 * $0), y: 100) }),
                    ]) + "84 touch up 0\n84 touch frame")
        var arena = GestureArena()
        var gestures: [TimedGesture] = []
        for entry in script.entries {
            arena.handle(entry.event, at: entry.moment, context: .init(), into: &gestures)
        }
        var last = 1.0
        for time in stride(from: 88.0, through: 180, by: 8) {
            gestures = []
            let moment = Moment(milliseconds: time)
            #expect(arena.isAnimating(after: moment))
            arena.expire(to: moment, inclusive: true, into: &gestures)
            arena.sample(at: moment, into: &gestures)
            guard case .manipulationPredicted(let predicted) = gestures.last?.gesture else {
                Issue.record("no prediction at \(time) ms")
                return
            }
            #expect(predicted.scale > last * 1.001)
            last = predicted.scale
        }
        gestures = []
        arena.expire(to: Moment(milliseconds: 184), inclusive: true, into: &gestures)
        // From now on the remaining finger pans.
        guard case .manipulationRebased(let held, _) = gestures.last?.gesture else {
            Issue.record("\(gestures)")
            return
        }
        #expect(held.fingers == 1)
        #expect(arena.deadline == nil)
    }

    /// Three fingers that lift one after another are released with the rates before the first lift.
    @Test func threeFingersThatLiftOneByOneGiveOneRelease() throws {
        func ending(_ lifts: String) throws -> Double {
            let down =
                "0 touch down 0 100 100\n0 touch down 1 300 100\n0 touch down 2 200 300\n0 touch frame\n"
            let gestures = try play(
                down
                    + moves(
                        8...80,
                        [
                            (0, { Point(x: 100 - $0, y: 100 - $0) }),
                            (1, { Point(x: 300 + $0, y: 100 - $0) }),
                            (2, { Point(x: 200, y: 300 + $0) }),
                        ]) + lifts)
            var placement = Placement(scale: 1, origin: .zero)
            for timed in gestures { placement.apply(timed.gesture) }
            return placement.scale * exp((gestures.releases.last?.zoomRate ?? 0) / 10)
        }
        let together = try ending("84 touch up 0\n84 touch up 1\n84 touch up 2\n84 touch frame")
        let apart = try ending(
            "84 touch up 0\n84 touch frame\n100 touch up 1\n100 touch frame\n"
                + "130 touch up 2\n130 touch frame")
        #expect(together > 1.5)
        #expect(abs(apart / together - 1) < 0.05)
    }

    @Test func aPauseForgetsTheZoom() throws {
        let release = try Self.pinch(lift: "130 touch up 0\n130 touch up 1\n130 touch frame")
        #expect(release.zoomRate == 0)
    }

    @Test func aRemainingDragForgetsTheZoomAndKeepsItsVelocity() throws {
        let drag = moves(88...200, [(1, { Point(x: 338 + 0.5 * ($0 - 80), y: 100) })])
        let release = try Self.pinch(
            lift: "84 touch up 0\n84 touch frame\n" + drag + "204 touch up 1\n204 touch frame")
        #expect(release.zoomRate == 0)
        #expect(abs(release.velocity.dx - 500) < 50)
    }

    @Test func twoParallelFingersHaveAReleaseVelocity() throws {
        let gestures = try play(
            pair
                + moves(
                    8...80,
                    [
                        (0, { Point(x: 100, y: 100 + 1.5 * $0) }),
                        (1, { Point(x: 300, y: 100 + 1.5 * $0) }),
                    ]) + "84 touch up 1\n84 touch up 0\n84 touch frame")
        let release = try #require(gestures.releases.last)
        #expect(abs(release.velocity.dy - 1500) < 1e-6)
        #expect(release.centroid == Point(x: 200, y: 220))
    }

    /// The centroid moves at 400 px/s, but only because one finger moves faster than the other.
    @Test func fingersThatSpreadHaveNoReleaseVelocity() throws {
        let gestures = try play(
            pair
                + moves(
                    8...80,
                    [
                        (0, { Point(x: 100 - 0.2 * $0, y: 100) }),
                        (1, { Point(x: 300 + $0, y: 100) }),
                    ]) + "84 touch up 1\n84 touch up 0\n84 touch frame")
        let release = try #require(gestures.releases.last)
        #expect(release.velocity == .zero)
        #expect(release.zoomRate > 3)
    }

    @Test func aTwistHasARotationRate() throws {
        let gestures = try play(
            pair
                + moves(
                    8...160,
                    [
                        (
                            0,
                            {
                                Point(
                                    x: 200 - 100 * cos(0.005 * $0), y: 100 - 100 * sin(0.005 * $0))
                            }
                        ),
                        (
                            1,
                            {
                                Point(
                                    x: 200 + 100 * cos(0.005 * $0), y: 100 + 100 * sin(0.005 * $0))
                            }
                        ),
                    ]) + "164 touch up 0\n164 touch up 1\n164 touch frame")
        let release = try #require(gestures.releases.last)
        #expect(abs(release.rotationRate - 5) < 1e-6)
        #expect(release.velocity == .zero)
    }
}
