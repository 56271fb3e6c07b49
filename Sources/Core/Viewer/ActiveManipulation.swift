import Geometry
import Gestures
import CMath
import Motion
import SceneModel

/// A picture in someone's fingers: where the hold began, and what follows from where they are.
///
/// The state is always computed from the start and the fingers' whole way since, never by
/// adding up steps, so that nothing drifts and every way back leads to where it came from.
/// Placements are relative to the page, whose displacement with the strip comes on top.
struct ActiveManipulation: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// One finger (or a scroll) moves the picture; beyond its edges it resists, or the strip of
        /// pages takes over.
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

    let kind: Kind
    let source: Manipulation.Source
    /// The placement on the page when the hold began, or began anew.
    let start: Placement
    /// The placement before the first finger, to go back to when the touchpad reverts.
    let origin: Placement
    /// Whether a pinch that shrinks the picture may dismiss it.
    private(set) var isArmed: Bool
    /// Which sides of the picture were at or past their resting place when the hold began.
    let edges: Edges
    /// Which sides were near enough for a fast throw to go on to the neighbour.
    let nearEdges: Edges
    /// When the first finger took hold.
    let began: Moment
    /// The strip's displacement when the hold began.
    let startStrip: Double
    /// The fingers as they were then.
    private let base: Base
    /// Progress of a dismissal that the hold took over in mid-flight, signed, −1…1.
    private let startProgress: Double
    /// The zoom of `start` before the rubber band.
    private let startRawZoom: Double
    /// How far `start` was past its resting range, before the rubber band.
    private let startRawOverscroll: Vector
    /// What the inverse of the rubber band left over.
    private let residual: Vector

    /// The fingers now.
    private(set) var fingers: Manipulation
    private(set) var placement: Placement
    /// The strip's displacement, before and after the rubber band.
    private(set) var rawStrip: Double
    private(set) var strip: Double
    /// How far the finger is past the resting range, before the rubber band.
    private(set) var rawOverscroll: Vector
    private(set) var rawZoom: Double
    /// Progress of the dismissal drag, signed, −1…1, positive down.
    private(set) var progress: Double

    /// Whether the way of the finger does not tell yet what the hold is about.
    let isUndecided: Bool
    /// The way that decides, in logical pixels: the slop of a pan.
    static let decidingDistance = 10.0

    /// What the fingers' way is counted from.
    private struct Base: Hashable {
        var centroid: Point
        var scale: Double
        var rotation: Double
    }

    /// How long after the first finger of a pinch the others land, at most, in milliseconds.
    static let landingDelay = 150.0
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

    /// How a hold begins.
    struct Beginning {
        var kind: Kind
        /// Where the picture is on its page, and where it was before all fingers.
        var start: Placement
        var origin: Placement
        var strip = 0.0
        var isArmed = false
        var progress = 0.0
        var isUndecided = false
        /// What the fingers' way counts from; their own base where there is none.
        var base: Manipulation?
        /// When the first finger took hold.
        var began = Moment.zero
    }

    init(_ beginning: Beginning, _ fingers: Manipulation, on geometry: ViewGeometry) {
        kind = beginning.kind
        source = fingers.source
        start = beginning.start
        origin = beginning.origin
        isArmed = beginning.isArmed
        isUndecided = beginning.isUndecided
        startProgress = beginning.progress
        startStrip = beginning.strip
        self.fingers = fingers
        began = beginning.began
        base =
            beginning.base.map {
                Base(centroid: $0.centroid, scale: $0.scale, rotation: $0.rotation)
            } ?? Base(centroid: fingers.base, scale: 1, rotation: 0)
        placement = start
        progress = startProgress
        startRawZoom =
            isArmed || !geometry.bends
            ? start.zoom
            : ZoomBand.raw(start.zoom, limits: geometry.limits(rotation: start.rotation).range)
        rawZoom = startRawZoom
        strip = startStrip
        rawStrip = Self.rawStrip(startStrip, on: geometry)
        let range = geometry.restRange(zoom: start.zoom, rotation: start.rotation)
        let over = range.overscroll(of: start.center)
        let extent = geometry.viewport.size
        startRawOverscroll = Vector(
            dx: RubberBand.raw(over.dx, extent: extent.width),
            dy: RubberBand.raw(over.dy, extent: extent.height))
        rawOverscroll = startRawOverscroll
        residual = over - Self.displayed(startRawOverscroll, extent)
        edges = Edges(of: start.center, in: range, tolerance: Edges.touching)
        nearEdges = Edges(of: start.center, in: range, tolerance: Edges.near * extent.width)
        follow(fingers, on: geometry)
    }

    /// The fingers' midpoint in the page's own space.
    var focal: Point { fingers.centroid - Vector(dx: strip, dy: 0) }

    // MARK: Following

    /// Follows the fingers.
    mutating func follow(_ fingers: Manipulation, on geometry: ViewGeometry) {
        self.fingers = fingers
        let way = fingers.centroid - base.centroid
        switch kind {
        case .pan: pan(by: way, on: geometry)
        case .swipe: pan(by: Vector(dx: way.dx, dy: 0), on: geometry)
        case .dismiss: drag(by: way, on: geometry)
        case .pinch:
            zoom(
                to: startRawZoom * fingers.scale / base.scale, from: base.centroid,
                to: fingers.centroid, turnedBy: fingers.rotation - base.rotation, on: geometry)
        case .quickZoom: break
        }
    }

    /// Follows the finger of a quick zoom, `distance` logical pixels down from the slop.
    mutating func follow(distance: Double, on geometry: ViewGeometry) {
        guard case .quickZoom(let focal) = kind else { return }
        zoom(
            to: startRawZoom * exp2(distance / Self.quickZoomOctave), from: focal, to: focal,
            turnedBy: 0, on: geometry)
    }

    /// One finger's way goes to the strip, the picture and the strip again.
    ///
    /// Sideways the order is: a displaced strip back to its place; the picture to its edge; and the
    /// rest to the strip where the hold began with that edge in sight and a neighbour lies there,
    /// or else against the rubber band. Source: gesture sheet §12.
    private mutating func pan(by way: Vector, on geometry: ViewGeometry) {
        let startRaw = Self.rawStrip(startStrip, on: geometry)
        let back = Self.part(of: way.dx, thatUndoes: startRaw)
        let range = geometry.restRange(zoom: start.zoom, rotation: start.rotation)
        let inside = range.clamp(start.center)
        let raw =
            inside + startRawOverscroll + Vector(dx: way.dx - back, dy: way.dy)
        var over = range.overscroll(of: raw)
        let pushed = Self.beyond(over.dx, startRawOverscroll.dx, opening: openings(on: geometry))
        over.dx -= pushed
        rawStrip = startRaw + back + pushed
        strip = Self.displayedStrip(rawStrip, on: geometry)
        rawOverscroll = over
        placement.center = range.clamp(raw)
        if geometry.bends {
            placement.center =
                placement.center + residual + Self.displayed(over, geometry.viewport.size)
        }
    }

    /// The sides on which the strip follows the finger past the picture's edge.
    private func openings(on geometry: ViewGeometry) -> Edges {
        var openings = edges
        if startStrip > 0 { openings.insert(.left) }
        if startStrip < 0 { openings.insert(.right) }
        if geometry.stripRange.upperBound <= 0 { openings.remove(.left) }
        if geometry.stripRange.lowerBound >= 0 { openings.remove(.right) }
        return openings
    }

    /// How much of a way sideways a displaced strip takes: all of it away from its place, and back
    /// no further than to it.
    private static func part(of way: Double, thatUndoes strip: Double) -> Double {
        if strip > 0 { return max(way, -strip) }
        return strip < 0 ? min(way, -strip) : 0
    }

    /// How much of an overscroll the strip takes, which leaves what the picture had at the start.
    private static func beyond(_ over: Double, _ start: Double, opening: Edges) -> Double {
        if over > 0, opening.contains(.left) { return max(over - max(start, 0), 0) }
        if over < 0, opening.contains(.right) { return min(over - min(start, 0), 0) }
        return 0
    }

    /// The finger keeps the point it grabbed while the picture shrinks about it.
    ///
    /// Source: gesture sheet §13.
    private mutating func drag(by way: Vector, on geometry: ViewGeometry) {
        let height = max(geometry.viewport.size.height, 1)
        progress = min(max(startProgress + way.dy / (Self.dismissalExtent * height), -1), 1)
        rawOverscroll = Vector(dx: 0, dy: progress * Self.dismissalExtent * height)
        let shrink =
            geometry.bends
            ? (1 - Self.dismissalShrink * abs(progress))
                / (1 - Self.dismissalShrink * abs(startProgress)) : 1
        placement.zoom = start.zoom * shrink
        placement.center = base.centroid + way + (start.center - base.centroid) * shrink
    }

    private mutating func zoom(
        to raw: Double, from base: Point, to centroid: Point, turnedBy angle: Double,
        on geometry: ViewGeometry
    ) {
        rawZoom = raw
        let limits = geometry.limits(rotation: start.rotation)
        if raw > limits.fit * Self.disarmingSpread { isArmed = false }
        let lowest = isArmed ? min(raw, limits.min) : limits.min
        let range = lowest...limits.max
        let zoom =
            geometry.bends
            ? ZoomBand.displayed(raw, limits: range)
            : min(max(raw, range.lowerBound), range.upperBound)
        placement.zoom = zoom
        placement.rotation = start.rotation + angle
        // The page is displaced by the strip, which a pinch leaves alone.
        let page = Vector(dx: strip, dy: 0)
        placement.center =
            centroid - page
            + (start.center - (base - page)).rotated(by: angle) * (zoom / start.zoom)
    }

    // MARK: Speeds

    /// The velocity of the picture on its page, given the fingers': the strip takes its share, and
    /// beyond an edge the rubber band slows it.
    func pictureVelocity(_ velocity: Vector, on geometry: ViewGeometry) -> Vector {
        switch kind {
        case .pan, .swipe:
            let extent = geometry.viewport.size
            func slope(_ over: Double, _ extent: Double) -> Double {
                over == 0 ? 1 : RubberBand.slope(over, extent: extent)
            }
            return Vector(
                dx: strip == 0 ? velocity.dx * slope(rawOverscroll.dx, extent.width) : 0,
                dy: kind == .swipe ? 0 : velocity.dy * slope(rawOverscroll.dy, extent.height))
        case .dismiss, .pinch, .quickZoom: return velocity
        }
    }

    /// The velocity of the strip, given the fingers'.
    func stripVelocity(_ velocity: Vector, on geometry: ViewGeometry) -> Double {
        guard strip != 0, kind == .pan || kind == .swipe else { return 0 }
        let range = geometry.stripRange
        let over = rawStrip - min(max(rawStrip, range.lowerBound), range.upperBound)
        guard over != 0 else { return velocity.dx }
        return velocity.dx * RubberBand.slope(over, extent: geometry.viewport.size.width)
    }

    /// The zoom rate that shows, given the fingers'.
    func zoomRate(_ rate: Double, on geometry: ViewGeometry) -> Double {
        let limits = geometry.limits(rotation: start.rotation)
        if isArmed && rawZoom < limits.min { return rate }
        return rate * ZoomBand.slope(rawZoom, limits: limits.range)
    }

    // MARK: Rubber

    private static func displayed(_ raw: Vector, _ extent: Size) -> Vector {
        Vector(
            dx: RubberBand.displayed(raw.dx, extent: extent.width),
            dy: RubberBand.displayed(raw.dy, extent: extent.height))
    }

    private static func displayedStrip(_ raw: Double, on geometry: ViewGeometry) -> Double {
        let inside = min(max(raw, geometry.stripRange.lowerBound), geometry.stripRange.upperBound)
        guard geometry.bends else { return inside }
        return inside
            + RubberBand.displayed(raw - inside, extent: geometry.viewport.size.width)
    }

    private static func rawStrip(_ displayed: Double, on geometry: ViewGeometry) -> Double {
        let range = geometry.stripRange
        let inside = min(max(displayed, range.lowerBound), range.upperBound)
        return inside
            + RubberBand.raw(displayed - inside, extent: geometry.viewport.size.width)
    }
}
