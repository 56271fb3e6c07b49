import Geometry

extension InputEvent {
    /// The words of the gesture script's line that says this event, after the time.
    package var scriptWords: String {
        switch self {
        case .touch(let event): "touch \(event.scriptWords)"
        case .pinch(let event): "pinch \(event.scriptWords)"
        case .swipe(let event): "swipe \(event.scriptWords)"
        case .hold(let event): "hold \(event.scriptWords)"
        case .pointer(let event): "pointer \(event.scriptWords)"
        case .key(let event): "key \(event.scriptWords)"
        case .resize(let size): "resize \(words(size.width))x\(words(size.height))"
        case .scale(let scale): "scale \(words(scale))"
        }
    }
}

private func words(_ value: Double) -> String { ScriptNumber.text(value) }
private func words(_ point: Point) -> String { "\(words(point.x)) \(words(point.y))" }
private func words(_ vector: Vector) -> String { "\(words(vector.dx)) \(words(vector.dy))" }
private func ending(_ isCancelled: Bool) -> String { isCancelled ? "end cancelled" : "end" }

extension TouchEvent {
    fileprivate var scriptWords: String {
        switch self {
        case .down(let id, let point): "down \(id) \(words(point))"
        case .move(let id, let point): "move \(id) \(words(point))"
        case .up(let id): "up \(id)"
        case .shape(let id, let major, let minor): "shape \(id) \(words(major)) \(words(minor))"
        case .frame: "frame"
        case .cancel: "cancel"
        }
    }
}

extension PinchEvent {
    fileprivate var scriptWords: String {
        switch self {
        case .begin(let fingers): "begin \(fingers)"
        case .update(let delta, let scale, let rotation):
            "update \(words(delta)) \(words(scale)) \(words(rotation))"
        case .end(let isCancelled): ending(isCancelled)
        }
    }
}

extension SwipeEvent {
    fileprivate var scriptWords: String {
        switch self {
        case .begin(let fingers): "begin \(fingers)"
        case .update(let delta): "update \(words(delta))"
        case .end(let isCancelled): ending(isCancelled)
        }
    }
}

extension HoldEvent {
    fileprivate var scriptWords: String {
        switch self {
        case .begin(let fingers): "begin \(fingers)"
        case .end(let isCancelled): ending(isCancelled)
        }
    }
}

extension PointerEvent {
    fileprivate var scriptWords: String {
        switch self {
        case .move(let point): "move \(words(point))"
        case .leave: "leave"
        case .button(let button, let isDown): "button \(button.rawValue) \(isDown ? "down" : "up")"
        case .axis(let axis, let value, let source, let value120):
            "axis \(axis.rawValue) \(words(value)) \(source.rawValue)"
                + (value120.map { " \($0)" } ?? "")
        case .axisStop(let axis): "axis-stop \(axis.rawValue)"
        }
    }
}

extension KeyEvent {
    /// The modifiers' names in scripts, in the order in which they are written.
    static let modifiers: [(name: String, modifier: Modifiers)] = [
        ("Shift", .shift), ("Ctrl", .control), ("Alt", .alt), ("Super", .logo),
    ]

    fileprivate var scriptWords: String {
        let held = Self.modifiers.filter { modifiers.contains($0.modifier) }.map { $0.name + "+" }
        let key = held.joined() + name
        switch action {
        case .click: return key
        case .down: return key + " down"
        case .up: return key + " up"
        case .repeated: return key + " repeat"
        }
    }
}
