import Geometry
import Motion

/// Accumulates fractions of zoom steps, from the wheel or from scrolling with Ctrl.
struct ZoomSteps: Hashable, Sendable {
    private var remainder = 0.0
    private var last = Moment.zero

    /// A longer pause discards the accumulated fraction, in milliseconds.
    private static let pause = 500.0

    /// Adds a fraction of a step; returns the whole steps reached, positive to enlarge.
    mutating func turn(_ fraction: Double, at moment: Moment) -> Int {
        guard fraction.isFinite else { return 0 }
        if fraction * remainder < 0 || moment.seconds(since: last) * 1000 > Self.pause {
            remainder = 0
        }
        last = moment
        remainder += fraction
        let whole = remainder.rounded(.towardZero)
        remainder -= whole
        return Int(clamping: min(max(whole, -100), 100))
    }
}
