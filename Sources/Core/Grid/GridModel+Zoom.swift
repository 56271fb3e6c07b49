import Geometry
import CMath
import Motion

/// Scrolling and zooming in steps, by wheel and keys.
extension GridModel {
    /// How far a wheel detent scrolls, in logical pixels.
    private static let wheelDetent = 100.0
    /// Wheel detents per doubling of the scale in a layout without steps.
    private static let detentsPerDoubling = 4.0
    /// Two-finger scrolling with Ctrl zooms by a factor of e over this distance, in logical pixels.
    private static let scrollZoomExtent = 200.0

    mutating func turnWheel(_ detents: Vector, at point: Point, zooms: Bool, _ moment: Moment) {
        if case .held = state { return }
        guard zooms else {
            let delta = detents * (Self.wheelDetent / 120)
            scroll(to: goal.origin(in: layout) + delta, at: moment)
            return
        }
        zoom(octaves: -detents.dy / 120 / Self.detentsPerDoubling, about: point, at: moment)
    }

    mutating func zoomByScroll(_ distance: Double, about point: Point, at moment: Moment) {
        if case .held = state { return }
        zoom(octaves: -distance / Self.scrollZoomExtent / log(2), about: point, at: moment)
    }

    /// Zooms by 2 to the power of `octaves`; in a layout with steps, a wheel detent is one step.
    private mutating func zoom(octaves: Double, about point: Point, at moment: Moment) {
        guard layout.hasSteps else {
            zoom(to: goal.scale * exp2(octaves), about: point, at: moment)
            return
        }
        let steps = zoomSteps.turn(octaves * Self.detentsPerDoubling, at: moment)
        var scale = goal.scale
        for _ in 0..<abs(steps) { scale = layout.nextScale(after: scale, up: steps > 0) }
        if steps != 0 { zoom(to: scale, about: point, at: moment) }
    }

    /// Zooms one step of the layout from the target scale, so that quick presses add up; the top stays the top.
    mutating func zoomStep(up: Bool, about point: Point, at moment: Moment) {
        let isAtTop = goal.origin(in: layout).y <= Tolerance.pixels.distance
        zoom(to: layout.nextScale(after: goal.scale, up: up), about: point, at: moment)
        guard isAtTop, layout.hasSteps else { return }
        scroll(to: Point(x: goal.origin(in: layout).x, y: 0), at: moment)
    }

    /// Whether a step of zoom changes the size of the cells.
    package func canZoom(up: Bool) -> Bool {
        abs(layout.nextScale(after: goal.scale, up: up) - goal.scale) > 1e-9
    }

    /// Zooms to the resting scale nearest to `scale`, about a point of the surface.
    mutating func zoom(to scale: Double, about point: Point, at moment: Moment) {
        let old = scrollState(at: moment)
        let velocity = velocity(at: moment).moved(from: old.focal, to: point)
        let now = anchored(at: point, moment)
        settle(from: now, scale: scale, aim: point, velocity: velocity, at: moment)
    }
}
