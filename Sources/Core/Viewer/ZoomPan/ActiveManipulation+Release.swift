import CMath
import Geometry
import Gestures
import Motion
import SceneModel

/// What the release of the fingers does: where the picture goes, and which page it turns to.
extension ActiveManipulation {
    // MARK: Motions to rest

    /// The motion to rest after a release: a fling, or a spring to a resting placement.
    ///
    /// `returnsToFit` says that the picture goes to fit. A fling starts at `since`, when the picture
    /// was drawn at the last samples, which is before `moment`.
    func motion(
        after release: Release, returnsToFit: Bool, since: Moment, at moment: Moment,
        on geometry: ViewGeometry
    ) -> PlacementMotion {
        let velocity = pictureVelocity(release.velocity, on: geometry)
        if returnsToFit {
            let rotation = ViewGeometry.quarterTurn(placement.rotation)
            return PlacementMotion(
                from: placement, to: geometry.fit(rotation: rotation), about: focal,
                velocity: .init(focal: velocity), at: moment)
        }
        if isFlung(on: geometry) {
            let range = geometry.restRange(zoom: placement.zoom, rotation: placement.rotation)
            return PlacementMotion(
                flinging: placement, velocity: velocity, within: range, at: since)
        }
        var release = release
        release.velocity = velocity
        return settlingMotion(
            after: release, zoomRate: zoomRate(release.zoomRate, on: geometry), at: moment,
            on: geometry)
    }

    /// Whether a release flings the picture: one finger holds the picture upright, at a valid zoom
    /// that the release does not change.
    private func isFlung(on geometry: ViewGeometry) -> Bool {
        guard kind == .pan || kind == .swipe,
            placement.rotation == ViewGeometry.quarterTurn(placement.rotation)
        else { return false }
        let limits = geometry.limits(rotation: start.rotation)
        let zoom = placement.zoom
        let isInside = zoom >= limits.min * (1 - 1e-9) && zoom <= limits.max * (1 + 1e-9)
        return isInside && (!limits.isNearFit(zoom) || limits.isFit(zoom))
    }

    /// Springs to the resting placement that the rates of the release project to, about the
    /// fingers' midpoint: the end of a pinch, including kinetic zoom.
    ///
    /// `zoomRate` is d(ln zoom)/dt per second.
    func settlingMotion(
        after release: Release, zoomRate: Double, at moment: Moment, on geometry: ViewGeometry
    ) -> PlacementMotion {
        let horizon = Dismissal.pinchHorizon
        let rotation = ViewGeometry.quarterTurn(
            placement.rotation + horizon * release.rotationRate)
        let projected = placement.zoom * exp(release.residualZoom + horizon * zoomRate)
        let zoom = restZoom(projected, rotation: rotation, on: geometry)
        let arm = (placement.center - focal).rotated(by: rotation - placement.rotation)
        let drift = release.velocity * (1 / Deceleration.fast)
        let center = focal + arm * (zoom / placement.zoom) + drift
        return PlacementMotion(
            from: placement, to: geometry.rest(zoom: zoom, rotation: rotation, near: center),
            about: focal,
            velocity: .init(
                focal: release.velocity, zoomRate: zoomRate, rotationRate: release.rotationRate),
            at: moment)
    }

    /// The resting zoom for a projected zoom.
    ///
    /// Near fit the result is fit. A rotation that ends near the fit of the old rotation comes to
    /// rest at the fit of the new rotation.
    private func restZoom(
        _ zoom: Double, rotation: Double, on geometry: ViewGeometry
    ) -> Double {
        let limits = geometry.limits(rotation: rotation)
        let old = geometry.limits(rotation: ViewGeometry.quarterTurn(origin.rotation))
        if limits.isNearFit(zoom) || old.isNearFit(zoom) { return limits.fit }
        return min(max(zoom, limits.min), limits.max)
    }

    // MARK: Dismissal

    /// What a release does to a picture that is pulled past its edge.
    enum Exit: Hashable {
        /// Dismisses the picture along a unit vector, or along zero for a pinch.
        case dismissal(Vector)
        case information
    }

