package import Geometry
import CMath
package import Motion
import SceneModel

/// Where a picture lives on the grid.
package struct TransitionSource: Hashable, Sendable {
    /// Its cell on the surface, in logical pixels.
    package var rect: Rect
    /// Whether the cell shows the middle of the picture only.
    package var isCropped: Bool

    package init(rect: Rect, isCropped: Bool) {
        self.rect = rect
        self.isCropped = isCropped
    }

    /// The middle of a picture that is seen of it, in picture pixels, when it is cut to the `share`,
    /// 0…1, to which its cell cuts it; nil: all of it.
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

    /// Whether a picture is drawn within a pixel of how its cell shows it.
    func isReached(by placement: Placement, of size: PixelSize, crop share: Double) -> Bool {
        let target = ViewerModel.placement(
            of: size, in: self, rotation: ViewGeometry.wholeTurn(placement.rotation))
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

/// The flight between a cell of the grid and the viewer, with the cell's own crop.
extension ViewerModel {
    /// Takes the grid's word for where the selected picture would fly to; none without a grid.
    ///
    /// With `isExit` a dismissal goes there; otherwise only the key that asks for the grid does.
    package mutating func setTransitionSource(_ transitionSource: TransitionSource?, isExit: Bool) {
        self.transitionSource = transitionSource
        dismissesHome = isExit
    }

    package var hasHome: Bool { transitionSource != nil }

    /// Whether the picture is on its way to its cell.
    package var isHoming: Bool {
        if case .homing = state { true } else { false }
    }

    /// Selects a picture without showing it yet: it is wanted, and `open` follows.
    package mutating func prepare(_ index: Int, at moment: Moment) {
        guard index >= 0, index < count else { return }
        (self.index, page) = (index, index)
        (notice, menu, chrome) = (nil, nil, false)
        strip.rest()
        departed = [:]
        state = .gone
    }

    /// Whether the selected picture can be opened: its size is known.
    package var isPrepared: Bool { pages[index] != nil }

    /// Lets the prepared picture grow from its cell to the whole surface.
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
        // In its cell it lies upright, however it was turned.
        let upright = ViewGeometry.wholeTurn(fit.rotation)
        let start = Self.placement(of: size, in: transitionSource, rotation: upright)
        state = .resting(start)
        move(by: PlacementMotion(from: start, to: fit, about: start.center, at: moment))
    }

    /// Sends the picture to its cell from wherever it is, with the velocity it has.
    mutating func flyHome(
        _ transitionSource: TransitionSource, from now: Placement, about focal: Point,
        velocity: Vector, at moment: Moment
    ) {
        (menu, chrome, notice) = (nil, false, nil)
        hideInformation(at: moment)
        guard let size = pages[page]?.picture?.size, !settings.reducedMotion else {
            dim = .still(0)
            state = .homing(.standing(goal))
            return
        }
        let turn = ViewGeometry.wholeTurn(now.rotation)
        let target = Self.placement(of: size, in: transitionSource, rotation: turn)
        fade(to: 0, at: moment)
        let cropped = croppedPage == page ? crop.value(at: moment) : 0
        crop = transitionSource.isCropped ? spring(from: cropped, to: 1, at: moment) : .still(0)
        croppedPage = page
        strip.rest()
        state = .homing(
            PlacementMotion(
                from: now, to: target, about: focal, velocity: .init(focal: velocity), at: moment))
        goal = target
    }

    /// One level up: to the grid where there is one, or out.
    mutating func leaveToHome(at moment: Moment) {
        guard let transitionSource else { return }
        var now = place(at: moment)
        now.center.x += stripPosition(at: moment)
        var velocity = Vector.zero
        switch state {
        case .moving(let motion), .homing(let motion):
            velocity = motion.centerVelocity(at: moment)
        case .resting, .held, .leaving, .gone: break
        }
        flyHome(transitionSource, from: now, about: now.center, velocity: velocity, at: moment)
    }

    /// The backdrop's opacity below which it counts as gone, 0…1.
    static let faintBackdrop = 0.02

    /// Whether a picture in flight is drawn within a pixel of its cell, and the backdrop is gone.
    func isHome(_ placement: Placement, at moment: Moment) -> Bool {
        guard let transitionSource, let size = pages[page]?.picture?.size,
            dim.value(at: moment) < Self.faintBackdrop
        else { return false }
        return transitionSource.isReached(by: placement, of: size, crop: crop.value(at: moment))
    }

    /// Whether a point of the surface is on the picture that flies to its cell.
    package func isOnFlight(_ point: Point, at moment: Moment) -> Bool {
        guard isHoming, let size = pages[page]?.picture?.size else { return false }
        let placement = placementOnPage(at: moment)
        let shown = crop(ofPage: page, size, at: moment) ?? size.size
        let arm = (point - placement.center).rotated(by: -placement.rotation)
        return abs(arm.dx) * 2 <= shown.width * placement.zoom
            && abs(arm.dy) * 2 <= shown.height * placement.zoom
    }

    /// Leaves the rest of a flight to somebody else: the viewer is gone.
    package mutating func handOverFlight(at moment: Moment) -> Landing? {
        guard case .homing(let motion) = state, let transitionSource else { return nil }
        defer { (state, crop, correction) = (.gone, .still(0), .none) }
        guard let picture = pages[page]?.picture else { return nil }
        return Landing(
            index: page, picture: picture, motion: motion, correction: correction, crop: crop,
            dim: dim,
            transitionSource: transitionSource, isOnCheckerboard: settings.checkerboard)
    }

    /// Its cell lies elsewhere than when the flight began.
    package mutating func followHome(at moment: Moment) {
        if case .homing = state { leaveToHome(at: moment) }
    }

    /// The picture comes back from its flight: a finger has caught it.
    mutating func callBack(at moment: Moment) {
        returnsToFit = true
        fade(to: 1, at: moment)
        uncrop(at: moment)
    }

    /// Lets go on what a touch has stopped if no finger holds it any more: pages settle, and a picture
    /// that was caught in flight comes back to the whole surface.
    mutating func releaseUnheld(at moment: Moment) {
        switch state {
        case .held, .leaving, .homing, .gone: return
        case .resting, .moving: break
        }
        guard interrupted == nil else { return }
        if strip.isHeld { settleStrip(from: stripPosition(at: moment), velocity: 0, at: moment) }
        guard crop.restValue != 0 || dim.restValue != 1 else { return }
        uncrop(at: moment)
        fade(to: 1, at: moment)
    }

    /// All of the picture is to be seen.
    mutating func uncrop(at moment: Moment) {
        let cropped = crop.value(at: moment)
        guard crop.restValue != 0 else { return }
        crop = settings.reducedMotion ? .still(0) : spring(from: cropped, to: 0, at: moment)
    }

    /// Whether nothing of the grid can be seen.
    package func coversSurface(at moment: Moment) -> Bool {
        switch state {
        case .homing, .gone, .leaving: return false
        case .resting, .held, .moving: return backdrop(at: moment) >= 1
        }
    }

    /// Where a picture is drawn that covers its cell.
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

    /// The middle of a page's picture that is seen of it in flight, in picture pixels; nil: all.
    func crop(ofPage page: Int, _ size: PixelSize, at moment: Moment) -> Size? {
        guard page == croppedPage, let transitionSource else { return nil }
        return transitionSource.crop(of: size, share: crop.value(at: moment))
    }

    // MARK: The collection

    /// The picture in place is gone; another has its place.
    private mutating func replaceSelected(_ effects: inout [Effect]) {
        switch state {
        case .gone, .leaving: break
        case .homing:
            // There is no cell any more to fly to.
            state = .gone
            crop = .still(0)
            effects.append(.landed)
        case .resting, .held, .moving:
            (dim, crop) = (.still(1), .still(0))
            rest(at: geometry.fit(rotation: turns[page] ?? 0))
        }
    }

    /// Pictures have come, gone or moved: `mapping` gives the new index of an old one.
    ///
    /// Where the selected one is gone, the one that took its place is selected.
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
        let (wasSelected, wasInPlace) = (mapping(index), mapping(page))
        (pages, departed, turns) = (moved(pages), moved(departed), moved(turns))
        remarks = moved(remarks)
        if let page = mapping(croppedPage) { croppedPage = page } else { crop = .still(0) }
        self.count = count
        guard count > 0 else {
            (index, page, state) = (0, 0, .gone)
            crop = .still(0)
            return
        }
        index = min(max(wasSelected ?? nearest(index) ?? 0, 0), count - 1)
        page = wasInPlace ?? index
        if wasSelected == nil || wasInPlace == nil {
            strip.rest()
            page = index
            replaceSelected(&effects)
        }
        effects.append(.show(index: index))
    }
}
