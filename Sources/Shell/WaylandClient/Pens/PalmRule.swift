import Motion

/// Whether a finger of a seat is the hand that holds a pen.
///
/// While a pen is near the surface, and for a short time after, contacts on a touchscreen are the palm.
/// A pen without events for long counts as gone: the compositor may have lost the event that says so.
struct PalmRule {
    /// When each pen that is near was last heard of.
    private var near: [ObjectIdentifier: Moment] = [:]
    private var lastDeparture: Moment?

    /// How long the palm stays after the pen, in milliseconds.
    static let linger = 300.0
    /// A hand with a pen does not keep still for longer, in milliseconds.
    static let longestSilence = 5000.0

    /// A pen has come near, or has reported something there; returns whether it was not near before.
    mutating func report(_ pen: Pen, at moment: Moment) -> Bool {
        near.updateValue(moment, forKey: ObjectIdentifier(pen)) == nil
    }

    mutating func depart(_ pen: Pen, at moment: Moment) {
        guard near.removeValue(forKey: ObjectIdentifier(pen)) != nil else { return }
        lastDeparture = max(lastDeparture ?? moment, moment)
    }

    /// Whether a finger that lands at `moment` is a palm.
    func ignoresFinger(at moment: Moment) -> Bool {
        if near.values.contains(where: { Self.isSoon(moment, after: $0, Self.longestSilence) }) {
            return true
        }
        return lastDeparture.map { Self.isSoon(moment, after: $0, Self.linger) } ?? false
    }

    private static func isSoon(
        _ moment: Moment, after earlier: Moment, _ milliseconds: Double
    ) -> Bool {
        moment.seconds(since: earlier) * 1000 <= milliseconds
    }
}
