import Geometry
import Motion

/// One finger that stays where it landed.
struct LongPress: Sendable {
    private var candidate: (point: Point, deadline: Moment)?

    var deadline: Moment? { candidate?.deadline }

    mutating func land(at point: Point, _ moment: Moment, settings: GestureConstants) {
        candidate = (point, moment.advanced(byMilliseconds: settings.longPressDelay))
    }

    /// Another finger, a drag or a lift rules the long press out.
    mutating func forget() {
        candidate = nil
    }

    /// Ends the candidate after the delay; returns the finger's position.
    mutating func fire() -> Point? {
        defer { candidate = nil }
        return candidate?.point
    }
}
