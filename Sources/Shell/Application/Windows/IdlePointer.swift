import Input
import Motion

/// Whether a pointer that rests is hidden: over a slideshow and a kiosk, some time after its last move.
struct IdlePointer: Hashable {
    /// The last move; nil while the pointer is not over the window, or hidden.
    private var lastMove: Moment?
    private(set) var isHidden = false

    /// In milliseconds.
    static let rest = 3000.0

    mutating func handle(_ event: PointerEvent, at moment: Moment) {
        isHidden = false
        if case .leave = event { lastMove = nil } else { lastMove = moment }
    }

    /// When the pointer is hidden; nil for never.
    func deadline(hides: Bool) -> Moment? {
        hides && !isHidden ? lastMove?.advanced(byMilliseconds: Self.rest) : nil
    }

    /// Hides the pointer if it is time; where resting pointers are not hidden it is shown.
    mutating func advance(to moment: Moment, hides: Bool) {
        guard hides else {
            isHidden = false
            return
        }
        if let deadline = deadline(hides: true), deadline <= moment { isHidden = true }
    }
}
