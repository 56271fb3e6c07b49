import Geometry
package import Gestures
import CMath
package import Motion
import SceneModel

extension ViewerModel {
    /// Takes what the fingers mean.
    package mutating func handle(
        _ gesture: Gesture, at moment: Moment, effects: inout [Effect]
    ) {
        guard mayChange(by: gesture), !handleInPanel(gesture, at: moment) else { return }
        switch gesture {
        case .manipulationRebased(let fingers, let sight):
            mend(at: moment) { viewer in
                viewer.predicted = nil
                viewer.rebase(fingers, at: moment)
                viewer.see { $0.follow(sight, on: $1) }
            }
            return
        case .manipulationEnded(let release):
            mend(at: moment) { viewer in
                viewer.predicted = nil
                viewer.letGo(release, at: moment, effects: &effects)
            }
            return
        case .quickZoomEnded:
            mend(at: moment) { viewer in
                viewer.predicted = nil
                viewer.endQuickZoom(at: moment)
            }
            return
        case .resumed:
            mend(at: moment) { viewer in
                viewer.predicted = nil
                viewer.resume(at: moment)
            }
            return
        default: break
        }
        if !gesture.isZoomStep { zoomAim = nil }
        // What follows goes on from where the fingers are seen.
        defer { if !gesture.keepsPrediction { predicted = nil } }
        switch gesture {
        case .caught: stop(at: moment)
        case .manipulationBegan(let fingers):
            menu = nil
            if isHoming { callBack(at: moment) }
            begin(fingers, at: moment)
        case .manipulationChanged(let fingers): follow(fingers, at: moment)
        case .manipulationPredicted(let fingers): see { $0.follow(fingers, on: $1) }
        case .manipulationReverted: revert(at: moment)
        case .tap(let point, let source): tap(at: point, source, at: moment, effects: &effects)
        case .chromeTap(let point): tapChrome(at: point, moment, effects: &effects)
        case .chromeDrag(let distance): menu?.drag(by: distance)
        case .doubleTap(let point): stepUp(about: point, at: moment)
        case .twoFingerTap(let point): stepDown(about: point, at: moment)
        case .longPress(let point): openMenu(at: point)
        case .quickZoomBegan(let point): beginQuickZoom(at: point, moment)
        case .quickZoomChanged(let distance):
            guard case .held(var hold) = state else { return }
            hold.follow(distance: distance, on: geometry)
            state = .held(hold)
        case .quickZoomPredicted(let distance): see { $0.follow(distance: distance, on: $1) }
        case .manipulationRebased, .manipulationEnded, .quickZoomEnded, .resumed: break
        case .wheel(let detents, let point, let zooms):
            turnWheel(detents, at: point, zooms: zooms, moment, effects: &effects)
        case .scrollZoom(let distance, let point):
            zoomByScroll(distance, about: point, at: moment)
        }
    }

    /// What has been dismissed can be caught, but steps do not call it back.
    private func mayChange(by gesture: Gesture) -> Bool {
        switch (state, gesture) {
        case (.gone, _): false
        case (.leaving, .caught), (.leaving, .manipulationBegan): true
        case (.homing, .caught), (.homing, .manipulationBegan): true
        case (.leaving, _), (.homing, _): false
        case (.resting, _), (.held, _), (.moving, _): true
        }
    }

    // MARK: Holding

    /// A touch stops what moves, right where it is.
    private mutating func stop(at moment: Moment) {
        // What was caught earlier may have been let go in other ways than a finger's.
        if case .held = state {} else { (returnsToFit, interrupted) = (false, nil) }
        let now = place(at: moment)
        switch state {
        case .held, .gone: break
        case .resting:
            state = .resting(now)
            if !strip.isAtRest(at: moment) { interrupted = .motion(isFling: false) }
        case .moving(let motion):
            state = .resting(now)
            interrupted = .motion(isFling: motion.isFling)
        case .leaving(let motion, _, _):
            interrupted = .departure(velocity: motion.centerVelocity(at: moment))
            freeze(now, at: moment)
        case .homing:
            (interrupted, returnsToFit) = (.flight, true)
            freeze(now, at: moment)
        }
        strip.hold(at: strip.displacement(at: moment))
    }

    /// A picture that was on its way out stays where it is; the backdrop waits for the finger.
    private mutating func freeze(_ now: Placement, at moment: Moment) {
        dim = .still(backdrop(at: moment))
        crop = .still(crop.value(at: moment))
        state = .resting(now)
        goal = geometry.nearestRest(to: now, about: now.center)
    }

