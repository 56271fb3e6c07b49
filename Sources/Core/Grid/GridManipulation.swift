import Geometry
import Gestures
import Motion

/// The grid in someone's fingers: where the hold began, and what follows from where they are.
///
/// As in the viewer, the state is always computed from the start and the fingers' whole way since.
struct GridManipulation: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// The content follows the finger; beyond its ends it resists.
        case scroll
        /// The anchored point stays under the fingers' midpoint, the cells grow as they spread.
        case pinch
        /// Two fingers on a cell that a spread would lift; until then they scroll.
        case undecided(cell: Int)
        /// The fast-scroll handle, held at this way below its upper edge.
        case handle(grip: Double)
    }

    /// What a hold needs to know of the grid.
    struct Bounds {
        var limits: ClosedRange<Double>
        var range: ScrollRange
        var surface: Size
        /// Whether the grid stretches beyond its ends and limits.
        var bends: Bool
    }

    let kind: Kind
    let source: Manipulation.Source
    /// The pose on the screen when the hold began, or began anew; for a pinch, anchored there.
    let start: ScrollState
    /// The pose before the first finger, to go back to when the touchpad reverts.
    let origin: ScrollState
    /// The fingers' midpoint and spread that `start` belongs to.
    private let base: Point
    private let baseSpread: Double
    /// The scale of `start` before the rubber band.
    private let startRawScale: Double
    /// The origin of `start` before the rubber band, and what the band's inverse left over.
    private let startRawOrigin: Point
    private let residual: Vector
    private let startOrigin: Point

    /// Now.
    private(set) var scrollState: ScrollState
    private(set) var rawScale: Double
    /// How far the origin is past its range, before the rubber band.
    private(set) var rawOverscroll: Vector
    /// The fingers as they were seen last.
    private(set) var fingers: Manipulation

    /// Begins where `fingers` are, or at their base when the hold `isNew`.
    init(
        _ kind: Kind, fingers: Manipulation, isNew: Bool, start: ScrollState, startOrigin: Point,
        origin: ScrollState, in bounds: Bounds
    ) {
        self.kind = kind
        self.start = start
        self.startOrigin = startOrigin
        self.origin = origin
        self.fingers = fingers
        source = fingers.source
        base = isNew ? fingers.base : fingers.centroid
        baseSpread = isNew ? 1 : fingers.scale
        centroid = base
        scrollState = start
        startRawScale =
            bounds.bends ? ZoomBand.raw(start.scale, limits: bounds.limits) : start.scale
        rawScale = startRawScale
        let inside = bounds.range.clamp(startOrigin)
        let over = startOrigin - inside
        let extent = bounds.surface
        rawOverscroll = Vector(
            dx: RubberBand.raw(over.dx, extent: extent.width),
            dy: RubberBand.raw(over.dy, extent: extent.height))
        startRawOrigin = inside + rawOverscroll
        residual =
            over
            - Vector(
                dx: RubberBand.displayed(rawOverscroll.dx, extent: extent.width),
                dy: RubberBand.displayed(rawOverscroll.dy, extent: extent.height))
    }

    /// How far fingers have spread since the hold began.
    func spread(of fingers: Manipulation) -> Double { fingers.scale / baseSpread }

    /// Where the fingers' midpoint was when the grid followed last.
    private(set) var centroid: Point

    /// Follows the fingers of a scroll or a pinch; a handle is told by `slide(to:)`.
    mutating func follow(_ fingers: Manipulation, in bounds: Bounds) {
        self.fingers = fingers
        centroid = fingers.centroid
        switch kind {
        case .scroll, .undecided: scroll(by: fingers.centroid - base, in: bounds)
        case .pinch:
            rawScale = startRawScale * spread(of: fingers)
            scrollState.scale =
                bounds.bends
                ? ZoomBand.displayed(rawScale, limits: bounds.limits)
                : min(max(rawScale, bounds.limits.lowerBound), bounds.limits.upperBound)
            scrollState.focal = fingers.centroid
        case .handle: break
        }
    }

    /// Takes the pose that the handle has been drawn to.
    mutating func slide(to scrollState: ScrollState) { self.scrollState = scrollState }

    private mutating func scroll(by translation: Vector, in bounds: Bounds) {
        // Where all of the width is on the surface there is nothing to scroll across.
        let isWide = bounds.range.x.upperBound - bounds.range.x.lowerBound > Self.leastWay
        let way = Vector(dx: isWide ? translation.dx : 0, dy: translation.dy)
        let raw = startRawOrigin - way
        let inside = bounds.range.clamp(raw)
        rawOverscroll = raw - inside
        var origin = inside
        if bounds.bends {
            let extent = bounds.surface
            origin =
                inside + residual
                + Vector(
                    dx: RubberBand.displayed(rawOverscroll.dx, extent: extent.width),
                    dy: RubberBand.displayed(rawOverscroll.dy, extent: extent.height))
        }
        if !isWide { origin.x = startOrigin.x }
        scrollState.focal = start.focal - (origin - startOrigin)
    }

    /// A range shorter than this, in logical pixels, is a rounding error.
    private static let leastWay = 0.5

    /// The velocity that shows, given the fingers'.
    func displayedVelocity(_ release: Release, in bounds: Bounds) -> GridMotion.Velocity {
        switch kind {
        case .scroll, .undecided:
            func slope(_ over: Double, _ extent: Double) -> Double {
                guard over != 0 else { return 1 }
                return bounds.bends ? RubberBand.slope(over, extent: extent) : 0
            }
            let isWide = bounds.range.x.upperBound - bounds.range.x.lowerBound > Self.leastWay
            return GridMotion.Velocity(
                focal: Vector(
                    dx: isWide
                        ? release.velocity.dx * slope(rawOverscroll.dx, bounds.surface.width) : 0,
                    dy: release.velocity.dy * slope(rawOverscroll.dy, bounds.surface.height)))
        case .pinch:
            let slope = bounds.bends ? ZoomBand.slope(rawScale, limits: bounds.limits) : 1
            return GridMotion.Velocity(
                focal: release.velocity, zoomRate: release.zoomRate * slope)
        case .handle: return GridMotion.Velocity()
        }
    }
}
