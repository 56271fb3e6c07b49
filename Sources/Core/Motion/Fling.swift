import CMath

/// The motion of a released value: deceleration, with a spring at each edge of its range.
///
/// The motion is continuous and a closed-form function of time. It has up to three phases: a
/// *recoil*, the spring that pulls a value from outside into the range; a *coast* with exponential
/// deceleration; and a *bounce*, the critically damped spring at the edge that the coast reaches. A
/// recoil with enough inward speed turns into a coast when it crosses the edge.
package struct Fling: Hashable, Sendable {
    private let start: Moment
    private let recoil: Spring?
    private let coast: Coast
    /// Seconds from the start until the coast; infinite if there is none.
    private let coastDelay: Double
    private let bounce: Spring?
    /// Seconds from the start until the bounce; infinite if there is none.
    private let bounceDelay: Double

    /// The largest initial speed of an edge spring, in units per second in either direction.
    ///
    /// A faster bounce would leave the screen.
    package static let fastestBounce = 5000.0

    /// A recoil that crosses the edge more slowly than this, in units per second, ends at the edge.
    private static let slowestCrossing = 1.0

    /// Releases `value` with `velocity`, in units per second; it comes to rest inside `range`.
    ///
    /// `rate` is the deceleration rate k, per second. `bounceFrequency` is ω of the edge springs,
    /// in radians per second.
    package init(
        from value: Double, velocity: Double, at start: Moment, within range: ClosedRange<Double>,
        rate: Double = Deceleration.normal, bounceFrequency: Double = Spring.bounceFrequency
    ) {
        precondition(rate > 0, "the deceleration rate must be positive")
        let (value, velocity) = (value.clampedToFinite, velocity.clampedToFinite)
        let inside = min(max(value, range.lowerBound), range.upperBound)
        var entry = (delay: 0.0, velocity: velocity)
        if inside != value {
            let pull = Fling.limited(velocity)
            recoil = Spring(
                from: value, to: inside, velocity: pull, at: start, frequency: bounceFrequency)
            entry = Fling.crossing(value - inside, velocity: pull, frequency: bounceFrequency)
        } else {
            recoil = nil
        }
        self.start = start
        coast = Coast(origin: inside, velocity: entry.velocity, rate: rate)
        coastDelay = entry.delay
        guard entry.delay < .infinity, let edge = coast.edge(in: range) else {
            bounce = nil
            bounceDelay = .infinity
            return
        }
        bounceDelay = entry.delay + edge.delay
        bounce = Spring(
            from: edge.value, to: edge.value, velocity: Fling.limited(edge.velocity),
            at: start.advanced(byMilliseconds: bounceDelay * 1000), frequency: bounceFrequency)
    }

    package func value(at moment: Moment) -> Double {
        let time = moment.elapsed(since: start)
        if let bounce, time >= bounceDelay { return bounce.value(at: moment) }
        if let recoil, time < coastDelay { return recoil.value(at: moment) }
        return coast.value(after: time - coastDelay)
    }

    /// In units per second.
    package func velocity(at moment: Moment) -> Double {
        let time = moment.elapsed(since: start)
        if let bounce, time >= bounceDelay { return bounce.velocity(at: moment) }
        if let recoil, time < coastDelay { return recoil.velocity(at: moment) }
        return coast.velocity(after: time - coastDelay)
    }

    package func isAtRest(at moment: Moment, tolerance: Tolerance) -> Bool {
        let time = moment.elapsed(since: start)
        if let bounce {
            return time >= bounceDelay && bounce.isAtRest(at: moment, tolerance: tolerance)
        }
        if let recoil, time < coastDelay {
            return coastDelay == .infinity && recoil.isAtRest(at: moment, tolerance: tolerance)
        }
        let coasted = time - coastDelay
        return abs(coast.end - coast.value(after: coasted)) < tolerance.distance
            && abs(coast.velocity(after: coasted)) < tolerance.speed
    }

    /// Where the value comes to rest.
    package var restValue: Double {
        if let bounce { return bounce.target }
        if let recoil, coastDelay == .infinity { return recoil.target }
        return coast.end
    }

    private static func limited(_ velocity: Double) -> Double {
        min(max(velocity, -fastestBounce), fastestBounce)
    }

    /// The time, in seconds, and the velocity at which a critically damped spring crosses its
    /// target.
    ///
    /// Solves x₀ + (v₀ + ω·x₀)·t = 0. There is a solution only for a high velocity towards the
    /// target; otherwise the time is infinite.
    private static func crossing(
        _ displacement: Double, velocity: Double, frequency: Double
    ) -> (delay: Double, velocity: Double) {
        let drift = velocity + frequency * displacement
        guard drift * displacement < 0 else { return (.infinity, 0) }
        let delay = -displacement / drift
        let velocity = drift * exp(-frequency * delay)
        // A speed hardly above the spring's own would cross the edge long after the spring is at
        // rest.
        return abs(velocity) < slowestCrossing ? (.infinity, 0) : (delay, velocity)
    }
}

/// The coast of a fling, between the edges: x(t) = x₀ + v₀/k·(1 − exp(−k·t)).
private struct Coast: Hashable, Sendable {
    let origin: Double
    let velocity: Double
    let rate: Double

    var end: Double { origin + velocity / rate }

    func value(after time: Double) -> Double {
        origin - velocity / rate * expm1(-rate * time)
    }

    func velocity(after time: Double) -> Double {
        velocity * exp(-rate * time)
    }

    /// The edge of `range` that the coast reaches, with the time in seconds and the velocity there.
    ///
    /// Nil where the coast ends inside `range`. `origin` must lie inside `range`.
    func edge(in range: ClosedRange<Double>) -> (value: Double, delay: Double, velocity: Double)? {
        guard velocity != 0 else { return nil }
        let edge = velocity > 0 ? range.upperBound : range.lowerBound
        let remaining = 1 - rate * (edge - origin) / velocity
        guard remaining > 0 else { return nil }
        return (edge, max(0, -log(remaining) / rate), velocity * remaining)
    }
}
