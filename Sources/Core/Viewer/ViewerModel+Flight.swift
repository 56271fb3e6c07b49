package import Geometry
import CMath
package import Motion
import SceneModel

/// The cell of a picture on the grid: where the transition to the viewer begins.
package struct TransitionSource: Hashable, Sendable {
    /// The rectangle of the cell on the surface, in logical pixels.
    package var rect: Rect
    /// Whether the cell shows only the middle of the picture, cropped to the cell's aspect ratio.
    package var isCropped: Bool

    package init(rect: Rect, isCropped: Bool) {
        self.rect = rect
        self.isCropped = isCropped
    }

    /// The size of the visible middle of a picture, in picture pixels; nil shows the whole picture.
    ///
    /// `share`, 0…1, interpolates between the whole picture (0) and the crop of the cell (1).
    func crop(of size: PixelSize, share: Double) -> Size? {
        let share = min(max(share, 0), 1)
        guard share > 0, rect.height > 0 else { return nil }
        let aspect = rect.width / rect.height
        let whole = size.size
        let (width, height) = (
            min(whole.width, whole.height * aspect), min(whole.height, whole.width / aspect)
        )
        return Size(
            width: whole.width + (width - whole.width) * share,
            height: whole.height + (height - whole.height) * share)
    }

    /// Whether the drawn picture differs from its cell by less than one logical pixel.
    ///
    /// `share` is the current crop, 0…1.
    func isReached(by placement: Placement, of size: PixelSize, crop share: Double) -> Bool {
        let target = ViewerModel.placement(
            of: size, in: self, rotation: ViewGeometry.fullTurn(placement.rotation))
        let shown = crop(of: size, share: isCropped ? share : 0) ?? size.size
        let end = crop(of: size, share: isCropped ? 1 : 0) ?? size.size
        let reach = hypot(end.width, end.height) / 2 * target.zoom
        let distances = [
            (placement.center - target.center).length,
            abs(shown.width * placement.zoom - end.width * target.zoom) / 2,
            abs(shown.height * placement.zoom - end.height * target.zoom) / 2,
            abs(placement.rotation - target.rotation) * reach,
        ]
        return distances.allSatisfy { $0 < 1 }
    }
}

/// The transition between a cell of the grid and the viewer, including the crop of the cell.
extension ViewerModel {
    /// Sets the cell to which the selected picture would return; nil without a grid.
    ///
    /// With `isExit` a dismissal returns to the cell; otherwise only the grid key does.
    package mutating func setTransitionSource(_ transitionSource: TransitionSource?, isExit: Bool) {
        self.transitionSource = transitionSource
        dismissesToGrid = isExit
    }

    package var hasTransitionSource: Bool { transitionSource != nil }

    /// Whether the picture is on its way to its cell.
    package var isReturningToCell: Bool {
        if case .returningToCell = state { true } else { false }
    }

    /// Selects a picture without showing it yet: the picture is wanted, and `open` follows.
    package mutating func prepare(_ index: Int, at moment: Moment) {
        guard index >= 0, index < count else { return }
        (self.index, page) = (index, index)
        (notice, menu, chrome) = (nil, nil, false)
        pagerOffset.rest()
        departingPages = [:]
        state = .gone
    }

    /// Whether the selected picture can be opened: its page has content.
    package var isPrepared: Bool { pages[index] != nil }

    /// Starts the transition of the prepared picture from its cell to the whole surface.
    package mutating func open(from transitionSource: TransitionSource, at moment: Moment) {
        self.transitionSource = transitionSource
        let fit = geometry.fit(rotation: turns[page] ?? 0)
        guard let size = pages[page]?.picture?.size, !settings.reducedMotion else {
            (dim, crop) = (.still(1), .still(0))
            rest(at: fit)
            return
        }
        dim = spring(from: 0, to: 1, at: moment)
        crop = transitionSource.isCropped ? spring(from: 1, to: 0, at: moment) : .still(0)
        croppedPage = page
        // The cell shows the picture upright, whatever rotation the viewer has.
        let upright = ViewGeometry.fullTurn(fit.rotation)
        let start = Self.placement(of: size, in: transitionSource, rotation: upright)
        state = .resting(start)
        move(by: PlacementMotion(from: start, to: fit, about: start.center, at: moment))
    }

