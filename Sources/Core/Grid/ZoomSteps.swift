import Motion

/// Collects parts of a zoom, by wheel or by scrolling with Ctrl, until they make a whole step.
struct ZoomSteps: Hashable, Sendable {
    private var remainder = 0.0
    private var last = Moment.zero

    /// A pause this long forgets a part of a step, in milliseconds.
    private static let pause = 500.0

    /// How many whole steps there are with `part` of one more; positive is larger.
    mutating func turn(_ part: Double, at moment: Moment) -> Int {
        guard part.isFinite else { return 0 }
        if part * remainder < 0 || moment.seconds(since: last) * 1000 > Self.pause {
            remainder = 0
        }
        last = moment
        remainder += part
        let whole = remainder.rounded(.towardZero)
        remainder -= whole
        return Int(min(max(whole, -100), 100))
    }
}
