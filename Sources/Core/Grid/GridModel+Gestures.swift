import Geometry
package import Gestures
import CMath
package import Input
package import Interface
package import Motion

extension GridModel {
    /// Handles a gesture; `modifiers` are the modifier keys held at `moment`.
    ///
    /// The arena's context for the grid is `isMoving(at:)`, and no recognition of double taps.
    package mutating func handle(
        _ gesture: Gesture, modifiers: KeyEvent.Modifiers = [], at moment: Moment,
        effects: inout [ViewerEffect]
    ) {
        guard let gesture = gesture.plausible else { return }
        advance(to: moment)
        // The handlers below continue from the predicted state, which is dropped afterwards.
        defer { if !gesture.keepsPrediction { (predicted, predictedPeek) = (nil, nil) } }
        guard peek == nil else {
            handleLifted(gesture, at: moment)
            return
        }
        if !gesture.takesHold { relax(at: moment) }
        switch gesture {
        case .caught(let point): stop(touchedAt: point, at: moment)
        case .manipulationBegan(let fingers): begin(fingers, at: moment)
        case .manipulationRebased(_, let predicted): rebase(predicted, at: moment)
        case .manipulationChanged(let fingers): follow(fingers, at: moment)
        case .manipulationPredicted(let fingers): predict(fingers)
        case .manipulationEnded(let release): endManipulation(release, at: moment)
        case .manipulationReverted: revert(at: moment)
        case .resumed: resume(at: moment)
        case .tap(let point, _), .doubleTap(let point):
            tap(at: point, modifiers: modifiers, moment)
        // The browser knows the commands of a pen.
        case .chrome, .pen: break
        case .twoFingerTap(let point): zoomStep(up: false, about: point, at: moment)
        case .longPress(let point, _): select(at: point, moment)
        case .dragOut(let point, let source):
            dragOut(at: point, source, moment, effects: &effects)
        case .quickZoomBegan(let point):
            begin(Self.drag(from: point, by: 0), at: moment)
        case .quickZoomChanged(let distance):
            guard case .held(let hold) = state else { return }
            follow(Self.drag(from: hold.fingers.base, by: distance), at: moment)
        case .quickZoomPredicted(let distance):
            guard case .held(let hold) = state else { return }
            predict(Self.drag(from: hold.fingers.base, by: distance))
        case .quickZoomEnded: endManipulation(Release(centroid: .zero), at: moment)
        case .wheel(let detents, let point, let zooms):
            turnWheel(detents, at: point, zooms: zooms, moment)
        case .scrollZoom(let distance, let point):
            zoomByScroll(distance, about: point, at: moment)
        }
    }

    /// A scroll by one finger: dragging the second touch of a double tap scrolls the grid.
    private static func drag(from base: Point, by distance: Double) -> Manipulation {
        Manipulation(
            source: .touch, fingers: 1, base: base, centroid: base + Vector(dx: 0, dy: distance))
    }

    // MARK: Manipulation

    /// Stops a motion where it is, and remembers the target of an interrupted zoom.
    private mutating func stop(touchedAt point: Point, at moment: Moment) {
        caught = (point, isMoving(at: moment))
        interrupted = nil
        guard case .moving(let motion) = state else { return }
        if motion.scales(from: moment) { interrupted = motion.target }
        state = .resting(scrollState(at: moment))
    }

    /// Handles the lift of a touch that stopped the grid and did not move.
    ///
    /// A stopped scroll stays stopped; an interrupted zoom continues to its target.
    private mutating func resume(at moment: Moment) {
        defer { interrupted = nil }
        switch state {
        case .moving: return
        case .held where interrupted == nil: endManipulation(Release(centroid: .zero), at: moment)
        case .resting where interrupted == nil: relax(at: moment)
        case .held, .resting:
            guard let interrupted else { return }
            let now = scrollState(at: moment)
            var copy = layout
            copy.scale = interrupted.scale
            let delta = copy.point(of: now.anchor) - copy.point(of: interrupted.anchor)
            let target = ScrollState(
                anchor: now.anchor, focal: interrupted.focal + delta, scale: interrupted.scale)
            move(from: now, to: rest(near: target), velocity: .init(), at: moment)
        }
    }

