import CMath
package import Geometry

/// A corner or an edge of the frame, which a finger drags.
package struct CropHandle: Hashable, Sendable {
    /// −1 for the left edge, 1 for the right one, 0 for neither.
    package var x: Double
    /// −1 for the upper edge, 1 for the lower one, 0 for neither.
    package var y: Double

    package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

    /// How far a handle reaches from its edge, in logical pixels: half of a touch target.
    static let reach = 24.0

    /// The handle at a point of the surface; nil where there is none.
    package init?(at point: Point, of frame: Rect) {
        guard frame.inset(by: -Self.reach).contains(point) else { return nil }
        // A small frame can still be moved from inside.
        func side(_ value: Double, _ low: Double, _ high: Double) -> Double {
            let inner = min(Self.reach, (high - low) / 4)
            if value < low + inner { return -1 }
            return value > high - inner ? 1 : 0
        }
        self.init(
            x: side(point.x, frame.x, frame.maxX), y: side(point.y, frame.y, frame.maxY))
        if x == 0, y == 0 { return nil }
    }

    /// The view with the frame resized by a translation of the handle, in logical pixels, as far as the
    /// picture and `area` reach; the picture stays where it is.
    ///
    /// `proportions` are width by height; nil for free ones.
    func resized(
        _ view: CropView, by translation: Vector, proportions: Double?, in limits: CropLimits,
        area: Rect?
    ) -> CropView {
        var frame = view.frame
        let least = CropLimits.smallestSide * view.zoom
        if let proportions {
            let growth = growth(of: frame, by: translation, proportions, least: least)
            let share = share(of: view, limits, area) { grown(frame, by: growth * $0, proportions) }
            frame = grown(frame, by: growth * share, proportions)
        } else {
            let wish = Vector(
                dx: limited(x * translation.dx, frame.width, least),
                dy: limited(y * translation.dy, frame.height, least))
            // One direction after the other, so that an edge that cannot go on slides along.
            let across = share(of: view, limits, area) { stretched(view.frame, wish.dx * $0, 0) }
            let down = share(of: view, limits, area) {
                stretched(view.frame, wish.dx * across, wish.dy * $0)
            }
            frame = stretched(frame, wish.dx * across, wish.dy * down)
        }
        return view.reframed(to: frame)
    }

    /// A growth of a side that leaves at least `least`.
    private func limited(_ growth: Double, _ side: Double, _ least: Double) -> Double {
        max(growth, min(least - side, 0))
    }

    /// The frame with the edges of the handle moved outwards.
    private func stretched(_ frame: Rect, _ across: Double, _ down: Double) -> Rect {
        var frame = frame
        if x < 0 { frame.x -= across }
        if y < 0 { frame.y -= down }
        if x != 0 { frame.width += across }
        if y != 0 { frame.height += down }
        return frame
    }

    /// How much wider a frame with fixed proportions becomes.
    private func growth(
        of frame: Rect, by translation: Vector, _ proportions: Double, least: Double
    ) -> Double {
        let (across, down) = (x * translation.dx, y * translation.dy * proportions)
        let wish = x == 0 ? down : y == 0 ? across : (across + down) / 2
        return limited(wish, frame.width, max(least, least * proportions))
    }

    /// The frame with fixed proportions grown from the opposite corner, or from the middle of the opposite
    /// edge.
    private func grown(_ frame: Rect, by growth: Double, _ proportions: Double) -> Rect {
        let size = Size(
            width: frame.width + growth, height: (frame.width + growth) / proportions)
        func start(_ side: Double, _ low: Double, _ high: Double, _ length: Double) -> Double {
            if side < 0 { return high - length }
            return side > 0 ? low : (low + high - length) / 2
        }
        return Rect(
            x: start(x, frame.x, frame.maxX, size.width),
            y: start(y, frame.y, frame.maxY, size.height), width: size.width,
            height: size.height)
    }

    /// The largest share of a change, 0…1, for which the frame stays on the picture and in the area.
    ///
    /// The corners of the frame move along lines with the share, so the first line that one of them meets
    /// decides.
    private func share(
        of view: CropView, _ limits: CropLimits, _ area: Rect?, _ frame: (Double) -> Rect
    ) -> Double {
        var share = 1.0
        for (start, end) in zip(corners(frame(0)), corners(frame(1))) {
            let (first, last) = (view.picturePoint(at: start), view.picturePoint(at: end))
            share = min(
                share, Self.share(from: first.dx, to: last.dx, limits.picture.width / 2),
                Self.share(from: first.dy, to: last.dy, limits.picture.height / 2))
            guard let area else { continue }
            let (from, to) = (start - area.center, end - area.center)
            share = min(
                share, Self.share(from: from.dx, to: to.dx, area.width / 2),
                Self.share(from: from.dy, to: to.dy, area.height / 2))
        }
        return max(share, 0)
    }

    /// The share of the way from one number to another that stays within ±`limit`; the whole way where it
    /// leads back.
    private static func share(from start: Double, to end: Double, _ limit: Double) -> Double {
        guard abs(end) > limit, abs(end) > abs(start) || start * end < 0 else { return 1 }
        let bound = end < 0 ? -limit : limit
        guard (bound - start) * (end - start) > 0 else { return 0 }
        return min((bound - start) / (end - start), 1)
    }

    private func corners(_ frame: Rect) -> [Point] {
        [
            frame.origin, Point(x: frame.maxX, y: frame.y), Point(x: frame.x, y: frame.maxY),
            Point(x: frame.maxX, y: frame.maxY),
        ]
    }
}
