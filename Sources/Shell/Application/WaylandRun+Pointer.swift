import Motion
import WaylandClient

/// The pointer over a slideshow or a kiosk, which is hidden while it rests.
extension WaylandRun {
    /// When the pointer is hidden.
    var pointerDeadline: Moment? { idlePointer.deadline(hides: session.hidesPointer) }

    /// Shows or hides the pointer.
    func followPointer() {
        idlePointer.advance(to: clock(), hides: session.hidesPointer)
        let cursor = idlePointer.isHidden ? Cursor.hidden : .arrow
        if window.cursor != cursor { window.cursor = cursor }
    }
}
