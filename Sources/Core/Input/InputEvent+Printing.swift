import Geometry

extension InputEvent {
    /// The event as a line of a gesture script, without the time.
    package var scriptText: String {
        switch self {
        case .touch(let event): "touch \(event.scriptText)"
        case .pinch(let event): "pinch \(event.scriptText)"
        case .swipe(let event): "swipe \(event.scriptText)"
        case .hold(let event): "hold \(event.scriptText)"
        case .pointer(let event): "pointer \(event.scriptText)"
        case .pen(let event): "pen \(event.scriptText)"
        case .key(let event): "key \(event.scriptText)"
        case .modifiers(let modifiers): "modifiers \(modifiers.scriptText)"
        case .textInput(let event): "text \(event.scriptText)"
        case .resize(let size): "resize \(text(size.width))x\(text(size.height))"
        case .scale(let scale): "scale \(text(scale))"
        }
    }
}

private func text(_ value: Double) -> String { ScriptNumber.text(value) }
private func text(_ point: Point) -> String { "\(text(point.x)) \(text(point.y))" }
private func text(_ vector: Vector) -> String { "\(text(vector.dx)) \(text(vector.dy))" }
private func ending(_ isCancelled: Bool) -> String { isCancelled ? "end cancelled" : "end" }

extension TouchEvent {
    fileprivate var scriptText: String {
        switch self {
        case .down(let id, let point): "down \(id) \(text(point))"
        case .move(let id, let point): "move \(id) \(text(point))"
        case .up(let id): "up \(id)"
        case .shape(let id, let major, let minor): "shape \(id) \(text(major)) \(text(minor))"
        case .frame: "frame"
        case .cancel: "cancel"
        }
    }
}

extension PinchEvent {
    fileprivate var scriptText: String {
        switch self {
        case .begin(let fingers): "begin \(fingers)"
        case .update(let delta, let scale, let rotation):
            "update \(text(delta)) \(text(scale)) \(text(rotation))"
        case .end(let isCancelled): ending(isCancelled)
        }
    }
}

extension SwipeEvent {
    fileprivate var scriptText: String {
        switch self {
        case .begin(let fingers): "begin \(fingers)"
        case .update(let delta): "update \(text(delta))"
        case .end(let isCancelled): ending(isCancelled)
        }
    }
}

extension HoldEvent {
    fileprivate var scriptText: String {
        switch self {
        case .begin(let fingers): "begin \(fingers)"
        case .end(let isCancelled): ending(isCancelled)
        }
    }
}

extension PointerEvent {
    fileprivate var scriptText: String {
        switch self {
        case .move(let point): "move \(text(point))"
        case .leave: "leave"
        case .button(let button, let isDown): "button \(button.rawValue) \(isDown ? "down" : "up")"
        case .axis(let axis, let value, let source, let value120):
            "axis \(axis.rawValue) \(text(value)) \(source.rawValue)"
                + (value120.map { " \($0)" } ?? "")
        case .axisStop(let axis): "axis-stop \(axis.rawValue)"
        }
    }
}

extension PenEvent {
    fileprivate var scriptText: String {
        switch self {
        case .down(let end, let point): "down \(end.rawValue) \(text(point))"
        case .move(let point): "move \(text(point))"
        case .up: "up"
        case .cancel: "cancel"
        case .button(let button, let point): "button \(button.rawValue) \(text(point))"
        }
    }
}

extension KeyEvent {
    /// The names of modifiers in scripts, in printing order.
    static let modifiers: [(name: String, modifier: Modifiers)] = [
        ("Shift", .shift), ("Ctrl", .control), ("Alt", .alt), ("Super", .logo),
    ]

    fileprivate var scriptText: String {
        let key = modifiers.isEmpty ? name : "\(modifiers.scriptText)+\(name)"
        return switch action {
        case .click: key + textPart
        case .down: key + " down" + textPart
        case .up: key + " up" + textPart
        case .repeated: key + " repeat" + textPart
        }
    }

    /// The text of the key, where the name does not tell it.
    private var textPart: String {
        let usual = KeyEvent(
            name: name, modifiers: modifiers, action: action, isComposing: isComposing)
        return (isComposing ? " composing" : "")
            + (text == usual.text ? "" : " types \(ScriptText.word(for: text))")
    }
}

extension KeyEvent.Modifiers {
    fileprivate var scriptText: String {
        let names = KeyEvent.modifiers.filter { contains($0.modifier) }.map(\.name)
        return names.isEmpty ? "none" : names.joined(separator: "+")
    }
}
