import Geometry
package import Gestures
import Glibc
package import Motion
import SceneModel

extension Viewer {
    /// Takes what the fingers mean.
    package mutating func handle(
        _ gesture: Gesture, at moment: Moment, effects: inout [Effect]
    ) {
        switch gesture {
        case .caught: stop(at: moment)
        case .manipulationBegan(let fingers): begin(fingers, at: moment)
        case .manipulationRebased(let fingers): rebase(fingers, at: moment)
        case .manipulationChanged(let fingers): follow(fingers, at: moment)
        case .manipulationEnded(let release): letGo(release, at: moment, effects: &effects)
        case .manipulationReverted: revert(at: moment)
        case .tap(let point, let source): tap(at: point, source, effects: &effects)
        case .doubleTap(let point): stepUp(about: point, at: moment)
        case .twoFingerTap(let point): stepDown(about: point, at: moment)
        case .longPress: break
        case .quickZoomBegan(let point): beginQuickZoom(at: point, moment)
        case .quickZoomChanged(let distance):
            guard case .held(var hold) = state else { return }
            hold.follow(distance: distance, in: bounds(rotation: hold.start.rotation))
            state = .held(hold)
        case .quickZoomEnded: endQuickZoom(at: moment)
        case .wheel(let detents, let point, let zooms):
            turnWheel(detents, at: point, zooms: zooms, moment, effects: &effects)
        case .scrollZoom(let distance, let point):
            zoomByScroll(distance, about: point, at: moment)
        }
    }

    func bounds(rotation: Double) -> Hold.Bounds {
        Hold.Bounds(
            limits: limits(rotation: rotation), viewport: viewport,
            range: { self.restRange(zoom: $0, rotation: $1) }, bends: !settings.reducedMotion)
    }

    // MARK: Holding

    /// A touch stops what moves, right where it is.
    private mutating func stop(at moment: Moment) {
        guard let now = placement(at: moment) else { return }
        switch state {
        case .moving, .leaving:
            state = .resting(now)
            goal = nearestRest(to: now, about: now.center)
        case .empty, .resting, .held: break
        }
    }

    private mutating func begin(_ fingers: Manipulation, at moment: Moment) {
        guard let now = placement(at: moment) else { return }
        // Caught in motion, the hold comes before the way that would tell what it is about: until
        // then the picture just stays in the finger.
        guard case .held(let undecided) = state else {
            hold(fingers, from: now, origin: now, kind: kind(of: fingers, at: now), at: moment)
            return
        }
        hold(
            fingers, from: undecided.start, origin: undecided.origin,
            kind: kind(of: fingers, at: undecided.start), at: moment)
    }

    /// What a new hold is about.
    private func kind(of fingers: Manipulation, at now: Placement) -> Hold.Kind {
        guard fingers.fingers == 1 else { return .pinch }
        let limits = limits(rotation: now.rotation)
        // Caught on its way back from a dismissal drag, the picture is smaller than fit.
        guard limits.isFit(now.zoom) else { return .pan }
        let way = fingers.translation
        if way == .zero { return .pan }
        if abs(way.dx) > abs(way.dy) { return .swipe }
        return settings.dismiss == .off ? .pan : .dismiss
    }

    private mutating func rebase(_ fingers: Manipulation, at moment: Moment) {
        guard case .held(let old) = state else { return }
        let kind: Hold.Kind = fingers.fingers == 1 && fingers.source != .touchpad ? .pan : .pinch
        hold(fingers, from: old.placement, origin: old.origin, kind: kind, at: moment)
    }

    private mutating func hold(
        _ fingers: Manipulation, from start: Placement, origin: Placement, kind: Hold.Kind,
        at moment: Moment
    ) {
        var armed = false
        if kind == .pinch || kind == .pan {
            if case .held(let old) = state {
                armed = old.isArmed
            } else {
                armed =
                    kind == .pinch && settings.dismiss != .off
                    && limits(rotation: start.rotation).isFit(start.zoom)
            }
        }
        let dimmed = backdrop(at: moment)
        if kind != .dismiss { fade(to: 1, at: moment) }
        let bounds = bounds(rotation: start.rotation)
        let displacement = bounds.range(start.zoom, start.rotation).overscroll(of: start.center)
        var hold = Hold(
            kind, source: fingers.source, start: start, origin: origin,
            centroid: fingers.centroid, isArmed: armed,
            startProgress: kind == .dismiss ? (displacement.dy < 0 ? dimmed - 1 : 1 - dimmed) : 0,
            isDecided: kind != .pan || fingers.translation != .zero
                || !limits(rotation: start.rotation).isFit(start.zoom),
            in: bounds)
        hold.follow(fingers, in: bounds)
        state = .held(hold)
    }

