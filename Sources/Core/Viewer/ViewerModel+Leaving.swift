import Geometry
import Gestures
import CMath
import Motion
import SceneModel

/// Dismisses the picture.
extension ViewerModel {
    /// The duration of the animation of a dismissed picture, in milliseconds.
    static let departure = 250.0
    /// The lowest speed at which a flung picture leaves, in logical pixels per second.
    private static let departureSpeed = 1500.0
    /// The factor by which a picture shrinks when a pinch dismisses it.
    private static let departureShrink = 0.5

    /// The direction in which a release dismisses the picture: a unit vector, or zero for a pinch.
    ///
    /// Nil where the release does not dismiss. With several pictures a horizontal fling never
    /// dismisses: it turns the page, or bounces at the first and the last one.
    func dismissalDirection(_ manipulation: ActiveManipulation, _ release: Release) -> Vector? {
        guard settings.dismiss != .off, manipulation.source != .scroll || settings.scrollDismisses
        else {
            return nil
        }
        let velocity = release.velocity
        if manipulation.isArmed, manipulation.kind == .pinch {
            let fit = limits(rotation: manipulation.start.rotation).fit
            if Dismissal.isPinchedAway(ratio: manipulation.rawZoom / fit, rate: release.zoomRate) {
                return .zero
            }
        }
        guard manipulation.kind != .pinch else { return nil }
        if let direction = Dismissal.direction(
            overscroll: manipulation.rawOverscroll, velocity: velocity),
            manipulation.edges.contains(Edges(leading: direction)), direction.dx == 0 || count == 1
        {
            return direction
        }
        let distance = manipulation.rawOverscroll.dy
        if settings.dismissByDistance, manipulation.kind == .dismiss,
            Dismissal.isFarEnough(
                distance: distance, velocity: velocity.dy, height: viewport.size.height)
        {
            return Vector(dx: 0, dy: distance < 0 ? -1 : 1)
        }
        return nil
    }

    /// Dismisses the picture with its velocity: to its cell, or off the surface.
    ///
    /// `direction` is a result of `dismissalDirection`, `velocity` is in logical pixels per second. `since` is
    /// when the motion began, which may be before `moment`.
    mutating func leave(
        _ manipulation: ActiveManipulation, along direction: Vector, velocity: Vector,
        since: Moment,
        at moment: Moment
    ) {
        var now = manipulation.placement
        justDismissed = true
        if let transitionSource, dismissesToGrid {
            now.center.x += manipulation.pagerOffset
            startReturnToCell(
                transitionSource, from: now, about: manipulation.fingers.centroid,
                velocity: velocity,
                at: moment)
            return
        }
        let course = direction == .zero || velocity.length > 0 ? velocity : direction
        depart(
            from: now, velocity: direction == .zero ? .zero : course, about: manipulation.focal,
            since: since,
            at: moment)
    }

    /// Moves a picture off the surface with `velocity`, in logical pixels per second; zero shrinks
    /// the picture about `focal` instead.
    mutating func depart(
        from now: Placement, velocity: Vector, about focal: Point, since: Moment, at moment: Moment
    ) {
        let motion: PlacementMotion
        if velocity == .zero {
            let target = Placement(
                center: focal + (now.center - focal) * Self.departureShrink,
                zoom: now.zoom * Self.departureShrink, rotation: now.rotation)
            motion = PlacementMotion(from: now, to: target, about: focal, at: moment)
        } else {
            let speed = max(velocity.length, Self.departureSpeed)
            motion = PlacementMotion(
                flinging: now, velocity: velocity * (speed / velocity.length),
                within: .everywhere, at: since)
        }
        depart(by: motion, at: moment)
    }

    /// Goes one level up: to the grid, or out of the program.
    mutating func goUpOneLevel(at moment: Moment, effects: inout [Effect]) {
        if transitionSource != nil, dismissesToGrid {
            leaveToGrid(at: moment)
        } else {
            close(at: moment, effects: &effects)
        }
    }

    /// Closes the viewer without an animation: by key, by the close button, or by the compositor.
    mutating func close(at moment: Moment, effects: inout [Effect]) {
        justDismissed = true
        effects.append(.quit)
    }

    private mutating func depart(by motion: PlacementMotion, at moment: Moment) {
        hideInformation(at: moment)
        let duration = settings.reducedMotion ? 0 : Self.departure
        fade(to: 0, at: moment)
        let opacity = ScalarMotion.spring(
            Spring(
                from: 1, to: 0, at: moment, frequency: PlacementMotion.settleFrequency))
        state = .leaving(
            motion, opacity: opacity, end: moment.advanced(byMilliseconds: duration))
    }
}
