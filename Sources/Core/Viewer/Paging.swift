import Motion

/// Where a sideways swipe lands among the pictures.
///
/// Source of the law and its constants: gesture sheet §12.
package enum Paging {
    /// A swipe at least this fast turns the page however short, in logical pixels per second.
    package static let flickSpeed = 400.0
    /// A speed against the way made that keeps the page.
    private static let cancellingSpeed = 100.0
    /// The way that speed must oppose, in logical pixels.
    private static let slop = 10.0
    /// The distance from one picture's place to the next on a surface of that width.
    package static func pitch(width: Double) -> Double { width + 25 + 0.02 * width }

    /// The page to rest at, at most one from `base`.
    ///
    /// `position` and `start` are scroll positions in logical pixels, now and when the gesture
    /// began, `velocity` the scroll's; `pitch` is the distance between pages.
    package static func page(
        position: Double, velocity: Double, base: Int, start: Double, pitch: Double, count: Int
    ) -> Int {
        let end = position + Deceleration.distance(at: velocity) - Double(base) * pitch
        let projected = (end / pitch).rounded(.toNearestOrAwayFromZero)
        var step = Int(min(max(projected, -1), 1))
        let way = position - start
        if step == 0, abs(velocity) >= flickSpeed, velocity * way > 0 {
            step = velocity > 0 ? 1 : -1
        }
        if step != 0, Double(step) * velocity > 0, abs(velocity) >= cancellingSpeed,
            velocity * way <= 0, abs(way) > slop
        {
            step = 0
        }
        return min(max(base + step, 0), max(count - 1, 0))
    }
}
