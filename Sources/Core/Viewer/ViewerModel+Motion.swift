import Geometry
import Motion
import SceneModel

/// Sets the picture, the pages and the backdrop in motion.
extension ViewerModel {
    mutating func rest(at placement: Placement) {
        (correction, interrupted) = (.none, nil)
        state = .resting(placement)
        goal = placement
    }

    mutating func move(by motion: PlacementMotion) {
        (goal, interrupted) = (motion.target, nil)
        state = settings.reducedMotion ? .resting(motion.target) : .moving(motion)
    }

    /// Lets the strip go from where it is.
    mutating func settleStrip(from displacement: Double, velocity: Double, at moment: Moment) {
        if settings.reducedMotion {
            strip.rest()
        } else {
            strip.settle(from: displacement, velocity: velocity, at: moment)
        }
    }

    /// The backdrop goes to `opacity`.
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

    /// Opacity of the backdrop, 0…1.
    func backdrop(at moment: Moment) -> Double {
        if case .held(let held) = state {
            let hold = predicted ?? held
            switch hold.kind {
            case .dismiss: return 1 - abs(hold.progress)
            case .pinch where hold.isArmed:
                let fit = limits(rotation: hold.start.rotation).fit
                return Dismissal.pinchBackdrop(ratio: min(hold.placement.zoom / fit, 1))
            case .pan, .swipe, .pinch, .quickZoom: break
            }
        }
        return min(max(dim.value(at: moment), 0), 1)
    }

    /// Zooms to a level about a point of the surface, and brings the picture to rest there.
    mutating func zoom(to level: Double, about point: Point, at moment: Moment) {
        guard hasPicture else { return }
        let aim = ZoomAim(at: aimedPoint(point, at: moment), of: place(at: moment))
        zoom(to: level, by: aim, at: moment)
    }

    /// Zooms to a level so that the aimed point of the picture comes as near to its point of the
    /// surface as the limits allow.
    mutating func zoom(to level: Double, by aim: ZoomAim, at moment: Moment) {
        let now = place(at: moment)
        let limits = limits(rotation: goal.rotation)
        let zoom = min(max(level, limits.min), limits.max)
        travel(
            from: now,
            to: geometry.rest(zoom: zoom, rotation: goal.rotation, near: aim.center(at: zoom)),
            pivot: aim.point, at: moment)
    }

    /// The point of the page that a zoom about a point of the surface aims at: on the picture, and
    /// never on the empty surface beside it.
    func aimedPoint(_ point: Point, at moment: Moment) -> Point {
        let onPage = point - Vector(dx: stripPosition(at: moment), dy: 0)
        return place(at: moment).nearestPoint(
            to: onPage, of: pages[page]?.picture?.size)
    }

    /// Goes from where the picture is to `target`, with the velocity that it has.
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
        case .held(let hold): settleStrip(from: hold.strip, velocity: 0, at: moment)
        case .resting, .leaving, .homing, .gone: break
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
