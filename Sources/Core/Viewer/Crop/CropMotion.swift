import CMath
import Geometry
import Motion

/// The motion from one view of a crop to another: springs, as closed-form functions of time.
struct CropMotion: Hashable, Sendable {
    /// The frame's centre and size, in logical pixels.
    private var frame: [ScalarMotion]
    /// The picture point at the centre, in logical pixels at the target's zoom.
    private var center: [ScalarMotion]
    /// The logarithm of the width of the part.
    private var logWidth: ScalarMotion
    private var angle: ScalarMotion
    private var spin: ScalarMotion
    private let limits: CropLimits
    /// Whether the picture covers the frame all the way, as it does at both ends.
    private let staysCovered: Bool
    let target: CropView

    /// A motion; `velocity` is that of the picture on the surface, in logical pixels per second.
    init(
        from start: CropView, to target: CropView, velocity: Vector = .zero, in limits: CropLimits,
        at moment: Moment
    ) {
        func motion(_ from: Double, _ to: Double, _ velocity: Double = 0) -> ScalarMotion {
            guard from != to || velocity != 0 else { return .still(to) }
            return .spring(
                Spring(
                    from: from, to: to, velocity: velocity, at: moment,
                    frequency: Spring.zoomFrequency))
        }
        let (old, new) = (start.frame, target.frame)
        frame = [
            motion(old.center.x, new.center.x), motion(old.center.y, new.center.y),
            motion(old.width, new.width), motion(old.height, new.height),
        ]
        // The point at the centre moves against the picture.
        let speed = -velocity.rotated(by: -target.rotation)
        center = [
            motion(start.center.dx * target.zoom, target.center.dx * target.zoom, speed.dx),
            motion(start.center.dy * target.zoom, target.center.dy * target.zoom, speed.dy),
        ]
        logWidth = motion(log(start.width), log(target.width))
        angle = motion(start.angle, target.angle)
        spin = motion(start.spin, target.spin)
        self.limits = limits
        self.target = target
        staysCovered = start.spin == 0 && limits.covers(start) && limits.covers(target)
    }

    /// A view that does not move.
    init(resting view: CropView, in limits: CropLimits) {
        self.init(from: view, to: view, in: limits, at: .zero)
    }

    func view(at moment: Moment) -> CropView {
        guard !isAtRest(at: moment) else { return target }
        let values = frame.map { $0.value(at: moment) }
        var view = target
        view.frame = Rect(
            center: Point(x: values[0], y: values[1]),
            size: Size(width: max(values[2], 1), height: max(values[3], 1)))
        view.center = Vector(
            dx: center[0].value(at: moment) / target.zoom,
            dy: center[1].value(at: moment) / target.zoom)
        view.width = exp(logWidth.value(at: moment))
        view.angle = angle.value(at: moment)
        view.spin = spin.value(at: moment)
        return staysCovered ? limits.covering(view) : view
    }

    func isAtRest(at moment: Moment) -> Bool {
        frame.allSatisfy { $0.isAtRest(at: moment, tolerance: Self.pixels) }
            && center.allSatisfy { $0.isAtRest(at: moment, tolerance: Self.pixels) }
            && [logWidth, angle, spin].allSatisfy {
                $0.isAtRest(at: moment, tolerance: Self.shares)
            }
    }

    /// Finer than elsewhere, so that the frame does not snap to its place.
    private static let pixels = Tolerance(distance: 0.1, speed: 2)
    private static let shares = Tolerance(distance: 1e-4, speed: 2e-3)
}
