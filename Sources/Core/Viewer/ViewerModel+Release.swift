import Geometry
import Gestures
import CMath
import Motion
import SceneModel

/// The end of a manipulation: the picture is flung, settles, turns the page, or is dismissed.
extension ViewerModel {
    mutating func letGo(_ release: Release, at moment: Moment, effects: inout [Effect]) {
        guard case .held(let manipulation) = state else { return }
        let goesToFit = returnsToFit
        (returnsToFit, interrupted) = (false, nil)
        // A fling starts when the content was drawn at the last samples, which is before `moment`.
        let since = moment.advanced(byMilliseconds: -release.age)
        if !release.isCancelled {
            if let direction = dismissalDirection(manipulation, release) {
                settlePager(from: manipulation.pagerOffset, velocity: 0, at: moment)
                leave(
                    manipulation, along: direction, velocity: release.velocity, since: since,
                    at: moment)
                return
            }
            if let step = pageTurn(manipulation, release.velocity) {
                let velocity =
                    manipulation.pagerOffset == 0
                    ? manipulation.pictureVelocity(release.velocity, on: geometry).dx
                    : manipulation.pagerVelocity(release.velocity, on: geometry)
                turnPage(
                    by: step, from: manipulation, velocity: velocity, at: moment, effects: &effects)
                return
            }
        }
        fade(to: 1, at: moment)
        uncrop(at: moment)
        settlePager(
            from: manipulation.pagerOffset,
            velocity: manipulation.pagerVelocity(release.velocity, on: geometry),
            at: moment)
        let now = manipulation.placement
        let velocity = manipulation.pictureVelocity(release.velocity, on: geometry)
        if goesToFit {
            move(
                by: PlacementMotion(
                    from: now, to: geometry.fit(rotation: ViewGeometry.quarterTurn(now.rotation)),
                    about: manipulation.focal, velocity: .init(focal: velocity), at: moment))
            return
        }
        let limits = limits(rotation: manipulation.start.rotation)
        let isUpright = now.rotation == ViewGeometry.quarterTurn(now.rotation)
        let isInside =
            now.zoom >= limits.min * (1 - 1e-9) && now.zoom <= limits.max * (1 + 1e-9)
        if manipulation.kind == .pan || manipulation.kind == .swipe, isUpright, isInside,
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
                manipulation, release,
                zoomRate: manipulation.zoomRate(release.zoomRate, on: geometry), at: moment)
        }
    }

    /// Springs to the resting placement that the rates of the release project to, about the
    /// fingers' midpoint: the end of a pinch, including kinetic zoom.
    ///
    /// `zoomRate` is d(ln zoom)/dt per second.
    mutating func settle(
        _ manipulation: ActiveManipulation, _ release: Release, zoomRate: Double, at moment: Moment
    ) {
        let now = manipulation.placement
        let horizon = Dismissal.pinchHorizon
        let rotation = ViewGeometry.quarterTurn(now.rotation + horizon * release.rotationRate)
        let projected = now.zoom * exp(release.residualZoom + horizon * zoomRate)
        let zoom = restZoom(projected, rotation: rotation, from: manipulation.origin)
        let arm = (now.center - manipulation.focal).rotated(by: rotation - now.rotation)
        let drift = release.velocity * (1 / Deceleration.fast)
        let center = manipulation.focal + arm * (zoom / now.zoom) + drift
        move(
            by: PlacementMotion(
                from: now, to: geometry.rest(zoom: zoom, rotation: rotation, near: center),
                about: manipulation.focal,
                velocity: .init(
                    focal: release.velocity, zoomRate: zoomRate,
                    rotationRate: release.rotationRate),
                at: moment))
    }

    /// The resting zoom for a projected zoom.
    ///
    /// Near fit the result is fit. A rotation that ends near the fit of the old rotation comes to
    /// rest at the fit of the new rotation.
    private func restZoom(_ zoom: Double, rotation: Double, from origin: Placement) -> Double {
        let limits = limits(rotation: rotation)
        let old = self.limits(rotation: ViewGeometry.quarterTurn(origin.rotation))
        if limits.isNearFit(zoom) || old.isNearFit(zoom) { return limits.fit }
        return min(max(zoom, limits.min), limits.max)
    }

    // MARK: Page turns

    /// The page step of a release, 1 or −1; nil where the page stays.
    private func pageTurn(_ manipulation: ActiveManipulation, _ velocity: Vector) -> Int? {
        guard manipulation.kind == .pan || manipulation.kind == .swipe else { return nil }
        guard manipulation.pagerOffset == 0 else {
            let pitch = Paging.pitch(width: viewport.size.width)
            let origin = Double(page) * pitch
            let target = Paging.page(
                position: origin - manipulation.pagerOffset, velocity: -velocity.dx, base: page,
                start: origin - manipulation.startPagerOffset, pitch: pitch, count: count)
            return target == page ? nil : target - page
        }
        return flingPastEdge(manipulation, velocity)
    }

    /// The page step of a fling that began near an edge and continues past it, 1 or −1; nil where
    /// there is none.
    private func flingPastEdge(_ manipulation: ActiveManipulation, _ velocity: Vector) -> Int? {
        guard
            let direction = Dismissal.direction(
                overscroll: manipulation.rawOverscroll, velocity: velocity),
            direction.dx != 0, manipulation.nearEdges.contains(Edges(leading: direction)),
            hasNeighbour(towards: direction)
        else { return nil }
        return direction.dx > 0 ? -1 : 1
    }

    /// Whether there is a page to turn to when the pages move along `direction`.
    func hasNeighbour(towards direction: Vector) -> Bool {
        if direction.dx > 0 { return page > 0 }
        if direction.dx < 0 { return page + 1 < count }
        return false
    }
}
