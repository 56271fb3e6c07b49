import Geometry
package import Gestures
import CMath
package import Motion
import SceneModel

extension ViewerModel {
    /// Handles a recognised gesture.
    package mutating func handle(
        _ gesture: Gesture, at moment: Moment, effects: inout [Effect]
    ) {
        guard mayChange(by: gesture), !handleInPanel(gesture, at: moment) else { return }
        switch gesture {
        case .manipulationRebased(let fingers, let predicted):
            withPredictionCorrection(at: moment) { viewer in
                viewer.predicted = nil
                viewer.rebase(fingers, at: moment)
                viewer.predict { $0.follow(predicted, on: $1) }
            }
            return
        case .manipulationEnded(let release):
            withPredictionCorrection(at: moment) { viewer in
                viewer.predicted = nil
                viewer.letGo(release, at: moment, effects: &effects)
            }
            return
        case .quickZoomEnded:
            withPredictionCorrection(at: moment) { viewer in
                viewer.predicted = nil
                viewer.endQuickZoom(at: moment)
            }
            return
        case .resumed:
            withPredictionCorrection(at: moment) { viewer in
                viewer.predicted = nil
                viewer.resume(at: moment)
            }
            return
        default: break
        }
        if !gesture.isZoomStep { zoomAim = nil }
        // The prediction stays valid until the gesture is handled, so that motions continue from
        // the drawn placement.
        defer { if !gesture.keepsPrediction { predicted = nil } }
        switch gesture {
        case .caught: stop(at: moment)
        case .manipulationBegan(let fingers):
            menu = nil
            if isReturningToCell { cancelReturn(at: moment) }
            begin(fingers, at: moment)
        case .manipulationChanged(let fingers): follow(fingers, at: moment)
        case .manipulationPredicted(let fingers): predict { $0.follow(fingers, on: $1) }
        case .manipulationReverted: revert(at: moment)
        case .tap(let point, let source): tap(at: point, source, at: moment, effects: &effects)
        case .chromeTap(let point): tapChrome(at: point, moment, effects: &effects)
        case .chromeDrag(let distance): menu?.drag(by: distance)
        case .doubleTap(let point): stepUp(about: point, at: moment)
        case .twoFingerTap(let point): stepDown(about: point, at: moment)
        case .longPress(let point): openMenu(at: point)
        case .quickZoomBegan(let point): beginQuickZoom(at: point, moment)
        case .quickZoomChanged(let distance):
            guard case .held(var manipulation) = state else { return }
            manipulation.follow(distance: distance, on: geometry)
            state = .held(manipulation)
        case .quickZoomPredicted(let distance): predict { $0.follow(distance: distance, on: $1) }
        case .manipulationRebased, .manipulationEnded, .quickZoomEnded, .resumed: break
        case .wheel(let detents, let point, let zooms):
            turnWheel(detents, at: point, zooms: zooms, moment, effects: &effects)
        case .scrollZoom(let distance, let point):
            zoomByScroll(distance, about: point, at: moment)
        }
    }

    /// Whether a gesture has an effect in the current state.
    ///
    /// A dismissed picture can be caught, but taps, keys and the wheel do not bring it back.
    private func mayChange(by gesture: Gesture) -> Bool {
        switch (state, gesture) {
        case (.gone, _): false
        case (.leaving, .caught), (.leaving, .manipulationBegan): true
        case (.returningToCell, .caught), (.returningToCell, .manipulationBegan): true
        case (.leaving, _), (.returningToCell, _): false
        case (.resting, _), (.held, _), (.moving, _): true
        }
    }

    // MARK: Holding

