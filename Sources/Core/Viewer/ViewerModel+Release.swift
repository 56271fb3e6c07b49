import Geometry
import Gestures
import CMath
import Motion
import SceneModel

/// What becomes of a picture that is let go: it flies on, settles, turns the page, or leaves.
extension ViewerModel {
    mutating func letGo(_ release: Release, at moment: Moment, effects: inout [Effect]) {
        guard case .held(let hold) = state else { return }
        let comesHome = returnsToFit
        (returnsToFit, interrupted) = (false, nil)
        // What coasts has been under way since the content was seen at the last samples.
        let since = moment.advanced(byMilliseconds: -release.age)
        if !release.isCancelled {
            if let way = wayOut(hold, release) {
                settleStrip(from: hold.strip, velocity: 0, at: moment)
                leave(hold, along: way, velocity: release.velocity, since: since, at: moment)
                return
            }
            if let step = pageTurn(hold, release.velocity) {
                let velocity =
                    hold.strip == 0
                    ? hold.pictureVelocity(release.velocity, on: geometry).dx
                    : hold.stripVelocity(release.velocity, on: geometry)
                turnPage(by: step, from: hold, velocity: velocity, at: moment, effects: &effects)
                return
            }
        }
        fade(to: 1, at: moment)
        uncrop(at: moment)
        settleStrip(
            from: hold.strip, velocity: hold.stripVelocity(release.velocity, on: geometry),
            at: moment)
        let now = hold.placement
        let velocity = hold.pictureVelocity(release.velocity, on: geometry)
        if comesHome {
            move(
                by: PlacementMotion(
                    from: now, to: geometry.fit(rotation: ViewGeometry.quarterTurn(now.rotation)),
                    about: hold.focal, velocity: .init(focal: velocity), at: moment))
            return
        }
        let limits = limits(rotation: hold.start.rotation)
        let isUpright = now.rotation == ViewGeometry.quarterTurn(now.rotation)
        let isInside =
            now.zoom >= limits.min * (1 - 1e-9) && now.zoom <= limits.max * (1 + 1e-9)
        if hold.kind == .pan || hold.kind == .swipe, isUpright, isInside,
            !limits.isNearFit(now.zoom) || limits.isFit(now.zoom)
        {
            move(
                by: PlacementMotion(
                    flinging: now, velocity: velocity,
                    within: geometry.restRange(zoom: now.zoom, rotation: now.rotation), at: since))
        } else {
            var release = release
            release.velocity = velocity
            settle(
                hold, release, zoomRate: hold.zoomRate(release.zoomRate, on: geometry), at: moment)
        }
    }

    /// Springs to the rest that the release's speeds point to, about the fingers' midpoint: the
    /// end of a pinch, kinetic zoom included.
    mutating func settle(
        _ hold: ActiveManipulation, _ release: Release, zoomRate: Double, at moment: Moment
    ) {
        let now = hold.placement
        let horizon = Dismissal.pinchHorizon
        let rotation = ViewGeometry.quarterTurn(now.rotation + horizon * release.rotationRate)
        let projected = now.zoom * exp(release.owedZoom + horizon * zoomRate)
        let zoom = restZoom(projected, rotation: rotation, from: hold.origin)
        let arm = (now.center - hold.focal).rotated(by: rotation - now.rotation)
        let drift = release.velocity * (1 / Deceleration.fast)
        let center = hold.focal + arm * (zoom / now.zoom) + drift
        move(
            by: PlacementMotion(
                from: now, to: geometry.rest(zoom: zoom, rotation: rotation, near: center),
                about: hold.focal,
                velocity: .init(
                    focal: release.velocity, zoomRate: zoomRate,
                    rotationRate: release.rotationRate),
                at: moment))
    }

    /// The zoom to rest at, from where the fingers have brought it.
    ///
    /// Close to fit it rests at fit; a turn that ends at the fit that it began with ends at that of
    /// the new rotation.
    private func restZoom(_ zoom: Double, rotation: Double, from origin: Placement) -> Double {
        let limits = limits(rotation: rotation)
        let old = self.limits(rotation: ViewGeometry.quarterTurn(origin.rotation))
        if limits.isNearFit(zoom) || old.isNearFit(zoom) { return limits.fit }
        return min(max(zoom, limits.min), limits.max)
    }

    // MARK: To a neighbour

    /// By how many pages this release turns the strip, 1 or −1; none where the page stays.
    private func pageTurn(_ hold: ActiveManipulation, _ velocity: Vector) -> Int? {
        guard hold.kind == .pan || hold.kind == .swipe else { return nil }
        guard hold.strip == 0 else {
            let pitch = Paging.pitch(width: viewport.size.width)
            let place = Double(page) * pitch
            let target = Paging.page(
                position: place - hold.strip, velocity: -velocity.dx, base: page,
                start: place - hold.startStrip, pitch: pitch, count: count)
            return target == page ? nil : target - page
        }
        return throwPastEdge(hold, velocity)
    }

    /// A fast drag that began near an edge goes on past it to the neighbour.
    private func throwPastEdge(_ hold: ActiveManipulation, _ velocity: Vector) -> Int? {
        guard
            let way = Dismissal.direction(overscroll: hold.rawOverscroll, velocity: velocity),
            way.dx != 0, hold.nearEdges.contains(Edges(leading: way)),
            hasNeighbour(towards: way)
        else { return nil }
        return way.dx > 0 ? -1 : 1
    }

    func hasNeighbour(towards way: Vector) -> Bool {
        if way.dx > 0 { return page > 0 }
        if way.dx < 0 { return page + 1 < count }
        return false
    }
}
