import Geometry
import Localization

/// The first word of an event.
private enum Subject: String, CaseIterable {
    case touch, pinch, swipe, hold, pointer, pen, key, modifiers, text, resize, scale
}

private enum TouchWord: String, CaseIterable {
    case down, move, up, shape, frame, cancel
}

private enum PhaseWord: String, CaseIterable {
    case begin, update, end
}

private enum HoldWord: String, CaseIterable {
    case begin, end
}

private enum PointerWord: String, CaseIterable {
    case move, leave, button, axis
    case axisStop = "axis-stop"
}

private enum PenWord: String, CaseIterable {
    case down, move, up, cancel, button
}

private enum ButtonWord: String, CaseIterable {
    case down, up
}

extension InputEvent {
    /// Coordinates and distances, in logical pixels: the range of Wayland's fixed-point numbers.
    private static let lengths = -8_388_608.0...8_388_608
    /// Axes of a contact's ellipse, in logical pixels.
    private static let axes = 0.0...8_388_608
    private static let integers = Int(Int32.min)...Int(Int32.max)
    private static let fingers = 1...10
    /// Rotation between two events, in degrees.
    private static let rotations = -360.0...360
    /// Scale of a pinch since its beginning.
    private static let pinchScales = 1e-3...1e3
    /// Width or height of a surface, in logical pixels.
    private static let sides = 1.0...32_767
    /// Device pixels per logical pixel.
    private static let scales = 0.1...32.0

    init(reading words: inout WordReader) throws(GestureScriptError) {
        switch try words.choice(Subject.self) {
        case .touch: self = .touch(try Self.touch(&words))
        case .pinch: self = .pinch(try Self.pinch(&words))
        case .swipe: self = .swipe(try Self.swipe(&words))
        case .hold: self = .hold(try Self.hold(&words))
        case .pointer: self = .pointer(try Self.pointer(&words))
        case .pen: self = .pen(try Self.pen(&words))
        case .key: self = .key(try KeyEvent(reading: &words))
        case .modifiers: self = .modifiers(try KeyEvent.Modifiers(reading: &words))
        case .text: self = .textInput(try TextInputEvent(reading: &words))
        case .resize: self = .resize(try Self.size(&words))
        case .scale: self = .scale(try words.number(localized("a scale"), in: Self.scales))
        }
    }

    private static func touch(_ words: inout WordReader) throws(GestureScriptError) -> TouchEvent {
        switch try words.choice(TouchWord.self) {
        case .down: .down(id: try id(&words), at: try point(&words))
        case .move: .move(id: try id(&words), to: try point(&words))
        case .up: .up(id: try id(&words))
        case .shape:
            .shape(
                id: try id(&words), major: try words.number(localized("a length"), in: axes),
                minor: try words.number(localized("a length"), in: axes))
        case .frame: .frame
        case .cancel: .cancel
        }
    }

    private static func pinch(_ words: inout WordReader) throws(GestureScriptError) -> PinchEvent {
        switch try words.choice(PhaseWord.self) {
        case .begin: .begin(fingers: try fingers(&words))
        case .update:
            .update(
                delta: try vector(&words),
                scale: try words.number(localized("a scale"), in: pinchScales),
                rotation: try words.number(localized("an angle in degrees"), in: rotations))
        case .end: .end(cancelled: words.consume("cancelled"))
        }
    }

    private static func swipe(_ words: inout WordReader) throws(GestureScriptError) -> SwipeEvent {
        switch try words.choice(PhaseWord.self) {
        case .begin: .begin(fingers: try fingers(&words))
        case .update: .update(delta: try vector(&words))
        case .end: .end(cancelled: words.consume("cancelled"))
        }
    }

    private static func hold(_ words: inout WordReader) throws(GestureScriptError) -> HoldEvent {
        switch try words.choice(HoldWord.self) {
        case .begin: .begin(fingers: try fingers(&words))
        case .end: .end(cancelled: words.consume("cancelled"))
        }
    }

