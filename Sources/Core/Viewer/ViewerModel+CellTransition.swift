package import Geometry
import Interface
package import Motion
import SceneModel

/// The transition between a cell of the grid and the viewer.
extension ViewerModel {
    // MARK: From the cell

    /// Sets the cell to which the selected picture would return; nil without a grid.
    ///
    /// With `isExit` a dismissal returns to the cell; otherwise only the grid key does.
    package mutating func setTransitionSource(_ source: TransitionSource?, isExit: Bool) {
        cell.setSource(source, isExit: isExit)
    }

    package var hasTransitionSource: Bool { cell.source != nil }

    /// Selects a picture without showing it yet: the picture is wanted, and `open` follows.
    package mutating func prepare(_ index: Int, at moment: Moment) {
        guard index >= 0, index < count else { return }
        abandonCrop(at: moment)
        hideChrome(at: moment)
        pager.jump(to: index)
        keptView = nil
        zoomPan.disappear()
    }

    /// Whether the selected picture can be opened: its page has content.
    package var isPrepared: Bool { pager.content(of: index) != nil }

    /// Starts the transition of the prepared picture from its cell to the whole surface.
    package mutating func open(from source: TransitionSource, at moment: Moment) {
        let fit = fitOfCurrentPage
        guard let size = pager.picture?.size, !settings.reducedMotion else {
            cell.openAtOnce(from: source)
            backdrop.set(1)
            zoomPan.rest(at: fit)
            return
        }
        cell.open(pager.page, from: source, at: moment)
        backdrop.fade(from: 0, to: 1, at: moment)
        // The cell shows the picture upright, even if the viewer has rotated it.
        let upright = ViewGeometry.fullTurn(fit.rotation)
        let start = source.placement(of: size, rotation: upright)
        zoomPan.move(by: PlacementMotion(from: start, to: fit, about: start.center, at: moment))
    }

    // MARK: To the cell

    /// Starts the transition to the cell, from the placement `start` on the surface.
    ///
    /// `velocity` is the initial velocity of the point `focal`, in logical pixels per second.
    mutating func startReturn(
        to source: TransitionSource, from start: Placement, about focal: Point, velocity: Vector,
        at moment: Moment
    ) {
        hideChrome(at: moment)
        chrome.hideInformation(at: moment)
        guard let size = pager.picture?.size, !settings.reducedMotion else {
            backdrop.set(0)
            zoomPan.returnToCellAtOnce()
            return
        }
        let upright = ViewGeometry.fullTurn(start.rotation)
        let target = source.placement(of: size, rotation: upright)
        fade(to: 0, at: moment)
        cell.close(pager.page, to: source, at: moment)
        pager.centerPage()
        zoomPan.returnToCell(
            by: PlacementMotion(
                from: start, to: target, about: focal, velocity: .init(focal: velocity),
                at: moment))
    }

    /// Returns to the grid, with the current velocity of the picture; does nothing without a grid.
    mutating func leaveToGrid(at moment: Moment) {
        guard let source = cell.source else { return }
        endCrop(at: moment)
        var now = zoomPan.computedPlacement(at: moment)
        now.center.x += pagerOffset(at: moment)
        startReturn(
            to: source, from: now, about: now.center,
            velocity: zoomPan.centerVelocity(at: moment), at: moment)
    }

    /// Redirects the transition, because the cell has moved since the transition began.
    package mutating func retargetReturn(at moment: Moment) {
        if isReturningToCell { leaveToGrid(at: moment) }
    }

    /// Reverses the transition to the cell, because a finger has caught the picture.
    mutating func cancelReturn(at moment: Moment) {
        zoomPan.returnToFitOnRelease()
        fade(to: 1, at: moment)
        cell.uncrop(at: moment)
    }

    /// Whether the picture is on its way to its cell.
    package var isReturningToCell: Bool { zoomPan.returningMotion != nil }

    // MARK: The end

    /// Ends the transition once the picture is in its cell.
    mutating func endReturn(at moment: Moment) {
        guard let motion = zoomPan.returningMotion,
            motion.isAtRest(at: moment) || hasReachedCell(motion.placement(at: moment), at: moment)
        else { return }
        land()
    }

    /// Whether the picture is drawn within one logical pixel of its cell, and the backdrop is
    /// practically transparent.
    private func hasReachedCell(_ placement: Placement, at moment: Moment) -> Bool {
        guard let size = pager.picture?.size, backdrop.isFaint(at: moment) else { return false }
        return cell.isReached(by: placement, of: size, at: moment)
    }

    /// Leaves the viewer empty: the grid is shown.
    mutating func land() {
        zoomPan.disappear()
        cell.removeCrop()
        hasLanded = true
    }

    /// Whether the picture has reached its cell since the last call: the grid handles input then.
    package mutating func consumeLanding() -> Bool {
        defer { hasLanded = false }
        return hasLanded
    }

    /// Hands over the remainder of the transition to the caller, and leaves the viewer empty.
    ///
    /// Nil where no picture is on its way to its cell.
    package mutating func handOverReturn(at moment: Moment) -> Landing? {
        guard let motion = zoomPan.returningMotion, let source = cell.source else { return nil }
        let landing = pager.picture.map { picture in
            Landing(
                index: pager.page, picture: picture,
                light: lights.share(of: picture.source.picture, at: moment), motion: motion,
                correction: zoomPan.correction, crop: cell.crop, backdrop: backdrop,
                transitionSource: source, hasCheckerboard: settings.checkerboard)
        }
        zoomPan.disappear()
        zoomPan.correct(by: .none)
        cell.removeCrop()
        return landing
    }

    // MARK: Visibility

    /// Whether a point of the surface is on the picture that is on its way to its cell.
    package func isOnReturningPicture(_ point: Point, at moment: Moment) -> Bool {
        guard isReturningToCell, let size = pager.picture?.size else { return false }
        let placement = zoomPan.drawnPlacement(at: moment)
        let shown = cell.crop(ofPage: pager.page, size, at: moment) ?? size.size
        let arm = (point - placement.center).rotated(by: -placement.rotation)
        return abs(arm.dx) * 2 <= shown.width * placement.zoom
            && abs(arm.dy) * 2 <= shown.height * placement.zoom
    }

    /// Whether the viewer hides the grid completely.
    package func coversSurface(at moment: Moment) -> Bool {
        zoomPan.isShown && backdropOpacity(at: moment) >= 1
    }
}
