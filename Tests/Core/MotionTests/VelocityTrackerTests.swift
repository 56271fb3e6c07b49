import Geometry
import Glibc
import Motion
import Testing

/// Samples of one coordinate and the expected release velocity.
struct VelocityVector: Sendable, CustomTestStringConvertible {
    let id: String
    let samples: [(time: Double, value: Double)]
    let up: Double
    let velocity: Double
    var testDescription: String { id }

    private static let linear = (0..<8).map { (time: Double(8 * $0), value: Double(8 * $0)) }

    private static let sparse = (0..<4).map { (time: Double(55 * $0), value: 189.75 * Double($0)) }

    static let all: [VelocityVector] = [
        VelocityVector(id: "V1", samples: linear, up: 60, velocity: 1000),
        VelocityVector(
            id: "V2",
            samples: [(0, 0), (8, 3), (16, 9), (25, 18), (33, 30), (41, 45), (50, 63)],
            up: 54, velocity: 2317.7596),
        VelocityVector(id: "V3", samples: linear, up: 120, velocity: 0),
        VelocityVector(
            id: "V4", samples: [(0, 0), (8, 10), (8, 12), (16, 22), (24, 33), (32, 44)],
            up: 36, velocity: 1326.7857),
        // V5 tests a 32-bit clock that wraps; `Moment` is already unwrapped.
        VelocityVector(
            id: "V5",
            samples: [
                (4_294_967_280, 0), (4_294_967_288, 8), (4_294_967_296, 16), (4_294_967_304, 24),
                (4_294_967_312, 32),
            ], up: 4_294_967_316, velocity: 1000),
        VelocityVector(
            id: "V6",
            samples: (0..<10).map { (time: Double(8 * $0), value: min(Double(8 * $0), 40)) },
            up: 76, velocity: 0),
        VelocityVector(
            id: "V7",
            samples: [(0, 0), (8, 20), (16, 40), (70, 42), (78, 50), (86, 58), (94, 66)],
            up: 98, velocity: 1000),
        VelocityVector(id: "V8", samples: [(0, 0), (10, 5)], up: 12, velocity: 500),
        VelocityVector(
            id: "W4", samples: [(0, 4), (8, 12), (16, 20), (24, 28), (32, 36)], up: 40,
            velocity: 1000),
        // A busy compositor: samples are sparse throughout. 82.5 ms are one and a half intervals.
        VelocityVector(id: "sparse", samples: sparse, up: 175, velocity: 3450),
        VelocityVector(id: "sparse, later up", samples: sparse, up: 247, velocity: 3450),
        VelocityVector(id: "sparse, stopped", samples: sparse, up: 248, velocity: 0),
        VelocityVector(
            id: "sparse at the end", samples: linear + [(111, 111), (166, 166)], up: 170,
            velocity: 0),
        VelocityVector(
            id: "one long interval", samples: [(0, 0), (55, 100)], up: 60, velocity: 0),
    ]
}

@Suite struct VelocityTrackerTests {
    @Test(arguments: VelocityVector.all)
    func fitsTheEndOfTheMotion(_ vector: VelocityVector) {
        var tracker = VelocityTracker()
        for (time, value) in vector.samples {
            tracker.add(Point(x: value, y: -value), at: Moment(milliseconds: time))
        }
        let velocity = tracker.velocity(at: Moment(milliseconds: vector.up))
        #expect(abs(velocity.dx - vector.velocity) < 5e-5)
        #expect(abs(velocity.dy + vector.velocity) < 5e-5)
    }

    @Test func oneSampleHasNoVelocity() {
        var tracker = VelocityTracker()
        #expect(tracker.velocity(at: .zero) == .zero)
        tracker.add(Point(x: 3, y: 4), at: .zero)
        #expect(tracker.velocity(at: .zero) == .zero)
    }

    @Test func resetForgets() {
        var tracker = VelocityTracker()
        for time in 0..<10 {
            tracker.add(Point(x: Double(time) * 9, y: 0), at: Moment(milliseconds: Double(time)))
        }
        tracker.reset()
        #expect(tracker.velocity(at: Moment(milliseconds: 10)) == .zero)
    }

    @Test func isLimitedInBothDirections() {
        var tracker = VelocityTracker()
        for time in 0..<6 {
            tracker.add(
                Point(x: Double(time) * 900, y: Double(time) * -900),
                at: Moment(milliseconds: Double(time)))
        }
        let velocity = tracker.velocity(at: Moment(milliseconds: 6))
        #expect(velocity == Vector(dx: 8000, dy: -8000))
    }

    @Test func aFullRingKeepsTheNewest() {
        var tracker = ScalarVelocityTracker(maximumSpeed: 1e6)
        for time in 0..<500 {
            tracker.add(Double(time * time) / 1000, at: Moment(milliseconds: Double(time)))
        }
        let velocity = tracker.velocity(at: Moment(milliseconds: 500))
        #expect(abs(velocity - 998) < 1e-6)
    }

    @Test func hostileSamplesLeaveAFiniteVelocity() {
        let wild = [0, 1e300, -1e300, 1e-300, .infinity, -.infinity, .nan, 5, 5 + 1e-12]
        for first in wild {
            for second in wild {
                var tracker = VelocityTracker()
                for (index, time) in [first, second, 6, 5.5, second, first].enumerated() {
                    tracker.add(
                        Point(x: wild[index], y: Double(index)), at: Moment(milliseconds: time))
                    let velocity = tracker.velocity(at: Moment(milliseconds: second))
                    #expect(velocity.dx.isFinite && velocity.dy.isFinite)
                }
            }
        }
    }
}