    /// What a release does instead of letting the picture settle; nil where the picture settles.
    ///
    /// With several pictures a horizontal fling never dismisses: it turns the page, or bounces at
    /// the first and the last one; `isOnly` says that there is one picture.
    func exit(
        _ release: Release, settings: ViewerSettings, isOnly: Bool, on geometry: ViewGeometry
    ) -> Exit? {
        guard source != .scroll || settings.scrollDismisses,
            let direction = exitDirection(
                release, settings: settings, isOnly: isOnly, on: geometry)
        else { return nil }
        if direction.dy < 0, settings.swipeUp == .information { return .information }
        return settings.dismiss == .off ? nil : .dismissal(direction)
    }

    /// The direction of an exit: a unit vector, or zero for a pinch.
    private func exitDirection(
        _ release: Release, settings: ViewerSettings, isOnly: Bool, on geometry: ViewGeometry
    ) -> Vector? {
        if isArmed, kind == .pinch {
            let fit = geometry.limits(rotation: start.rotation).fit
            if Dismissal.isPinchedAway(ratio: rawZoom / fit, rate: release.zoomRate) {
                return .zero
            }
        }
        guard kind != .pinch else { return nil }
        if let direction = Dismissal.direction(
            overscroll: rawOverscroll, velocity: release.velocity),
            edges.contains(Edges(leading: direction)), direction.dx == 0 || isOnly
        {
            return direction
        }
        let distance = rawOverscroll.dy
        if settings.dismissByDistance, kind == .dismiss,
            Dismissal.isFarEnough(
                distance: distance, velocity: release.velocity.dy,
                height: geometry.viewport.size.height)
        {
            return Vector(dx: 0, dy: distance < 0 ? -1 : 1)
        }
        return nil
    }

    // MARK: Page turns

    /// The page step of a release with `velocity`, in logical pixels per second: 1 or −1; nil where
    /// the page stays.
    func pageStep(velocity: Vector, of pager: Pager) -> Int? {
        guard kind == .pan || kind == .swipe else { return nil }
        guard pagerOffset == 0 else {
            let origin = Double(pager.page) * pager.pitch
            let sign = pager.isMirrored ? -1.0 : 1
            let target = Paging.page(
                position: origin - sign * pagerOffset, velocity: -sign * velocity.dx,
                base: pager.page, start: origin - sign * pagerDrag.start, pitch: pager.pitch,
                count: pager.count)
            return target == pager.page ? nil : target - pager.page
        }
        return flingPastEdge(velocity, of: pager)
    }

    /// The page step of a fling that began near an edge and continues past it, 1 or −1; nil where
    /// there is none.
    private func flingPastEdge(_ velocity: Vector, of pager: Pager) -> Int? {
        guard
            let direction = Dismissal.direction(overscroll: rawOverscroll, velocity: velocity),
            direction.dx != 0, nearEdges.contains(Edges(leading: direction)),
            pager.hasNeighbour(towards: direction)
        else { return nil }
        return pager.step(towards: direction)
    }

    /// The velocity with which a turned page continues for a finger velocity, both in logical
    /// pixels per second.
    func turnVelocity(_ velocity: Vector, on geometry: ViewGeometry) -> Double {
        pagerOffset == 0
            ? pictureVelocity(velocity, on: geometry).dx : pagerVelocity(velocity, on: geometry)
    }

    // MARK: Backdrop

    /// The opacity of the backdrop, 0…1, while fingers may dismiss the picture; nil otherwise.
    func backdropOpacity(on geometry: ViewGeometry) -> Double? {
        switch kind {
        case .dismiss: return 1 - abs(progress)
        case .pinch where isArmed:
            let fit = geometry.limits(rotation: start.rotation).fit
            return Dismissal.pinchBackdrop(ratio: min(placement.zoom / fit, 1))
        case .pan, .swipe, .pinch, .quickZoom: return nil
        }
    }
}