    private mutating func begin(_ fingers: Manipulation, at moment: Moment) {
        hold(fingers, kind: kind(of: fingers, at: moment), isNew: true, at: moment)
    }

    /// The kind of a new manipulation.
    private func kind(of fingers: Manipulation, at moment: Moment) -> GridManipulation.Kind {
        guard fingers.isPinch else {
            if let grip = handleGrip(of: fingers, at: moment) { return .handle(grip: grip) }
            return .scroll
        }
        guard isFeed || settings.pinch == .peek,
            let cell = projection(at: moment).target(at: fingers.base), cell != hidden
        else { return .pinch }
        return .undecided(cell: cell)
    }

    /// Restarts the manipulation; the content displayed under the fingers stays under them.
    private mutating func rebase(_ fingers: Manipulation, at moment: Moment) {
        guard case .held(let old) = state else { return }
        let kind: GridManipulation.Kind =
            switch (old.kind, fingers.isPinch) {
            case (_, false): .scroll
            case (.pinch, true): .pinch
            case (.scroll, true), (.undecided, true), (.handle, true): kind(of: fingers, at: moment)
            }
        hold(fingers, kind: kind, isNew: false, at: moment)
    }

    /// Begins a manipulation with the displayed state of the grid.
    ///
    /// The anchor is computed only here; computing it for every sample would accumulate rounding
    /// errors.
    private mutating func hold(
        _ fingers: Manipulation, kind: GridManipulation.Kind, isNew: Bool, at moment: Moment
    ) {
        var origin = scrollState(at: moment)
        if case .held(let old) = state { origin = old.origin }
        let start = anchored(at: isNew ? fingers.base : fingers.centroid, moment)
        let hold = GridManipulation(
            kind, fingers: fingers, isNew: isNew, start: start,
            startOrigin: start.origin(in: layout), origin: origin, in: bounds(at: start.scale))
        state = .held(hold)
        follow(fingers, at: moment)
    }

    private mutating func follow(_ fingers: Manipulation, at moment: Moment) {
        guard case .held(var hold) = state else { return }
        if case .undecided(let cell) = hold.kind, hold.spread(of: fingers) > 1 {
            lift(cell, from: hold, by: fingers, at: moment)
            return
        }
        hold.follow(fingers, in: bounds(at: hold.start.scale))
        state = .held(hold)
        switch hold.kind {
        case .scroll: break
        case .pinch: reflow(hold, at: moment)
        case .handle(let grip): slideHandle(hold, grip: grip, to: fingers.centroid.y)
        case .undecided:
            // A closing pinch scales the grid and does not lift the picture.
            guard hold.spread(of: fingers) < Self.closingSpread else { return }
            self.hold(fingers, kind: .pinch, isNew: false, at: moment)
        }
    }

    /// Stores the manipulation at predicted touch positions, for rendering only.
    private mutating func predict(_ fingers: Manipulation) {
        guard case .held(var hold) = state else { return }
        switch hold.kind {
        case .scroll, .pinch:
            hold.follow(fingers, in: bounds(at: hold.start.scale))
            predicted = hold
        case .handle, .undecided: break
        }
    }

    /// Rearranges the cells into the columns for the scale of the pinch.
    private mutating func reflow(_ hold: GridManipulation, at moment: Moment) {
        let scrollState = hold.scrollState
        let cell = HeldCell(
            index: scrollState.anchor.index, fraction: scrollState.anchor.fraction.dx,
            x: scrollState.focal.x)
        rearrange(about: scrollState.anchor, at: moment) {
            $0.scale = scrollState.scale
            return $0.arrange(holding: cell)
        }
    }

    /// Below this spread a pinch on a cell scales the grid.
    private static let closingSpread = 0.98

