import Geometry
import Motion
import SceneModel

/// A dismissed picture on its way off the surface.
struct LeavingMotion: Hashable, Sendable {
    let placement: PlacementMotion
    /// When the picture has left.
    let end: Moment
    private let fade: ScalarMotion

    /// How long a dismissed picture is shown, in milliseconds.
    static let duration = 250.0
    /// The lowest speed at which a flung picture leaves, in logical pixels per second.
    private static let lowestSpeed = 1500.0
    /// The factor by which a picture shrinks when a pinch dismisses it.
    private static let shrink = 0.5

    /// The motion from the placement `start` at `moment`.
    ///
    /// A picture with a `velocity`, in logical pixels per second, is flung; the fling began at
    /// `since`, which may be before `moment`. Without a velocity the picture shrinks about `focal`,
    /// a point of the page in logical pixels. With reduced motion the end is at once.
    init(
        from start: Placement, velocity: Vector, about focal: Point, since: Moment,
        at moment: Moment, reducesMotion: Bool
    ) {
        if velocity == .zero {
            let target = Placement(
                center: focal + (start.center - focal) * Self.shrink,
                zoom: start.zoom * Self.shrink, rotation: start.rotation)
            placement = PlacementMotion(from: start, to: target, about: focal, at: moment)
        } else {
            let speed = max(velocity.length, Self.lowestSpeed)
            placement = PlacementMotion(
                flinging: start, velocity: velocity * (speed / velocity.length),
                within: .everywhere, at: since)
        }
        fade = .spring(Spring(from: 1, to: 0, at: moment, frequency: Spring.zoomFrequency))
        end = moment.advanced(byMilliseconds: reducesMotion ? 0 : Self.duration)
    }

    /// The opacity of the picture, 0…1.
    func opacity(at moment: Moment) -> Double { min(max(fade.value(at: moment), 0), 1) }

    /// The velocity of the picture's centre, in logical pixels per second.
    func velocity(at moment: Moment) -> Vector { placement.centerVelocity(at: moment) }
}
