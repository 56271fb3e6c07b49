package import Geometry
package import Gestures
package import Input
import Interface
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
        let whole = -Double.infinity...Double.infinity
        let between = waitsForDoubleTap ? rangeBetweenSides : whole
        return GestureArena.Context(
            contentIsMoving: isMoving(at: moment) || chrome.isScrolling(at: moment),
            doubleTapMatters: waitsForDoubleTap,
            rotates: settings.rotate, chrome: chromeArea(at: moment),
            doubleClickRange: settings.tapSides == .off ? whole : between,
            doubleTapRange: settings.tapSides == .touch ? between : whole)
    }
}
