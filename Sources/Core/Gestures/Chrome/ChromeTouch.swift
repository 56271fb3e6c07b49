import Geometry
import Motion

/// A touch that starts on chrome: a tap, a long press or a drag of the chrome.
///
/// The finger does not move the content behind the chrome, and fingers on the content are not
/// affected. Only the first finger on the chrome counts.
struct ChromeTouch: Sendable {
    private var touch: (id: Contact.ID, start: Point)?
    private var dragStart: Point?
    /// When the finger becomes a long press; nil for a drag, and after a long press.
    private(set) var deadline: Moment?

    var isActive: Bool { touch != nil }

    func isDown(_ id: Contact.ID) -> Bool { touch?.id == id }

    mutating func down(
        _ id: Contact.ID, at point: Point, _ moment: Moment, settings: GestureConstants,
        into gestures: inout [TimedGesture]
    ) {
        guard touch == nil else { return }
        touch = (id, point)
        dragStart = nil
        deadline = moment.advanced(byMilliseconds: settings.longPressDelay)
        gestures.emit(.chrome(.down(at: point, isPointer: id.isPointer)), at: moment)
    }

    /// Follows the finger; leaving the slop turns the tap into a drag.
    mutating func move(
        to point: Point, at moment: Moment, settings: GestureConstants,
        into gestures: inout [TimedGesture]
    ) {
        guard let touch else { return }
        if dragStart == nil, (point - touch.start).length > settings.slop {
            (dragStart, deadline) = (point, nil)
        }
        guard let dragStart else { return }
        gestures.emit(.chrome(.dragged(by: point - dragStart)), at: moment)
    }

    /// The finger lifts: a tap if the finger has stayed within the slop.
    mutating func up(at moment: Moment, into gestures: inout [TimedGesture]) {
        guard let touch else { return }
        (self.touch, deadline) = (nil, nil)
        gestures.emit(
            dragStart == nil ? .chrome(.tap(at: touch.start)) : .chrome(.dragEnded), at: moment)
    }

    mutating func cancel(at moment: Moment, into gestures: inout [TimedGesture]) {
        guard touch != nil else { return }
        (touch, deadline) = (nil, nil)
        gestures.emit(.chrome(.cancelled), at: moment)
    }

    /// Reports a finger that has rested up to `moment` as a long press.
    mutating func expire(
        to moment: Moment, inclusive: Bool, into gestures: inout [TimedGesture]
    ) {
        guard let touch, let deadline, inclusive ? deadline <= moment : deadline < moment else {
            return
        }
        self.deadline = nil
        gestures.emit(.chrome(.longPress(at: touch.start)), at: deadline)
    }
}