    private mutating func follow(_ fingers: Manipulation, at moment: Moment) {
        guard case .held(var hold) = state else { return }
        if hold.isUndecided, fingers.translation.length > Hold.decidingDistance {
            begin(fingers, at: moment)
            return
        }
        hold.follow(fingers, in: bounds(rotation: hold.start.rotation))
        state = .held(hold)
    }

    private mutating func revert(at moment: Moment) {
        guard case .held(let hold) = state else { return }
        fade(to: 1, at: moment)
        let target = nearestRest(to: hold.origin, about: hold.centroid)
        travel(from: hold.placement, to: target, pivot: hold.centroid, at: moment)
    }

    private mutating func beginQuickZoom(at point: Point, _ moment: Moment) {
        guard let now = placement(at: moment) else { return }
        state = .held(
            Hold(
                .quickZoom(focal: point), source: .touch, start: now, origin: now,
                centroid: point, isArmed: false, in: bounds(rotation: now.rotation)))
    }

    private mutating func endQuickZoom(at moment: Moment) {
        guard case .held(let hold) = state else { return }
        settle(hold.placement, Release(centroid: hold.centroid), zoomRate: 0, at: moment)
    }

    // MARK: Letting go

    private mutating func letGo(
        _ release: Release, at moment: Moment, effects: inout [Effect]
    ) {
        guard case .held(let hold) = state else {
            if state == .empty { pageWithoutPicture(release, effects: &effects) }
            return
        }
        let bounds = bounds(rotation: hold.start.rotation)
        if !release.isCancelled, let way = wayOut(hold, release, effects: &effects) {
            leave(hold, along: way, velocity: release.velocity, at: moment)
            return
        }
        fade(to: 1, at: moment)
        let velocity = hold.displayedVelocity(release.velocity, in: bounds)
        let limits = bounds.limits
        switch hold.kind {
        case .pan, .swipe:
            let now = hold.placement
            guard now.zoom >= limits.min * (1 - 1e-9), now.zoom <= limits.max * (1 + 1e-9),
                now.rotation == quarterTurn(now.rotation)
            else { fallthrough }
            move(
                by: PlacementMotion(
                    flinging: now, velocity: velocity,
                    within: restRange(zoom: now.zoom, rotation: now.rotation), at: moment))
        case .dismiss, .pinch, .quickZoom:
            settle(
                hold.placement,
                Release(
                    centroid: hold.centroid, velocity: velocity,
                    rotationRate: release.rotationRate),
                zoomRate: hold.displayedZoomRate(release.zoomRate, in: bounds), at: moment)
        }
    }

    /// Springs to the rest that the release's speeds point to, about the fingers' midpoint: the
    /// end of a pinch, kinetic zoom included.
    private mutating func settle(
        _ now: Placement, _ release: Release, zoomRate: Double, at moment: Moment
    ) {
        let horizon = Dismissal.pinchHorizon
        let projected = Placement(
            center: now.center, zoom: now.zoom * exp(horizon * zoomRate),
            rotation: now.rotation + horizon * release.rotationRate)
        let rotation = quarterTurn(projected.rotation)
        let limits = limits(rotation: rotation)
        let zoom = min(max(projected.zoom, limits.min), limits.max)
        let arm = (now.center - release.centroid).rotated(by: rotation - now.rotation)
        let drift = release.velocity * (1 / Deceleration.fast)
        let center = release.centroid + arm * (zoom / now.zoom) + drift
        move(
            by: PlacementMotion(
                from: now, to: restPlacement(zoom: zoom, rotation: rotation, near: center),
                about: release.centroid,
                velocity: .init(
                    focal: release.velocity, zoomRate: zoomRate,
                    rotationRate: release.rotationRate),
                at: moment))
    }

    private func quarterTurn(_ rotation: Double) -> Double {
        (rotation / (.pi / 2)).rounded() * (.pi / 2)
    }

    /// The rest that `placement` would come to without any speed, about a point of the surface.
    func nearestRest(to placement: Placement, about focal: Point) -> Placement {
        let rotation = quarterTurn(placement.rotation)
        let limits = limits(rotation: rotation)
        let zoom = min(max(placement.zoom, limits.min), limits.max)
        let arm = (placement.center - focal).rotated(by: rotation - placement.rotation)
        return restPlacement(
            zoom: zoom, rotation: rotation, near: focal + arm * (zoom / placement.zoom))
    }
}
