import Geometry
import Gestures
import CMath
import Motion
import SceneModel

/// A picture that fingers hold: the state when the manipulation began, and the current state.
///
/// The current state is always computed from the start and the fingers' total translation, never
/// by adding up steps. So nothing drifts, and fingers that go back to their start restore the
/// start state. Placements are relative to the page; the pager offset is added on top.
struct ActiveManipulation: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// One finger (or a scroll) moves the picture; beyond the picture's edges a rubber band
        /// resists, or the pager takes over.
        case pan
        /// At fit, horizontal: the axis stays locked until the fingers lift.
        case swipe
        /// At fit, vertical: the picture follows and shrinks, and the backdrop fades.
        case dismiss
        /// Two or more fingers: the picture point under their midpoint stays there.
        case pinch
        /// The second tap of a double tap, dragged.
        case quickZoom(focal: Point)
    }

    let kind: Kind
    let source: Manipulation.Source
    /// The placement on the page when the manipulation began, or was last rebased.
    let start: Placement
    /// The placement before the first finger; a reverted touchpad gesture restores it.
    let origin: Placement
    /// Whether a pinch that shrinks the picture may dismiss it.
    private(set) var isArmed: Bool
    /// Which sides of the picture were at or past their resting place at the start.
    let edges: Edges
    /// Which sides were near enough for a fling to turn to the neighbouring page.
    let nearEdges: Edges
    /// When the first finger began the manipulation.
    let began: Moment
    /// The fingers at the start.
    private let base: Base
    /// The law of a drag of kind `dismiss`.
    let dismissalDrag: DismissalDrag
    /// The zoom of `start` before the rubber band.
    private let startRawZoom: Double
    /// How far `start` was past its resting range, before the rubber band, in logical pixels.
    private let startRawOverscroll: Vector
    /// Difference between the overscroll of `start` and the displayed `startRawOverscroll`: nonzero
    /// where the inverse of the rubber band is clamped.
    private let residual: Vector

    /// The current fingers.
    private(set) var fingers: Manipulation
    private(set) var placement: Placement
    private(set) var pagerDrag: PagerDrag
    /// How far the picture is past its resting range, before the rubber band, in logical pixels.
    private(set) var rawOverscroll: Vector
    private(set) var rawZoom: Double
    /// Progress of the dismissal drag, signed, −1…1, positive down.
    private(set) var progress: Double

    /// Whether the finger has not moved far enough yet to decide the kind of the manipulation.
    let isUndecided: Bool
    /// The translation that decides the kind, in logical pixels: the slop of a pan.
    static let decidingDistance = 10.0

    /// The finger state that translation, scale and rotation are measured from.
    private struct Base: Hashable {
        var centroid: Point
        var scale: Double
        var rotation: Double
    }

    /// The longest time between the first and the last finger of a pinch to land, in milliseconds.
    static let landingDelay = 150.0
    /// A pinch can dismiss until the fingers have spread past fit by this factor.
    ///
    /// Source: PhotoSwipe.
    private static let disarmingSpread = 1 + 1.0 / 15
    /// Dragging this far doubles or halves the zoom, in logical pixels.
    ///
    /// Source: MapLibre.
    private static let quickZoomOctave = 128.0

    /// The start state of a manipulation.
    struct Beginning {
        var kind: Kind
        /// The placement on the page at the start, and the one before the first finger.
        var start: Placement
        var origin: Placement
        var pagerOffset = 0.0
        var isArmed = false
        var progress = 0.0
        /// Whether a drag of kind `dismiss` dismisses only downwards.
        var resistsUpwards = false
        var isUndecided = false
        /// The finger state to measure from; nil uses the base of the fingers themselves.
        var base: Manipulation?
        /// When the first finger began the manipulation.
        var began = Moment.zero
    }

    init(_ beginning: Beginning, _ fingers: Manipulation, on geometry: ViewGeometry) {
        kind = beginning.kind
        source = fingers.source
        start = beginning.start
        origin = beginning.origin
        isArmed = beginning.isArmed
        isUndecided = beginning.isUndecided
        pagerDrag = PagerDrag(from: beginning.pagerOffset, on: geometry)
        self.fingers = fingers
        began = beginning.began
        base =
            beginning.base.map {
                Base(centroid: $0.centroid, scale: $0.scale, rotation: $0.rotation)
            } ?? Base(centroid: fingers.base, scale: 1, rotation: 0)
        placement = start
        progress = beginning.progress
        startRawZoom =
            isArmed || !geometry.hasRubberBand
            ? start.zoom
            : ZoomBand.raw(start.zoom, limits: geometry.limits(rotation: start.rotation).range)
        rawZoom = startRawZoom
        let range = geometry.restRange(zoom: start.zoom, rotation: start.rotation)
        let over = range.overscroll(of: start.center)
        let extent = geometry.viewport.size
        startRawOverscroll = Vector(
            dx: RubberBand.raw(over.dx, extent: extent.width),
            dy: RubberBand.raw(over.dy, extent: extent.height))
        rawOverscroll = startRawOverscroll
        dismissalDrag = DismissalDrag(
            progress: beginning.progress, overscroll: startRawOverscroll.dy,
            resistsUpwards: beginning.resistsUpwards, on: geometry)
        residual = over - Self.displayed(startRawOverscroll, extent)
        edges = Edges(of: start.center, in: range, tolerance: Edges.touching)
        nearEdges = Edges(of: start.center, in: range, tolerance: Edges.near * extent.width)
        follow(fingers, on: geometry)
    }

    /// The displayed pager offset, in logical pixels.
    var pagerOffset: Double { pagerDrag.offset }

    /// The fingers' midpoint in page coordinates, in logical pixels.
    var focal: Point { fingers.centroid - Vector(dx: pagerOffset, dy: 0) }

    // MARK: Following

    /// Follows the fingers.
    mutating func follow(_ fingers: Manipulation, on geometry: ViewGeometry) {
        self.fingers = fingers
        let translation = fingers.centroid - base.centroid
        switch kind {
        case .pan: pan(by: translation, on: geometry)
        case .swipe: pan(by: Vector(dx: translation.dx, dy: 0), on: geometry)
        case .dismiss: drag(by: translation)
        case .pinch:
            zoom(
                to: startRawZoom * fingers.scale / base.scale, from: base.centroid,
                to: fingers.centroid, rotatedBy: fingers.rotation - base.rotation, on: geometry)
        case .quickZoom: break
        }
    }

    /// Follows the finger of a quick zoom, `distance` logical pixels down, measured from the slop.
    mutating func follow(distance: Double, on geometry: ViewGeometry) {
        guard case .quickZoom(let focal) = kind else { return }
        zoom(
            to: startRawZoom * exp2(distance / Self.quickZoomOctave), from: focal, to: focal,
            rotatedBy: 0, on: geometry)
    }

    /// Splits the translation of one finger between the pager and the picture.
    ///
    /// The horizontal translation is consumed in this order: it moves a displaced pager back to its
    /// page; it moves the picture to its edge; the remainder moves the pager, if the manipulation
    /// began at that edge and there is a neighbour on that side, or else stretches the rubber band.
    private mutating func pan(by translation: Vector, on geometry: ViewGeometry) {
        let toPager = pagerDrag.share(ofTranslation: translation.dx, on: geometry)
        let range = geometry.restRange(zoom: start.zoom, rotation: start.rotation)
        let inside = range.clamp(start.center)
        let raw =
            inside + startRawOverscroll
            + Vector(dx: translation.dx - toPager, dy: translation.dy)
        var over = range.overscroll(of: raw)
        let overflow = pagerDrag.share(
            ofOverscroll: over.dx, keeping: startRawOverscroll.dx, at: edges, on: geometry)
        over.dx -= overflow
        pagerDrag.move(by: toPager, overflow, on: geometry)
        rawOverscroll = over
        placement.center = range.clamp(raw)
        if geometry.hasRubberBand {
            placement.center =
                placement.center + residual + Self.displayed(over, geometry.viewport.size)
        }
    }

    /// Drags the picture towards a dismissal: it shrinks about the point that the finger grabbed.
    private mutating func drag(by translation: Vector) {
        let drag = dismissalDrag
        progress = drag.progress(translation.dy)
        rawOverscroll = Vector(dx: 0, dy: drag.travel(translation.dy))
        let shrink = drag.shrink(translation.dy)
        let grabbed =
            base.centroid + Vector(dx: translation.dx, dy: drag.displayed(translation.dy))
        placement.zoom = start.zoom * shrink
        placement.center = grabbed + (start.center - base.centroid) * shrink
    }

    private mutating func zoom(
        to raw: Double, from base: Point, to centroid: Point, rotatedBy angle: Double,
        on geometry: ViewGeometry
    ) {
        rawZoom = raw
        let limits = geometry.limits(rotation: start.rotation)
        if raw > limits.fit * Self.disarmingSpread { isArmed = false }
        let lowest = isArmed ? min(raw, limits.min) : limits.min
        let range = lowest...limits.max
        let zoom =
            geometry.hasRubberBand
            ? ZoomBand.displayed(raw, limits: range)
            : min(max(raw, range.lowerBound), range.upperBound)
        placement.zoom = zoom
        placement.rotation = start.rotation + angle
        // The page is displaced by the pager offset, which a pinch does not change.
        let page = Vector(dx: pagerOffset, dy: 0)
        placement.center =
            centroid - page
            + (start.center - (base - page)).rotated(by: angle) * (zoom / start.zoom)
    }

    // MARK: Velocities

    /// The displayed velocity of the picture on its page for a finger velocity, both in logical
    /// pixels per second.
    ///
    /// Horizontally it is zero while the pager is displaced. Beyond an edge the slope of the rubber
    /// band scales it.
    func pictureVelocity(_ velocity: Vector, on geometry: ViewGeometry) -> Vector {
        switch kind {
        case .pan, .swipe:
            let extent = geometry.viewport.size
            func slope(_ over: Double, _ extent: Double) -> Double {
                over == 0 ? 1 : RubberBand.slope(over, extent: extent)
            }
            return Vector(
                dx: pagerOffset == 0 ? velocity.dx * slope(rawOverscroll.dx, extent.width) : 0,
                dy: kind == .swipe ? 0 : velocity.dy * slope(rawOverscroll.dy, extent.height))
        case .dismiss:
            return Vector(
                dx: velocity.dx, dy: velocity.dy * dismissalDrag.slope(at: rawOverscroll.dy))
        case .pinch, .quickZoom: return velocity
        }
    }

    /// The displayed velocity of the pager for a finger velocity, in logical pixels per second.
    func pagerVelocity(_ velocity: Vector, on geometry: ViewGeometry) -> Double {
        guard pagerOffset != 0, kind == .pan || kind == .swipe else { return 0 }
        return pagerDrag.velocity(velocity.dx, on: geometry)
    }

    /// The displayed zoom rate for the fingers' zoom rate, both d(ln zoom)/dt per second.
    func zoomRate(_ rate: Double, on geometry: ViewGeometry) -> Double {
        let limits = geometry.limits(rotation: start.rotation)
        if isArmed && rawZoom < limits.min { return rate }
        return rate * ZoomBand.slope(rawZoom, limits: limits.range)
    }

    // MARK: Rubber band

    private static func displayed(_ raw: Vector, _ extent: Size) -> Vector {
        Vector(
            dx: RubberBand.displayed(raw.dx, extent: extent.width),
            dy: RubberBand.displayed(raw.dy, extent: extent.height))
    }
}
