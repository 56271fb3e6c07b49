import Commands
import Geometry
import Gestures
import Interface
import Motion
import SceneModel

/// The end of a manipulation: the picture is flung, settles, turns the page, or is dismissed.
extension ViewerModel {
    mutating func letGo(_ release: Release, at moment: Moment, effects: inout [ViewerEffect]) {
        guard let manipulation = zoomPan.held else { return }
        let returnsToFit = zoomPan.endCatch()
        // A fling starts when the content was drawn at the last samples, which is before `moment`.
        let since = moment.advanced(byMilliseconds: -release.age)
        if !release.isCancelled {
            let exit = manipulation.exit(
                release, settings: allowedSettings, isOnly: count == 1, on: geometry)
            if case .dismissal(let direction) = exit {
                pager.settle(from: manipulation.pagerOffset, velocity: 0, at: moment)
                dismiss(
                    manipulation, along: direction, velocity: release.velocity, since: since,
                    at: moment)
                return
            }
            if case .information = exit {
                chrome.showInformation(at: moment)
            } else if let step = manipulation.pageStep(velocity: release.velocity, of: pager) {
                turnPage(
                    by: step, from: manipulation,
                    velocity: manipulation.turnVelocity(release.velocity, on: geometry),
                    at: moment, effects: &effects)
                return
            }
        }
        fade(to: 1, at: moment)
        cell.uncrop(at: moment)
        pager.settle(
            from: manipulation.pagerOffset,
            velocity: manipulation.pagerVelocity(release.velocity, on: geometry), at: moment)
        zoomPan.move(
            by: manipulation.motion(
                after: release, returnsToFit: returnsToFit, since: since, at: moment,
                on: geometry))
    }

    mutating func endQuickZoom(at moment: Moment) {
        guard let manipulation = zoomPan.held else { return }
        pager.settle(from: manipulation.pagerOffset, velocity: 0, at: moment)
        let release = Release(centroid: manipulation.fingers.centroid)
        zoomPan.move(
            by: manipulation.settlingMotion(
                after: release, zoomRate: 0, at: moment, on: geometry))
    }

    // MARK: Dismissal

    /// Dismisses the picture with its velocity: to its cell, or off the surface.
    ///
    /// `direction` is that of `ActiveManipulation.Exit.dismissal`, `velocity` is in logical pixels per second.
    /// `since` is when the motion began, which may be before `moment`.
    private mutating func dismiss(
        _ manipulation: ActiveManipulation, along direction: Vector, velocity: Vector,
        since: Moment, at moment: Moment
    ) {
        isDismissalUnreported = true
        rememberView()
        var now = manipulation.placement
        if let source = cell.exit {
            now.center.x += manipulation.pagerOffset
            startReturn(
                to: source, from: now, about: manipulation.fingers.centroid, velocity: velocity,
                at: moment)
            return
        }
        let course = direction == .zero || velocity.length > 0 ? velocity : direction
        leaveSurface(
            from: now, velocity: direction == .zero ? .zero : course, about: manipulation.focal,
            since: since, at: moment)
    }

    /// Moves a dismissed picture off the surface; the parameters are those of `LeavingMotion`.
    mutating func leaveSurface(
        from start: Placement, velocity: Vector, about focal: Point, since: Moment,
        at moment: Moment
    ) {
        chrome.hideInformation(at: moment)
        fade(to: 0, at: moment)
        zoomPan.leave(
            by: LeavingMotion(
                from: start, velocity: velocity, about: focal, since: since, at: moment,
                reducesMotion: settings.reducedMotion))
    }

    /// Goes one level up: to the grid, or out of the program.
    mutating func goUpOneLevel(at moment: Moment, effects: inout [ViewerEffect]) {
        if cell.exit != nil {
            leaveToGrid(at: moment)
        } else if policy.allowsLeaving {
            close(effects: &effects)
        }
    }

    /// Closes the viewer without an animation: by key, by the close button, or by the compositor.
    mutating func close(effects: inout [ViewerEffect]) {
        guard policy.allowsLeaving else { return }
        isDismissalUnreported = true
        effects.append(.quit)
    }
}
