import Geometry
import CMath
import Motion

/// With what speeds fingers let go.
///
/// The midpoint, the logarithm of the span and the turn are followed from each change of the set
/// of fingers on, the way inside the slop included.
struct Kinetics: Sendable {
    /// How fast fingers move what they hold.
    struct Speeds: Hashable, Sendable {
        /// Of the midpoint, in logical pixels per second.
        var velocity = Vector.zero
        /// d(ln span)/dt, per second.
        var zoomRate = 0.0
        /// Radians per second, clockwise.
        var rotationRate = 0.0
    }

    private var centroid = VelocityTracker()
    private var logSpan: ScalarVelocityTracker
    private var turn: ScalarVelocityTracker
    /// The speeds before the first finger of a pinch lifted, and when that was.
    private var departure: (speeds: Speeds, moment: Moment)?

    init(settings: GestureSettings) {
        logSpan = ScalarVelocityTracker(maximumSpeed: settings.maximumZoomRate)
        turn = ScalarVelocityTracker(maximumSpeed: settings.maximumRotationRate)
    }

    /// A finger has landed: the set of fingers is another one.
    mutating func restart(landing contacts: Contacts, at moment: Moment, settings: GestureSettings)
    {
        departure = nil
        restart(contacts, at: moment, settings: settings)
    }

    /// Fingers have lifted: the set of fingers is another one.
    mutating func restart(_ contacts: Contacts, at moment: Moment, settings: GestureSettings) {
        centroid.reset()
        logSpan.reset()
        turn.reset()
        add(contacts, turned: 0, at: moment, settings: settings)
    }

    /// Fingers have moved; `turned` is how far they have turned since the last restart.
    mutating func add(
        _ contacts: Contacts, turned: Double, at moment: Moment, settings: GestureSettings
    ) {
        centroid.add(contacts.centroid, at: moment)
        guard contacts.landedCount > 1 else { return }
        logSpan.add(log(max(contacts.span, settings.minimumSpan)), at: moment)
        turn.add(turned, at: moment)
    }

    /// The midpoint's velocity, in logical pixels per second.
    func velocity(at moment: Moment) -> Vector { centroid.velocity(at: moment) }

    /// Fingers of a pinch lift: its speeds before the first of them.
    ///
    /// Lifts that follow each other within `loneFingerDelay` are one.
    mutating func depart(
        _ contacts: Contacts, isTurning: Bool, at moment: Moment, settings: GestureSettings
    ) -> Speeds {
        if let departure,
            moment.seconds(since: departure.moment) * 1000 < settings.loneFingerDelay
        {
            return departure.speeds
        }
        var speeds = Speeds(
            velocity: centroid.velocity(at: moment), zoomRate: logSpan.velocity(at: moment),
            rotationRate: turn.velocity(at: moment))
        if fingersPart(speeds, span: contacts.span) { speeds.velocity = .zero }
        if !isTurning { speeds.rotationRate = 0 }
        departure = (speeds, moment)
        return speeds
    }

    /// Whether two fingers go opposite ways rather than together.
    ///
    /// Their velocities are v ± u, where v is the midpoint's and u is that of a finger about it:
    /// half the span times the rates of spreading and turning. The dot product is v² − u².
    private func fingersPart(_ speeds: Speeds, span: Double) -> Bool {
        span / 2 * hypot(speeds.zoomRate, speeds.rotationRate) > speeds.velocity.length
    }
}
