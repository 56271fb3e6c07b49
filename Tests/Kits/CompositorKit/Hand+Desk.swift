package import Geometry
package import Input

/// Mouse, touchpad and keys.
extension Hand {
    // MARK: Mouse

    /// Moves the pointer to a position, in logical pixels, in one step.
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

    /// Turns the wheel by 1/120 detents, down if positive.
    package mutating func wheel(_ value120: Int) {
        report(
            .pointer(
                .axis(
                    .vertical, value: Double(value120) / 8, source: .wheel, value120: value120)))
    }

    // MARK: Touchpad

    /// Scrolls with two fingers that then stay on the touchpad.
    package mutating func scroll(_ translation: Vector, in duration: Double) {
        var last = 0.0
        steps(in: duration) { hand, progress in
            let step = translation * (progress - last)
            last = progress
            for (axis, value) in [(Axis.vertical, step.dy), (.horizontal, step.dx)]
            where value != 0 {
                hand.report(
                    .pointer(.axis(axis, value: value, source: .finger, value120: nil)))
            }
        }
    }

    /// Lifts the fingers that scrolled along an axis.
    package mutating func stopScrolling(_ axis: Axis = .vertical) {
        rest(Self.interval)
        report(.pointer(.axisStop(axis)))
    }

    package mutating func beginPinch(fingers: Int = 2) {
        pinchScale = 1
        report(.pinch(.begin(fingers: fingers)))
    }

    /// Pinches to `scale`, relative to the start, with a translation and a clockwise rotation.
    package mutating func pinch(
        to scale: Double, by translation: Vector = .zero, degrees: Double = 0, in duration: Double
    ) {
        var last = 0.0
        let start = pinchScale
        pinchScale = scale
        steps(in: duration) { hand, progress in
            let fraction = progress - last
            last = progress
            hand.report(
                .pinch(
                    .update(
                        delta: translation * fraction, scale: start + (scale - start) * progress,
                        rotation: degrees * fraction)))
        }
    }

    package mutating func endPinch(cancelled: Bool = false) {
        rest(Self.interval)
        report(.pinch(.end(cancelled: cancelled)))
    }

    /// Rests fingers on the touchpad.
    package mutating func beginHold(fingers: Int = 2) {
        report(.hold(.begin(fingers: fingers)))
    }

    package mutating func endHold() {
        report(.hold(.end(cancelled: false)))
    }

    // MARK: Keys

    /// Presses and releases the key with the given keysym name.
    package mutating func key(_ name: String, _ modifiers: KeyEvent.Modifiers = []) {
        report(.key(KeyEvent(name: name, modifiers: modifiers)))
        rest(40)
    }

    /// Runs `body` with Ctrl held down.
    package mutating func withControl(_ body: (inout Hand) -> Void) {
        report(.key(KeyEvent(name: "Control_L", modifiers: .control, action: .down)))
        rest(40)
        body(&self)
        rest(40)
        report(.key(KeyEvent(name: "Control_L", action: .up)))
    }
}
