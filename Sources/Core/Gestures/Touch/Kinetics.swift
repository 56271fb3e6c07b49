import Geometry
import CMath
import Motion

/// Estimates the speeds of fingers at their release.
///
/// Centroid, ln(span) and rotation are tracked from each change of the set of fingers on, including
/// movement within the slop.
struct Kinetics: Sendable {
    /// Speeds of a manipulation.
    struct Speeds: Hashable, Sendable {
        /// The centroid's velocity, in logical pixels per second.
        var velocity = Vector.zero
        /// d(ln span)/dt, per second.
        var zoomRate = 0.0
        /// Radians per second, clockwise.
        var rotationRate = 0.0
    }

    private var centroid = VelocityTracker()
    private var logSpan: ScalarVelocityTracker
    private var rotation: ScalarVelocityTracker
    /// The speeds of a pinch before its first finger lifted, and the moment of that lift.
    private var departure: (speeds: Speeds, moment: Moment)?

    init(settings: GestureConstants) {
        logSpan = ScalarVelocityTracker(maximumSpeed: settings.maximumZoomRate)
        rotation = ScalarVelocityTracker(maximumSpeed: settings.maximumRotationRate)
    }

    /// Starts over after a finger has landed.
    mutating func restart(landing contacts: Contacts, at moment: Moment, settings: GestureConstants)
    {
        departure = nil
        restart(contacts, at: moment, settings: settings)
    }

    /// Starts over after fingers have lifted.
    mutating func restart(_ contacts: Contacts, at moment: Moment, settings: GestureConstants) {
        centroid.reset()
        logSpan.reset()
        rotation.reset()
        add(contacts, rotated: 0, at: moment, settings: settings)
    }

    /// Adds the fingers' positions; `rotated` is their rotation since the last restart, in radians.
    mutating func add(
        _ contacts: Contacts, rotated: Double, at moment: Moment, settings: GestureConstants
    ) {
        centroid.add(contacts.centroid, at: moment)
        guard contacts.landedCount > 1 else { return }
        logSpan.add(log(max(contacts.span, settings.minimumSpan)), at: moment)
        rotation.add(rotated, at: moment)
    }

    /// The centroid's velocity, in logical pixels per second.
    func velocity(at moment: Moment) -> Vector { centroid.velocity(at: moment) }

    /// The speeds of a pinch whose fingers lift, from before the first lift.
    ///
    /// Lifts that follow each other within `loneFingerDelay` count as one.
    mutating func depart(
        _ contacts: Contacts, isRotating: Bool, at moment: Moment, settings: GestureConstants
    ) -> Speeds {
        if let departure,
            moment.seconds(since: departure.moment) * 1000 < settings.loneFingerDelay
        {
            return departure.speeds
        }
        var speeds = Speeds(
            velocity: centroid.velocity(at: moment), zoomRate: logSpan.velocity(at: moment),
            rotationRate: rotation.velocity(at: moment))
        if areOpposed(speeds, span: contacts.span) { speeds.velocity = .zero }
        if !isRotating { speeds.rotationRate = 0 }
        departure = (speeds, moment)
        return speeds
    }

    /// Whether two fingers move in opposite directions.
    ///
    /// Their velocities are v ± u, where v is the centroid's velocity and u is a finger's velocity
    /// about the centroid: half the span times the rates of zoom and rotation. The dot product is
    /// v² − u².
    private func areOpposed(_ speeds: Speeds, span: Double) -> Bool {
        span / 2 * hypot(speeds.zoomRate, speeds.rotationRate) > speeds.velocity.length
    }
}
