import Geometry
import Motion

/// The part of a drag that moves the pager: how far the page is displaced, and what the picture keeps.
///
/// Lengths are in logical pixels.
struct PagerDrag: Hashable, Sendable {
    /// The displayed offset at the start.
    let start: Double
    /// The offset before the rubber band.
    private var raw: Double
    /// The displayed offset.
    private(set) var offset: Double

    init(from start: Double, on geometry: ViewGeometry) {
        (self.start, offset) = (start, start)
        raw = Self.raw(start, on: geometry)
    }

    // MARK: Following

    /// Moves the pager from its start, by its shares of a translation and of an overscroll.
    mutating func move(by translation: Double, _ overflow: Double, on geometry: ViewGeometry) {
        raw = Self.raw(start, on: geometry) + translation + overflow
        let inside = Self.inside(raw, geometry)
        offset = inside
        if geometry.hasRubberBand {
            offset += RubberBand.displayed(raw - inside, extent: geometry.viewport.size.width)
        }
    }

    /// How much of a horizontal translation a displaced pager consumes before the picture: all of a
    /// translation away from its resting place, but none past the resting place on the way back.
    func share(ofTranslation dx: Double, on geometry: ViewGeometry) -> Double {
        let offset = Self.raw(start, on: geometry)
        if offset > 0 { return max(dx, -offset) }
        return offset < 0 ? min(dx, -offset) : 0
    }

    /// How much of the picture's overscroll the pager consumes; `edges` are those at which the drag
    /// began.
    ///
    /// The picture keeps the overscroll `first` that it had when the drag began.
    func share(
        ofOverscroll overscroll: Double, keeping first: Double, at edges: Edges,
        on geometry: ViewGeometry
    ) -> Double {
        let openings = openings(at: edges, on: geometry)
        if overscroll > 0, openings.contains(.left) { return max(overscroll - max(first, 0), 0) }
        if overscroll < 0, openings.contains(.right) { return min(overscroll - min(first, 0), 0) }
        return 0
    }

    /// The sides on which the pager follows the finger past the picture's edge.
    private func openings(at edges: Edges, on geometry: ViewGeometry) -> Edges {
        var openings = edges
        if start > 0 { openings.insert(.left) }
        if start < 0 { openings.insert(.right) }
        if geometry.pagerRange.upperBound <= 0 { openings.remove(.left) }
        if geometry.pagerRange.lowerBound >= 0 { openings.remove(.right) }
        return openings
    }

    /// The displayed velocity for a finger velocity, in logical pixels per second.
    func velocity(_ velocity: Double, on geometry: ViewGeometry) -> Double {
        let over = raw - Self.inside(raw, geometry)
        guard over != 0 else { return velocity }
        return velocity * RubberBand.slope(over, extent: geometry.viewport.size.width)
    }

    // MARK: Rubber band

    private static func inside(_ offset: Double, _ geometry: ViewGeometry) -> Double {
        min(max(offset, geometry.pagerRange.lowerBound), geometry.pagerRange.upperBound)
    }

    private static func raw(_ displayed: Double, on geometry: ViewGeometry) -> Double {
        let inside = inside(displayed, geometry)
        return inside + RubberBand.raw(displayed - inside, extent: geometry.viewport.size.width)
    }
}
