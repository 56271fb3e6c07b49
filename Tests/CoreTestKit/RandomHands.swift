package import Geometry
package import Input

/// Scripts of what people do with a viewer, at random: whole gestures with speeds that hands have,
/// one after the other or into each other's aftermath.
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

    /// Hands that know the keys of the viewer, and `moreKeys`.
    package init(seed: UInt64, on surface: Size, moreKeys: [String] = []) {
        random = SeededGenerator(seed: seed)
        self.surface = surface
        keys = Self.viewerKeys + moreKeys
    }

    /// A script of some gestures; every finger and button is up at its end.
    package mutating func script() -> [Event] {
        time = 0
        events = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            gesture()
            // Often into the middle of what the last gesture has started.
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

    private mutating func way(upTo farthest: Double) -> Vector {
        let vector = Vector(dx: number(-farthest...farthest), dy: number(-farthest...farthest))
        // People drag along an axis more often than across.
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

    private mutating func touch(_ list: [TouchEvent], after pause: Double = 0) {
        time += pause
        for event in list { emit(.touch(event)) }
        emit(.touch(.frame))
    }

    // MARK: Touchscreen

    /// Of a finger, in logical pixels per millisecond.
    private static let fastest = 4.0

    private mutating func drag() {
        let (start, way) = (point(), way(upTo: 500))
        let interval = number(5...17)
        let fewest = max(Int(way.length / (Self.fastest * interval)), 2)
        let steps = Int.random(in: fewest...fewest + 12, using: &random)
        touch([.down(id: 0, at: start)])
        for step in 1...steps {
            let part = Double(step) / Double(steps)
            touch([.move(id: 0, to: start + way * part)], after: interval)
        }
        touch([chance(12) ? .cancel : .up(id: 0)], after: chance(3) ? 150 : number(0...12))
    }

    /// Fingers that come and go while they spread, travel and turn.
    private mutating func fingers() {
        var places: [Int: Point] = [:]
        var velocities: [Int: Vector] = [:]
        let changes = Int.random(in: 2...5, using: &random)
        for _ in 0..<changes {
            if places.count < 2 || (places.count < 4 && chance(2)) {
                let id = (0...4).first { places[$0] == nil } ?? 0
                places[id] = point()
                velocities[id] = way(upTo: 1.2)
                touch([.down(id: id, at: places[id] ?? .zero)], after: number(0...60))
            } else if let id = places.keys.sorted().randomElement(using: &random) {
                places[id] = nil
                touch([.up(id: id)], after: number(0...20))
            }
            move(&places, velocities)
        }
        guard !places.isEmpty else { return }
        if chance(12) {
            touch([.cancel], after: 8)
            return
        }
        let ids = places.keys.sorted()
        if chance(2) {
            touch(ids.map { .up(id: $0) }, after: number(0...100))
        } else {
            for id in ids { touch([.up(id: id)], after: number(0...60)) }
        }
    }

    private mutating func move(_ places: inout [Int: Point], _ velocities: [Int: Vector]) {
        let interval = number(6...17)
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            var moves: [TouchEvent] = []
            for id in places.keys.sorted() {
                guard let place = places[id], let velocity = velocities[id] else { continue }
                let next = place + velocity * interval
                places[id] = next
                moves.append(.move(id: id, to: next))
            }
            touch(moves, after: interval)
        }
    }

    private mutating func tap() {
        touch([.down(id: 0, at: point())])
        touch([.up(id: 0)], after: number(20...600))
    }

    /// Two taps, or a tap and a one-finger zoom.
    private mutating func doubleTap() {
        let place = point()
        touch([.down(id: 0, at: place)])
        touch([.up(id: 0)], after: 60)
        touch([.down(id: 0, at: place)], after: number(50...250))
        if chance(3) {
            let way = number(-250...250)
            for step in 1...8 {
                let y = place.y + way * Double(step) / 8
                touch([.move(id: 0, to: Point(x: place.x, y: y))], after: 12)
            }
        }
        touch([.up(id: 0)], after: 50)
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
        let (start, way) = (point(), way(upTo: 400))
        emit(.pointer(.move(to: start)))
        emit(.pointer(.button(.left, isDown: true)))
        for step in 1...6 {
            emit(.pointer(.move(to: start + way * (Double(step) / 6))), after: 9)
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

    /// A trackpoint's scroll, which has no end, and a click into it.
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
