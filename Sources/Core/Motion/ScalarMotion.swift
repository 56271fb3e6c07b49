/// A number that changes over time: at rest, on a spring or in a fling.
package enum ScalarMotion: Hashable, Sendable {
    case still(Double)
    case spring(Spring)
    case fling(Fling)

    package func value(at moment: Moment) -> Double {
        switch self {
        case .still(let value): value
        case .spring(let spring): spring.value(at: moment)
        case .fling(let fling): fling.value(at: moment)
        }
    }

    /// In units per second.
    package func velocity(at moment: Moment) -> Double {
        switch self {
        case .still: 0
        case .spring(let spring): spring.velocity(at: moment)
        case .fling(let fling): fling.velocity(at: moment)
        }
    }

    package func isAtRest(at moment: Moment, tolerance: Tolerance) -> Bool {
        switch self {
        case .still: true
        case .spring(let spring): spring.isAtRest(at: moment, tolerance: tolerance)
        case .fling(let fling): fling.isAtRest(at: moment, tolerance: tolerance)
        }
    }

    /// Goes on to another value with the present velocity, on a spring; at once with `isStill`.
    package mutating func move(to target: Double, at moment: Moment, isStill: Bool) {
        guard !isStill else {
            self = .still(target)
            return
        }
        self = .spring(
            Spring(
                from: value(at: moment), to: target, velocity: velocity(at: moment), at: moment,
                frequency: Spring.zoomFrequency))
    }

    /// The exact value at the end of the motion; to be set once the motion is at rest.
    package var restValue: Double {
        switch self {
        case .still(let value): value
        case .spring(let spring): spring.target
        case .fling(let fling): fling.restValue
        }
    }
}
