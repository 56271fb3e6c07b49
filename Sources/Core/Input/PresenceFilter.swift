/// Tells the events of a person from those that a compositor makes by itself: a compositor that ends, or a
/// window that opens under a pointer at rest, makes events, too.
package struct PresenceFilter: Hashable, Sendable {
    /// Whether the pointer has moved since it was last above no window.
    private var pointerIsInside = false

    package init() {}

    /// Whether an event says that a person is there.
    package mutating func isUserInput(_ event: InputEvent) -> Bool {
        switch event {
        case .resize, .scale, .modifiers, .touch(.cancel), .pen(.cancel): return false
        case .pointer(.leave):
            pointerIsInside = false
            return false
        // The first one tells where the pointer is.
        case .pointer(.move):
            defer { pointerIsInside = true }
            return pointerIsInside
        case .touch, .pinch, .swipe, .hold, .pointer, .pen, .key, .textInput: return true
        }
    }
}