    // MARK: Release

    private mutating func endManipulation(_ release: Release, at moment: Moment) {
        guard case .held(let hold) = state else { return }
        let bounds = bounds(at: hold.start.scale)
        var velocity = hold.displayedVelocity(release, in: bounds)
        if release.isCancelled { velocity = .init() }
        // The samples decide what happens; the motion starts from the predicted state.
        let scrollState = hold.scrollState
        let shown = (predicted ?? hold).scrollState
        switch hold.kind {
        case .handle: state = .resting(scrollState)
        case .scroll where fillsWidth(scrollState), .undecided where fillsWidth(scrollState):
            // Slower by the lead of the prediction, so that the grid rests where the samples say.
            let ahead = shown.focal - scrollState.focal
            fling(shown, velocity: velocity.focal - ahead * Deceleration.normal, at: moment)
        case .scroll, .undecided, .pinch:
            let scale = scrollState.scale * exp(Self.zoomHorizon * velocity.zoomRate)
            let aim = scrollState.focal + velocity.focal * (1 / Deceleration.fast)
            settle(from: shown, scale: scale, aim: aim, velocity: velocity, at: moment)
        }
    }

    /// How far ahead the zoom rate at the release is extrapolated, in seconds.
    private static let zoomHorizon = 0.1

    /// Whether whole columns fill the surface from edge to edge.
    private func fillsWidth(_ scrollState: ScrollState) -> Bool {
        var copy = layout
        let restScale = layout.restScale(near: scrollState.scale)
        let range = scrollRange(at: scrollState.scale).x
        return restScale == scrollState.scale && !copy.settle(at: restScale)
            && (range.lowerBound < range.upperBound
                || abs(scrollState.origin(in: layout).x - range.lowerBound)
                    < Tolerance.pixels.distance)
    }

    /// Moves a grid that a touch stopped midway, and that no finger holds, to a resting position.
    mutating func relax(at moment: Moment) {
        guard case .resting(let scrollState) = state else { return }
        let origin = scrollState.origin(in: layout)
        let delta = scrollRange(at: scrollState.scale).clamp(origin) - origin
        guard !fillsWidth(scrollState) || delta.length > Tolerance.pixels.distance else { return }
        settle(from: scrollState, scale: scrollState.scale, aim: scrollState.focal, at: moment)
    }

    mutating func fling(_ scrollState: ScrollState, velocity: Vector, at moment: Moment) {
        let origin = scrollState.origin(in: layout)
        let range = scrollRange(at: scrollState.scale)
        guard !settings.reducedMotion else {
            state = .resting(scrollState.moved(to: range.clamp(origin), in: layout))
            return
        }
        state = .moving(
            GridMotion(
                flinging: scrollState, origin: origin, velocity: velocity, within: range, at: moment
            ))
    }

    /// Returns to the state before a touchpad gesture that was reverted.
    private mutating func revert(at moment: Moment) {
        guard case .held(let hold) = state else { return }
        let now = hold.scrollState
        let scale = layout.restScale(near: hold.origin.scale)
        rearrange(about: now.anchor, at: moment) { $0.settle(at: scale) }
        // The original scroll state gives the original position of the held point, even if the
        // columns have changed since.
        let before = Projection(
            layout, [],
            scrollState: ScrollState(
                anchor: hold.origin.anchor, focal: hold.origin.focal, scale: scale),
            surface: surface, at: moment)
        let cell = before.rect(of: now.anchor.index)
        let focal = Point(
            x: cell.x + now.anchor.fraction.dx * cell.width,
            y: cell.y + now.anchor.fraction.dy * cell.height)
        let target = rest(near: ScrollState(anchor: now.anchor, focal: focal, scale: scale))
        move(from: (predicted ?? hold).scrollState, to: target, velocity: .init(), at: moment)
    }
}

extension Manipulation {
    /// Whether the manipulation scales the content.
    var isPinch: Bool { fingers > 1 || source == .touchpad }
}
