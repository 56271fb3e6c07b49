import Input
import Motion
import WaylandClient

/// The pointer that is over the window from the start on.
///
/// The interface for a pointer has texts. Until their fonts have been found on another thread, the
/// position of the pointer is held back, so that the input thread does not wait for the fonts.
extension WindowRun {
    /// Whether an event is held back.
    func hold(_ input: InputEvent, of seat: Int) -> Bool {
        guard case .pointer(let event) = input else { return false }
        switch event {
        case .move where run.holdsPointers:
            heldPointers[seat] = input
            return true
        case .leave: heldPointers[seat] = nil
        default: deliverHeldPointer(of: seat)
        }
        return false
    }

    /// Gives the session the positions that were held back.
    func deliverHeldPointers() {
        for seat in heldPointers.keys.sorted() { deliverHeldPointer(of: seat) }
    }

    private func deliverHeldPointer(of seat: Int) {
        guard let held = heldPointers.removeValue(forKey: seat) else { return }
        receive(held, at: run.clock(), of: seat)
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
