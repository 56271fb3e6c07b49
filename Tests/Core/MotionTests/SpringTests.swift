import Motion
import Testing

/// A spring with its expected value and velocity at one time.
struct SpringVector: Sendable, CustomTestStringConvertible {
    let id: String
    let spring: Spring
    let milliseconds: Double
    let value: Double
    let velocity: Double
    var testDescription: String { id }

    static let all: [SpringVector] = [
        SpringVector(
            id: "G1",
            spring: Spring(
                from: -50, to: 0, velocity: 300, at: .zero, frequency: Spring.bounceFrequency),
            milliseconds: 100, value: -22.0533, velocity: 212.9061),
        SpringVector(
            id: "G2",
            spring: Spring(
                from: 100, to: 0, velocity: -500, at: .zero, frequency: 20, dampingRatio: 0.8),
            milliseconds: 100, value: 24.5653, velocity: -538.3806),
        SpringVector(
            id: "G3",
            spring: Spring(
                from: 100, to: 0, at: .zero, frequency: Spring.bounceFrequency, dampingRatio: 1.1),
            milliseconds: 100, value: 60.8745, velocity: -452.2852),
        SpringVector(
            id: "G4", spring: Spring(from: 0, to: 100, at: .zero, frequency: 20),
            milliseconds: 80, value: 47.5069, velocity: 646.0689),
        SpringVector(
            id: "G5",
            spring: Spring(from: 0, to: 100, at: .zero, frequency: 20)
                .retargeted(to: -50, at: Moment(milliseconds: 80)),
            milliseconds: 180, value: -1.6680, velocity: -615.2809),
    ]
}

@Suite struct SpringTests {
    @Test(arguments: SpringVector.all)
    func followsTheClosedForm(_ vector: SpringVector) {
        let moment = Moment(milliseconds: vector.milliseconds)
        #expect(abs(vector.spring.value(at: moment) - vector.value) < 5e-5)
        #expect(abs(vector.spring.velocity(at: moment) - vector.velocity) < 5e-5)
    }

    @Test(arguments: [0.2, 0.999_999_9, 1, 1.000_000_1, 3])
    func velocityIsTheDerivativeOfTheValue(dampingRatio: Double) {
        let spring = Spring(
            from: 10, to: 4, velocity: 70, at: .zero, frequency: 15, dampingRatio: dampingRatio)
        let step = 1e-3
        for milliseconds in stride(from: 10.0, to: 800, by: 37) {
            let before = spring.value(at: Moment(milliseconds: milliseconds - step))
            let after = spring.value(at: Moment(milliseconds: milliseconds + step))
            let velocity = spring.velocity(at: Moment(milliseconds: milliseconds))
            #expect(abs((after - before) / (2 * step / 1000) - velocity) < 1e-3)
        }
    }

    @Test func nearlyCriticalMeetsCritical() {
        let moment = Moment(milliseconds: 120)
        let critical = Spring(from: 90, to: 0, velocity: -40, at: .zero, frequency: 20)
        for ratio in [1 - 1e-7, 1 + 1e-7, 1 - 1e-10, 1 + 1e-10] {
            let near = Spring(
                from: 90, to: 0, velocity: -40, at: .zero, frequency: 20, dampingRatio: ratio)
            #expect(abs(near.value(at: moment) - critical.value(at: moment)) < 1e-4)
        }
    }

    @Test(arguments: [0.3, 1, 2.5])
    func endsExactlyAtItsTarget(dampingRatio: Double) {
        let spring = Spring(
            from: 1e6, to: 0.1, velocity: -8000, at: .zero, frequency: 14,
            dampingRatio: dampingRatio)
        for milliseconds in [1e6, 1e12, 1e300, .infinity] {
            let moment = Moment(milliseconds: milliseconds)
            #expect(spring.value(at: moment) == 0.1)
            #expect(spring.velocity(at: moment) == 0)
            #expect(spring.isAtRest(at: moment, tolerance: .pixels))
        }
    }

    @Test func isAtItsStartBeforeTheStartTime() {
        let spring = Spring(
            from: 3, to: 9, velocity: 5, at: Moment(milliseconds: 500), frequency: 20)
        #expect(spring.value(at: .zero) == 3)
        #expect(spring.velocity(at: .zero) == 5)
        #expect(!spring.isAtRest(at: .zero, tolerance: .pixels))
    }

    @Test func retargetingKeepsValueAndVelocity() {
        let spring = Spring(from: 0, to: 1, velocity: 3, at: .zero, frequency: 12, dampingRatio: 2)
        let moment = Moment(milliseconds: 77)
        let other = spring.retargeted(to: 40, at: moment)
        #expect(abs(other.value(at: moment) - spring.value(at: moment)) < 1e-12)
        #expect(abs(other.velocity(at: moment) - spring.velocity(at: moment)) < 1e-12)
        #expect(other.dampingRatio == 2)
    }

    @Test func restNeedsBothNearnessAndSlowness() {
        let through = Spring(from: 0, to: 0, velocity: 6, at: .zero, frequency: 20)
        #expect(!through.isAtRest(at: .zero, tolerance: .pixels))
        let far = Spring(from: 0.6, to: 0, at: .zero, frequency: 20)
        #expect(!far.isAtRest(at: .zero, tolerance: .pixels))
        let near = Spring(from: 0.1, to: 0, at: .zero, frequency: 20)
        #expect(near.isAtRest(at: .zero, tolerance: .pixels))
    }

    /// A spring at rest stays at rest, so the result does not depend on when `isAtRest` is called.
    @Test(arguments: [0.4, 0.8, 1, 1.5])
    func aSpringAtRestStaysAtRest(dampingRatio: Double) {
        for (place, velocity) in [(0.49, 0.0), (0.3, 4.0), (-0.4, 4.9), (50, -900), (0.1, -3)] {
            let spring = Spring(
                from: place, to: 0, velocity: velocity, at: .zero, frequency: 30,
                dampingRatio: dampingRatio)
            let rests = (0..<1000).map { time in
                let moment = Moment(milliseconds: Double(time))
                return spring.isAtRest(at: moment, tolerance: .pixels)
            }
            #expect(rests == rests.sorted { !$0 && $1 })
            #expect(rests.last == true)
        }
    }

    @Test func settlesWithinAPercentInTheGivenTime() {
        let frequency = Spring.frequency(settlingIn: 0.3)
        let spring = Spring(from: 100, to: 0, at: .zero, frequency: frequency)
        #expect(abs(spring.value(at: Moment(milliseconds: 300)) - 1) < 0.01)
    }

    /// Vector A9: the limited velocity keeps the spring at or below its target.
    @Test func limitedVelocityDoesNotOvershoot() {
        let limited = Spring.velocityWithoutOvershoot(2500, distance: 20, frequency: 30)
        #expect(abs(limited - 600) < 5e-5)
        #expect(Spring.velocityWithoutOvershoot(-2500, distance: 20, frequency: 30) == -2500)
        #expect(Spring.velocityWithoutOvershoot(-2500, distance: -20, frequency: 30) == -600)
        let spring = Spring(from: 2640, to: 2660, velocity: limited, at: .zero, frequency: 30)
        for milliseconds in 0..<1000 {
            #expect(spring.value(at: Moment(milliseconds: Double(milliseconds))) <= 2660)
        }
    }
}
