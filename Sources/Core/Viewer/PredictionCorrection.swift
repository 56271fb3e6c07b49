import Geometry
import CMath
import Motion
import SceneModel

/// What is still to be made up for after fingers have joined, left or lifted.
///
/// A frame sees fingers a little ahead of their samples, but what follows is computed from the samples
/// alone. The difference in that moment stays on the surface and fades, so that nothing jumps and
/// everything ends where the samples say.
struct PredictionCorrection: Hashable, Sendable {
    private var logZoom = ScalarMotion.still(0)
    private var rotation = ScalarMotion.still(0)
    private var x = ScalarMotion.still(0)
    private var y = ScalarMotion.still(0)
    private var strip = ScalarMotion.still(0)

    /// ω of its springs, in rad/s: 95 % is made up for in 0.08 s, too soon to be felt as a motion of
    /// its own.
    private static let frequency = 60.0

    /// Nothing to be made up for.
    static let none = PredictionCorrection()

    private init() {}

    /// The correction by which what would be at `new` is still seen at `old`, and the strip by `shift`
    /// logical pixels farther right.
    init(from old: Placement, to new: Placement, shift: Double, at moment: Moment) {
        self.init()
        logZoom = Self.motion(log(old.zoom / new.zoom), at: moment)
        rotation = Self.motion(old.rotation - new.rotation, at: moment)
        x = Self.motion(old.center.x - new.center.x, at: moment)
        y = Self.motion(old.center.y - new.center.y, at: moment)
        strip = Self.motion(shift, at: moment)
    }

    private static func motion(_ difference: Double, at moment: Moment) -> ScalarMotion {
        guard difference != 0, difference.isFinite else { return .still(0) }
        return .spring(Spring(from: difference, to: 0, at: moment, frequency: frequency))
    }

    /// Where a placement is seen.
    func applied(to placement: Placement, at moment: Moment) -> Placement {
        guard self != .none else { return placement }
        return Placement(
            center: placement.center
                + Vector(dx: x.value(at: moment), dy: y.value(at: moment)),
            zoom: placement.zoom * exp(logZoom.value(at: moment)),
            rotation: placement.rotation + rotation.value(at: moment))
    }

    /// How much farther right the strip is seen, in logical pixels.
    func shift(at moment: Moment) -> Double { strip.value(at: moment) }

    func isAtRest(at moment: Moment) -> Bool {
        logZoom.isAtRest(at: moment, tolerance: .logScale)
            && rotation.isAtRest(at: moment, tolerance: .logScale)
            && [x, y, strip].allSatisfy { $0.isAtRest(at: moment, tolerance: .pixels) }
    }
}
