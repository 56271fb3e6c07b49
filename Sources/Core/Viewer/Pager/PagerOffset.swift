import Geometry
import Motion

/// The offset of the pager: how far the current page is displaced, and how it springs back.
///
/// A page is as wide as the surface; the next page lies one stride to the right, or to the left where the
/// stride is negative. All displacements are in logical pixels. They are positive when the pages are too
/// far right.
struct PagerOffset: Hashable, Sendable {
    private var motion = ScalarMotion.still(0)

    /// The largest displacement, in pages: with fast key repeats the pager skips the rest.
    private static let longest = 1.5

    func displacement(at moment: Moment) -> Double { motion.value(at: moment) }

    /// Logical pixels per second.
    func velocity(at moment: Moment) -> Double { motion.velocity(at: moment) }

    /// Whether the page is at its resting place; a page that a finger holds elsewhere is not at
    /// rest.
    func isAtRest(at moment: Moment) -> Bool {
        motion.restValue == 0 && motion.isAtRest(at: moment, tolerance: .pixels)
    }

    /// Whether a finger holds the page away from its resting place.
    var isHeld: Bool {
        if case .still(let displacement) = motion { displacement != 0 } else { false }
    }

    /// Puts all pages at their resting places at once.
    mutating func rest() { motion = .still(0) }

    /// Stops the pager at `displacement`, because a finger holds it there.
    mutating func hold(at displacement: Double) { motion = .still(displacement) }

    /// Springs from `displacement` to the resting place, with the initial `velocity` in logical
    /// pixels per second.
    ///
    /// The velocity is limited so that the page does not overshoot into the gap on the other side:
    /// towards the resting place to at most ω·|displacement|.
    mutating func settle(from displacement: Double, velocity: Double, at moment: Moment) {
        guard displacement != 0 else {
            motion = .still(0)
            return
        }
        let speed = Spring.velocityWithoutOvershoot(
            velocity, distance: -displacement, frequency: Spring.pageFrequency)
        motion = .spring(
            Spring(
                from: displacement, to: 0, velocity: speed, at: moment,
                frequency: Spring.pageFrequency))
    }

    /// Makes the page `step` pages further the current one; `stride` is in logical pixels.
    ///
    /// The pages stay where they are on the surface and move on from there.
    mutating func turn(by step: Int, stride: Double, at moment: Moment) {
        let displacement = displacement(at: moment) + Double(step) * stride
        let farthest = Self.longest * abs(stride)
        settle(
            from: min(max(displacement, -farthest), farthest), velocity: velocity(at: moment),
            at: moment)
    }
}