    /// Stops all motion, because a finger has landed.
    private mutating func stop(at moment: Moment) {
        // An earlier catch may have ended without a release of the finger.
        if case .held = state {} else { (returnsToFit, interrupted) = (false, nil) }
        let now = place(at: moment)
        switch state {
        case .held, .gone: break
        case .resting:
            state = .resting(now)
            if !pagerOffset.isAtRest(at: moment) { interrupted = .motion(isFling: false) }
        case .moving(let motion):
            state = .resting(now)
            interrupted = .motion(isFling: motion.isFling)
        case .leaving(let motion, _, _):
            interrupted = .departure(velocity: motion.centerVelocity(at: moment))
            freeze(now, at: moment)
        case .returningToCell:
            (interrupted, returnsToFit) = (.flight, true)
            freeze(now, at: moment)
        }
        pagerOffset.hold(at: pagerOffset.displacement(at: moment))
    }

    /// Stops a picture that was leaving, together with its backdrop and crop.
    private mutating func freeze(_ now: Placement, at moment: Moment) {
        dim = .still(backdrop(at: moment))
        crop = .still(crop.value(at: moment))
        state = .resting(now)
        goal = geometry.nearestRest(to: now, about: now.center)
    }

    /// Continues the motion that a touch has stopped.
    private mutating func resume(at moment: Moment) {
        defer { interrupted = nil }
        switch state {
        case .held, .resting: break
        // Another motion has begun meanwhile.
        case .moving, .leaving, .returningToCell, .gone: return
        }
        let now = place(at: moment)
        let displacement = pagerPosition(at: moment)
        switch interrupted {
        case .flight:
            guard let transitionSource else { break }
            startReturnToCell(
                transitionSource, from: now, about: now.center, velocity: .zero, at: moment)
            return
        case .departure(let velocity):
            depart(from: now, velocity: velocity, about: now.center, since: moment, at: moment)
            return
        case .motion, nil: break
        }
        settlePager(from: displacement, velocity: 0, at: moment)
        let range = geometry.restRange(zoom: now.zoom, rotation: now.rotation)
        if interrupted == .motion(isFling: true), range.overscroll(of: now.center) == .zero {
            // A fling decelerates exponentially, so its velocity is the remaining distance times
            // the rate.
            let velocity = (goal.center - now.center) * Deceleration.normal
            move(
                by: PlacementMotion(
                    flinging: now, velocity: velocity, within: range, at: moment))
        } else {
            move(
                by: PlacementMotion(
                    from: now, to: goal, pivot: viewport.center, at: moment))
        }
    }

    private mutating func begin(_ fingers: Manipulation, at moment: Moment) {
        let now = place(at: moment)
        let pagerOffset = pagerPosition(at: moment)
        let kind = kind(of: fingers, at: now, pagerOffset: pagerOffset)
        let isWaiting =
            kind == .pan && fingers.translation == .zero
            && (interrupted != nil || limits(rotation: now.rotation).isFit(now.zoom))
        startManipulation(
            fingers,
            .init(
                kind: kind, start: now, origin: now, pagerOffset: pagerOffset,
                isArmed: kind == .pinch && mayPinchAway(from: now), isUndecided: isWaiting,
                began: moment),
            at: moment)
    }

    /// The kind of a new manipulation.
    private func kind(of fingers: Manipulation, at now: Placement, pagerOffset: Double)
        -> ActiveManipulation.Kind
    {
        guard fingers.fingers == 1 else { return hasPicture ? .pinch : .swipe }
        // Also zooms below fit: a picture that was caught on its way back from a dismissal drag.
        guard limits(rotation: now.rotation).isFit(now.zoom) else { return .pan }
        if pagerOffset != 0 { return .swipe }
        let translation = fingers.translation
        // After a catch the manipulation begins before any translation: the picture follows the
        // finger until the translation decides the kind.
        if translation == .zero { return .pan }
        if abs(translation.dx) > abs(translation.dy) { return .swipe }
        let dismisses =
            settings.dismiss != .off && (fingers.source != .scroll || settings.scrollDismisses)
        return dismisses ? .dismiss : .pan
    }

    private func mayPinchAway(from start: Placement) -> Bool {
        settings.dismiss != .off && limits(rotation: start.rotation).isFit(start.zoom)
    }

