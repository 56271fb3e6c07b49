import Geometry
import Motion

/// The page at which a horizontal swipe comes to rest.
///
/// The scroll position is projected with the ordinary deceleration and rounded to the nearest page,
/// at most one page from the base. A fast swipe turns the page however short it is. A swipe that
/// reverses before the release keeps the page.
package enum Paging {
    /// A swipe at least this fast turns the page however short it is, in logical pixels per second.
    package static let flickSpeed = 400.0
    /// A speed against the scrolled distance that keeps the page, in logical pixels per second.
    private static let cancellingSpeed = 100.0
    /// The scrolled distance that such a speed must oppose, in logical pixels.
    private static let slop = 10.0
    /// The distance between neighbouring pages for a surface's width, both in logical pixels.
    ///
    /// Source: Loupe.
    package static func pitch(width: Double) -> Double { width + 25 + 0.02 * width }

    /// The page to rest at, at most one from `base`.
    ///
    /// `position` and `start` are the current scroll position and the one when the gesture began,
    /// in logical pixels. `velocity` is the scroll velocity, in logical pixels per second. `pitch`
    /// is the distance between pages, in logical pixels.
    package static func page(
        position: Double, velocity: Double, base: Int, start: Double, pitch: Double, count: Int
    ) -> Int {
        let end = position + Deceleration.distance(at: velocity) - Double(base) * pitch
        let projected = (end / pitch).rounded(.toNearestOrAwayFromZero)
        var step = Int(clamping: min(max(projected, -1), 1))
        let distance = position - start
        if step == 0, abs(velocity) >= flickSpeed, velocity * distance > 0 {
            step = velocity > 0 ? 1 : -1
        }
        if step != 0, Double(step) * velocity > 0, abs(velocity) >= cancellingSpeed,
            velocity * distance <= 0, abs(distance) > slop
        {
            step = 0
        }
        return min(max(base + step, 0), max(count - 1, 0))
    }
}
