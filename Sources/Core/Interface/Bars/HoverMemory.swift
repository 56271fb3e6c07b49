import Geometry
import Motion

/// How the pointer and the bars came to be where they are, for the taps of a pen.
///
/// A pen hovers before its tap and after it, and a pointer that moves shows the bars. So a tap soon after
/// the pen came keeps the bars, which were hidden as the person saw them; and after a tap that hides the
/// bars the pen shows them again only elsewhere.
struct HoverMemory: Hashable, Sendable {
    /// When the pointer has shown the bars; nil if something else has.
    var arrival: Moment?
    /// Where a tap has hidden the bars; nil once the pointer was elsewhere or away.
    var quietPlace: Point?

    /// The longest time from the arrival of a pen to the end of its first tap, in milliseconds: more than
    /// an approach, a tap and the time for a second tap take.
    private static let longestApproach = 1500.0
    /// How far a pen drifts while a person lifts it, in logical pixels: an inch.
    private static let drift = 96.0

    /// Whether the bars came with the pen that taps at `moment`.
    func isApproach(at moment: Moment) -> Bool {
        guard let arrival else { return false }
        return moment.seconds(since: arrival) * 1000 <= Self.longestApproach
    }

    /// Whether a pointer at `point` leaves hidden bars hidden; forgets the place if not.
    mutating func staysQuiet(at point: Point) -> Bool {
        guard let quietPlace else { return false }
        if (point - quietPlace).length <= Self.drift { return true }
        self.quietPlace = nil
        return false
    }
}
