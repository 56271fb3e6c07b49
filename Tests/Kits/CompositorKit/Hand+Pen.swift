import Geometry
package import Input

/// A pen, whose device reports as often as a touchscreen.
extension Hand {
    /// Moves the hovering pen, or brings it near.
    package mutating func hover(_ x: Double, _ y: Double) {
        report(.pen(.move(to: Point(x: x, y: y))))
    }

    package mutating func pen(down x: Double, _ y: Double, by end: PenEnd = .tip) {
        report(.pen(.down(end, at: Point(x: x, y: y))))
    }

    /// Moves the pen in a straight line at constant speed.
    package mutating func movePen(
        from start: (x: Double, y: Double), to end: (x: Double, y: Double), in duration: Double
    ) {
        steps(in: duration) { hand, progress in
            hand.hover(
                start.x + (end.x - start.x) * progress, start.y + (end.y - start.y) * progress)
        }
    }

    package mutating func liftPen() {
        rest(Self.interval)
        report(.pen(.up))
    }

    /// Taps without movement.
    package mutating func tapPen(_ x: Double, _ y: Double, by end: PenEnd = .tip) {
        pen(down: x, y, by: end)
        rest(50)
        liftPen()
    }

    /// Takes the pen away.
    package mutating func withdrawPen() {
        rest(Self.interval)
        report(.pen(.cancel))
    }

    /// Presses and releases a button of the hovering pen.
    package mutating func press(_ button: PenButton, at x: Double, _ y: Double) {
        report(.pen(.button(button, at: Point(x: x, y: y))))
    }
}
