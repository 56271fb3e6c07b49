import Geometry
import CMath
import Motion

/// What scrolls and scales in steps: wheel and keys.
extension GridModel {
    /// How far a wheel detent scrolls, in logical pixels.
    private static let wheelDetent = 100.0
    /// Wheel detents per doubling of a scale without steps.
    private static let detentsPerDoubling = 4.0
    /// Two-finger scrolling with Ctrl held zooms by e over this way, in logical pixels.
    private static let scrollZoomExtent = 200.0

    mutating func turnWheel(_ detents: Vector, at point: Point, zooms: Bool, _ moment: Moment) {
        if case .held = state { return }
        guard zooms else {
            let way = detents * (Self.wheelDetent / 120)
            scroll(to: goal.origin(in: layout) + way, at: moment)
            return
        }
        zoom(octaves: -detents.dy / 120 / Self.detentsPerDoubling, about: point, at: moment)
    }

    mutating func zoomByScroll(_ distance: Double, about point: Point, at moment: Moment) {
        if case .held = state { return }
        zoom(octaves: -distance / Self.scrollZoomExtent / log(2), about: point, at: moment)
    }

    /// Zooms by powers of two; where the layout goes in steps, a detent's worth is one of them.
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

    /// One step of the layout from where its scale is heading, so that quick presses add up.
    mutating func zoomStep(up: Bool, about point: Point, at moment: Moment) {
        zoom(to: layout.nextScale(after: goal.scale, up: up), about: point, at: moment)
    }

    /// Goes to rest at a scale, about what lies under a point of the surface.
    mutating func zoom(to scale: Double, about point: Point, at moment: Moment) {
        let old = scrollState(at: moment)
        let velocity = velocity(at: moment).moved(from: old.focal, to: point)
        let now = anchored(at: point, moment)
        settle(from: now, scale: scale, aim: point, velocity: velocity, at: moment)
    }
}
