import Geometry
import Motion

/// The row of pages: how far the page in place is displaced, and how it gets back.
///
/// A page is as wide as the surface; the next one lies one pitch to the right. All displacements
/// are logical pixels, positive when the pages are too far right, as when the one before comes in.
struct Strip: Hashable, Sendable {
    private var motion = ScalarMotion.still(0)

    /// ω of the spring that brings a page to its place, in rad/s; PhotoSwipe's.
    static let frequency = 30.0
    /// How many pages a displacement spans at most: keys that repeat fast skip what is beyond.
    private static let longest = 1.5

    func displacement(at moment: Moment) -> Double { motion.value(at: moment) }

    /// Logical pixels per second.
    func velocity(at moment: Moment) -> Double { motion.velocity(at: moment) }

    func isAtRest(at moment: Moment) -> Bool { motion.isAtRest(at: moment, tolerance: .pixels) }

    /// All pages in their places.
    mutating func rest() { motion = .still(0) }

    /// A finger takes hold of it where it is.
    mutating func hold(at displacement: Double) { motion = .still(displacement) }

    /// Springs to its place from `displacement`, carrying `velocity` on as far as that does not
    /// take it past its place into the gap on the other side.
    ///
    /// Source: gesture sheet §12, vector A9.
    mutating func settle(from displacement: Double, velocity: Double, at moment: Moment) {
        guard displacement != 0 || velocity != 0 else {
            motion = .still(0)
            return
        }
        let fastest = Self.frequency * abs(displacement)
        let speed = displacement > 0 ? max(velocity, -fastest) : min(velocity, fastest)
        motion = .spring(
            Spring(
                from: displacement, to: 0, velocity: displacement == 0 ? 0 : speed, at: moment,
                frequency: Self.frequency))
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
