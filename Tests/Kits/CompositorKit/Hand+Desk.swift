package import Geometry
package import Input

/// The hand on what stands on a desk: touchpad, mouse and keys.
extension Hand {
    // MARK: Mouse

    /// Puts the pointer somewhere at once.
    package mutating func point(_ x: Double, _ y: Double) {
        report(.pointer(.move(to: Point(x: x, y: y))))
    }

    package mutating func press(_ button: PointerButton = .left) {
        report(.pointer(.button(button, isDown: true)))
    }

    package mutating func release(_ button: PointerButton = .left) {
        rest(Self.interval)
        report(.pointer(.button(button, isDown: false)))
    }

    package mutating func click() {
        press()
        rest(50)
        release()
    }

    /// Moves the mouse in a straight line.
    package mutating func drag(
        from start: (x: Double, y: Double), to end: (x: Double, y: Double), in duration: Double
    ) {
        steps(in: duration) { hand, progress in
            hand.point(
                start.x + (end.x - start.x) * progress, start.y + (end.y - start.y) * progress)
        }
    }

    /// Turns the wheel by so many parts of a detent, 120 each, down if positive.
    package mutating func wheel(_ value120: Int) {
        report(
            .pointer(
                .axis(
                    .vertical, value: Double(value120) / 8, source: .wheel, value120: value120)))
    }

    // MARK: Touchpad

    /// Two fingers scroll, and stay on the touchpad.
    package mutating func scroll(_ way: Vector, in duration: Double) {
        var last = 0.0
        steps(in: duration) { hand, progress in
            let step = way * (progress - last)
            last = progress
            for (axis, value) in [(Axis.vertical, step.dy), (.horizontal, step.dx)]
            where value != 0 {
                hand.report(
                    .pointer(.axis(axis, value: value, source: .finger, value120: nil)))
            }
        }
    }

    /// The fingers that scrolled along an axis leave.
    package mutating func stopScrolling(_ axis: Axis = .vertical) {
        rest(Self.interval)
        report(.pointer(.axisStop(axis)))
    }

    package mutating func beginPinch(fingers: Int = 2) {
        pinchScale = 1
        report(.pinch(.begin(fingers: fingers)))
    }

    /// Spreads the fingers to a scale since the beginning, while they travel and turn clockwise.
    package mutating func pinch(
        to scale: Double, by way: Vector = .zero, degrees: Double = 0, in duration: Double
    ) {
        var last = 0.0
        let start = pinchScale
        pinchScale = scale
        steps(in: duration) { hand, progress in
            let part = progress - last
            last = progress
            hand.report(
                .pinch(
                    .update(
                        delta: way * part, scale: start + (scale - start) * progress,
                        rotation: degrees * part)))
        }
    }

    package mutating func endPinch(cancelled: Bool = false) {
        rest(Self.interval)
        report(.pinch(.end(cancelled: cancelled)))
    }

    /// Fingers come to rest on the touchpad.
    package mutating func beginHold(fingers: Int = 2) {
        report(.hold(.begin(fingers: fingers)))
    }

    package mutating func endHold() {
        report(.hold(.end(cancelled: false)))
    }

    // MARK: Keys

    /// Presses and releases a key, by its keysym's name.
    package mutating func key(_ name: String, _ modifiers: KeyEvent.Modifiers = []) {
        report(.key(KeyEvent(name: name, modifiers: modifiers)))
        rest(40)
    }

    /// Does something with Ctrl held down.
    package mutating func withControl(_ body: (inout Hand) -> Void) {
        report(.key(KeyEvent(name: "Control_L", modifiers: .control, action: .down)))
        rest(40)
        body(&self)
        rest(40)
        report(.key(KeyEvent(name: "Control_L", action: .up)))
    }
}
