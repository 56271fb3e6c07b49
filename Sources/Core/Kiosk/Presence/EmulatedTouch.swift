import Geometry
import Input

/// Makes fingers of the pointer with its left button and of a pen, so that every device reaches the pages
/// of a kiosk and its exit gesture.
struct EmulatedTouch: Hashable, Sendable {
    private var pointer = Point.zero
    private var buttonIsDown = false

    /// Numbers that no contact has.
    private static let pointerID = -1
    private static let penID = -2

    /// The event of a finger; other events as they are.
    mutating func translate(_ event: InputEvent) -> InputEvent {
        switch event {
        case .pointer(let pointer): touch(of: pointer).map { .touch($0) } ?? event
        case .pen(let pen): Self.touch(of: pen).map { .touch($0) } ?? event
        default: event
        }
    }

    private static func touch(of event: PenEvent) -> TouchEvent? {
        switch event {
        case .down(_, let place): .down(id: penID, at: place)
        case .move(let place): .move(id: penID, to: place)
        case .up: .up(id: penID)
        case .cancel: .cancel
        case .button: nil
        }
    }

    private mutating func touch(of event: PointerEvent) -> TouchEvent? {
        switch event {
        case .move(let place):
            pointer = place
            return buttonIsDown ? .move(id: Self.pointerID, to: place) : nil
        case .button(.left, let isDown):
            guard isDown != buttonIsDown else { return nil }
            buttonIsDown = isDown
            return isDown ? .down(id: Self.pointerID, at: pointer) : .up(id: Self.pointerID)
        // What has left does not complete its press.
        case .leave where buttonIsDown:
            buttonIsDown = false
            return .cancel
        case .leave, .button, .axis, .axisStop: return nil
        }
    }
}
