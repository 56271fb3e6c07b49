import Geometry
import SceneModel

/// A picture's size and its surface's, and what follows from the two.
struct ViewGeometry: Hashable, Sendable {
    /// The picture in its own pixels, upright.
    var picture: Size
    var viewport: Viewport
    /// Whether fit enlarges a picture that is smaller than the surface.
    var enlarge: Bool
    /// Whether content gives like rubber past its limits, or stops there (reduced motion).
    var bends: Bool
    /// How far the strip of pages may be displaced before it resists, in logical pixels.
    var stripRange: ClosedRange<Double>

    /// The picture's size in its own pixels as it stands, a quarter turn applied.
    func standingSize(rotation: Double) -> Size {
        let quarters = Int((rotation / (.pi / 2)).rounded())
        return quarters.isMultiple(of: 2) ? picture : picture.transposed
    }

    func limits(rotation: Double) -> ZoomLimits {
        ZoomLimits(
            picture: standingSize(rotation: rotation), viewport: viewport, enlarge: enlarge)
    }

    func restRange(zoom: Double, rotation: Double) -> RestRange {
        RestRange(content: standingSize(rotation: rotation) * zoom, viewport: viewport.size)
    }

    /// The resting placement at a zoom and a rotation whose centre is nearest to `center`.
    func rest(zoom: Double, rotation: Double, near center: Point) -> Placement {
        Placement(
            center: restRange(zoom: zoom, rotation: rotation).clamp(center), zoom: zoom,
            rotation: rotation)
    }

    /// The whole picture in the middle.
    func fit(rotation: Double) -> Placement {
        rest(
            zoom: limits(rotation: rotation).fit, rotation: rotation, near: viewport.center)
    }

    /// The rest that `placement` would come to without any speed, about a point of the surface.
    func nearestRest(to placement: Placement, about focal: Point) -> Placement {
        let rotation = Self.quarterTurn(placement.rotation)
        let limits = limits(rotation: rotation)
        let zoom = min(max(placement.zoom, limits.min), limits.max)
        let arm = (placement.center - focal).rotated(by: rotation - placement.rotation)
        return rest(zoom: zoom, rotation: rotation, near: focal + arm * (zoom / placement.zoom))
    }

    /// The nearest rotation, in radians, at which a picture stands as it was made.
    static func wholeTurn(_ rotation: Double) -> Double {
        (rotation / (2 * .pi)).rounded() * 2 * .pi
    }

    /// The nearest rotation, in radians, at which a picture stands upright or on a side.
    static func quarterTurn(_ rotation: Double) -> Double {
        (rotation / (.pi / 2)).rounded() * (.pi / 2)
    }
}
