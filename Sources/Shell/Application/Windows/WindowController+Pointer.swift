import Input
import Motion
import WaylandClient

/// An event of a pointer that is held back.
struct HeldPointer {
    var seat: Int
    var event: PointerEvent
}

/// The pointers of the window's first moments.
///
/// The interface for a pointer has texts. Until their fonts have been found on another thread, the events
/// of pointers are held back, so that the input thread does not wait for the fonts.
extension WindowController {
    /// The most events that are held back; a person does not make more in the time.
    private static let mostHeldPointers = 256

    /// Whether an event is held back.
    ///
    /// Touch, keys and everything else take effect at once.
    func hold(_ event: PointerEvent, of seat: Int, at moment: Moment) -> Bool {
        guard run.libraries.holdPointers else { return false }
        let held = HeldPointer(seat: seat, event: event)
        // Of successive positions of a pointer the last one counts.
        if case .move = event, let last = heldPointers.last, last.seat == seat,
            case .move = last.event
        {
            heldPointers.removeLast()
        }
        heldPointers.append(held)
        if heldPointers.count > Self.mostHeldPointers { deliverHeldPointers(at: moment) }
        return true
    }

    /// Gives the session the events that were held back.
    func deliverHeldPointers(at moment: Moment) {
        let held = heldPointers
        heldPointers = []
        for pointer in held { receive(.pointer(pointer.event), at: moment, of: pointer.seat) }
    }
}

/// The pointer over a slideshow or a kiosk, which is hidden while it rests.
extension WindowController {
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
