import Geometry
import Motion

/// A touch that starts on chrome: a tap on it, or nothing.
///
/// The content under it does not move, whatever the finger does, and other fingers that are on the
/// content are not disturbed. Only the first such finger counts.
struct ChromeTouch: Sendable {
    private var touch: (id: Contact.ID, start: Point)?
    private var hasStrayed = false

    var isActive: Bool { touch != nil }

    func isDown(_ id: Contact.ID) -> Bool { touch?.id == id }

    mutating func down(_ id: Contact.ID, at point: Point) {
        guard touch == nil else { return }
        touch = (id, point)
        hasStrayed = false
    }

    /// Follows the finger; a tap that leaves the slop is none any more.
    mutating func move(to point: Point, settings: GestureSettings) {
        guard let touch else { return }
        if (point - touch.start).length > settings.slop { hasStrayed = true }
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
