package import Motion

/// Predicts when the next input arrives: touch screens report at a steady rate.
///
/// A frame that is held back for newer input gains nothing if the next input comes after the latest moment at
/// which the frame has to begin.
package struct InputRhythm: Hashable, Sendable {
    /// When the last input arrived.
    private var last: Moment?
    private var intervals = RecentTimes(InputRhythm.count)

    /// The number of intervals that are remembered, and of those that a prediction needs.
    private static let (count, least) = (8, 4)
    /// Inputs in shorter intervals arrived together, in milliseconds.
    private static let together = 0.5
    /// After a longer pause another movement begins, in milliseconds.
    private static let pause = 50.0

    package init() {}

    /// Notes that input has arrived.
    package mutating func arrived(at moment: Moment) {
        defer { last = moment }
        guard let last else { return }
        let interval = moment.seconds(since: last) * 1000
        if interval > Self.pause || interval < 0 {
            intervals.removeAll()
        } else if interval >= Self.together {
            intervals.add(interval)
        }
    }

    /// The earliest moment at which the next input is likely; nil while the rhythm is unknown.
    ///
    /// The lower quartile of the last intervals has passed by then. Input that comes even earlier counts for
    /// the frame after.
    package var next: Moment? {
        guard let last, intervals.count >= Self.least else { return nil }
        return last.advanced(byMilliseconds: intervals.lowerQuartile)
    }
}
