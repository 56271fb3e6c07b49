package import Geometry
package import Gestures
package import Input
package import Motion

extension ViewerModel: GestureTarget {
    package mutating func handle(
        _ gesture: Gesture, modifiers: KeyEvent.Modifiers, at moment: Moment,
        effects: inout [Effect]
    ) {
        handle(gesture, at: moment, effects: &effects)
    }

    package mutating func resize(to size: Size?, scale: Double?, at moment: Moment) {
        resize(
            to: Viewport(size: size ?? viewport.size, scale: scale ?? viewport.scale), at: moment)
    }

    package func context(at moment: Moment, near point: Point?) -> GestureArena.Context {
        GestureArena.Context(
            contentIsMoving: isMoving(at: moment) || panel.isScrolling(at: moment),
            doubleTapMatters: waitsForDoubleTap,
            rotates: settings.rotate, chrome: chromeArea,
            doubleClickRange: waitsForDoubleTap ? doubleClickRange : 0...viewport.size.width)
    }
}
