import Geometry
import Gestures
import CMath
import Motion
import SceneModel

/// How a picture is dismissed.
extension ViewerModel {
    /// How long a dismissed picture is seen to leave, in milliseconds.
    static let departure = 250.0
    /// The slowest that a thrown picture leaves, in logical pixels per second.
    private static let departureSpeed = 1500.0
    /// What is left of the size of a picture that was pinched away.
    private static let departureShrink = 0.5

    /// The direction in which this release dismisses the picture: a unit vector, or zero for a
    /// pinch.
    ///
    /// None where it does not: sideways a throw turns the page, or bounces at the first and last.
    func wayOut(_ hold: ActiveManipulation, _ release: Release) -> Vector? {
        guard settings.dismiss != .off, hold.source != .scroll || settings.scrollDismisses else {
            return nil
        }
        let velocity = release.velocity
        if hold.isArmed, hold.kind == .pinch {
            let fit = limits(rotation: hold.start.rotation).fit
            if Dismissal.isPinchedAway(ratio: hold.rawZoom / fit, rate: release.zoomRate) {
                return .zero
            }
        }
        guard hold.kind != .pinch else { return nil }
        if let way = Dismissal.direction(overscroll: hold.rawOverscroll, velocity: velocity),
            hold.edges.contains(Edges(leading: way)), way.dx == 0 || count == 1
        {
            return way
        }
        let way = hold.rawOverscroll.dy
        if settings.dismissByDistance, hold.kind == .dismiss,
            Dismissal.isFarEnough(
                distance: way, velocity: velocity.dy, height: viewport.size.height)
        {
            return Vector(dx: 0, dy: way < 0 ? -1 : 1)
        }
        return nil
    }

    /// Sends the picture off the surface with the speed it has.
    mutating func leave(
        _ hold: ActiveManipulation, along way: Vector, velocity: Vector, since: Moment,
        at moment: Moment
    ) {
        var now = hold.placement
        justDismissed = true
        if let transitionSource, dismissesHome {
            now.center.x += hold.strip
            flyHome(
                transitionSource, from: now, about: hold.fingers.centroid, velocity: velocity,
                at: moment)
            return
        }
        let course = way == .zero || velocity.length > 0 ? velocity : way
        depart(
            from: now, velocity: way == .zero ? .zero : course, about: hold.focal, since: since,
            at: moment)
    }

    /// Sends a picture off the surface: as fast as it is thrown, or shrinking about a point of it.
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

    /// One level up: to the grid, or out.
    mutating func levelUp(at moment: Moment, effects: inout [Effect]) {
        if transitionSource != nil, dismissesHome {
            leaveToHome(at: moment)
        } else {
            close(at: moment, effects: &effects)
        }
    }

    /// Leaves without a throw: by key, by the close button, by the compositor.
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