    private static func pointer(
        _ words: inout WordReader
    ) throws(GestureScriptError) -> PointerEvent {
        switch try words.choice(PointerWord.self) {
        case .move: return .move(to: try point(&words))
        case .leave: return .leave
        case .button:
            let button = try words.choice(PointerButton.self)
            return .button(button, isDown: try words.choice(ButtonWord.self) == .down)
        case .axis:
            let axis = try words.choice(Axis.self)
            let value = try words.number(localized("a distance in px"), in: lengths)
            let source = try words.choice(AxisSource.self)
            guard source == .wheel, !words.isAtEnd else {
                return .axis(axis, value: value, source: source, value120: nil)
            }
            let detents = try words.integer(
                localized("a number of 1/120 wheel detents"), in: integers)
            return .axis(axis, value: value, source: source, value120: detents)
        case .axisStop: return .axisStop(try words.choice(Axis.self))
        }
    }

    private static func pen(_ words: inout WordReader) throws(GestureScriptError) -> PenEvent {
        switch try words.choice(PenWord.self) {
        case .down: .down(try words.choice(PenEnd.self), at: try point(&words))
        case .move: .move(to: try point(&words))
        case .up: .up
        case .cancel: .cancel
        case .button: .button(try words.choice(PenButton.self), at: try point(&words))
        }
    }

    private static func id(_ words: inout WordReader) throws(GestureScriptError) -> Int {
        try words.integer(localized("a contact's id"), in: integers)
    }

    private static func fingers(_ words: inout WordReader) throws(GestureScriptError) -> Int {
        try words.integer(localized("a number of fingers"), in: fingers)
    }

    private static func point(_ words: inout WordReader) throws(GestureScriptError) -> Point {
        Point(
            x: try words.number(localized("x in px"), in: lengths),
            y: try words.number(localized("y in px"), in: lengths)
        )
    }

    private static func vector(_ words: inout WordReader) throws(GestureScriptError) -> Vector {
        Vector(
            dx: try words.number(localized("dx in px"), in: lengths),
            dy: try words.number(localized("dy in px"), in: lengths))
    }

    private static func size(_ words: inout WordReader) throws(GestureScriptError) -> Size {
        let expected = localized("a size such as 1200x800")
        let word = try words.next(expected)
        let parts = word.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw words.error(.unknown(word, expected: expected)) }
        return Size(
            width: try words.number(String(parts[0]), expected, in: sides),
            height: try words.number(String(parts[1]), expected, in: sides))
    }
}

extension KeyEvent {
    private enum ActionWord: String, CaseIterable {
        case down, up
        case repeated = "repeat"
    }

    fileprivate init(reading words: inout WordReader) throws(GestureScriptError) {
        let expected = localized("a key such as Right or Ctrl+plus")
        let word = try words.next(expected)
        var parts = word.split(separator: "+", omittingEmptySubsequences: false)
        let key = String(parts.removeLast())
        guard Self.isName(key) else { throw words.error(.unknown(word, expected: expected)) }
        let modifiers = try Modifiers(parts, of: &words)
        var action = Action.click
        if !words.isAtEnd, !words.isNext("composing"), !words.isNext("types") {
            action =
                switch try words.choice(ActionWord.self) {
                case .down: .down
                case .up: .up
                case .repeated: .repeated
                }
        }
        let isComposing = words.consume("composing")
        let text =
            words.consume("types") ? try words.text(localized("the text that the key types")) : nil
        self.init(
            name: key, modifiers: modifiers, action: action, text: text, isComposing: isComposing)
    }

    /// Whether `text` has the form of a keysym name; whether XKB knows the name is not checked.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64
            && text.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII && (scalar == "_" || scalar.properties.isAlphabetic)
                    || ("0"..."9").contains(scalar)
            }
    }
}

extension KeyEvent.Modifiers {
    /// Reads "Ctrl+Shift" or "none".
    fileprivate init(reading words: inout WordReader) throws(GestureScriptError) {
        let word = try words.next(Self.expected)
        self =
            word == "none"
            ? []
            : try Self(word.split(separator: "+", omittingEmptySubsequences: false), of: &words)
    }

    fileprivate init(
        _ names: [Substring], of words: inout WordReader
    ) throws(GestureScriptError) {
        self = []
        for name in names {
            guard let modifier = KeyEvent.modifiers.first(where: { $0.name == name })?.modifier
            else { throw words.error(.unknown(String(name), expected: Self.expected)) }
            insert(modifier)
        }
    }

    private static var expected: String {
        let names = KeyEvent.modifiers.map(\.name).joined(separator: ", ")
        return localized("one of \(names)")
    }
}
