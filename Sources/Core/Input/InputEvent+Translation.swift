package import Geometry

extension InputEvent {
    /// The event on a surface of which the event's own surface is a part, at `origin`.
    package func translated(by origin: Vector) -> InputEvent {
        switch self {
        case .touch(.down(let id, let point)): .touch(.down(id: id, at: point + origin))
        case .touch(.move(let id, let point)): .touch(.move(id: id, to: point + origin))
        case .pointer(.move(let point)): .pointer(.move(to: point + origin))
        case .pen(.down(let end, let point)): .pen(.down(end, at: point + origin))
        case .pen(.move(let point)): .pen(.move(to: point + origin))
        case .pen(.button(let button, let point)): .pen(.button(button, at: point + origin))
        case .touch, .pointer, .pen, .pinch, .swipe, .hold, .key, .modifiers, .textInput, .resize,
            .scale:
            self
        }
    }
}
