import Geometry
import Input
import Motion

/// Pens. A pen acts as a finger that needs no frame, and that a person sees as a pointer while it hovers.
extension GestureArena {
    /// The contact of the pen that is down; nil without one.
    private var pen: Contact.ID? {
        PenEnd.allCases.lazy.map(Contact.ID.pen).first { id in
            touches.isDown(id) || chromeTouch.isDown(id)
        }
    }

    mutating func handle(
        _ event: PenEvent, _ moment: Moment, _ context: Context, _ gestures: inout [TimedGesture]
    ) {
        switch event {
        case .down(let end, let point): land(end, at: point, moment, context, &gestures)
        case .move(let point): follow(to: point, moment, context, &gestures)
        case .up: lift(moment, context, &gestures)
        case .cancel:
            guard let pen else { return }
            if chromeTouch.isDown(pen) { chromeTouch.cancel(at: moment, into: &gestures) }
            if touches.isDown(pen) { touches.cancel(at: moment, into: &gestures) }
        case .button(let button, let point):
            guard point.isPlausible, !isTouching else { return }
            touches.forgetTap()
            gestures.emit(.pen(.button(button), at: point), at: moment)
        }
    }

    private mutating func land(
        _ end: PenEnd, at point: Point, _ moment: Moment, _ context: Context,
        _ gestures: inout [TimedGesture]
    ) {
        guard point.isPlausible, !touches.isTouching, !chromeTouch.isActive else { return }
        pointer = point
        if context.chrome.contains(point) {
            chromeTouch.down(.pen(end), at: point, moment, settings: settings, into: &gestures)
            return
        }
        releaseTouchpad(at: moment, into: &gestures)
        touches.down(.pen(end), at: point, moment, context: context, into: &gestures)
        touches.frame(context: context, into: &gestures)
    }

    private mutating func follow(
        to point: Point, _ moment: Moment, _ context: Context, _ gestures: inout [TimedGesture]
    ) {
        guard point.isPlausible, let pen else { return }
        pointer = point
        if chromeTouch.isDown(pen) {
            chromeTouch.move(to: point, at: moment, settings: settings, into: &gestures)
        } else {
            touches.move(pen, to: point, moment)
            touches.frame(context: context, into: &gestures)
        }
    }

    private mutating func lift(
        _ moment: Moment, _ context: Context, _ gestures: inout [TimedGesture]
    ) {
        guard let pen else { return }
        if chromeTouch.isDown(pen) {
            chromeTouch.up(at: moment, into: &gestures)
        } else {
            touches.up(pen, moment)
            touches.frame(context: context, into: &gestures)
        }
    }
}
