import Geometry
import CMath
import Motion
import SceneModel

/// The decaying error of the predicted touch positions after fingers have joined or lifted.
///
/// A frame draws the content at predicted touch positions, but a release or a rebase is computed
/// from the samples alone. The difference at that moment is added to the drawn placement and decays
/// to zero. So nothing jumps, and the content comes to rest where the samples say.
struct PredictionCorrection: Hashable, Sendable {
    private var logZoom = ScalarMotion.still(0)
    private var rotation = ScalarMotion.still(0)
    private var x = ScalarMotion.still(0)
    private var y = ScalarMotion.still(0)
    private var pagerOffset = ScalarMotion.still(0)

    /// ω of the springs, in rad/s: 95 % of the error has decayed after 0.08 s, too fast to be
    /// noticed as a motion.
    private static let frequency = 60.0

    /// No error.
    static let none = PredictionCorrection()

    private init() {}

    /// The correction by which a placement computed as `new` is still drawn at `old`, and the pager
    /// `shift` logical pixels farther right.
    init(from old: Placement, to new: Placement, shift: Double, at moment: Moment) {
        self.init()
        logZoom = Self.motion(log(old.zoom / new.zoom), at: moment)
        rotation = Self.motion(old.rotation - new.rotation, at: moment)
        x = Self.motion(old.center.x - new.center.x, at: moment)
        y = Self.motion(old.center.y - new.center.y, at: moment)
        pagerOffset = Self.motion(shift, at: moment)
    }

    private static func motion(_ difference: Double, at moment: Moment) -> ScalarMotion {
        guard difference != 0, difference.isFinite else { return .still(0) }
        return .spring(Spring(from: difference, to: 0, at: moment, frequency: frequency))
    }

    /// The drawn placement for a computed one.
    func applied(to placement: Placement, at moment: Moment) -> Placement {
        guard self != .none else { return placement }
        return Placement(
            center: placement.center
                + Vector(dx: x.value(at: moment), dy: y.value(at: moment)),
            zoom: placement.zoom * exp(logZoom.value(at: moment)),
            rotation: placement.rotation + rotation.value(at: moment))
    }

    /// How much farther right the pager is drawn, in logical pixels.
    func shift(at moment: Moment) -> Double { pagerOffset.value(at: moment) }

    func isAtRest(at moment: Moment) -> Bool {
        logZoom.isAtRest(at: moment, tolerance: .logScale)
            && rotation.isAtRest(at: moment, tolerance: .logScale)
            && [x, y, pagerOffset].allSatisfy { $0.isAtRest(at: moment, tolerance: .pixels) }
    }
}