    /// Starts the transition to the cell, from the placement `now` on the surface.
    ///
    /// `velocity` is the initial velocity of the point `focal`, in logical pixels per second.
    mutating func startReturnToCell(
        _ transitionSource: TransitionSource, from now: Placement, about focal: Point,
        velocity: Vector, at moment: Moment
    ) {
        (menu, chrome, notice) = (nil, false, nil)
        hideInformation(at: moment)
        guard let size = pages[page]?.picture?.size, !settings.reducedMotion else {
            dim = .still(0)
            state = .returningToCell(.standing(goal))
            return
        }
        let upright = ViewGeometry.fullTurn(now.rotation)
        let target = Self.placement(of: size, in: transitionSource, rotation: upright)
        fade(to: 0, at: moment)
        let cropped = croppedPage == page ? crop.value(at: moment) : 0
        crop = transitionSource.isCropped ? spring(from: cropped, to: 1, at: moment) : .still(0)
        croppedPage = page
        pagerOffset.rest()
        state = .returningToCell(
            PlacementMotion(
                from: now, to: target, about: focal, velocity: .init(focal: velocity), at: moment))
        goal = target
    }

    /// Returns to the grid, with the current velocity of the picture; does nothing without a grid.
    mutating func leaveToGrid(at moment: Moment) {
        guard let transitionSource else { return }
        var now = place(at: moment)
        now.center.x += pagerPosition(at: moment)
        var velocity = Vector.zero
        switch state {
        case .moving(let motion), .returningToCell(let motion):
            velocity = motion.centerVelocity(at: moment)
        case .resting, .held, .leaving, .gone: break
        }
        startReturnToCell(
            transitionSource, from: now, about: now.center, velocity: velocity, at: moment)
    }

    /// Below this opacity, 0…1, the backdrop counts as transparent.
    static let faintBackdrop = 0.02

    /// Whether the picture is drawn within one logical pixel of its cell, and the backdrop is
    /// practically transparent.
    func hasReachedCell(_ placement: Placement, at moment: Moment) -> Bool {
        guard let transitionSource, let size = pages[page]?.picture?.size,
            dim.value(at: moment) < Self.faintBackdrop
        else { return false }
        return transitionSource.isReached(by: placement, of: size, crop: crop.value(at: moment))
    }

    /// Whether a point of the surface is on the picture that is on its way to its cell.
    package func isOnReturningPicture(_ point: Point, at moment: Moment) -> Bool {
        guard isReturningToCell, let size = pages[page]?.picture?.size else { return false }
        let placement = placementOnPage(at: moment)
        let shown = crop(ofPage: page, size, at: moment) ?? size.size
        let arm = (point - placement.center).rotated(by: -placement.rotation)
        return abs(arm.dx) * 2 <= shown.width * placement.zoom
            && abs(arm.dy) * 2 <= shown.height * placement.zoom
    }

    /// Hands over the remainder of the transition to the caller, and leaves the viewer empty.
    ///
    /// Nil where no picture is on its way to its cell.
    package mutating func handOverReturn(at moment: Moment) -> Landing? {
        guard case .returningToCell(let motion) = state, let transitionSource else { return nil }
        defer { (state, crop, correction) = (.gone, .still(0), .none) }
        guard let picture = pages[page]?.picture else { return nil }
        return Landing(
            index: page, picture: picture, motion: motion, correction: correction, crop: crop,
            dim: dim,
            transitionSource: transitionSource, hasCheckerboard: settings.checkerboard)
    }

    /// Redirects the transition, because the cell has moved since the transition began.
    package mutating func retargetReturn(at moment: Moment) {
        if case .returningToCell = state { leaveToGrid(at: moment) }
    }

    /// Reverses the transition to the cell, because a finger has caught the picture.
    mutating func cancelReturn(at moment: Moment) {
        returnsToFit = true
        fade(to: 1, at: moment)
        uncrop(at: moment)
    }

