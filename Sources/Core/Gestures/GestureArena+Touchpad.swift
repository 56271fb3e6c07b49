import Geometry
import Input
import Motion

/// Touchpad and wheel.
extension GestureArena {
    /// An axis event: detents of a wheel, or a step of a scroll.
    mutating func turn(
        _ axis: Axis, _ value: Double, _ source: AxisSource, _ value120: Int?, _ moment: Moment,
        _ context: Context, _ gestures: inout [TimedGesture]
    ) {
        guard abs(value) <= Point.farthest else { return }
        let zooms = context.modifiers.contains(.control)
        if source == .wheel {
            // Compositors differ in the pixels per detent, so only the sign counts.
            let detents = value120.map(Double.init) ?? (value < 0 ? -120 : value > 0 ? 120 : 0)
            let vector =
                axis == .vertical ? Vector(dx: 0, dy: detents) : Vector(dx: detents, dy: 0)
            gestures.emit(.wheel(vector, at: pointer, zooms: zooms), at: moment)
            return
        }
        guard !touches.isTouching, !pinch.isActive else { return }
        hold.end(at: moment, into: &gestures)
        scroll.scroll(
            axis, by: value, source: source, at: pointer, moment, zooms: zooms,
            into: &gestures)
    }

    mutating func handle(
        _ event: PinchEvent, _ moment: Moment, _ context: Context, _ gestures: inout [TimedGesture]
    ) {
        switch event {
        case .begin(let fingers):
            guard !touches.isTouching else { return }
            releaseTouchpad(at: moment, into: &gestures)
            pinch.begin(
                fingers: fingers, at: pointer, moment, rotates: context.rotates, into: &gestures)
        case .update(let delta, let scale, let rotation):
            pinch.update(
                delta: delta, scale: scale, rotation: rotation, at: moment,
                into: &gestures)
        case .end(let cancelled):
            pinch.end(cancelled: cancelled, at: moment, into: &gestures)
        }
    }

    mutating func handle(
        _ event: HoldEvent, _ moment: Moment, _ context: Context, _ gestures: inout [TimedGesture]
    ) {
        switch event {
        case .begin(let fingers):
            guard !touches.isTouching else { return }
            let hasReleased = releaseTouchpad(at: moment, into: &gestures)
            hold.begin(
                fingers: fingers, at: pointer, moment,
                contentIsMoving: context.contentIsMoving || hasReleased, into: &gestures)
        case .end: hold.end(at: moment, into: &gestures)
        }
    }
}
