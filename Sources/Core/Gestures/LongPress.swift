import Geometry
import Motion

/// One finger that stays where it landed.
struct LongPress: Sendable {
    private var candidate: (point: Point, deadline: Moment)?

    var deadline: Moment? { candidate?.deadline }

    mutating func land(at point: Point, _ moment: Moment, settings: GestureSettings) {
        candidate = (point, moment.advanced(byMilliseconds: settings.longPressDelay))
    }

    /// Another finger, a drag, or the lift: this is no long press.
    mutating func forget() {
        candidate = nil
    }

    /// The time is over; returns where the finger lies.
    mutating func take() -> Point? {
        defer { candidate = nil }
        return candidate?.point
    }
}
