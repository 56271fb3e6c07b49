import Motion
import WaylandClient

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
