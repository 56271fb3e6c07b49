import Geometry
import Motion

/// A touch that starts on chrome: a tap on it, or a drag of it.
///
/// The content under it does not move, whatever the finger does, and other fingers that are on the
/// content are not disturbed. Only the first such finger counts.
struct ChromeTouch: Sendable {
    private var touch: (id: Contact.ID, start: Point)?
    private var last = Point.zero
    private var hasStrayed = false

    var isActive: Bool { touch != nil }

    func isDown(_ id: Contact.ID) -> Bool { touch?.id == id }

    mutating func down(_ id: Contact.ID, at point: Point) {
        guard touch == nil else { return }
        touch = (id, point)
        last = point
        hasStrayed = false
    }

    /// Follows the finger; a tap that leaves the slop is none any more, but a drag.
    mutating func move(
        to point: Point, at moment: Moment, settings: GestureSettings,
        into gestures: inout [TimedGesture]
    ) {
        guard let touch else { return }
        if !hasStrayed, (point - touch.start).length > settings.slop {
            (hasStrayed, last) = (true, point)
        }
        guard hasStrayed, point.y != last.y else { return }
        gestures.emit(.chromeDrag(distance: point.y - last.y), at: moment)
        last = point
    }

    /// The finger leaves: a tap, if it has stayed where it was.
    mutating func up(at moment: Moment, into gestures: inout [TimedGesture]) {
        guard let touch else { return }
        self.touch = nil
        guard !hasStrayed else { return }
        gestures.emit(.chromeTap(at: touch.start), at: moment)
    }

    mutating func cancel() {
        touch = nil
    }
}
