package import Geometry
import CMath
package import Motion
package import SceneModel

/// The motion of a picture: zoom, rotation and position as closed-form functions of time.
///
/// The state is described relative to a *focal point*: a point of the picture, and its position on
/// the surface. The zoom moves in log space, and the focal point moves independently of the zoom.
/// So a zoom about a resting focal point keeps this point exactly in place, and the picture point
/// that fingers held follows its own trajectory whatever the zoom does meanwhile.
package struct PlacementMotion: Hashable, Sendable {
    /// Natural logarithm of the zoom.
    private var logZoom: ScalarMotion
    private var rotation: ScalarMotion
    /// The focal point, in logical pixels of the surface.
    private var x: ScalarMotion
    private var y: ScalarMotion
    /// From the focal point to the picture's centre, in picture pixels, upright.
    private var arm: Vector
    /// The final placement; exactly this once the motion is at rest.
    package let target: Placement

    /// A smaller difference of ln zoom counts as no zoom.
    private static let negligibleZoom = 1e-4

    /// The rate of change of a placement.
    package struct Velocity: Hashable, Sendable {
        /// The velocity of the focal point, in logical pixels per second.
        package var focal = Vector.zero
        /// d(ln zoom)/dt, per second.
        package var zoomRate = 0.0
        /// The rotation rate, in radians per second, clockwise.
        package var rotationRate = 0.0

        package init(focal: Vector = .zero, zoomRate: Double = 0, rotationRate: Double = 0) {
            self.focal = focal
            self.zoomRate = zoomRate
            self.rotationRate = rotationRate
        }
    }

    /// Springs from `start` to `target` about `focal`, a point of the surface in logical pixels;
    /// `frequency` is ω of the springs, in rad/s.
    package init(
        from start: Placement, to target: Placement, about focal: Point,
        velocity: Velocity = Velocity(), at moment: Moment,
        frequency: Double = Spring.zoomFrequency
    ) {
        arm = (start.center - focal).rotated(by: -start.rotation) * (1 / start.zoom)
        let end = target.center - arm.rotated(by: target.rotation) * target.zoom
        logZoom = .spring(
            Spring(
                from: log(start.zoom), to: log(target.zoom), velocity: velocity.zoomRate,
                at: moment, frequency: frequency))
        rotation = Self.motion(
            from: start.rotation, to: target.rotation, velocity: velocity.rotationRate,
            at: moment, frequency)
        x = Self.motion(
            from: focal.x, to: end.x, velocity: velocity.focal.dx, at: moment, frequency)
        y = Self.motion(
            from: focal.y, to: end.y, velocity: velocity.focal.dy, at: moment, frequency)
        self.target = target
    }

    /// Springs from `start` to `target` about the point of the surface that stays fixed in this
    /// change, with the given initial velocity of the picture's centre.
    ///
    /// For two placements with zooms s₀ and s₁ and centres c₀ and c₁ the fixed point is
    /// (c₁s₀ − c₀s₁)/(s₀ − s₁). Where the rotation changes, `pivot` is used instead, a point of the
    /// surface in logical pixels.
    /// `centerVelocity` is in logical pixels per second, `zoomRate` is d(ln zoom)/dt per second,
    /// `rotationRate` is in radians per second, clockwise.
    package init(
        from start: Placement, to target: Placement, pivot: Point,
        centerVelocity: Vector = .zero, zoomRate: Double = 0, rotationRate: Double = 0,
        at moment: Moment, frequency: Double = Spring.zoomFrequency
    ) {
        var focal = pivot
        if start.rotation == target.rotation {
            if abs(log(target.zoom / start.zoom)) < Self.negligibleZoom {
                focal = start.center
            } else {
                let shift = target.center - start.center
                focal =
                    start.center - shift * (start.zoom / (target.zoom - start.zoom))
            }
        }
        let tangent = Vector(
            dx: -(start.center.y - focal.y), dy: start.center.x - focal.x)
        let velocity =
            centerVelocity - (start.center - focal) * zoomRate - tangent * rotationRate
        self.init(
            from: start, to: target, about: focal,
            velocity: Velocity(focal: velocity, zoomRate: zoomRate, rotationRate: rotationRate),
            at: moment, frequency: frequency)
    }

    /// A fling: the zoom stays, the centre decelerates and bounces at the ends of `range`.
    ///
    /// The rotation springs to the nearest quarter turn. `velocity` is in logical pixels per
    /// second.
    package init(
        flinging start: Placement, velocity: Vector, within range: RestRange, at moment: Moment
    ) {
        logZoom = .still(log(start.zoom))
        // A picture may be caught at any angle, and becomes upright during the fling.
        let upright = ViewGeometry.quarterTurn(start.rotation)
        rotation = Self.motion(
            from: start.rotation, to: upright, velocity: 0, at: moment, Spring.zoomFrequency)
        let flingX = Fling(
            from: start.center.x, velocity: velocity.dx, at: moment, within: range.x)
        let flingY = Fling(
            from: start.center.y, velocity: velocity.dy, at: moment, within: range.y)
        x = .fling(flingX)
        y = .fling(flingY)
        arm = .zero
        target = Placement(
            center: Point(x: flingX.restValue, y: flingY.restValue), zoom: start.zoom,
            rotation: upright)
    }

    /// Whether the motion is a fling rather than a spring.
    package var isFling: Bool {
        if case .fling = x { true } else { false }
    }

    /// A motion that stays at `placement`.
    package static func standing(_ placement: Placement) -> PlacementMotion {
        PlacementMotion(from: placement, to: placement, about: placement.center, at: .zero)
    }

    private static func motion(
        from start: Double, to end: Double, velocity: Double, at moment: Moment,
        _ frequency: Double
    ) -> ScalarMotion {
        guard start != end || velocity != 0 else { return .still(end) }
        return .spring(
            Spring(
                from: start, to: end, velocity: velocity, at: moment, frequency: frequency))
    }

    package func placement(at moment: Moment) -> Placement {
        guard !isAtRest(at: moment) else { return target }
        let angle = rotation.value(at: moment)
        // exp(ln z) may differ from z in the last bit, so a constant zoom is read from the target.
        let zoom =
            if case .still = logZoom { target.zoom } else { exp(logZoom.value(at: moment)) }
        let focal = Point(x: x.value(at: moment), y: y.value(at: moment))
        return Placement(
            center: focal + arm.rotated(by: angle) * zoom, zoom: zoom, rotation: angle)
    }

    /// The tolerance for ln zoom and for the rotation angle.
    ///
    /// A deviation within the tolerance moves no visible point by more than the pixel tolerance:
    /// the tolerance is divided by the distance of the picture's centre from the focal point, at
    /// least `surfaceReach`.
    private var leverTolerance: Tolerance {
        let lever = max(arm.length * target.zoom, Self.surfaceReach)
        return Tolerance(
            distance: Tolerance.pixels.distance / lever, speed: Tolerance.pixels.speed / lever)
    }

    /// An estimate of how far the surface extends from the focal point, in logical pixels.
    private static let surfaceReach = 1000.0

    /// The velocity of the picture's centre, in logical pixels per second.
    package func centerVelocity(at moment: Moment) -> Vector {
        guard !isAtRest(at: moment) else { return .zero }
        let lever = arm.rotated(by: rotation.value(at: moment)) * exp(logZoom.value(at: moment))
        let tangential = Vector(dx: -lever.dy, dy: lever.dx) * rotation.velocity(at: moment)
        return Vector(dx: x.velocity(at: moment), dy: y.velocity(at: moment))
            + lever * zoomRate(at: moment) + tangential
    }

    /// d(ln zoom)/dt, per second.
    package func zoomRate(at moment: Moment) -> Double {
        isAtRest(at: moment) ? 0 : logZoom.velocity(at: moment)
    }

    /// The rotation rate, in radians per second, clockwise.
    package func rotationRate(at moment: Moment) -> Double {
        isAtRest(at: moment) ? 0 : rotation.velocity(at: moment)
    }

    package func isAtRest(at moment: Moment) -> Bool {
        logZoom.isAtRest(at: moment, tolerance: leverTolerance)
            && rotation.isAtRest(at: moment, tolerance: leverTolerance)
            && x.isAtRest(at: moment, tolerance: .pixels)
            && y.isAtRest(at: moment, tolerance: .pixels)
    }
}
