import Geometry
import Glibc
import Motion

/// With what speed fingers let go.
///
/// The midpoint, the logarithm of the span and the turn are followed from each change of the set
/// of fingers on, the way inside the slop included.
struct Kinetics: Sendable {
    /// How fast a pinch was when its last but one finger left.
    private struct PinchEnd: Sendable {
        var moment: Moment
        var zoomRate: Double
        var rotationRate: Double
    }

    private var centroid = VelocityTracker()
    private var logSpan: ScalarVelocityTracker
    private var turn: ScalarVelocityTracker
    /// Where and when the present set of fingers came together.
    private var origin = Point.zero
    private var since = Moment.zero
    private var hasStrayed = false
    private var wasPinch = false
    private var pinchEnd: PinchEnd?

    init(settings: GestureSettings) {
        logSpan = ScalarVelocityTracker(maximumSpeed: settings.maximumZoomRate)
        turn = ScalarVelocityTracker(maximumSpeed: settings.maximumRotationRate)
    }

    /// The set of fingers has changed, or is new.
    mutating func restart(
        _ contacts: Contacts, isFirst: Bool = false, at moment: Moment, settings: GestureSettings
    ) {
        if isFirst { wasPinch = false }
        if contacts.landedCount > 1 { wasPinch = true }
        if contacts.landedCount != 1 || isFirst { pinchEnd = nil }
        centroid.reset()
        logSpan.reset()
        turn.reset()
        origin = contacts.centroid
        since = moment
        hasStrayed = false
        add(contacts, turned: 0, at: moment, settings: settings)
    }

    /// Fingers have moved; `turned` is how far they have turned since the last restart.
    mutating func add(
        _ contacts: Contacts, turned: Double, at moment: Moment, settings: GestureSettings
    ) {
        let center = contacts.centroid
        centroid.add(center, at: moment)
        if (center - origin).length > settings.slop { hasStrayed = true }
        guard contacts.landedCount > 1 else { return }
        logSpan.add(log(max(contacts.span, settings.minimumSpan)), at: moment)
        turn.add(turned, at: moment)
    }

    /// Some fingers of a pinch leave and others stay: keeps its speed for a moment.
    mutating func leavePinch(at moment: Moment) {
        pinchEnd = PinchEnd(
            moment: moment, zoomRate: logSpan.velocity(at: moment),
            rotationRate: turn.velocity(at: moment))
    }

    /// All fingers leave.
    ///
    /// `isTurning` tells whether the content was turning with them.
    mutating func release(
        _ contacts: Contacts, isTurning: Bool, at moment: Moment, settings: GestureSettings
    ) -> Release {
        var release = Release(centroid: contacts.centroid)
        var velocity = centroid.velocity(at: moment)
        if contacts.landedCount > 1 {
            leavePinch(at: moment)
            if fingersPart(velocity, span: contacts.span) { velocity = .zero }
        } else if wasPinch, !hasStrayed, age(of: since, at: moment) < settings.loneFingerDelay {
            velocity = .zero
        }
        release.velocity = settings.thrown(velocity)
        if let end = pinchEnd, age(of: end.moment, at: moment) < settings.loneFingerDelay {
            release.zoomRate = end.zoomRate
            release.rotationRate = isTurning ? end.rotationRate : 0
        }
        return release
    }

    /// Whether two fingers go opposite ways rather than together.
    ///
    /// Their velocities are v ± u, where v is the midpoint's and u is that of a finger about it:
    /// half the span times the rates of spreading and turning. The dot product is v² − u².
    private func fingersPart(_ velocity: Vector, span: Double) -> Bool {
        guard let end = pinchEnd else { return false }
        return span / 2 * hypot(end.zoomRate, end.rotationRate) > velocity.length
    }

    private func age(of past: Moment, at moment: Moment) -> Double {
        moment.milliseconds - past.milliseconds
    }
}
