package import Geometry
package import Input
import Motion

/// A person or an animal at a display: random touches, keys, pointer and touchpad, from a seed.
///
/// Every event is one that a device may send: what is down was not down before, and fingers that move
/// have landed.
package struct RandomHand<Generator: RandomNumberGenerator> {
    private var random: Generator
    private let surface: Size
    private var fingers: [Int: Point] = [:]
    private var isPressed = false
    private var isPinching = false

    private static var keys: [String] {
        [
            "Escape", "Return", "BackSpace", "Tab", "Delete", "Home", "End", "Prior", "Next",
            "Left", "Right", "Up", "Down", "space", "plus", "minus", "slash", "question", "Menu",
            "F1", "F4", "F5", "F10", "F11", "q", "Q", "w", "s", "f", "g", "i", "o", "O", "r", "R",
            "a", "c", "k", "m", "n", "p", "period", "0", "1", "2", "KP_Enter",
        ]
    }

    package init(_ random: Generator, on surface: Size) {
        (self.random, self.surface) = (random, surface)
    }

    /// A script of `count` events.
    package mutating func script(of count: Int) -> GestureScript {
        var entries: [GestureScript.Entry] = []
        var time = 0.0
        while entries.count < count {
            // Now and then nothing happens for a while, so that what waits for rest comes, too.
            let isRest = Int.random(in: 0..<200, using: &random) == 0
            time += isRest ? 1500 : Double.random(in: 0...40, using: &random)
            for event in events() {
                entries.append(.init(moment: Moment(milliseconds: time), event: event))
            }
        }
        return GestureScript(entries: entries, end: Moment(milliseconds: time))
    }

    /// The corners are as likely as everything else: a kiosk's way out is there.
    private mutating func place() -> Point {
        let edge = Int.random(in: 0..<4, using: &random) == 0
        func along(_ length: Double) -> Double {
            edge
                ? (Bool.random(using: &random) ? 10 : max(length - 10, 0))
                : Double.random(in: 0...length, using: &random)
        }
        return Point(x: along(surface.width), y: along(surface.height))
    }

    private mutating func events() -> [InputEvent] {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<5:
            let id = Int.random(in: 0..<4, using: &random)
            let point = place()
            let isDown = fingers.updateValue(point, forKey: id) == nil
            return [.touch(isDown ? .down(id: id, at: point) : .move(id: id, to: point)), frame]
        case 5..<9:
            guard let (id, place) = fingers.randomElement(using: &random) else { return [] }
            let step = Vector(
                dx: Double.random(in: -60...60, using: &random),
                dy: Double.random(in: -60...60, using: &random))
            fingers[id] = place + step
            return [.touch(.move(id: id, to: place + step)), frame]
        case 9..<13:
            guard let id = fingers.keys.sorted().randomElement(using: &random) else { return [] }
            fingers[id] = nil
            return [.touch(.up(id: id)), frame]
        case 13:
            fingers = [:]
            return [.touch(.cancel)]
        case 14..<16: return key()
        case 16: return [.pointer(.move(to: place()))]
        case 17:
            isPressed.toggle()
            return [.pointer(.button(.left, isDown: isPressed))]
        case 18:
            let detents = Bool.random(using: &random) ? 120 : -120
            return [
                .pointer(
                    .axis(
                        .vertical, value: Double(detents) / 8, source: .wheel, value120: detents))
            ]
        default: return pinch()
        }
    }

    private var frame: InputEvent { .touch(.frame) }

    private mutating func key() -> [InputEvent] {
        let name = Self.keys.randomElement(using: &random) ?? "q"
        let all: [KeyEvent.Modifiers] = [[], [], [], .control, .shift, .alt, .logo]
        return [.key(KeyEvent(name: name, modifiers: all.randomElement(using: &random) ?? []))]
    }

    private mutating func pinch() -> [InputEvent] {
        guard isPinching else {
            isPinching = true
            return [.pinch(.begin(fingers: 2))]
        }
        if Bool.random(using: &random) {
            return [
                .pinch(
                    .update(
                        delta: Vector(dx: 3, dy: -2),
                        scale: Double.random(in: 0.2...4, using: &random), rotation: 5))
            ]
        }
        isPinching = false
        return [.pinch(.end(cancelled: Bool.random(using: &random)))]
    }
}
