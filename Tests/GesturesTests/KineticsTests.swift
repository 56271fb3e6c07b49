import Geometry
import Gestures
import Glibc
import Motion
import Testing

/// Fingers that move evenly, at 125 Hz.
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
    @Test func aDragIsThrownWithItsSpeed() throws {
        let gestures = try play(
            "0 touch down 0 100 100\n0 touch frame\n"
                + moves(8...56, [(0, { Point(x: 100 + $0, y: 100 - 2 * $0) })])
                + "60 touch up 0\n60 touch frame")
        let release = try #require(gestures.releases.first)
        #expect(abs(release.velocity.dx - 1000) < 1e-6)
        #expect(abs(release.velocity.dy + 2000) < 1e-6)
        #expect(release.zoomRate == 0 && release.rotationRate == 0)
    }

    @Test func aSlowReleaseIsNoThrow() throws {
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

    @Test func aPinchLetGoAtOnceKeepsItsZoom() throws {
        let release = try Self.pinch(lift: "84 touch up 0\n84 touch up 1\n84 touch frame")
        #expect(abs(release.zoomRate - 4) < 1e-6)
        #expect(release.velocity == .zero)
    }

    @Test func fingersThatLiftApartThrowNothing() throws {
        let release = try Self.pinch(
            lift: "84 touch up 0\n84 touch frame\n92 touch move 1 345 100\n92 touch frame\n"
                + "110 touch up 1\n110 touch frame")
        #expect(release.velocity == .zero)
        #expect(abs(release.zoomRate - 4) < 1e-6)
    }

    @Test func aPauseForgetsTheZoom() throws {
        let release = try Self.pinch(lift: "130 touch up 0\n130 touch up 1\n130 touch frame")
        #expect(release.zoomRate == 0)
    }

    @Test func aLoneFingerForgetsTheZoomAndThrows() throws {
        let drag = moves(88...200, [(1, { Point(x: 338 + 0.5 * ($0 - 80), y: 100) })])
        let release = try Self.pinch(
            lift: "84 touch up 0\n84 touch frame\n" + drag + "204 touch up 1\n204 touch frame")
        #expect(release.zoomRate == 0)
        #expect(abs(release.velocity.dx - 500) < 50)
    }

    @Test func twoFingersThatGoTogetherThrow() throws {
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

    /// The midpoint has 400 px/s, but only because one finger leaves faster than the other.
    @Test func fingersThatPartThrowNothing() throws {
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

    @Test func aTwistKeepsTurning() throws {
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
