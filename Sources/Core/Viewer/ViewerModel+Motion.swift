import Geometry
import Motion
import SceneModel

/// Sets the picture, the pages and the backdrop in motion.
extension ViewerModel {
    /// Puts the picture to rest at a placement, without animation.
    mutating func rest(at placement: Placement) {
        (correction, interrupted) = (.none, nil)
        state = .resting(placement)
        goal = placement
    }

    mutating func move(by motion: PlacementMotion) {
        (goal, interrupted) = (motion.target, nil)
        state = settings.reducedMotion ? .resting(motion.target) : .moving(motion)
    }

    /// Lets the pager spring back from `displacement`, with `velocity` in logical pixels per
    /// second.
    mutating func settlePager(from displacement: Double, velocity: Double, at moment: Moment) {
        if settings.reducedMotion {
            pagerOffset.rest()
        } else {
            pagerOffset.settle(from: displacement, velocity: velocity, at: moment)
        }
    }

    /// Animates the opacity of the backdrop to `opacity`, 0…1.
    mutating func fade(to opacity: Double, at moment: Moment) {
        let now = backdrop(at: moment)
        guard now != opacity, !settings.reducedMotion else {
            dim = .still(opacity)
            return
        }
        dim = .spring(
            Spring(
                from: now, to: opacity, at: moment,
                frequency: PlacementMotion.settleFrequency))
    }

    /// The opacity of the backdrop, 0…1.
    func backdrop(at moment: Moment) -> Double {
        if case .held(let held) = state {
            let manipulation = predicted ?? held
            switch manipulation.kind {
            case .dismiss: return 1 - abs(manipulation.progress)
            case .pinch where manipulation.isArmed:
                let fit = limits(rotation: manipulation.start.rotation).fit
                return Dismissal.pinchBackdrop(ratio: min(manipulation.placement.zoom / fit, 1))
            case .pan, .swipe, .pinch, .quickZoom: break
            }
        }
        return min(max(dim.value(at: moment), 0), 1)
    }

    /// Zooms to `targetZoom` about a point of the surface, and comes to rest there.
    ///
    /// `targetZoom` is in logical pixels per picture pixel.
    mutating func zoom(to targetZoom: Double, about point: Point, at moment: Moment) {
        guard hasPicture else { return }
        let aim = ZoomAim(at: aimedPoint(point, at: moment), of: place(at: moment))
        zoom(to: targetZoom, by: aim, at: moment)
    }

    /// Zooms to `targetZoom` and keeps the aimed point of the picture as near to its point of the
    /// surface as the limits allow.
    mutating func zoom(to targetZoom: Double, by aim: ZoomAim, at moment: Moment) {
        let now = place(at: moment)
        let limits = limits(rotation: goal.rotation)
        let zoom = min(max(targetZoom, limits.min), limits.max)
        travel(
            from: now,
            to: geometry.rest(zoom: zoom, rotation: goal.rotation, near: aim.center(at: zoom)),
            pivot: aim.point, at: moment)
    }

    /// The point of the page that stays fixed in a zoom about a point of the surface.
    ///
    /// For a point on the empty surface beside the picture, the nearest point of the picture.
    func aimedPoint(_ point: Point, at moment: Moment) -> Point {
        let onPage = point - Vector(dx: pagerPosition(at: moment), dy: 0)
        return place(at: moment).nearestPoint(
            to: onPage, of: pages[page]?.picture?.size)
    }

    /// Moves the picture from `now` to `target`, with the picture's current velocity.
    mutating func travel(
        from now: Placement, to target: Placement, pivot: Point, at moment: Moment
    ) {
        var velocity = Vector.zero
        var (zoomRate, rotationRate) = (0.0, 0.0)
        switch state {
        case .moving(let motion):
            velocity = motion.centerVelocity(at: moment)
            zoomRate = motion.zoomRate(at: moment)
            rotationRate = motion.rotationRate(at: moment)
        case .held(let manipulation):
            settlePager(from: manipulation.pagerOffset, velocity: 0, at: moment)
        case .resting, .leaving, .returningToCell, .gone: break
        }
        move(
            by: PlacementMotion(
                from: now, to: target, pivot: pivot, centerVelocity: velocity, zoomRate: zoomRate,
                rotationRate: rotationRate, at: moment))
    }
}

extension Placement {
    /// The point of the picture's bounding box nearest to `point`.
    fileprivate func nearestPoint(to point: Point, of size: PixelSize?) -> Point {
        guard let size else { return point }
        return boundingRect(of: size).clamp(point)
    }
}
