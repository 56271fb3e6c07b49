import Geometry
import Gestures
import Glibc
import Motion
import SceneModel

/// A picture in someone's fingers: where the hold began, and what follows from where they are.
///
/// The state is always computed from the start and the fingers' whole way since, never by
/// adding up steps, so that nothing drifts and every way back leads to where it came from.
struct Hold: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// One finger (or a scroll) moves the picture; beyond its edges it resists.
        case pan
        /// At fit, sideways: the axis stays locked until the fingers leave.
        case swipe
        /// At fit, up or down: the picture follows, shrinks, and the backdrop fades.
        case dismiss
        /// Two or more fingers: the picture point under their midpoint stays there.
        case pinch
        /// The second tap of a double tap, dragged.
        case quickZoom(focal: Point)
    }

    /// What a hold needs to know of the picture on its surface.
    struct Bounds {
        var limits: ZoomLimits
        var viewport: Viewport
        /// Where the picture may rest at a zoom and a rotation.
        var range: (_ zoom: Double, _ rotation: Double) -> RestRange
        var bends: Bool
    }

    let kind: Kind
    let source: Manipulation.Source
    /// The placement on the screen when the hold began, or began anew.
    let start: Placement
    /// The placement before the first finger, to go back to when the touchpad reverts.
    let origin: Placement
    /// Whether a pinch that shrinks the picture may dismiss it.
    private(set) var isArmed: Bool
    /// Which sides of the picture were at or past their resting place when the hold began.
    let edges: Edges
    /// Progress of a dismissal that the hold took over in mid-flight, signed, −1…1.
    private let startProgress: Double
    /// The zoom of `start` before the rubber band.
    private let startRawZoom: Double
    /// The centre of `start` before the rubber band, and what the inverse of the band left over.
    private let startRawCenter: Point
    private let residual: Vector

    /// Now.
    private(set) var placement: Placement
    /// How far the finger is past the resting range, before the rubber band.
    private(set) var rawOverscroll = Vector.zero
    private(set) var rawZoom: Double
    /// Progress of the dismissal drag, signed, −1…1, positive down.
    private(set) var progress: Double
    private(set) var centroid: Point

    /// Whether the way of the finger does not tell yet what the hold is about.
    var isUndecided: Bool { kind == .pan && !isDecided }
    private var isDecided = true
    /// The way that decides, in logical pixels: the slop of a pan.
    static let decidingDistance = 10.0

    /// Sides of a picture.
    struct Edges: OptionSet, Hashable {
        let rawValue: UInt8
        static let left = Edges(rawValue: 1)
        static let right = Edges(rawValue: 2)
        static let top = Edges(rawValue: 4)
        static let bottom = Edges(rawValue: 8)
    }

    /// A pinch stays a possible dismissal until it spread past fit by this factor.
    ///
    /// Source: PhotoSwipe (gesture sheet §14).
    private static let disarmingSpread = 1 + 1.0 / 15
    /// The way that is a whole dismissal, as a part of the surface's height.
    static let dismissalExtent = 0.5
    /// How much smaller the picture is at the end of that way.
    private static let dismissalShrink = 0.5
    /// Dragging this far doubles or halves the zoom, in logical pixels.
    ///
    /// Source: MapLibre.
    private static let quickZoomOctave = 128.0
    /// A picture within this of its resting edge counts as at it, in logical pixels.
    private static let edgeTolerance = 1.0

    init(
        _ kind: Kind, source: Manipulation.Source, start: Placement, origin: Placement,
        centroid: Point, isArmed: Bool, startProgress: Double = 0, isDecided: Bool = true,
        in bounds: Bounds
    ) {
        self.isDecided = isDecided
        self.kind = kind
        self.source = source
        self.start = start
        self.origin = origin
        self.centroid = centroid
        self.isArmed = isArmed
        self.startProgress = startProgress
        placement = start
        progress = startProgress
        startRawZoom =
            isArmed || !bounds.bends
            ? start.zoom : ZoomBand.raw(start.zoom, limits: bounds.limits.range)
        rawZoom = startRawZoom
        let range = bounds.range(start.zoom, start.rotation)
        let over = range.overscroll(of: start.center)
        let extent = bounds.viewport.size
        rawOverscroll = Vector(
            dx: RubberBand.raw(over.dx, extent: extent.width),
            dy: RubberBand.raw(over.dy, extent: extent.height))
        startRawCenter = range.clamp(start.center) + rawOverscroll
        residual =
            over
            - Vector(
                dx: RubberBand.displayed(rawOverscroll.dx, extent: extent.width),
                dy: RubberBand.displayed(rawOverscroll.dy, extent: extent.height))
        edges = Self.edges(of: start.center, in: range)
    }

    private static func edges(of center: Point, in range: RestRange) -> Edges {
        var edges: Edges = []
        if center.x >= range.x.upperBound - edgeTolerance { edges.insert(.left) }
        if center.x <= range.x.lowerBound + edgeTolerance { edges.insert(.right) }
        if center.y >= range.y.upperBound - edgeTolerance { edges.insert(.top) }
        if center.y <= range.y.lowerBound + edgeTolerance { edges.insert(.bottom) }
        return edges
    }

    /// Follows the fingers.
    mutating func follow(_ fingers: Manipulation, in bounds: Bounds) {
        centroid = fingers.centroid
        switch kind {
        case .pan: pan(by: fingers.translation, in: bounds)
        case .swipe:
            pan(by: Vector(dx: fingers.translation.dx, dy: 0), in: bounds)
        case .dismiss: drag(fingers, in: bounds)
        case .pinch:
            zoom(
                to: startRawZoom * fingers.scale, from: fingers.base, to: fingers.centroid,
                turnedBy: fingers.rotation, in: bounds)
        case .quickZoom: break
        }
    }

    /// Follows the finger of a quick zoom, `distance` logical pixels down from the slop.
    mutating func follow(distance: Double, in bounds: Bounds) {
        guard case .quickZoom(let focal) = kind else { return }
        zoom(
            to: startRawZoom * exp2(distance / Self.quickZoomOctave), from: focal, to: focal,
            turnedBy: 0, in: bounds)
    }

    private mutating func pan(by translation: Vector, in bounds: Bounds) {
        let raw = startRawCenter + translation
        let range = bounds.range(start.zoom, start.rotation)
        let inside = range.clamp(raw)
        rawOverscroll = raw - inside
        guard bounds.bends else {
            placement.center = inside
            return
        }
        let extent = bounds.viewport.size
        placement.center =
            inside + residual
            + Vector(
                dx: RubberBand.displayed(rawOverscroll.dx, extent: extent.width),
                dy: RubberBand.displayed(rawOverscroll.dy, extent: extent.height))
    }

    /// The finger keeps the point it grabbed while the picture shrinks about it.
    ///
    /// Source: gesture sheet §13.
    private mutating func drag(_ fingers: Manipulation, in bounds: Bounds) {
        let height = max(bounds.viewport.size.height, 1)
        let way = fingers.translation.dy / (Self.dismissalExtent * height)
        progress = min(max(startProgress + way, -1), 1)
        rawOverscroll = Vector(
            dx: 0, dy: progress * Self.dismissalExtent * height)
        let shrink =
            bounds.bends
            ? (1 - Self.dismissalShrink * abs(progress))
                / (1 - Self.dismissalShrink * abs(startProgress)) : 1
        placement.zoom = start.zoom * shrink
        placement.center = fingers.centroid + (start.center - fingers.base) * shrink
    }

    private mutating func zoom(
        to raw: Double, from base: Point, to centroid: Point, turnedBy angle: Double,
        in bounds: Bounds
    ) {
        rawZoom = raw
        if raw > bounds.limits.fit * Self.disarmingSpread { isArmed = false }
        let lowest = isArmed ? min(raw, bounds.limits.min) : bounds.limits.min
        let range = lowest...bounds.limits.max
        let zoom =
            bounds.bends
            ? ZoomBand.displayed(raw, limits: range)
            : min(max(raw, range.lowerBound), range.upperBound)
        placement.zoom = zoom
        placement.rotation = start.rotation + angle
        placement.center =
            centroid + (start.center - base).rotated(by: angle) * (zoom / start.zoom)
    }

    /// The velocity that shows, given the fingers': beyond an edge the rubber band slows it.
    func displayedVelocity(_ velocity: Vector, in bounds: Bounds) -> Vector {
        switch kind {
        case .pan, .swipe:
            let extent = bounds.viewport.size
            func slope(_ over: Double, _ extent: Double) -> Double {
                over == 0 ? 1 : RubberBand.slope(over, extent: extent)
            }
            return Vector(
                dx: velocity.dx * slope(rawOverscroll.dx, extent.width),
                dy: kind == .swipe ? 0 : velocity.dy * slope(rawOverscroll.dy, extent.height))
        case .dismiss, .pinch, .quickZoom: return velocity
        }
    }

    /// The zoom rate that shows, given the fingers'.
    func displayedZoomRate(_ rate: Double, in bounds: Bounds) -> Double {
        if isArmed && rawZoom < bounds.limits.min { return rate }
        return rate * ZoomBand.slope(rawZoom, limits: bounds.limits.range)
    }
}
