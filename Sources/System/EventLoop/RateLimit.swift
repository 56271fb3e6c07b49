package import Motion

/// Lets a number of events through at once, and further ones at a steady rate.
package struct RateLimit: Sendable {
    private let most: Double
    private let perSecond: Double
    private var allowance: Double
    private var last: Moment?

    package init(atOnce most: Double, perSecond: Double) {
        (self.most, self.perSecond, allowance) = (most, perSecond, most)
    }

    /// Whether an event may happen now.
    package mutating func allows(at now: Moment) -> Bool {
        if let last {
            let seconds = max(0, now.milliseconds - last.milliseconds) / 1000
            allowance = min(most, allowance + seconds * perSecond)
        }
        last = now
        guard allowance >= 1 else { return false }
        allowance -= 1
        return true
    }
}
