import Motion

/// A spring to zero that has arrived when its duration is over.
///
/// A critically damped spring whose ω is 6.638/T is within 1 % of its target after T; what is left
/// of it then is taken off evenly along the way, so that it ends there without a jump.
struct ClosingSpring: Hashable, Sendable {
    private let spring: Spring
    private let start: Moment
    /// In seconds.
    private let duration: Double
    private let remainder: Double

    init(from value: Double, velocity: Double = 0, at start: Moment, duration: Double) {
        self.start = start
        self.duration = duration
        spring = Spring(
            from: value, to: 0, velocity: velocity, at: start,
            frequency: Spring.frequency(settlingIn: duration))
        remainder = spring.value(at: start.advanced(byMilliseconds: duration * 1000))
    }

    func value(at moment: Moment) -> Double {
        guard !isOver(at: moment) else { return 0 }
        let part = part(at: moment)
        return spring.value(at: moment) - remainder * part * part
    }

    /// In units per second.
    func velocity(at moment: Moment) -> Double {
        guard !isOver(at: moment) else { return 0 }
        return spring.velocity(at: moment) - 2 * remainder * part(at: moment) / duration
    }

    func isOver(at moment: Moment) -> Bool { moment.seconds(since: start) >= duration }

    private func part(at moment: Moment) -> Double {
        max(moment.seconds(since: start), 0) / duration
    }
}
