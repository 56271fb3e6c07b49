import CMath
import Geometry
import Gestures
import Motion

/// A picture below a crop, or a handle of its frame, that fingers hold.
///
/// The view is always computed from the start and the fingers' total translation, never by adding up
/// steps.
struct CropHold: Hashable, Sendable {
    /// The view when the fingers landed, or when fingers joined or left.
    private let start: CropView
    /// The handle that a finger drags; nil where the picture is held.
    let handle: CropHandle?
    private let base: Manipulation
    private let limits: CropLimits
    private let rules: Rules
    private(set) var fingers: Manipulation
    private(set) var view: CropView

    /// What does not change while fingers hold.
    struct Rules: Hashable, Sendable {
        /// The fixed proportions; nil for free ones.
        var proportions: Double?
        var area: Rect
        /// Whether the picture stretches a rubber band past its limits.
        var hasRubberBand: Bool
    }

    /// How far an angle can be pulled past its limit, in radians.
    private static let angleExtent = 15 * Double.pi / 180

    init(
        _ start: CropView, _ handle: CropHandle?, base: Manipulation, in limits: CropLimits,
        _ rules: Rules
    ) {
        (self.start, self.handle, self.base) = (start, handle, base)
        (self.limits, self.rules) = (limits, rules)
        (fingers, view) = (base, start)
    }

    mutating func follow(_ fingers: Manipulation) {
        self.fingers = fingers
        view = moved(by: fingers)
    }

    private func moved(by fingers: Manipulation) -> CropView {
        let translation = fingers.centroid - base.centroid
        if let handle {
            return handle.resized(
                start, by: translation, proportions: rules.proportions, in: limits,
                area: rules.area)
        }
        guard fingers.fingers > 1 else { return panned(by: translation) }
        let angle = angle(turned: fingers.rotation - base.rotation)
        var turned = start
        turned.angle = angle
        let zoom = zoom(spread: fingers.scale / max(base.scale, 1e-9), turned)
        return start.showing(
            start.picturePoint(at: base.centroid), at: fingers.centroid, zoom: zoom, angle: angle)
    }

    // MARK: Laws

    private func angle(turned turn: Double) -> Double {
        let limit = CropLimits.largestAngle
        func past(_ angle: Double) -> Double { angle - min(max(angle, -limit), limit) }
        let excess = past(start.angle)
        let raw =
            start.angle - excess + RubberBand.raw(excess, extent: Self.angleExtent) + turn
        let beyond = past(raw)
        guard rules.hasRubberBand else { return raw - beyond }
        return raw - beyond + RubberBand.displayed(beyond, extent: Self.angleExtent)
    }

    /// The zoom after the fingers have spread by a factor.
    ///
    /// A picture that is twisted grows as far as it needs to cover the frame; one that is pinched
    /// stretches a rubber band below.
    private func zoom(spread: Double, _ turned: CropView) -> Double {
        let size = start.frame.size
        let least = limits.smallestZoom(for: size, rotation: turned.rotation)
        let most = max(limits.zooms(for: size, rotation: turned.rotation).upperBound, least)
        let former = limits.zooms(for: size, rotation: start.rotation)
        let raw = ZoomBand.raw(start.zoom, limits: former)
        // A picture that did not cover the frame at the start does not jump to cover it.
        let floor = least * min(raw / former.lowerBound, 1)
        let wish = spread < 1 ? max(raw, floor) * spread : max(raw * spread, floor)
        guard rules.hasRubberBand else { return min(max(wish, least), most) }
        return ZoomBand.displayed(wish, limits: least...most)
    }

    private func panned(by translation: Vector) -> CropView {
        var view = start
        let rest = limits.clamp(start.center, in: start)
        let past = start.center - rest
        let (zoom, size) = (start.zoom, start.frame.size)
        func raw(_ length: Double, _ extent: Double) -> Double {
            RubberBand.raw(length * zoom, extent: extent) / zoom
        }
        let wish =
            rest + Vector(dx: raw(past.dx, size.width), dy: raw(past.dy, size.height))
            - translation.rotated(by: -start.rotation) * (1 / zoom)
        view.center = limits.clamp(wish, in: start)
        guard rules.hasRubberBand else { return view }
        let beyond = (wish - view.center) * zoom
        view.center =
            view.center
            + Vector(
                dx: RubberBand.displayed(beyond.dx, extent: size.width),
                dy: RubberBand.displayed(beyond.dy, extent: size.height)) * (1 / zoom)
        return view
    }
}
