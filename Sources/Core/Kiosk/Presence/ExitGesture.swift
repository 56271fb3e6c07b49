package import Geometry
package import Input
package import Motion

/// The gesture that leaves a kiosk: five taps in one corner of the surface, of which the last one is
/// held for two seconds.
///
/// No other touch may come between. The gesture is invisible: whatever is below the corner receives the
/// touches, too.
package struct ExitGesture: Hashable, Sendable {
    /// The side of the square in each corner, in logical pixels.
    package static let cornerSide = 96.0
    package static let taps = 5
    /// The longest time from a tap to the next one, in milliseconds.
    package static let longestPause = 800.0
    /// The longest touch that counts as a tap, in milliseconds.
    package static let longestTap = 500.0
    /// How long the last touch is held, in milliseconds.
    package static let holdTime = 2000.0

    private enum Corner: Hashable, Sendable {
        case topLeft, topRight, bottomLeft, bottomRight
    }

    private var corner: Corner?
    /// The taps so far that are over.
    private var count = 0
    /// The contact that is down.
    private var contact: Contact?
    private var lastLift: Moment?

    private struct Contact: Hashable, Sendable {
        let id: Int
        let since: Moment
    }

    package init() {}

    /// When the gesture is complete if the finger stays; nil while it cannot be.
    package var deadline: Moment? {
        guard count == Self.taps - 1, let contact else { return nil }
        return contact.since.advanced(byMilliseconds: Self.holdTime)
    }

    /// Handles an event on a surface of this size, in logical pixels.
    package mutating func handle(_ event: InputEvent, on surface: Size, at moment: Moment) {
        guard case .touch(let touch) = event else { return }
        switch touch {
        case .down(let id, let point): land(id, at: point, on: surface, moment)
        case .move(let id, let point):
            if id == contact?.id, Self.corner(of: point, on: surface) != corner { reset() }
        case .up(let id): if id == contact?.id { lift(at: moment) }
        case .cancel: reset()
        case .shape, .frame: break
        }
    }

    /// Whether the gesture was completed at `moment` or before; then it begins anew.
    package mutating func consume(at moment: Moment) -> Bool {
        guard let deadline, deadline <= moment else { return false }
        reset()
        return true
    }

    private mutating func land(_ id: Int, at point: Point, on surface: Size, _ moment: Moment) {
        guard contact == nil, let place = Self.corner(of: point, on: surface) else {
            return reset()
        }
        let isLate =
            lastLift.map { moment.milliseconds - $0.milliseconds > Self.longestPause } ?? true
        if place != corner || isLate { (corner, count) = (place, 0) }
        contact = Contact(id: id, since: moment)
    }

    private mutating func lift(at moment: Moment) {
        guard let contact,
            moment.milliseconds - contact.since.milliseconds <= Self.longestTap
        else {
            return reset()
        }
        // A fifth tap that is not held does not count; the next one may be.
        count = min(count + 1, Self.taps - 1)
        lastLift = moment
        self.contact = nil
    }

    private mutating func reset() { self = ExitGesture() }

    private static func corner(of point: Point, on surface: Size) -> Corner? {
        // The squares of a small surface do not overlap.
        let side = min(cornerSide, surface.width / 3, surface.height / 3)
        let isLeft = point.x < side
        let isTop = point.y < side
        guard isLeft || point.x >= surface.width - side, isTop || point.y >= surface.height - side
        else { return nil }
        return isTop ? (isLeft ? .topLeft : .topRight) : (isLeft ? .bottomLeft : .bottomRight)
    }
}
