package import Geometry
import CMath
package import Motion
package import SceneModel

/// A picture on its way: zoom, turn and place as closed-form functions of time.
///
/// The state is described from a *focal point*: a point of the picture and the point of the
/// surface that it lies under. The zoom moves in log space and the focal point moves on its own,
/// so that a zoom about a resting focal point keeps it exactly where it is, and the picture
/// point that fingers held stays on its course whatever the zoom does meanwhile.
package struct PlacementMotion: Hashable, Sendable {
    /// Natural logarithm of the zoom.
    private var logZoom: ScalarMotion
    private var rotation: ScalarMotion
    /// The focal point, in logical pixels of the surface.
    private var x: ScalarMotion
    private var y: ScalarMotion
    /// From the focal point to the picture's centre, in picture pixels, upright.
    private var arm: Vector
    /// Where it ends, taken exactly once it has come to rest.
    package let target: Placement

    /// ω of the springs that carry a picture to rest, in rad/s: 95 % of the way in 0.24 s.
    package static let settleFrequency = 20.0
    /// Below this difference of ln zoom a zoom counts as none.
    private static let negligibleZoom = 1e-4

    /// How fast a placement changes.
    package struct Velocity: Hashable, Sendable {
        /// Of the focal point, in logical pixels per second.
        package var focal = Vector.zero
        /// d(ln zoom)/dt, per second.
        package var zoomRate = 0.0
        /// Radians per second, clockwise.
        package var rotationRate = 0.0

        package init(focal: Vector = .zero, zoomRate: Double = 0, rotationRate: Double = 0) {
            self.focal = focal
            self.zoomRate = zoomRate
            self.rotationRate = rotationRate
        }
    }

    /// Springs from `start` to `target` about `focal`, a point of the surface.
    package init(
        from start: Placement, to target: Placement, about focal: Point,
        velocity: Velocity = Velocity(), at moment: Moment,
        frequency: Double = settleFrequency
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

    /// Springs from `start` to `target` about the one point of the surface that this leaves fixed,
    /// and carries on the velocity that the picture's centre has.
    ///
    /// Source of the fixed point: (o₁s₀ − o₀s₁)/(s₀ − s₁), gesture sheet §11.
    package init(
        from start: Placement, to target: Placement, pivot: Point,
        centerVelocity: Vector = .zero, zoomRate: Double = 0, rotationRate: Double = 0,
        at moment: Moment, frequency: Double = settleFrequency
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
        let turning = Vector(
            dx: -(start.center.y - focal.y), dy: start.center.x - focal.x)
        let velocity =
            centerVelocity - (start.center - focal) * zoomRate - turning * rotationRate
        self.init(
            from: start, to: target, about: focal,
            velocity: Velocity(focal: velocity, zoomRate: zoomRate, rotationRate: rotationRate),
            at: moment, frequency: frequency)
    }

    /// A throw: zoom and turn stay, the centre flies on and bounces at the ends of `range`.
    package init(
        flinging start: Placement, velocity: Vector, within range: RestRange, at moment: Moment
    ) {
        logZoom = .still(log(start.zoom))
        // A picture that was caught askew straightens on its way.
        let upright = ViewGeometry.quarterTurn(start.rotation)
        rotation = Self.motion(
            from: start.rotation, to: upright, velocity: 0, at: moment, Self.settleFrequency)
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

    /// Whether it is a throw rather than a spring.
    package var isFling: Bool {
        if case .fling = x { true } else { false }
    }

    /// No motion at all.
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
        // A still zoom is taken as it is: exp(ln z) may differ from z in the last bit.
        let zoom =
            if case .still = logZoom { target.zoom } else { exp(logZoom.value(at: moment)) }
        let focal = Point(x: x.value(at: moment), y: y.value(at: moment))
        return Placement(
            center: focal + arm.rotated(by: angle) * zoom, zoom: zoom, rotation: angle)
    }

    /// How near to its end a logarithm of the zoom or an angle has to be: half a logical pixel at the
    /// picture's centre, however far from the focal point that is, and on any surface.
    private var leverTolerance: Tolerance {
        let lever = max(arm.length * target.zoom, Self.surfaceReach)
        return Tolerance(
            distance: Tolerance.pixels.distance / lever, speed: Tolerance.pixels.speed / lever)
    }

    /// As far from the focal point a surface reaches, in logical pixels.
    private static let surfaceReach = 1000.0

    /// Logical pixels per second of the picture's centre.
    package func centerVelocity(at moment: Moment) -> Vector {
        guard !isAtRest(at: moment) else { return .zero }
        let lever = arm.rotated(by: rotation.value(at: moment)) * exp(logZoom.value(at: moment))
        let turning = Vector(dx: -lever.dy, dy: lever.dx) * rotation.velocity(at: moment)
        return Vector(dx: x.velocity(at: moment), dy: y.velocity(at: moment))
            + lever * zoomRate(at: moment) + turning
    }

    /// d(ln zoom)/dt, per second.
    package func zoomRate(at moment: Moment) -> Double {
        isAtRest(at: moment) ? 0 : logZoom.velocity(at: moment)
    }

    /// Radians per second, clockwise.
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