    /// What a touch has stopped goes on to where it was going.
    private mutating func resume(at moment: Moment) {
        defer { interrupted = nil }
        switch state {
        case .held, .resting: break
        // Something else has begun meanwhile.
        case .moving, .leaving, .homing, .gone: return
        }
        let now = place(at: moment)
        let displacement = stripPosition(at: moment)
        switch interrupted {
        case .flight:
            guard let transitionSource else { break }
            flyHome(transitionSource, from: now, about: now.center, velocity: .zero, at: moment)
            return
        case .departure(let velocity):
            depart(from: now, velocity: velocity, about: now.center, since: moment, at: moment)
            return
        case .motion, nil: break
        }
        settleStrip(from: displacement, velocity: 0, at: moment)
        let range = geometry.restRange(zoom: now.zoom, rotation: now.rotation)
        if interrupted == .motion(isFling: true), range.overscroll(of: now.center) == .zero {
            // The law of a fling: what is left of its way tells its speed.
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
        let strip = stripPosition(at: moment)
        let kind = kind(of: fingers, at: now, strip: strip)
        let isWaiting =
            kind == .pan && fingers.translation == .zero
            && (interrupted != nil || limits(rotation: now.rotation).isFit(now.zoom))
        hold(
            fingers,
            .init(
                kind: kind, start: now, origin: now, strip: strip,
                isArmed: kind == .pinch && mayPinchAway(from: now), isUndecided: isWaiting,
                began: moment),
            at: moment)
    }

    /// What a new hold is about.
    private func kind(of fingers: Manipulation, at now: Placement, strip: Double)
        -> ActiveManipulation.Kind
    {
        guard fingers.fingers == 1 else { return hasPicture ? .pinch : .swipe }
        // Caught on its way back from a dismissal drag, the picture is smaller than fit.
        guard limits(rotation: now.rotation).isFit(now.zoom) else { return .pan }
        if strip != 0 { return .swipe }
        let way = fingers.translation
        // Caught in motion, the hold comes before the way that tells what it is about: until then
        // the picture just stays in the finger.
        if way == .zero { return .pan }
        if abs(way.dx) > abs(way.dy) { return .swipe }
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
        // The fingers of a pinch land one after another; the first may have moved before.
        let joins =
            kind == .pinch && old.kind != .pinch
            && moment.seconds(since: old.began) * 1000 < ActiveManipulation.landingDelay
        hold(
            fingers,
            .init(
                kind: kind, start: old.placement, origin: old.origin, strip: old.strip,
                isArmed: old.isArmed || joins && mayPinchAway(from: old.origin), began: old.began),
            at: moment)
    }

    /// The finger has told by its way what it is about: the hold begins anew from here.
    private mutating func decide(
        _ old: ActiveManipulation, _ fingers: Manipulation, at moment: Moment
    ) {
        let kind = kind(of: fingers, at: old.placement, strip: old.strip)
        hold(
            fingers,
            .init(
                kind: kind, start: old.placement, origin: old.origin, strip: old.strip,
                isArmed: old.isArmed, base: old.fingers, began: old.began),
            at: moment)
    }

    private mutating func hold(
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
        guard case .held(var hold) = state else { return }
        if hold.isUndecided, fingers.translation.length > ActiveManipulation.decidingDistance {
            decide(hold, fingers, at: moment)
            return
        }
        hold.follow(fingers, on: geometry)
        state = .held(hold)
    }

    /// Notes where what is held is seen; an undecided hold is not decided by it.
    private mutating func see(_ follow: (inout ActiveManipulation, ViewGeometry) -> Void) {
        guard case .held(var hold) = state else { return }
        follow(&hold, geometry)
        predicted = hold
    }

    private mutating func revert(at moment: Moment) {
        guard case .held(let hold) = state else { return }
        fade(to: 1, at: moment)
        let target = geometry.nearestRest(to: hold.origin, about: hold.focal)
        travel(from: hold.placement, to: target, pivot: hold.focal, at: moment)
    }

    private mutating func beginQuickZoom(at point: Point, _ moment: Moment) {
        guard hasPicture else { return }
        let now = place(at: moment)
        let fingers = Manipulation(source: .touch, fingers: 1, base: point, centroid: point)
        hold(
            fingers,
            .init(
                kind: .quickZoom(focal: point), start: now, origin: now,
                strip: stripPosition(at: moment)),
            at: moment)
    }

    private mutating func endQuickZoom(at moment: Moment) {
        guard case .held(let hold) = state else { return }
        settleStrip(from: hold.strip, velocity: 0, at: moment)
        settle(hold, Release(centroid: hold.fingers.centroid), zoomRate: 0, at: moment)
    }
}
