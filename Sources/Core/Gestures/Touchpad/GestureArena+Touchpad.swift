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
            let detents = detents(value, value120)
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

    /// The turn of a wheel, in 1/120 of a detent.
    ///
    /// Compositors differ in the pixels per detent, so an event of a wheel without detents is one detent at
    /// most; the smaller steps of a finer wheel add up.
    private func detents(_ value: Double, _ value120: Int?) -> Double {
        if let value120, value120 != 0 {
            return Double(min(max(value120, -Self.mostDetents), Self.mostDetents))
        }
        return 120 * min(max(value / settings.wheelPixels, -1), 1)
    }

    /// More than any wheel turns between two events, in 1/120 of a detent.
    private static let mostDetents = 100 * 120

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
            if pinch.isSuspended {
                hold.end(at: moment, into: &gestures)
                scroll.abandon(at: moment, into: &gestures)
            }
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