    private mutating func rebase(_ fingers: Manipulation, at moment: Moment) {
        guard case .held(let old) = state else { return }
        let kind: ActiveManipulation.Kind =
            fingers.fingers == 1 && fingers.source != .touchpad ? .pan : .pinch
        // The fingers of a pinch land one after another, and the first one may have moved before.
        let joins =
            kind == .pinch && old.kind != .pinch
            && moment.seconds(since: old.began) * 1000 < ActiveManipulation.landingDelay
        startManipulation(
            fingers,
            .init(
                kind: kind, start: old.placement, origin: old.origin, pagerOffset: old.pagerOffset,
                isArmed: old.isArmed || joins && mayPinchAway(from: old.origin), began: old.began),
            at: moment)
    }

    /// Restarts the manipulation with the kind that the translation has decided.
    private mutating func decide(
        _ old: ActiveManipulation, _ fingers: Manipulation, at moment: Moment
    ) {
        let kind = kind(of: fingers, at: old.placement, pagerOffset: old.pagerOffset)
        startManipulation(
            fingers,
            .init(
                kind: kind, start: old.placement, origin: old.origin, pagerOffset: old.pagerOffset,
                isArmed: old.isArmed, base: old.fingers, began: old.began),
            at: moment)
    }

    private mutating func startManipulation(
        _ fingers: Manipulation, _ beginning: ActiveManipulation.Beginning, at moment: Moment
    ) {
        var beginning = beginning
        if beginning.kind == .pinch { returnsToFit = false }
        let dimmed = backdrop(at: moment)
        if !beginning.isUndecided { uncrop(at: moment) }
        if beginning.kind == .dismiss {
            let range = geometry.restRange(
                zoom: beginning.start.zoom, rotation: beginning.start.rotation)
            let isAbove = range.overscroll(of: beginning.start.center).dy < 0
            beginning.progress = isAbove ? dimmed - 1 : 1 - dimmed
        } else if !beginning.isUndecided {
            fade(to: 1, at: moment)
        }
        state = .held(ActiveManipulation(beginning, fingers, on: geometry))
    }

    private mutating func follow(_ fingers: Manipulation, at moment: Moment) {
        guard case .held(var manipulation) = state else { return }
        if manipulation.isUndecided,
            fingers.translation.length > ActiveManipulation.decidingDistance
        {
            decide(manipulation, fingers, at: moment)
            return
        }
        manipulation.follow(fingers, on: geometry)
        state = .held(manipulation)
    }

    /// Stores the predicted state of the manipulation, for drawing only.
    ///
    /// The prediction never decides the kind of an undecided manipulation.
    private mutating func predict(_ follow: (inout ActiveManipulation, ViewGeometry) -> Void) {
        guard case .held(var manipulation) = state else { return }
        follow(&manipulation, geometry)
        predicted = manipulation
    }

    private mutating func revert(at moment: Moment) {
        guard case .held(let manipulation) = state else { return }
        fade(to: 1, at: moment)
        let target = geometry.nearestRest(to: manipulation.origin, about: manipulation.focal)
        travel(from: manipulation.placement, to: target, pivot: manipulation.focal, at: moment)
    }

    private mutating func beginQuickZoom(at point: Point, _ moment: Moment) {
        guard hasPicture else { return }
        let now = place(at: moment)
        let fingers = Manipulation(source: .touch, fingers: 1, base: point, centroid: point)
        startManipulation(
            fingers,
            .init(
                kind: .quickZoom(focal: point), start: now, origin: now,
                pagerOffset: pagerPosition(at: moment)),
            at: moment)
    }

    private mutating func endQuickZoom(at moment: Moment) {
        guard case .held(let manipulation) = state else { return }
        settlePager(from: manipulation.pagerOffset, velocity: 0, at: moment)
        settle(
            manipulation, Release(centroid: manipulation.fingers.centroid), zoomRate: 0, at: moment)
    }
}
