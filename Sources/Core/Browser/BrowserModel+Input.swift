import Commands
package import Geometry
package import Gestures
import Grid
package import Input
import Interface
package import Motion
import Viewer

/// Input of a person: gestures and keys for the grid or the viewer, and time.
extension BrowserModel: GestureTarget {
    package mutating func handle(
        _ gesture: Gesture, modifiers: KeyEvent.Modifiers, at moment: Moment,
        effects: inout [Effect]
    ) {
        if isBesideMovingPicture(gesture.point, at: moment) { switchToGrid(at: moment) }
        switch mode {
        case .grid:
            if let response = gridChrome.handleInPrompt(gesture, at: moment) {
                gridChrome.followInput(gesture)
                perform(response, at: moment, effects: &effects)
                return
            }
            if handleOnGridChrome(gesture, at: moment, effects: &effects) { return }
            if case .pen(let control, let point) = gesture {
                return perform(control, at: point, moment, effects: &effects)
            }
            withGrid(at: moment, effects: &effects) { grid, requests in
                grid.handle(gesture, modifiers: modifiers, at: moment, effects: &requests)
            }
        case .viewer:
            alignGrid(at: moment)
            withViewer(at: moment, effects: &effects) { viewer, requests in
                viewer.handle(gesture, at: moment, effects: &requests)
            }
        }
    }

    package mutating func noticeInput(at moment: Moment) { viewer.noticeInput(at: moment) }

    package mutating func noticeLostContacts() {
        gridChrome.closeMenu()
        viewer.noticeLostContacts()
    }

    package mutating func handle(_ key: KeyEvent, at moment: Moment, effects: inout [Effect]) {
        if key.action != .up {
            touched = nil
            prepareForKey(at: moment)
        }
        switch mode {
        case .grid:
            if let response = gridChrome.handleInPrompt(key, at: moment) {
                perform(response, at: moment, effects: &effects)
                return
            }
            if handleOnGridChrome(key, at: moment, effects: &effects) { return }
            if let command = command(for: key), !policy.allows(command) { return }
            let keys = gridChrome.layout.keys
            withGrid(at: moment, effects: &effects) { grid, requests in
                grid.handle(key, of: keys, at: moment, effects: &requests)
            }
        case .viewer:
            alignGrid(at: moment)
            withViewer(at: moment, effects: &effects) { viewer, requests in
                viewer.handle(key, at: moment, effects: &requests)
            }
        }
    }

    package mutating func resize(to size: Size?, scale: Double?, at moment: Moment) {
        viewer.resize(to: size, scale: scale, at: moment)
        grid.resize(to: viewer.viewport.size, at: moment)
        var layout = gridChrome.layout
        layout.surface = viewer.viewport.size
        gridChrome.set(layout)
        guard mode == .viewer else { return }
        // The target cell of a transition has moved.
        grid.bringIntoView(viewer.index, at: moment)
        alignGrid(at: moment)
        viewer.retargetReturn(at: moment)
    }

    package mutating func advance(to moment: Moment, effects: inout [Effect]) {
        grid.advance(to: moment)
        gridChrome.advance(to: moment)
        if viewer.isReturningToCell {
            isOverGrid = true
        } else if viewer.coversSurface(at: moment) {
            isOverGrid = false
        }
        withViewer(at: moment, effects: &effects) { viewer, requests in
            viewer.advance(to: moment, effects: &requests)
        }
        endLanding(at: moment, effects: &effects)
    }

    package var deadline: Moment? {
        switch mode {
        case .grid: [grid.deadline, gridChrome.deadline].compactMap(\.self).min()
        case .viewer: viewer.deadline
        }
    }

    package func isAnimating(at moment: Moment) -> Bool {
        if landing != nil { return true }
        return mode == .grid
            ? grid.isAnimating(at: moment) || gridChrome.isAnimating(at: moment)
            : viewer.isAnimating(at: moment)
    }

    package func context(at moment: Moment, near point: Point?) -> GestureArena.Context {
        guard mode == .grid || isBesideMovingPicture(point, at: moment) else {
            return viewer.context(at: moment, near: point)
        }
        if mode == .viewer {
            // The context of the grid, which the gesture is going to switch to.
            var next = self
            next.switchToGrid(at: moment)
            return next.context(at: moment, near: point)
        }
        return GestureArena.Context(
            contentIsMoving: grid.isMoving(at: moment) || gridChrome.isScrolling(at: moment),
            doubleTapMatters: false, rotates: false, chrome: gridChromeArea(at: moment),
            mouseDragOut: grid.mouseDragOut(at: point, moment),
            touchDragsOut: grid.allowsDragOut)
    }
}
