import Geometry
import SceneModel

/// The sizes of a picture and of its surface, and the limits and resting placements that follow.
struct ViewGeometry: Hashable, Sendable {
    /// The upright size of the picture, in picture pixels.
    var picture: Size
    var viewport: Viewport
    /// Whether fit enlarges a picture that is smaller than the surface.
    var enlarge: Bool
    /// Whether content stretches a rubber band past its limits; with reduced motion the content
    /// stops at the limits instead.
    var hasRubberBand: Bool
    /// The pager offsets without resistance, in logical pixels; outside of this range the rubber
    /// band begins.
    var pagerRange: ClosedRange<Double>

    /// The size in picture pixels with the rotation applied, rounded to a quarter turn.
    func rotatedSize(rotation: Double) -> Size {
        let quarters = Int(clamping: (rotation / (.pi / 2)).rounded())
        return quarters.isMultiple(of: 2) ? picture : picture.transposed
    }

    func limits(rotation: Double) -> ZoomLimits {
        ZoomLimits(
            picture: rotatedSize(rotation: rotation), viewport: viewport, enlarge: enlarge)
    }

    func restRange(zoom: Double, rotation: Double) -> RestRange {
        RestRange(content: rotatedSize(rotation: rotation) * zoom, viewport: viewport.size)
    }

    /// The resting placement with a zoom and a rotation (in radians) whose centre is nearest to
    /// `center`, in logical pixels.
    func rest(zoom: Double, rotation: Double, near center: Point) -> Placement {
        Placement(
            center: restRange(zoom: zoom, rotation: rotation).clamp(center), zoom: zoom,
            rotation: rotation)
    }

    /// The placement that shows the whole picture, centred.
    func fit(rotation: Double) -> Placement {
        rest(
            zoom: limits(rotation: rotation).fit, rotation: rotation, near: viewport.center)
    }

    /// The resting placement for a picture that is released at `placement` without velocity.
    ///
    /// Zoom and rotation change about `focal`, a point of the surface in logical pixels.
    func nearestRest(to placement: Placement, about focal: Point) -> Placement {
        let rotation = Self.quarterTurn(placement.rotation)
        let limits = limits(rotation: rotation)
        let zoom = min(max(placement.zoom, limits.min), limits.max)
        let arm = (placement.center - focal).rotated(by: rotation - placement.rotation)
        return rest(zoom: zoom, rotation: rotation, near: focal + arm * (zoom / placement.zoom))
    }

    /// The nearest rotation that is a multiple of a full turn, in radians: the picture is upright.
    static func fullTurn(_ rotation: Double) -> Double {
        (rotation / (2 * .pi)).rounded() * 2 * .pi
    }

    /// The nearest rotation that is a multiple of a quarter turn, in radians.
    static func quarterTurn(_ rotation: Double) -> Double {
        (rotation / (.pi / 2)).rounded() * (.pi / 2)
    }
}

extension ViewGeometry {
    /// Converts a placement from another surface: the picture point at the centre and the zoom
    /// relative to fit stay the same.
    func carry(_ placement: Placement, from old: ViewGeometry) -> Placement {
        let ratio =
            limits(rotation: placement.rotation).fit / old.limits(rotation: placement.rotation).fit
        return Placement(
            center: viewport.center + (placement.center - old.viewport.center) * ratio,
            zoom: placement.zoom * ratio, rotation: placement.rotation)
    }
}
