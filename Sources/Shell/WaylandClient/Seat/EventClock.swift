import Geometry
package import Motion

/// Converts the compositor's 32-bit milliseconds to moments.
///
/// The protocol does not define the epoch, and the times wrap every 49.7 days. All known
/// compositors use CLOCK_MONOTONIC, so a time close to now is interpreted as CLOCK_MONOTONIC. For
/// any other epoch, the offset to now is taken from the first event and kept, so that differences
/// stay exact.
package struct EventClock {
    /// A time that is farther from now than this is not on CLOCK_MONOTONIC, in milliseconds.
    private static let plausibleDistance: Int32 = 10_000
    /// A time further ahead of now than this, in milliseconds, is an error.
    ///
    /// What has arrived has happened, and recognisers would wait for that time.
    private static let mostAhead: Int32 = 100

    /// The offset from the compositor's time to our clock, in milliseconds.
    private var offset: UInt32 = 0

    package init() {}

    /// The moment of an event that arrived at `now`.
    package mutating func moment(of time: EventTime, now: Moment) -> Moment {
        let moment = moment(of: time.milliseconds, now: now)
        return moment.advanced(byMilliseconds: time.fraction)
    }

    /// The moment of an event that arrived at `now`, in whole milliseconds.
    package mutating func moment(of time: UInt32, now: Moment) -> Moment {
        let whole = now.milliseconds.rounded(.down)
        let nowMilliseconds = UInt32(truncatingIfNeeded: Int(clamping: whole))
        var distance = Int32(bitPattern: time &+ offset &- nowMilliseconds)
        if !(-Self.plausibleDistance...Self.plausibleDistance).contains(distance) {
            offset = nowMilliseconds &- time
            distance = 0
        }
        if distance > Self.mostAhead { distance = 0 }
        return Moment(milliseconds: whole + Double(distance))
    }
}