    /// Restarts a motion that a touch has stopped, if no finger holds it any more.
    ///
    /// Pages settle, and a picture that was caught on its way to its cell returns to the whole
    /// surface.
    mutating func releaseUnheld(at moment: Moment) {
        switch state {
        case .held, .leaving, .returningToCell, .gone: return
        case .resting, .moving: break
        }
        guard interrupted == nil else { return }
        if pagerOffset.isHeld {
            settlePager(from: pagerPosition(at: moment), velocity: 0, at: moment)
        }
        guard crop.restValue != 0 || dim.restValue != 1 else { return }
        uncrop(at: moment)
        fade(to: 1, at: moment)
    }

    /// Removes the crop of the cell, by an animation.
    mutating func uncrop(at moment: Moment) {
        let cropped = crop.value(at: moment)
        guard crop.restValue != 0 else { return }
        crop = settings.reducedMotion ? .still(0) : spring(from: cropped, to: 0, at: moment)
    }

    /// Whether the viewer hides the grid completely.
    package func coversSurface(at moment: Moment) -> Bool {
        switch state {
        case .returningToCell, .gone, .leaving: return false
        case .resting, .held, .moving: return backdrop(at: moment) >= 1
        }
    }

    /// The placement of a picture in its cell: it covers a cropped cell, and fits into any other.
    static func placement(
        of size: PixelSize, in transitionSource: TransitionSource, rotation: Double
    ) -> Placement {
        let across = transitionSource.rect.width / Double(max(size.width, 1))
        let down = transitionSource.rect.height / Double(max(size.height, 1))
        return Placement(
            center: transitionSource.rect.center,
            zoom: transitionSource.isCropped ? max(across, down) : min(across, down),
            rotation: rotation)
    }

    private func spring(from start: Double, to end: Double, at moment: Moment) -> ScalarMotion {
        .spring(
            Spring(
                from: start, to: end, at: moment, frequency: PlacementMotion.settleFrequency))
    }

    /// The size of the visible middle of a page's picture during a transition, in picture pixels;
    /// nil shows the whole picture.
    func crop(ofPage page: Int, _ size: PixelSize, at moment: Moment) -> Size? {
        guard page == croppedPage, let transitionSource else { return nil }
        return transitionSource.crop(of: size, share: crop.value(at: moment))
    }

    // MARK: Changes of the listing

    /// The picture on the current page was removed, and another picture took its index.
    private mutating func replaceSelected(_ effects: inout [Effect]) {
        switch state {
        case .gone, .leaving: break
        case .returningToCell:
            // The cell of the picture was removed, too.
            state = .gone
            crop = .still(0)
            effects.append(.landed)
        case .resting, .held, .moving:
            (dim, crop) = (.still(1), .still(0))
            rest(at: geometry.fit(rotation: turns[page] ?? 0))
        }
    }

    /// Follows a change of the listing: pictures were added, removed or moved.
    ///
    /// `mapping` gives the new index of an old one, nil for a removed picture. `nearest` gives the
    /// new index to select where the selected picture was removed.
    package mutating func update(
        count: Int, mapping: (_ old: Int) -> Int?, nearest: (_ old: Int) -> Int?,
        at moment: Moment, effects: inout [Effect]
    ) {
        func moved<Value>(_ table: [Int: Value]) -> [Int: Value] {
            var result: [Int: Value] = [:]
            for (old, value) in table {
                if let new = mapping(old) { result[new] = value }
            }
            return result
        }
        let (newIndex, newPage) = (mapping(index), mapping(page))
        (pages, departingPages, turns) = (moved(pages), moved(departingPages), moved(turns))
        pendingMessages = moved(pendingMessages)
        if let page = mapping(croppedPage) { croppedPage = page } else { crop = .still(0) }
        self.count = count
        guard count > 0 else {
            (index, page, state) = (0, 0, .gone)
            crop = .still(0)
            return
        }
        index = min(max(newIndex ?? nearest(index) ?? 0, 0), count - 1)
        page = newPage ?? index
        if newIndex == nil || newPage == nil {
            pagerOffset.rest()
            page = index
            replaceSelected(&effects)
        }
        effects.append(.show(index: index))
    }
}
