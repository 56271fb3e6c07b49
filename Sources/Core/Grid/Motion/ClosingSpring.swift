import Motion

/// A critically damped spring to zero that reaches zero exactly after a given duration T.
///
/// A critically damped spring with ω = 6.638/T is within 1 % of its target after T. The
/// displacement that remains at T is subtracted as remainder · (t/T)², so that the value ends at
/// zero without a jump.
struct ClosingSpring: Hashable, Sendable {
    private let spring: Spring
    private let start: Moment
    /// In seconds.
    private let duration: Double
    /// The value of `spring` at the end of `duration`.
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
        let progress = progress(at: moment)
        return spring.value(at: moment) - remainder * progress * progress
    }

    /// In units per second.
    func velocity(at moment: Moment) -> Double {
        guard !isOver(at: moment) else { return 0 }
        return spring.velocity(at: moment) - 2 * remainder * progress(at: moment) / duration
    }

    func isOver(at moment: Moment) -> Bool { moment.seconds(since: start) >= duration }

    private func progress(at moment: Moment) -> Double {
        max(moment.seconds(since: start), 0) / duration
    }
}
