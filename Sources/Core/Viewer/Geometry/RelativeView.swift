import Geometry
import SceneModel

/// What a person sees of a picture, relative to the picture: pictures of different sizes can show
/// the same view.
struct RelativeView: Hashable, Sendable {
    private enum Zoom: Hashable, Sendable {
        /// A multiple of fit.
        case relative(Double)
        /// Device pixels per pixel of the picture.
        case absolute(Double)
    }

    private var zoom: Zoom
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
    /// `chosen` is the zoom that a person has chosen as a percentage; this zoom and 1 : 1 stay the same in
    /// pixels, others relative to fit.
    init(
        of rest: Placement, on geometry: ViewGeometry, last: RelativeView?, chosen: Double? = nil
    ) {
        let limits = geometry.limits(rotation: rest.rotation)
        let shown = geometry.rotatedSize(rotation: rest.rotation) * rest.zoom
        let arm = geometry.viewport.center - rest.center
        let isAbsolute = [limits.oneToOne, chosen ?? limits.oneToOne].contains {
            abs(rest.zoom / $0 - 1) < Self.zoomTolerance
        }
        let isAtFit = abs(rest.zoom / limits.fit - 1) < Self.zoomTolerance
        zoom =
            isAbsolute && !isAtFit
            ? .absolute(rest.zoom / limits.oneToOne) : .relative(rest.zoom / limits.fit)
        place = Point(
            x: 0.5 + arm.dx / max(shown.width, .leastNormalMagnitude),
            y: 0.5 + arm.dy / max(shown.height, .leastNormalMagnitude))
        guard let last else { return }
        let given = last.placement(rotation: rest.rotation, on: geometry)
        guard abs(given.zoom / rest.zoom - 1) < Self.zoomTolerance else { return }
        zoom = last.zoom
        if abs(given.center.x - rest.center.x) < Self.tolerance { place.x = last.place.x }
        if abs(given.center.y - rest.center.y) < Self.tolerance { place.y = last.place.y }
    }

    /// The resting placement at which a picture shows this view, as nearly as its zoom limits and
    /// its edges allow; `rotation` is in radians.
    func placement(rotation: Double, on geometry: ViewGeometry) -> Placement {
        let limits = geometry.limits(rotation: rotation)
        let wanted =
            switch zoom {
            case .relative(let magnification): magnification * limits.fit
            case .absolute(let pixels): pixels * limits.oneToOne
            }
        let zoom = min(max(wanted, limits.min), limits.max)
        let shown = geometry.rotatedSize(rotation: rotation) * zoom
        let center =
            geometry.viewport.center
            - Vector(dx: (place.x - 0.5) * shown.width, dy: (place.y - 0.5) * shown.height)
        return geometry.rest(zoom: zoom, rotation: rotation, near: center)
    }
}
