import Geometry
import Input
import Interface
import Localization
import Motion
import SceneModel

/// The page of a kiosk that asks for the digits which lead out.
struct Keypad: Hashable, Sendable {
    enum Outcome: Hashable, Sendable { case stay, close, leave }

    private var digits = ""
    private var message = ""
    private var press = ButtonPress<String>()
    private var lastInput: Moment

    /// After this time without input the keypad closes, in milliseconds.
    private static let patience = 20_000.0
    private static let mostDigits = 12
    private static let rows = [
        ["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"], ["⌫", "0", "OK"],
    ]
    /// In logical pixels.
    private static let gap = Theme.Space.widget
    private static let largestKey = 72.0

    init(_ lock: CodeLock, at moment: Moment) {
        lastInput = moment
        if lock.isClosed(at: moment) { message = Self.refusal }
    }

    /// When the keypad closes: while codes are refused it stays for whoever waits.
    func deadline(_ lock: CodeLock) -> Moment {
        max(lastInput.advanced(byMilliseconds: Self.patience), lock.end ?? lastInput)
    }

    // MARK: Input

    mutating func handle(
        _ event: InputEvent, pin: String, _ lock: inout CodeLock, on surface: Size,
        at moment: Moment
    ) -> Outcome {
        lastInput = moment
        switch event {
        case .touch(let touch):
            guard let key = press.handle(touch, buttonAt: { Self.key(at: $0, on: surface) })
            else { break }
            return enter(key, pin: pin, &lock, at: moment)
        case .key(let key):
            if [.down, .click].contains(key.action) {
                return enter(key, pin: pin, &lock, at: moment)
            }
        case .pinch, .swipe, .hold, .pointer, .pen, .modifiers, .textInput, .resize, .scale: break
        }
        return .stay
    }

    private mutating func enter(
        _ key: KeyEvent, pin: String, _ lock: inout CodeLock, at moment: Moment
    ) -> Outcome {
        let name = key.name.hasPrefix("KP_") ? String(key.name.dropFirst(3)) : key.name
        switch name {
        case "Escape": return .close
        case "Return", "Enter": return enter("OK", pin: pin, &lock, at: moment)
        case "BackSpace": return enter("⌫", pin: pin, &lock, at: moment)
        case _ where Self.rows.joined().contains(name):
            return enter(name, pin: pin, &lock, at: moment)
        case _: return .stay
        }
    }

    private mutating func enter(
        _ key: String, pin: String, _ lock: inout CodeLock, at moment: Moment
    ) -> Outcome {
        if lock.isClosed(at: moment) { return key == Self.closeKey ? .close : .stay }
        message = ""
        switch key {
        case Self.closeKey: return .close
        case "⌫": digits = String(digits.dropLast())
        case "OK":
            if digits == pin { return .leave }
            digits = ""
            lock.countMiss(at: moment)
            message = lock.isClosed(at: moment) ? Self.refusal : localized("Wrong code")
        default: if digits.count < Self.mostDigits { digits += key }
        }
        return .stay
    }

    // MARK: Widgets

    private static let closeKey = "close"
    private static var title: String { localized("Code") }
    private static var refusal: String { localized("Too many wrong codes: wait a minute") }

    /// The side of a key, in logical pixels: small surfaces have small keys.
    private static func side(on surface: Size) -> Double {
        max(
            min(
                largestKey, (surface.width - 4 * gap) / 3 - gap,
                (surface.height - 2 * Theme.target - 2 * gap) / 4 - gap), 1)
    }

    private static func rect(on surface: Size) -> Rect {
        let side = side(on: surface)
        return Rect(
            center: Point(x: (surface.width / 2).rounded(), y: (surface.height / 2).rounded()),
            size: Size(width: 3 * side + 4 * gap, height: 2 * Theme.target + 4 * (side + gap)))
    }

    private static func keys(on surface: Size) -> [(name: String, rect: Rect)] {
        let (rect, side) = (rect(on: surface), side(on: surface))
        let corner = rect.origin
        var keys: [(name: String, rect: Rect)] = [
            (
                closeKey,
                Rect(
                    x: rect.maxX - Theme.target, y: corner.y, width: Theme.target,
                    height: Theme.target)
            )
        ]
        for (line, row) in rows.enumerated() {
            for (column, name) in row.enumerated() {
                keys.append(
                    (
                        name,
                        Rect(
                            x: corner.x + gap + Double(column) * (side + gap),
                            y: corner.y + 2 * Theme.target + Double(line) * (side + gap),
                            width: side, height: side)
                    ))
            }
        }
        return keys
    }

    private static func key(at point: Point, on surface: Size) -> String? {
        keys(on: surface).first { $0.rect.contains(point) }?.name
    }

    /// What is pressed.
    var focus: WidgetFocus {
        var focus = WidgetFocus()
        focus.pressed = press.button.map { "keypad/" + $0 }
        return focus
    }

    func widget(on surface: Size) -> Widget {
        let rect = Self.rect(on: surface)
        func line(_ id: String, _ text: String, _ role: Widget.TextRole, y: Double) -> Widget {
            Widget(
                id, .label, text,
                rect: Rect(
                    x: rect.x + Self.gap, y: y, width: rect.width - 2 * Self.gap,
                    height: Theme.target), face: .text(text, role, .center))
        }
        let dots = String(repeating: "●", count: digits.count)
        return Widget(
            "keypad", .dialog, Self.title, rect: rect, states: .modal,
            face: .ground(radius: Theme.largeRadius, isDense: true),
            children: [
                line("keypad-title", Self.title, .title, y: rect.y),
                line(
                    "keypad-digits", message.isEmpty ? dots : message, .small,
                    y: rect.y + Theme.target),
            ]
                + Self.keys(on: surface).map { key in
                    Widget(
                        "keypad/" + key.name, .pushButton, key.name, rect: key.rect,
                        face: key.name == Self.closeKey
                            ? .icon(.close) : .button(key.name, isProminent: false))
                })
    }
}
