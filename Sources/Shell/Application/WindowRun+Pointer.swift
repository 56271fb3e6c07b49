import Input
import Motion
import WaylandClient

/// The pointer that is over the window from the start on.
///
/// The interface for a pointer has texts. Until their fonts have been found on another thread, the
/// position of the pointer is held back, so that the input thread does not wait for the fonts.
extension WindowRun {
    /// Whether an event is held back.
    ///
    /// The session receives all other events in their order.
    func hold(_ input: InputEvent, of seat: Int, at moment: Moment) -> Bool {
        switch input {
        case .pointer(.move) where run.holdsPointers:
            heldPointers[seat] = input
            return true
        case .pointer(.leave): heldPointers[seat] = nil
        case .pointer, .touch, .pinch, .swipe, .hold, .key, .textInput, .resize, .scale: break
        }
        deliverHeldPointers(at: moment)
        return false
    }

    /// Gives the session the positions that were held back.
    func deliverHeldPointers(at moment: Moment) {
        let held = heldPointers
        heldPointers = [:]
        for (seat, input) in held.sorted(by: { $0.key < $1.key }) {
            receive(input, at: moment, of: seat)
        }
    }
}

/// The pointer over a slideshow or a kiosk, which is hidden while it rests.
extension WindowRun {
    /// When the pointer is hidden.
    var pointerDeadline: Moment? { idlePointer.deadline(hides: session.hidesPointer) }

    /// Shows or hides the pointer.
    func followPointer() {
        guard let window else { return }
        idlePointer.advance(to: run.clock(), hides: session.hidesPointer)
        let cursor = idlePointer.isHidden ? Cursor.hidden : .arrow
        if window.cursor != cursor { window.cursor = cursor }
    }
}
