import CMath

/// How fast a motion that was let go loses its speed: the rate k of v(t) = v₀·exp(−k·t).
///
/// Scroll views publish the factor per millisecond instead, ρ, with k = −1000·ln ρ.
package enum Deceleration {
    /// ρ = 0.998: a scroll view's ordinary deceleration; 1000 px/s carries 499.5 px.
    package static let normal = -1000 * log(0.998)
    /// ρ = 0.995: for decisions that should follow the hand rather than the throw.
    package static let firm = -1000 * log(0.995)
    /// ρ = 0.99: a scroll view's fast deceleration; also where motion is to be reduced.
    package static let fast = -1000 * log(0.99)
    /// Of a zoom or a turn: a rate of 1 per second carries a tenth.
    package static let zoom = 10.0

    /// How far a motion of `velocity` still goes before it stands still.
    package static func distance(at velocity: Double, rate: Double = normal) -> Double {
        velocity / rate
    }
}
