import Geometry
import Gestures
import Glibc
import Motion
import SceneModel

/// How a picture is left: to its neighbour, or dismissed.
extension Viewer {
    /// How long a dismissed picture is seen to leave, in milliseconds.
    static let departure = 250.0
    /// The slowest that a thrown picture leaves, in logical pixels per second.
    private static let departureSpeed = 1500.0
    /// What is left of the size of a picture that was pinched away.
    private static let departureShrink = 0.5

    /// The direction in which this release dismisses the picture: a unit vector, or zero for a
    /// pinch.
    ///
    /// None where it does not; a throw towards a neighbour turns the page instead.
    mutating func wayOut(_ hold: Hold, _ release: Release, effects: inout [Effect]) -> Vector? {
        let velocity = release.velocity
        if hold.kind == .swipe, let neighbour = neighbour(hold, velocity) {
            effects.append(contentsOf: show(index: neighbour))
            return nil
        }
        guard settings.dismiss != .off else { return nil }
        if hold.isArmed {
            let fit = limits(rotation: hold.start.rotation).fit
            if Dismissal.isPinchedAway(ratio: hold.rawZoom / fit, rate: release.zoomRate) {
                return .zero
            }
        }
        guard hold.kind != .pinch else { return nil }
        if let way = Dismissal.direction(overscroll: hold.rawOverscroll, velocity: velocity),
            hold.edges.contains(Self.edge(towards: way)), !hasNeighbour(towards: way)
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

    /// The side of the picture that leads into the surface when the picture leaves along `way`:
    /// thrown down, its top edge was past its place.
    private static func edge(towards way: Vector) -> Hold.Edges {
        if way.dx != 0 { return way.dx > 0 ? .left : .right }
        return way.dy > 0 ? .top : .bottom
    }

    private func hasNeighbour(towards way: Vector) -> Bool {
        if way.dx > 0 { return index > 0 }
        if way.dx < 0 { return index + 1 < count }
        return false
    }

    /// The picture that a swipe at fit turns to, or none.
    private func neighbour(_ hold: Hold, _ velocity: Vector) -> Int? {
        let pitch = Paging.pitch(width: viewport.size.width)
        let start = Double(index) * pitch
        let page = Paging.page(
            position: start - hold.rawOverscroll.dx, velocity: -velocity.dx, base: index,
            start: start, pitch: pitch, count: count)
        return page == index ? nil : page
    }

    /// Where there is only a message, a throw still turns the page or leaves.
    mutating func pageWithoutPicture(_ release: Release, effects: inout [Effect]) {
        let velocity = release.velocity
        if abs(velocity.dx) > abs(velocity.dy), abs(velocity.dx) >= Paging.flickSpeed {
            effects.append(contentsOf: show(index: index + (velocity.dx < 0 ? 1 : -1)))
        } else if abs(velocity.dy) > Dismissal.throwSpeed, settings.dismiss != .off {
            justDismissed = true
            effects.append(.quit)
        }
    }

    /// Selects another picture, if there is one at that index.
    mutating func show(index: Int) -> [Effect] {
        guard index != self.index, index >= 0, index < count else { return [] }
        self.index = index
        return [.show(index: index)]
    }

    /// Sends the picture off the surface with the speed it has.
    mutating func leave(
        _ hold: Hold, along way: Vector, velocity: Vector, at moment: Moment
    ) {
        let now = hold.placement
        justDismissed = true
        let motion: PlacementMotion
        if way == .zero {
            let target = Placement(
                center: hold.centroid + (now.center - hold.centroid) * Self.departureShrink,
                zoom: now.zoom * Self.departureShrink, rotation: now.rotation)
            motion = PlacementMotion(from: now, to: target, about: hold.centroid, at: moment)
        } else {
            let speed = max(velocity.length, Self.departureSpeed)
            let course = velocity.length > 0 ? velocity * (1 / velocity.length) : way
            motion = PlacementMotion(
                flinging: now, velocity: course * speed, within: .everywhere, at: moment)
        }
        depart(by: motion, at: moment)
    }

    /// Leaves without a throw: by key, by the close button, by the compositor.
    mutating func close(at moment: Moment, effects: inout [Effect]) {
        justDismissed = true
        effects.append(.quit)
    }

    private mutating func depart(by motion: PlacementMotion, at moment: Moment) {
        let duration = settings.reducedMotion ? 0 : Self.departure
        fade(to: 0, at: moment)
        let opacity = ScalarMotion.spring(
            Spring(
                from: 1, to: 0, at: moment, frequency: PlacementMotion.settleFrequency))
        state = .leaving(
            motion, opacity: opacity, end: moment.advanced(byMilliseconds: duration))
    }
}
