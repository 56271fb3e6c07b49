import Geometry
import Input
import Motion

/// Touchscreen and mouse.
extension GestureArena {
    mutating func handle(
        _ event: TouchEvent, _ moment: Moment, _ context: Context, _ gestures: inout [TimedGesture]
    ) {
        switch event {
        case .down(let id, let point):
            guard point.isPlausible else { return }
            if context.chrome.contains(point), !touches.isDown(.touch(id)) {
                chromeTouch.down(
                    .touch(id), at: point, moment, settings: settings, into: &gestures)
                return
            }
            releaseTouchpad(at: moment, into: &gestures)
            touches.down(.touch(id), at: point, moment, context: context, into: &gestures)
        case .move(let id, let point):
            guard point.isPlausible else { return }
            if chromeTouch.isDown(.touch(id)) {
                chromeTouch.move(
                    to: point, at: moment, settings: settings, into: &gestures)
            } else {
                touches.move(.touch(id), to: point, moment)
            }
        case .shape(let id, let major, _): touches.shape(.touch(id), major: major)
        case .up(let id):
            if chromeTouch.isDown(.touch(id)) {
                chromeTouch.up(at: moment, into: &gestures)
            } else {
                touches.up(.touch(id), moment)
            }
        case .frame: touches.frame(context: context, into: &gestures)
        case .cancel:
            chromeTouch.cancel(at: moment, into: &gestures)
            touches.cancel(at: moment, into: &gestures)
        }
    }

    mutating func handle(
        _ event: PointerEvent, _ moment: Moment, _ context: Context,
        _ gestures: inout [TimedGesture]
    ) {
        switch event {
        case .move(let point):
            guard point.isPlausible else { return }
            pointer = point
            if chromeTouch.isDown(.mouse) {
                chromeTouch.move(
                    to: point, at: moment, settings: settings, into: &gestures)
            }
            guard touches.isDown(.mouse) else {
                if !isTouching { gestures.emit(.chrome(.hover(at: point)), at: moment) }
                return
            }
            touches.move(.mouse, to: point, moment)
            touches.frame(context: context, into: &gestures)
        case .leave:
            scroll.abandon(at: moment, into: &gestures)
            if chromeTouch.isDown(.mouse) { chromeTouch.cancel(at: moment, into: &gestures) }
            if touches.isDown(.mouse) { touches.cancel(at: moment, into: &gestures) }
            gestures.emit(.chrome(.hover(at: nil)), at: moment)
        case .button(let button, let isDown):
            press(button, isDown: isDown, moment, context, &gestures)
        case .axis(let axis, let value, let source, let value120):
            turn(axis, value, source, value120, moment, context, &gestures)
        case .axisStop(let axis):
            scroll.stop(axis, at: moment, into: &gestures)
        }
    }

    /// The left button acts as a finger that needs no frame; the right button opens the menu.
    private mutating func press(
        _ button: PointerButton, isDown: Bool, _ moment: Moment, _ context: Context,
        _ gestures: inout [TimedGesture]
    ) {
        switch (button, isDown) {
        case (.left, true):
            guard !touches.isTouching else { return }
            if context.chrome.contains(pointer) {
                chromeTouch.down(
                    .mouse, at: pointer, moment, settings: settings, into: &gestures)
                return
            }
            var context = context
            if releaseTouchpad(at: moment, into: &gestures) { context.contentIsMoving = true }
            touches.down(.mouse, at: pointer, moment, context: context, into: &gestures)
            touches.frame(context: context, into: &gestures)
        case (.left, false):
            if chromeTouch.isDown(.mouse) { chromeTouch.up(at: moment, into: &gestures) }
            touches.up(.mouse, moment)
            touches.frame(context: context, into: &gestures)
        case (.right, true):
            touches.forgetTap()
            if !isTouching { gestures.emit(.longPress(at: pointer, source: .mouse), at: moment) }
        case (.right, false), (.middle, _): break
        }
    }
}
