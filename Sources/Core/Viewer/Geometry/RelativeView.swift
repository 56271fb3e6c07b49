import Geometry
import SceneModel

/// What a person sees of a picture, relative to the picture: pictures of different sizes can show
/// the same view.
struct RelativeView: Hashable, Sendable {
    /// The zoom, as a multiple of fit.
    private var magnification: Double
    /// The place of the surface's centre on the picture as displayed: 0 at the left and the top
    /// edge, 1 at the right and the bottom edge.
    private var place: Point

    /// Two placements are the same within these differences: a factor of the zoom, and logical
    /// pixels.
    private static let (zoomTolerance, tolerance) = (1e-6, 0.01)

    /// The view of a picture at the resting placement `rest`.
    ///
    /// `last` is the view that the picture was given. Where the picture still shows it along an
    /// axis, the place of `last` is kept: a smaller picture in between does not move the place.
    init(of rest: Placement, on geometry: ViewGeometry, last: RelativeView?) {
        let fit = geometry.limits(rotation: rest.rotation).fit
        let shown = geometry.rotatedSize(rotation: rest.rotation) * rest.zoom
        let arm = geometry.viewport.center - rest.center
        magnification = rest.zoom / fit
        place = Point(
            x: 0.5 + arm.dx / max(shown.width, .leastNormalMagnitude),
            y: 0.5 + arm.dy / max(shown.height, .leastNormalMagnitude))
        guard let last else { return }
        let given = last.placement(rotation: rest.rotation, on: geometry)
        guard abs(given.zoom / rest.zoom - 1) < Self.zoomTolerance else { return }
        magnification = last.magnification
        if abs(given.center.x - rest.center.x) < Self.tolerance { place.x = last.place.x }
        if abs(given.center.y - rest.center.y) < Self.tolerance { place.y = last.place.y }
    }

    /// The resting placement at which a picture shows this view, as nearly as its zoom limits and
    /// its edges allow; `rotation` is in radians.
    func placement(rotation: Double, on geometry: ViewGeometry) -> Placement {
        let limits = geometry.limits(rotation: rotation)
        let zoom = min(max(magnification * limits.fit, limits.min), limits.max)
        let shown = geometry.rotatedSize(rotation: rotation) * zoom
        let center =
            geometry.viewport.center
            - Vector(dx: (place.x - 0.5) * shown.width, dy: (place.y - 0.5) * shown.height)
        return geometry.rest(zoom: zoom, rotation: rotation, near: center)
    }
}
