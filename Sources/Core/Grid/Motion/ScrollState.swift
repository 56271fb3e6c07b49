import Geometry

/// Scroll position and scale of the grid: an anchored cell point, its surface point, and the scale.
///
/// The positions of all cells follow from this state and the layout. The state stays valid when the
/// layout is replaced: the anchored point is still drawn at the same point of the surface.
struct ScrollState: Hashable, Sendable {
    var anchor: Anchor
    /// The surface point where the anchored point is drawn, in logical pixels.
    var focal: Point
    var scale: Double

    init(anchor: Anchor = .start, focal: Point = .zero, scale: Double = 1) {
        self.anchor = anchor
        self.focal = focal
        self.scale = scale
    }

    /// The content point at the surface's top left corner, at `scale`.
    func origin(in layout: any ScalingLayout) -> Point {
        Point.zero + (anchoredPoint(in: layout) - focal)
    }

    /// The anchored content point, at `scale`.
    func anchoredPoint(in layout: any ScalingLayout) -> Point {
        var layout = layout
        layout.scale = scale
        return layout.point(of: anchor)
    }

    /// The same anchor and scale, with the content moved to `origin`.
    func moved(to origin: Point, in layout: any ScalingLayout) -> ScrollState {
        let offset: Vector = origin - Point.zero
        let point: Point = anchoredPoint(in: layout)
        return ScrollState(anchor: anchor, focal: point - offset, scale: scale)
    }
}
