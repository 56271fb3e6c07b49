import CMath

/// A damped spring that pulls a value to its target: a closed-form function of time.
///
/// The displacement x from the target obeys x″ + 2ζω·x′ + ω²·x = 0. The equation is solved exactly,
/// so the motion is the same at every refresh rate and is defined at every moment.
package struct Spring: Hashable, Sendable {
    package let target: Double
    package let start: Moment
    /// ω, in radians per second: a critically damped spring at rest is within 1 % of its target
    /// after 6.638 / ω seconds.
    package let frequency: Double
    /// ζ: 1 is critically damped, below 1 oscillates, above 1 is overdamped.
    package let dampingRatio: Double
    /// The displacement from the target at the start.
    private let displacement: Double
    /// The velocity at the start, in units per second.
    private let initialVelocity: Double

    /// The largest |ζ − 1| that counts as critical: so near to 1 the other solutions divide by
    /// almost zero.
    private static let criticalBand = 1e-9
    /// After this many decay times exp() underflows, and the value equals the target.
    private static let vanishing = 745.0

    package init(
        from value: Double, to target: Double, velocity: Double = 0, at start: Moment,
        frequency: Double, dampingRatio: Double = 1
    ) {
        precondition(frequency > 0 && dampingRatio > 0, "frequency and damping must be positive")
        self.target = target.clampedToFinite
        self.start = start
        self.frequency = frequency
        self.dampingRatio = dampingRatio
        displacement = value.clampedToFinite - target.clampedToFinite
        initialVelocity = velocity.clampedToFinite
    }

    package func value(at moment: Moment) -> Double {
        target + state(at: moment).displacement
    }

    /// In units per second.
    package func velocity(at moment: Moment) -> Double {
        state(at: moment).velocity
    }

    /// Whether the motion stays within `tolerance` of its target from `moment` on.
    package func isAtRest(at moment: Moment, tolerance: Tolerance) -> Bool {
        let (displacement, velocity) = state(at: moment)
        let stretch = frequency * displacement
        let drift = velocity + dampingRatio * stretch
        // (ωx)² + (v + ζωx)² never grows (for ζ < 2), and its root bounds |ωx| and |v|/√2 from then
        // on: a spring at rest stays at rest. Displacement or speed alone may be small in passing.
        let amplitude = (stretch * stretch + drift * drift).squareRoot()
        return amplitude < frequency * tolerance.distance
            && amplitude * 2.0.squareRoot() < tolerance.speed
    }

    /// The same spring with another target, continuing with value and velocity at `moment`.
    package func retargeted(to target: Double, at moment: Moment) -> Spring {
        Spring(
            from: value(at: moment), to: target, velocity: velocity(at: moment), at: moment,
            frequency: frequency, dampingRatio: dampingRatio)
    }

    private func state(at moment: Moment) -> (displacement: Double, velocity: Double) {
        let time = moment.elapsed(since: start)
        guard slowestDecay * time < Spring.vanishing else { return (0, 0) }
        if abs(dampingRatio - 1) < Spring.criticalBand { return criticallyDamped(time) }
        return dampingRatio < 1 ? underdamped(time) : overdamped(time)
    }

    /// The rate of the slowest exponential of the solution, per second.
    private var slowestDecay: Double {
        guard dampingRatio > 1 else { return dampingRatio * frequency }
        return frequency * (dampingRatio - (dampingRatio * dampingRatio - 1).squareRoot())
    }

    private func criticallyDamped(_ time: Double) -> (displacement: Double, velocity: Double) {
        let decay = exp(-frequency * time)
        let drift = initialVelocity + frequency * displacement
        let reached = displacement + drift * time
        return (reached * decay, (drift - frequency * reached) * decay)
    }

    private func underdamped(_ time: Double) -> (displacement: Double, velocity: Double) {
        let damping = dampingRatio * frequency
        let swing = frequency * (1 - dampingRatio * dampingRatio).squareRoot()
        let decay = exp(-damping * time)
        let (sine, cosine) = (sin(swing * time), cos(swing * time))
        let lead = (initialVelocity + damping * displacement) / swing
        return (
            decay * (displacement * cosine + lead * sine),
            decay
                * ((lead * swing - damping * displacement) * cosine
                    - (displacement * swing + damping * lead) * sine)
        )
    }

    private func overdamped(_ time: Double) -> (displacement: Double, velocity: Double) {
        let root = (dampingRatio * dampingRatio - 1).squareRoot()
        let (slow, fast) = (-frequency * (dampingRatio - root), -frequency * (dampingRatio + root))
        let fastShare = (initialVelocity - slow * displacement) / (fast - slow)
        let slowShare = displacement - fastShare
        let (slowTerm, fastTerm) = (slowShare * exp(slow * time), fastShare * exp(fast * time))
        return (slowTerm + fastTerm, slow * slowTerm + fast * fastTerm)
    }
}

extension Spring {
    /// ω of a bounce at an edge, √(k/m) of Flutter's scroll spring (k = 100, m = 0.5).
    package static let bounceFrequency = 200.0.squareRoot()
    /// ω of a page that snaps into place, as in PhotoSwipe.
    package static let pageFrequency = 30.0
    /// ω of a zoom and of a settling picture: 95 % of the distance in 0.24 s.
    package static let zoomFrequency = 20.0

    /// ω of the critically damped spring that, from rest, is within 1 % of its target after
    /// `duration` seconds.
    package static func frequency(settlingIn duration: Double) -> Double {
        6.638 / duration
    }

    /// `velocity`, limited so that a critically damped spring does not overshoot its target.
    ///
    /// `distance` is the target minus the value. `velocity` is in the unit of `distance` per
    /// second, `frequency` is ω in radians per second.
    package static func velocityWithoutOvershoot(
        _ velocity: Double, distance: Double, frequency: Double
    ) -> Double {
        guard velocity * distance > 0 else { return velocity }
        let limit = frequency * abs(distance)
        return min(max(velocity, -limit), limit)
    }
}
