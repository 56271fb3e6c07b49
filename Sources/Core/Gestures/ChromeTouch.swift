import Geometry
import Motion

/// A touch that starts on chrome: a tap or a drag of the chrome.
///
/// The finger does not move the content behind the chrome, and fingers on the content are not
/// affected. Only the first finger on the chrome counts.
struct ChromeTouch: Sendable {
    private var touch: (id: Contact.ID, start: Point)?
    private var last = Point.zero
    private var isDragging = false

    var isActive: Bool { touch != nil }

    func isDown(_ id: Contact.ID) -> Bool { touch?.id == id }

    mutating func down(_ id: Contact.ID, at point: Point) {
        guard touch == nil else { return }
        touch = (id, point)
        last = point
        isDragging = false
    }

    /// Follows the finger; leaving the slop turns the tap into a drag.
    mutating func move(
        to point: Point, at moment: Moment, settings: GestureSettings,
        into gestures: inout [TimedGesture]
    ) {
        guard let touch else { return }
        if !isDragging, (point - touch.start).length > settings.slop {
            (isDragging, last) = (true, point)
        }
        guard isDragging, point.y != last.y else { return }
        gestures.emit(.chromeDrag(distance: point.y - last.y), at: moment)
        last = point
    }

    /// The finger lifts: a tap if the finger has stayed within the slop.
    mutating func up(at moment: Moment, into gestures: inout [TimedGesture]) {
        guard let touch else { return }
        self.touch = nil
        guard !isDragging else { return }
        gestures.emit(.chromeTap(at: touch.start), at: moment)
    }

    mutating func cancel() {
        touch = nil
    }
}
