import Geometry
import Motion

/// Accumulates fractions of wheel detents until a whole detent turns a page.
struct WheelSteps: Hashable, Sendable {
    private var remainder = 0.0
    private var last = Moment.zero

    /// After a longer pause the accumulated fraction is discarded, in milliseconds.
    private static let pause = 500.0

    /// Adds a wheel movement in units of 1/120 detent, positive down; returns the number of whole
    /// detents.
    mutating func turn(_ units: Double, at moment: Moment) -> Int {
        if units * remainder < 0 || moment.seconds(since: last) * 1000 > Self.pause {
            remainder = 0
        }
        last = moment
        remainder += units
        let whole = (remainder / 120).rounded(.towardZero)
        remainder -= whole * 120
        return Int(clamping: min(max(whole, -1000), 1000))
    }
}
