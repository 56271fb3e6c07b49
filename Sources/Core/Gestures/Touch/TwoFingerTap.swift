import Geometry
import Motion

/// Recognises a tap with two fingers.
///
/// Both fingers lift in one frame; or one lifts first, its point is stored, and the lift of the
/// other one completes the tap. The order of the fingers does not matter.
struct TwoFingerTap: Sendable {
    private var firstDown = Moment.zero
    /// The number of landings since then; a third one rules the tap out, even if another finger has
    /// lifted.
    private var landings = 0
    private var isPossible = true
    /// Where the finger landed that has already lifted.
    private var stored: Point?

    /// Whether more than one finger has been down since the first one landed.
    var hasSecondFinger: Bool { landings > 1 }

    /// A finger lands; `isFirst` if it is alone.
    mutating func land(at moment: Moment, isFirst: Bool) {
        if isFirst {
            self = TwoFingerTap()
            firstDown = moment
        }
        landings += 1
    }

    /// Fingers lift in one frame; returns the point midway between the fingers if this completes
    /// the tap.
    mutating func lift(
        _ contacts: Contacts, at moment: Moment, settings: GestureConstants
    ) -> Point? {
        guard landings == 2, isPossible else { return nil }
        var first = stored
        var second: Point?
        for index in 0..<contacts.landedCount where contacts[index].isLifting {
            guard contacts[index].tapCount == 1 else {
                isPossible = false
                return nil
            }
            (first, second) =
                first == nil ? (contacts[index].start, nil) : (first, contacts[index].start)
        }
        guard contacts.liftingCount == contacts.landedCount else {
            stored = first
            return nil
        }
        guard let first, let second else { return nil }
        let duration = moment.milliseconds - firstDown.milliseconds
        guard duration < settings.twoFingerTapDuration,
            (second - first).length <= settings.twoFingerTapSeparation
        else { return nil }
        return first.midpoint(to: second)
    }
}
