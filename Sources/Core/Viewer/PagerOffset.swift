import Geometry
import Motion

/// The row of pages: how far the page in place is displaced, and how it gets back.
///
/// A page is as wide as the surface; the next one lies one pitch to the right. All displacements
/// are logical pixels, positive when the pages are too far right, as when the one before comes in.
struct PagerOffset: Hashable, Sendable {
    private var motion = ScalarMotion.still(0)

    /// How many pages a displacement spans at most: keys that repeat fast skip what is beyond.
    private static let longest = 1.5

    func displacement(at moment: Moment) -> Double { motion.value(at: moment) }

    /// Logical pixels per second.
    func velocity(at moment: Moment) -> Double { motion.velocity(at: moment) }

    /// Whether the page is in its place; one that a finger holds elsewhere is not at rest.
    func isAtRest(at moment: Moment) -> Bool {
        motion.restValue == 0 && motion.isAtRest(at: moment, tolerance: .pixels)
    }

    /// Whether a finger holds it away from its place.
    var isHeld: Bool {
        if case .still(let displacement) = motion { displacement != 0 } else { false }
    }

    /// All pages in their places.
    mutating func rest() { motion = .still(0) }

    /// A finger takes hold of it where it is.
    mutating func hold(at displacement: Double) { motion = .still(displacement) }

    /// Springs to its place from `displacement`, carrying `velocity` on as far as that does not
    /// take it past its place into the gap on the other side.
    ///
    /// Source: gesture sheet §12, vector A9.
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

    /// The page `step` further on is now the one in place; what is on the surface stays where it
    /// is and moves on from there.
    mutating func turn(by step: Int, pitch: Double, at moment: Moment) {
        let displacement = displacement(at: moment) + Double(step) * pitch
        let farthest = Self.longest * pitch
        settle(
            from: min(max(displacement, -farthest), farthest), velocity: velocity(at: moment),
            at: moment)
    }
}
