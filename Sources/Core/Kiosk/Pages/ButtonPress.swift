import Geometry
import Input

/// The finger that presses a button of a page: the button acts when the finger lifts on it.
struct ButtonPress<Button: Hashable & Sendable>: Hashable, Sendable {
    private var finger = 0
    /// The button that is pressed; nil without one.
    private(set) var button: Button?

    /// Handles a touch; returns the button that acts.
    ///
    /// Further fingers have no effect.
    mutating func handle(_ event: TouchEvent, buttonAt: (Point) -> Button?) -> Button? {
        switch event {
        case .down(let id, let point):
            if button == nil { (finger, button) = (id, buttonAt(point)) }
        case .up(let id) where id == finger:
            defer { button = nil }
            return button
        case .move(let id, let point):
            if id == finger, buttonAt(point) != button { button = nil }
        case .cancel: button = nil
        case .up, .shape, .frame: break
        }
        return nil
    }
}
