import Geometry
import Gestures
import Motion

/// A manipulation of the grid by fingers.
///
/// The state is always computed from the start and the fingers' total translation and spread since,
/// never as a sum of steps.
struct GridManipulation: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// The content follows the finger; a rubber band resists beyond the ends of the content.
        case scroll
        /// The anchored point stays under the fingers' midpoint; cells grow as the fingers spread.
        case pinch
        /// Two fingers on a cell, which scroll until they spread or close.
        ///
        /// Spreading lifts the picture, closing scales the grid.
        case undecided(cell: Int)
        /// The fast-scroll handle, held `grip` logical pixels below its upper edge.
        case handle(grip: Double)
    }

    /// The limits of the grid that apply to a manipulation.
    struct Bounds {
        var limits: ClosedRange<Double>
        var range: ScrollRange
        var surface: Size
        /// Whether the grid yields with a rubber band beyond its ends and scale limits.
        var hasRubberBand: Bool
    }

    let kind: Kind
    let source: Manipulation.Source
    /// The displayed scroll state when the manipulation began or was rebased.
    ///
    /// For a pinch, it is anchored at the fingers' midpoint.
    let start: ScrollState
    /// The scroll state before the first finger, restored when the touchpad reverts the gesture.
    let origin: ScrollState
    /// The fingers' midpoint and spread at `start`.
    private let base: Point
    private let baseSpread: Double
    /// The scale of `start` before the rubber band.
    private let startRawScale: Double
    /// The origin of `start` before the rubber band.
    private let startRawOrigin: Point
    /// The part of the overscroll at `start` that the inverse of the rubber band cannot reproduce.
    private let residual: Vector
    private let startOrigin: Point

    /// The present scroll state.
    private(set) var scrollState: ScrollState
    private(set) var rawScale: Double
    /// How far the origin is past its range, before the rubber band.
    private(set) var rawOverscroll: Vector
    /// The latest state of the fingers.
    private(set) var fingers: Manipulation

    /// Begins at the fingers' present position, or at their base if the manipulation `isNew`.
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
            bounds.hasRubberBand ? ZoomBand.raw(start.scale, limits: bounds.limits) : start.scale
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

    /// The factor by which the fingers have spread since the manipulation began.
    func spread(of fingers: Manipulation) -> Double { fingers.scale / baseSpread }

    /// The fingers' midpoint at the last call of `follow`.
    private(set) var centroid: Point

    /// Follows the fingers of a scroll or a pinch; `slide(to:)` moves a handle.
    mutating func follow(_ fingers: Manipulation, in bounds: Bounds) {
        self.fingers = fingers
        centroid = fingers.centroid
        switch kind {
        case .scroll, .undecided: scroll(by: fingers.centroid - base, in: bounds)
        case .pinch:
            rawScale = startRawScale * spread(of: fingers)
            scrollState.scale =
                bounds.hasRubberBand
                ? ZoomBand.displayed(rawScale, limits: bounds.limits)
                : min(max(rawScale, bounds.limits.lowerBound), bounds.limits.upperBound)
            scrollState.focal = fingers.centroid
        case .handle: break
        }
    }

    /// Sets the scroll state to which the handle was dragged.
    mutating func slide(to scrollState: ScrollState) { self.scrollState = scrollState }

    private mutating func scroll(by translation: Vector, in bounds: Bounds) {
        // Content no wider than the surface does not scroll horizontally.
        let isWide = bounds.range.x.upperBound - bounds.range.x.lowerBound > Self.minimumRange
        let delta = Vector(dx: isWide ? translation.dx : 0, dy: translation.dy)
        let raw = startRawOrigin - delta
        let inside = bounds.range.clamp(raw)
        rawOverscroll = raw - inside
        var origin = inside
        if bounds.hasRubberBand {
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
    private static let minimumRange = 0.5

    /// The displayed velocity at a release; a rubber band slows the fingers' velocity down.
    func displayedVelocity(_ release: Release, in bounds: Bounds) -> GridMotion.Velocity {
        switch kind {
        case .scroll, .undecided:
            func slope(_ over: Double, _ extent: Double) -> Double {
                guard over != 0 else { return 1 }
                return bounds.hasRubberBand ? RubberBand.slope(over, extent: extent) : 0
            }
            let isWide = bounds.range.x.upperBound - bounds.range.x.lowerBound > Self.minimumRange
            return GridMotion.Velocity(
                focal: Vector(
                    dx: isWide
                        ? release.velocity.dx * slope(rawOverscroll.dx, bounds.surface.width) : 0,
                    dy: release.velocity.dy * slope(rawOverscroll.dy, bounds.surface.height)))
        case .pinch:
            let slope = bounds.hasRubberBand ? ZoomBand.slope(rawScale, limits: bounds.limits) : 1
            return GridMotion.Velocity(
                focal: release.velocity, zoomRate: release.zoomRate * slope)
        case .handle: return GridMotion.Velocity()
        }
    }
}
