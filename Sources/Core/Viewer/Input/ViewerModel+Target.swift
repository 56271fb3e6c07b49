package import Geometry
package import Gestures
package import Input
package import Interface
package import Motion
import SceneModel

extension ViewerModel: GestureTarget {
    package mutating func handle(
        _ gesture: Gesture, modifiers: KeyEvent.Modifiers, at moment: Moment,
        effects: inout [ViewerEffect]
    ) {
        handle(gesture, at: moment, effects: &effects)
    }

    package mutating func resize(to size: Size?, scale: Double?, at moment: Moment) {
        resize(
            to: Viewport(size: size ?? viewport.size, scale: scale ?? viewport.scale), at: moment)
    }

    package func context(at moment: Moment, near point: Point?) -> GestureArena.Context {
        if isCropping { return cropContext(at: moment) }
        let whole = -Double.infinity...Double.infinity
        let doubleTapMatters = waitsForDoubleTap
        let between = doubleTapMatters ? rangeBetweenSides : whole
        return GestureArena.Context(
            contentIsMoving: isMoving(at: moment) || chrome.isScrolling(at: moment),
            doubleTapMatters: doubleTapMatters,
            rotates: settings.rotate, chrome: chromeArea(at: moment),
            doubleClickRange: settings.tapSides == .off ? whole : between,
            doubleTapRange: settings.tapSides == .touch ? between : whole,
            mouseDragOut: mouseDragOut(at: moment))
    }

    private func cropContext(at moment: Moment) -> GestureArena.Context {
        var context = GestureArena.Context(
            contentIsMoving: isMoving(at: moment) || chrome.isScrolling(at: moment),
            doubleTapMatters: waitsForDoubleTap, rotates: true, chrome: chromeArea(at: moment))
        context.straightens = true
        return context
    }

    /// A picture that cannot be panned is dragged out by a mouse that has rested; one that can, by Ctrl.
    private func mouseDragOut(at moment: Moment) -> DragOut {
        guard allowsDragOut, hasPicture, !isMoving(at: moment) else { return .never }
        let now = zoomPan.computedPlacement(at: moment)
        return limits(rotation: now.rotation).isFit(now.zoom) ? .afterRest : .withControl
    }
}
