import Commands
package import Geometry
package import Gestures
import Grid
package import Input
package import Interface
package import Motion
import Viewer

/// Input of a person: gestures and keys for the grid or the viewer, and time.
extension BrowserModel: GestureTarget {
    package mutating func handle(
        _ gesture: Gesture, modifiers: KeyEvent.Modifiers, at moment: Moment,
        effects: inout [ViewerEffect]
    ) {
        if isBesideMovingPicture(gesture.point, at: moment) { switchToGrid(at: moment) }
        if let response = chrome.handleInPrompt(gesture, at: moment) {
            chrome.followInput(gesture)
            perform(response, at: moment, effects: &effects)
            return
        }
        switch mode {
        case .grid:
            if handleOnGridChrome(gesture, at: moment, effects: &effects) { return }
            chrome.endSearchEditing()
            if case .pen(let control, let point) = gesture {
                return perform(control, at: point, moment, effects: &effects)
            }
            grid.handle(gesture, modifiers: modifiers, at: moment, effects: &effects)
            answerGrid(at: moment, effects: &effects)
        case .viewer:
            alignGrid(at: moment)
            viewer.handle(gesture, at: moment, effects: &effects)
        }
    }

    package mutating func noticeInput(at moment: Moment) { viewer.noticeInput(at: moment) }

    package mutating func noticeLostContacts() { viewer.noticeLostContacts() }

    /// Does what the chrome asks for.
    mutating func perform(
        _ response: Chrome.Response, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        switch mode {
        case .grid: performOnGrid(response, at: moment, effects: &effects)
        case .viewer: viewer.perform(response, at: moment, effects: &effects)
        }
    }

    package mutating func handle(_ key: KeyEvent, at moment: Moment, effects: inout [ViewerEffect])
    {
        if key.action != .up {
            touched = nil
            prepareForKey(at: moment)
        }
        if let response = chrome.handleInPrompt(key, at: moment) {
            perform(response, at: moment, effects: &effects)
            return
        }
        switch mode {
        case .grid:
            if handleInSearch(key, at: moment, effects: &effects) { return }
            guard let onChrome = command(for: key),
                !handleOnGridChrome(onChrome, at: moment, effects: &effects),
                // The chrome may have lost the button that Space would press.
                let command = command(for: key), policy.allows(command)
            else { return }
            grid.handle(command, of: key, at: moment, effects: &effects)
            answerGrid(at: moment, effects: &effects)
        case .viewer:
            alignGrid(at: moment)
            viewer.handle(key, at: moment, effects: &effects)
        }
    }

    package mutating func resize(to size: Size?, scale: Double?, at moment: Moment) {
        viewer.resize(to: size, scale: scale, at: moment)
        grid.scale = viewer.viewport.scale
        grid.resize(to: viewer.viewport.size, below: headerHeight, at: moment)
        guard mode == .viewer else { return }
        // The target cell of a transition has moved.
        grid.bringIntoView(viewer.index, at: moment)
        alignGrid(at: moment)
        viewer.retargetReturn(at: moment)
    }

    package mutating func advance(to moment: Moment, effects: inout [ViewerEffect]) {
        grid.advance(to: moment)
        if folderFlight?.isOver(at: moment) == true { folderFlight = nil }
        if viewer.isReturningToCell {
            isOverGrid = true
        } else if viewer.coversSurface(at: moment) {
            isOverGrid = false
        }
        viewer.advance(to: moment, effects: &effects)
        receiveLanding(at: moment, effects: &effects)
        endLanding(at: moment, effects: &effects)
    }

    package var deadline: Moment? {
        switch mode {
        case .grid: [grid.deadline, chrome.deadline].compactMap(\.self).min()
        case .viewer: viewer.deadline
        }
    }

    package func isAnimating(at moment: Moment) -> Bool {
        if landing != nil || mode == .grid && folderFlight != nil { return true }
        return mode == .grid
            ? grid.isAnimating(at: moment) || chrome.isAnimating(at: moment)
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
            contentIsMoving: grid.isMoving(at: moment) || chrome.isScrolling(at: moment),
            doubleTapMatters: false, rotates: false, chrome: gridChromeArea(at: moment),
            mouseDragOut: grid.mouseDragOut(at: point, moment),
            touchDragsOut: grid.allowsDragOut)
    }
}
