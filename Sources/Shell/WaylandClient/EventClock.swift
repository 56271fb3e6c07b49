package import Motion

/// Turns the compositor's 32-bit milliseconds into moments.
///
/// The protocol leaves open where they start, and they wrap every 49.7 days. All compositors known
/// count like CLOCK_MONOTONIC, so a time close to now is taken as such; for any other base the
/// difference to now is kept from the first event on, so that differences stay exact.
package struct EventClock {
    /// What farther from now than this is no CLOCK_MONOTONIC time, in milliseconds.
    private static let plausibleDistance: Int32 = 10_000

    /// What is added to the compositor's time to count like our clock.
    private var offset: UInt32 = 0

    package init() {}

    /// The moment of an event that came in at `now`.
    package mutating func moment(of time: EventTime, now: Moment) -> Moment {
        let moment = moment(of: time.milliseconds, now: now)
        return moment.advanced(byMilliseconds: time.fraction)
    }

    /// The moment of an event that came in at `now`, in whole milliseconds.
    package mutating func moment(of time: UInt32, now: Moment) -> Moment {
        let whole = now.milliseconds.rounded(.down)
        let word = UInt32(truncatingIfNeeded: Int64(whole))
        var distance = Int32(bitPattern: time &+ offset &- word)
        if !(-Self.plausibleDistance...Self.plausibleDistance).contains(distance) {
            offset = word &- time
            distance = 0
        }
        return Moment(milliseconds: whole + Double(distance))
    }
}
