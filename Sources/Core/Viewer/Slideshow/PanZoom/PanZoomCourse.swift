import CMath
import Geometry
import SceneModel

/// From where to where the picture of a slideshow moves slowly.
///
/// Zoom and direction are chosen at random from a seed. A picture covers the surface all the way where
/// it may be enlarged so far, moves as far along its longer side as the time allows, and keeps the
/// regions in view that its file names.
struct PanZoomCourse: Hashable, Sendable {
    /// A placement of the picture, relative to the surface.
    struct View: Hashable, Sendable {
        /// Logical pixels per picture pixel.
        var zoom: Double
        /// From the picture's centre to the picture point at the middle of the surface, in picture
        /// pixels along the axes of the surface.
        var offset: Vector
    }

    private(set) var start: View
    private(set) var end: View
    /// In radians, a multiple of a quarter turn.
    let rotation: Double
    let geometry: ViewGeometry

    /// The most device pixels per picture pixel at which a picture is enlarged to cover the surface.
    private static let largestPixel = 2.0
    /// How much the zoom changes, as a natural logarithm: in a second, and at most.
    private static let (zoomRate, mostZoom) = (0.02, 0.18)
    /// How far the picture moves in a second, in longer sides of the surface.
    private static let speed = 0.06
    /// How much of the surface the regions of a picture may take.
    private static let regionShare = 0.94

    /// A course for a picture that is shown for `seconds`; `regions` are in fractions of the upright
    /// picture.
    init(
        on geometry: ViewGeometry, rotation: Double, seconds: Double, regions: [Rect], seed: UInt64
    ) {
        self.geometry = geometry
        self.rotation = rotation
        var random = RandomNumbers(state: seed)
        let limits = geometry.limits(rotation: rotation)
        let low = Self.base(limits)
        let focus = PanZoomFocus(
            regions, of: geometry, rotation: rotation, zoom: low, share: Self.regionShare)
        let growth = exp(min(Self.zoomRate * max(seconds, 0), Self.mostZoom))
        let high = max(min(low * growth, limits.max, focus?.largestZoom ?? .infinity), low)
        let grows = Bool.random(using: &random)
        let direction = Vector(
            dx: Bool.random(using: &random) ? 1 : -1, dy: Bool.random(using: &random) ? 1 : -1)
        let most = Self.distance(in: seconds, on: geometry)
        func view(_ zoom: Double, _ side: Double) -> View {
            let range = Self.range(zoom, rotation, on: geometry)
            let reach = most / 2 / zoom
            let middle = focus?.center ?? .zero
            let offset = Vector(
                dx: middle.dx + side * direction.dx * min(range.dx, reach),
                dy: middle.dy + side * direction.dy * min(range.dy, reach))
            let shown = focus?.offset(nearest: offset, zoom: zoom, on: geometry) ?? offset
            return View(zoom: zoom, offset: Self.clamp(shown, range))
        }
        start = view(grows ? low : high, -1)
        end = view(grows ? high : low, 1)
    }

    /// The zoom that covers the surface, unless that enlarges the picture too much; then as much of it as
    /// is allowed, and a picture that is smaller than the surface is not enlarged.
    private static func base(_ limits: ZoomLimits) -> Double {
        let most = max(limits.oneToOne * largestPixel, limits.fit)
        if limits.fill <= most { return limits.fill }
        return limits.fit < limits.oneToOne ? max(most, limits.fit) : limits.fit
    }

    /// The longest way in a time, in logical pixels.
    private static func distance(in seconds: Double, on geometry: ViewGeometry) -> Double {
        let size = geometry.viewport.size
        return speed * max(seconds, 0) * max(size.width, size.height)
    }

    /// The offsets to either side at which the picture still reaches the edges of the surface.
    private static func range(
        _ zoom: Double, _ rotation: Double, on geometry: ViewGeometry
    ) -> Vector {
        let picture = geometry.rotatedSize(rotation: rotation)
        let surface = geometry.viewport.size
        return Vector(
            dx: max(picture.width - surface.width / zoom, 0) / 2,
            dy: max(picture.height - surface.height / zoom, 0) / 2)
    }

    private static func clamp(_ offset: Vector, _ range: Vector) -> Vector {
        Vector(
            dx: min(max(offset.dx, -range.dx), range.dx),
            dy: min(max(offset.dy, -range.dy), range.dy))
    }

    /// The course that begins at a placement instead, and goes no farther than `seconds` allow.
    func beginning(at placement: Placement, seconds: Double) -> PanZoomCourse {
        var course = self
        let zoom = placement.zoom
        course.start = View(
            zoom: zoom, offset: (geometry.viewport.center - placement.center) * (1 / zoom))
        let way = end.offset - course.start.offset
        let most = Self.distance(in: seconds, on: geometry) / end.zoom
        let share = way.length > most ? most / way.length : 1
        course.end.offset = Self.clamp(
            course.start.offset + way * share, Self.range(end.zoom, rotation, on: geometry))
        return course
    }

    /// The placement at a share of the way, 0…1: a resting placement.
    ///
    /// The zoom goes in log space and the offset evenly, so that a picture that covers the surface at
    /// both ends covers it all the way: the bound of the offset is a concave function of the share.
    func placement(at share: Double) -> Placement {
        let zoom = exp(log(start.zoom) + (log(end.zoom) - log(start.zoom)) * share)
        let offset = start.offset + (end.offset - start.offset) * share
        return geometry.rest(
            zoom: zoom, rotation: rotation, near: geometry.viewport.center - offset * zoom)
    }
}
