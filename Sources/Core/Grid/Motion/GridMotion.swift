import Geometry
import CMath
import Motion

/// A motion of the grid: anchored point and scale as closed-form functions of time.
struct GridMotion: Hashable, Sendable {
    private let anchor: Anchor
    /// Natural logarithm of the scale.
    private let logScale: ScalarMotion
    /// The anchored point, in logical pixels of the surface.
    private let x: ScalarMotion
    private let y: ScalarMotion
    /// The final scroll state; a motion at rest returns exactly this state.
    let target: ScrollState

    /// The rate of change of a scroll state.
    struct Velocity: Hashable, Sendable {
        /// Velocity of the anchored point, in logical pixels per second.
        var focal = Vector.zero
        /// d(ln scale)/dt, per second.
        var zoomRate = 0.0

        /// The velocity of the content point at `point` instead of the one at `focal`.
        func moved(from focal: Point, to point: Point) -> Velocity {
            Velocity(focal: self.focal + (point - focal) * zoomRate, zoomRate: zoomRate)
        }
    }

    /// Springs to `target`, which has the same anchor.
    init(
        from start: ScrollState, to target: ScrollState, velocity: Velocity = Velocity(),
        at moment: Moment,
        frequency: Double = Spring.zoomFrequency
    ) {
        func motion(_ start: Double, _ end: Double, _ velocity: Double) -> ScalarMotion {
            guard start != end || velocity != 0 else { return .still(end) }
            return .spring(
                Spring(from: start, to: end, velocity: velocity, at: moment, frequency: frequency))
        }
        anchor = start.anchor
        logScale = motion(log(start.scale), log(target.scale), velocity.zoomRate)
        x = motion(start.focal.x, target.focal.x, velocity.focal.dx)
        y = motion(start.focal.y, target.focal.y, velocity.focal.dy)
        self.target = target
    }

    /// A fling at a constant scale, which bounces at the ends of `range`.
    ///
    /// `origin` is the origin of `start`. Along an axis with nothing to scroll there is no fling.
    init(
        flinging start: ScrollState, origin: Point, velocity: Vector, within range: ScrollRange,
        at moment: Moment
    ) {
        func fling(
            _ focal: Double, _ origin: Double, _ velocity: Double, _ range: ClosedRange<Double>
        ) -> Fling {
            let point = focal + origin
            return Fling(
                from: focal, velocity: velocity, at: moment,
                within: (point - range.upperBound)...(point - range.lowerBound))
        }
        let x = fling(start.focal.x, origin.x, velocity.dx, range.x)
        let y = fling(start.focal.y, origin.y, velocity.dy, range.y)
        anchor = start.anchor
        logScale = .still(log(start.scale))
        (self.x, self.y) = (.fling(x), .fling(y))
        target = ScrollState(
            anchor: start.anchor, focal: Point(x: x.restValue, y: y.restValue), scale: start.scale)
    }

    /// Whether the motion still changes the scale after `moment`.
    func scales(from moment: Moment) -> Bool {
        !logScale.isAtRest(at: moment, tolerance: Self.scaleTolerance)
    }

    /// Whether the motion is a fling rather than a spring.
    var isFling: Bool {
        if case .fling = y { true } else { false }
    }

    func scrollState(at moment: Moment) -> ScrollState {
        guard !isAtRest(at: moment) else { return target }
        // A constant scale is copied, because exp(ln z) may differ from z in the last bit.
        let scale =
            if case .still = logScale { target.scale } else { exp(logScale.value(at: moment)) }
        return ScrollState(
            anchor: anchor, focal: Point(x: x.value(at: moment), y: y.value(at: moment)),
            scale: scale)
    }

    func velocity(at moment: Moment) -> Velocity {
        guard !isAtRest(at: moment) else { return Velocity() }
        return Velocity(
            focal: Vector(dx: x.velocity(at: moment), dy: y.velocity(at: moment)),
            zoomRate: logScale.velocity(at: moment))
    }

    /// Tolerance of ln(scale): half a pixel at 2000 logical pixels from the anchored point.
    private static let scaleTolerance = Tolerance(distance: 2.5e-4, speed: 2.5e-3)

    func isAtRest(at moment: Moment) -> Bool {
        logScale.isAtRest(at: moment, tolerance: Self.scaleTolerance)
            && x.isAtRest(at: moment, tolerance: .pixels)
            && y.isAtRest(at: moment, tolerance: .pixels)
    }
}
