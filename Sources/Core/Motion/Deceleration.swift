import CMath

/// Rates of exponential deceleration after a release: k in v(t) = v₀·exp(−k·t), per second.
///
/// Platform scroll views publish the factor ρ per millisecond instead; k = −1000·ln ρ.
package enum Deceleration {
    /// ρ = 0.998, a scroll view's normal deceleration: 1000 px/s travels 499.5 px.
    package static let normal = -1000 * log(0.998)
    /// ρ = 0.995, for decisions that should depend on the finger's position more than on its speed.
    package static let firm = -1000 * log(0.995)
    /// ρ = 0.99, a scroll view's fast deceleration; also used for reduced motion.
    package static let fast = -1000 * log(0.99)
    /// For zoom (ln scale) and rotation (radians): a speed of 1 per second travels 0.1.
    package static let zoom = 10.0

    /// The distance that a motion of `velocity` per second travels until it stops.
    package static func distance(at velocity: Double, rate: Double = normal) -> Double {
        velocity / rate
    }
}
