import Geometry

/// What of the grid lies where: one point of a cell, the point of the surface that it lies under,
/// and how large the cells are.
///
/// All of the grid follows from it and the layout. It stays right when the layout is replaced:
/// the anchored point is then still under the same point of the surface.
struct ScrollState: Hashable, Sendable {
    var anchor: Anchor
    /// Logical pixels of the surface.
    var focal: Point
    var scale: Double

    init(anchor: Anchor = .start, focal: Point = .zero, scale: Double = 1) {
        self.anchor = anchor
        self.focal = focal
        self.scale = scale
    }

    /// The content point at the surface's top left corner, at the pose's scale.
    func origin(in layout: any ScalingLayout) -> Point {
        Point.zero + (anchoredPoint(in: layout) - focal)
    }

    /// The anchored content point, at the pose's scale.
    func anchoredPoint(in layout: any ScalingLayout) -> Point {
        var layout = layout
        layout.scale = scale
        return layout.point(of: anchor)
    }

    /// The same anchor and scale, with the content moved to `origin`.
    func moved(to origin: Point, in layout: any ScalingLayout) -> ScrollState {
        ScrollState(
            anchor: anchor, focal: anchoredPoint(in: layout) - (origin - .zero), scale: scale)
    }
}
