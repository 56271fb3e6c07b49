import SeededRandom
package import Geometry
package import Input

/// Random scripts of complete gestures with realistic speeds.
///
/// A gesture may begin while the animation of the previous one still runs.
package struct RandomHands: Sendable {
    package struct Event: Sendable {
        /// Milliseconds from the start of the script.
        package var time: Double
        package var event: InputEvent
    }

    private var random: SeededGenerator
    private let surface: Size
    private let keys: [String]
    private var time = 0.0
    private var events: [Event] = []

    /// A generator that presses the keys of the viewer, and `moreKeys`.
    package init(seed: UInt64, on surface: Size, moreKeys: [String] = []) {
        random = SeededGenerator(seed: seed)
        self.surface = surface
        keys = Self.viewerKeys + moreKeys
    }

    /// A script of some gestures; all fingers and buttons are up at its end.
    package mutating func script() -> [Event] {
        time = 0
        events = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            gesture()
            // Most pauses are short, so a gesture often interrupts the previous animation.
            time += chance(3) ? number(0...900) : number(0...120)
        }
        return events
    }

    private mutating func gesture() {
        switch Int.random(in: 0..<20, using: &random) {
        case 0...3: drag()
        case 4...6: fingers()
        case 7: tap()
        case 8, 9: doubleTap()
        case 10: touchpadPinch()
        case 11: touchpadScroll()
        case 12: mouse()
        case 13: wheel()
        case 14: scrollAndClick()
        case 15: controlScroll()
        case 16: restOnTouchpad()
        case 17: resize()
        default: key()
        }
    }

    // MARK: Chance

    private mutating func chance(_ one: Int) -> Bool {
        Int.random(in: 0..<one, using: &random) == 0
    }

    private mutating func number(_ range: ClosedRange<Double>) -> Double {
        Double.random(in: range, using: &random)
    }

    private mutating func point() -> Point {
        Point(x: number(0...surface.width), y: number(0...surface.height))
    }

    private mutating func translation(upTo farthest: Double) -> Vector {
        let vector = Vector(dx: number(-farthest...farthest), dy: number(-farthest...farthest))
        // Most drags are close to one axis.
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return Vector(dx: vector.dx, dy: vector.dy * 0.1)
        case 1: return Vector(dx: vector.dx * 0.1, dy: vector.dy)
        default: return vector
        }
    }

    private mutating func emit(_ event: InputEvent, after pause: Double = 0) {
        time += pause
        // Event times are whole milliseconds.
        time = time.rounded()
        events.append(Event(time: time, event: event))
    }

    // MARK: Touchscreen

    /// The highest speed of a finger, in logical pixels per millisecond.
    private static let fastest = 4.0

    /// Appends the touches of a realistic hand, from `time` on.
    private mutating func touch(_ body: (inout HumanHand) -> Void) {
        var hand = HumanHand(seed: random.next(), at: time.rounded())
        body(&hand)
        events += hand.drainEvents().map { Event(time: $0.time, event: $0.event) }
        time = hand.time.rounded()
        // In one of 24 gestures the compositor cancels the touches.
        guard chance(24), let last = events.lastIndex(where: { $0.event.isTouchUp }) else { return }
        let lifted = events[last].time
        events.removeSubrange(last...)
        events.removeAll { $0.time >= lifted && $0.event.isTouch }
        events.append(Event(time: lifted, event: .touch(.cancel)))
        time = max(time, lifted)
    }

    private mutating func drag() {
        let (start, translation) = (point(), translation(upTo: 500))
        let duration = max(translation.length / Self.fastest, number(30...260))
        let pause = chance(3) ? 150 : number(0...12)
        let brush = chance(8) ? point() : nil
        touch { hand in
            let course: HumanHand.Course = { start + translation * ($0 / duration) }
            guard let brush else {
                hand.play([course], for: duration, pause: pause)
                return
            }
            // A second finger rests on the screen during the drag.
            hand.traits.lifting = 60
            hand.play([course, { _ in brush }], for: duration, pause: pause)
        }
    }

    /// Two to four fingers that move independently.
    private mutating func fingers() {
        let count = Int.random(in: 2...4, using: &random)
        let courses: [(start: Point, translation: Vector)] = (0..<count).map { _ in
            (point(), translation(upTo: 200))
        }
        let (duration, pause) = (number(40...400), chance(3) ? number(40...200) : number(0...10))
        touch { hand in
            hand.play(
                courses.map { course in { course.start + course.translation * ($0 / duration) } },
                for: duration, pause: pause)
        }
    }

    private mutating func tap() {
        let (place, duration) = (point(), number(20...600))
        touch { $0.tap(at: place, for: duration) }
    }

    /// A double tap, or a tap and a quick zoom.
    private mutating func doubleTap() {
        let place = point()
        let (gap, drags, distance) = (number(50...250), chance(3), number(-250...250))
        touch { hand in
            hand.tap(at: place, for: 60)
            hand.time += gap
            if drags {
                hand.play([{ place + Vector(dx: 0, dy: distance * $0 / 100) }], for: 100)
            } else {
                hand.tap(at: place, for: 50)
            }
        }
    }

    // MARK: Touchpad, mouse, keys

    private mutating func touchpadPinch() {
        emit(.pointer(.move(to: point())))
        if chance(2) {
            emit(.hold(.begin(fingers: 2)))
            emit(.hold(.end(cancelled: true)), after: 30)
        }
        emit(.pinch(.begin(fingers: 2)))
        let (rate, turn) = (number(-0.06...0.06), chance(3) ? number(-4...4) : 0)
        var scale = 1.0
        for _ in 0..<Int.random(in: 2...12, using: &random) {
            scale = max(scale * (1 + rate), 0.01)
            emit(
                .pinch(
                    .update(
                        delta: Vector(dx: number(-4...4), dy: number(-4...4)),
                        scale: (scale * 256).rounded() / 256, rotation: turn)),
                after: 10)
        }
        emit(.pinch(.end(cancelled: chance(5))), after: 10)
    }

    private mutating func touchpadScroll() {
        emit(.pointer(.move(to: point())))
        let (dx, dy) = (number(-30...30), number(-30...30))
        for _ in 0..<Int.random(in: 2...12, using: &random) {
            emit(
                .pointer(.axis(.vertical, value: dy, source: .finger, value120: nil)), after: 9)
            emit(.pointer(.axis(.horizontal, value: dx, source: .finger, value120: nil)))
        }
        emit(.pointer(.axisStop(.vertical)), after: 8)
        emit(.pointer(.axisStop(.horizontal)))
    }

    private mutating func mouse() {
        let (start, translation) = (point(), translation(upTo: 400))
        emit(.pointer(.move(to: start)))
        emit(.pointer(.button(.left, isDown: true)))
        for step in 1...6 {
            emit(.pointer(.move(to: start + translation * (Double(step) / 6))), after: 9)
        }
        emit(.pointer(.button(.left, isDown: false)), after: number(0...120))
    }

    private mutating func wheel() {
        emit(.pointer(.move(to: point())))
        let detents = chance(2) ? 120 : chance(2) ? -120 : 30
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            emit(
                .pointer(
                    .axis(.vertical, value: 10, source: .wheel, value120: detents)), after: 60)
        }
    }

    /// A trackpoint scroll, which has no stop event, and a click during the scroll.
    private mutating func scrollAndClick() {
        emit(.pointer(.move(to: point())))
        for _ in 0..<3 {
            let axis: Axis = chance(2) ? .vertical : .horizontal
            emit(
                .pointer(
                    .axis(axis, value: number(-90...90), source: .continuous, value120: nil)),
                after: 12)
        }
        let button: PointerButton = chance(3) ? .right : .left
        emit(.pointer(.button(button, isDown: true)), after: number(0...150))
        emit(.pointer(.button(button, isDown: false)), after: 20)
    }

    private mutating func controlScroll() {
        emit(.pointer(.move(to: point())))
        emit(.key(KeyEvent(name: "Control_L", action: .down)))
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let axis: Axis = chance(3) ? .horizontal : .vertical
            emit(
                .pointer(
                    .axis(axis, value: number(-20...20), source: .finger, value120: nil)), after: 9)
        }
        emit(.pointer(.axisStop(.vertical)), after: 9)
        emit(.pointer(.axisStop(.horizontal)))
        emit(.key(KeyEvent(name: "Control_L", action: .up)), after: 10)
    }

    private mutating func restOnTouchpad() {
        emit(.pointer(.move(to: point())))
        if chance(2) {
            emit(
                .pointer(
                    .axis(.horizontal, value: number(-40...40), source: .finger, value120: nil)))
        }
        emit(.hold(.begin(fingers: 2)), after: number(0...80))
        emit(.hold(.end(cancelled: chance(2))), after: number(0...200))
    }

    private mutating func resize() {
        emit(
            .resize(
                Size(width: number(300...2000).rounded(), height: number(300...1400).rounded())))
    }

    private static let viewerKeys = [
        "Left", "Right", "Up", "Down", "plus", "minus", "0", "1", "2", "r", "R", "space",
        "BackSpace", "Return", "Menu",
    ]

    private mutating func key() {
        let name = keys.randomElement(using: &random) ?? "0"
        emit(.key(KeyEvent(name: name)))
    }
}

extension InputEvent {
    fileprivate var isTouch: Bool {
        if case .touch = self { true } else { false }
    }

    fileprivate var isTouchUp: Bool {
        if case .touch(.up) = self { true } else { false }
    }
}
