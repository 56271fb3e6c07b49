package import Geometry
import CMath
import Motion

/// When a release dismisses a picture.
///
/// A drag dismisses only if three conditions hold: the picture is past its content edge, the
/// larger component of the velocity points past that edge, and that component is greater than
/// `flingSpeed`.
package enum Dismissal {
    /// A fling dismisses above this speed, in logical pixels per second; at exactly this it does
    /// not.
    package static let flingSpeed = 1000.0
    /// A pinch dismisses when its projected zoom is below this fraction of fit.
    package static let pinchRatio = 0.75
    /// How far ahead the zoom rate of a pinch is projected, in seconds.
    package static let pinchHorizon = 0.1
    /// With `viewer.dismiss_by_distance`, the projected distance that dismisses, as a fraction of
    /// the surface's height.
    package static let distanceRatio = 0.25
    /// A speed against the drag that prevents a dismissal by distance, in logical pixels per
    /// second.
    private static let opposingSpeed = 50.0

    /// The direction in which a release dismisses, as a unit vector along one axis; nil where one
    /// of the three conditions fails.
    ///
    /// `overscroll` is how far the picture is past its content edge, in logical pixels. `velocity`
    /// is the velocity of the fingers, in logical pixels per second. Both are positive right and
    /// down.
    package static func direction(overscroll: Vector, velocity: Vector) -> Vector? {
        let (across, along) = (abs(velocity.dx), abs(velocity.dy))
        guard across != along, max(across, along) > flingSpeed else { return nil }
        if across > along {
            guard overscroll.dx * velocity.dx > 0 else { return nil }
            return Vector(dx: velocity.dx > 0 ? 1 : -1, dy: 0)
        }
        guard overscroll.dy * velocity.dy > 0 else { return nil }
        return Vector(dx: 0, dy: velocity.dy > 0 ? 1 : -1)
    }

    /// Whether a vertical drag dismisses by its projected distance.
    ///
    /// `distance` and `height` (of the surface) are in logical pixels, `velocity` in logical pixels
    /// per second. The drag is projected with the firm deceleration.
    package static func isFarEnough(distance: Double, velocity: Double, height: Double) -> Bool {
        if abs(velocity) >= opposingSpeed && velocity * distance < 0 { return false }
        let end = distance + Deceleration.distance(at: velocity, rate: Deceleration.firm)
        return abs(end) >= distanceRatio * height
    }

    /// Whether a pinch that is released at the zoom `ratio` × fit dismisses; `rate` is d(ln
    /// zoom)/dt per second.
    package static func isPinchedAway(ratio: Double, rate: Double) -> Bool {
        ratio * exp(pinchHorizon * rate) < pinchRatio
    }

    /// The opacity of the backdrop, 0…1, while a pinch holds the picture at the zoom `ratio` × fit.
    package static func pinchBackdrop(ratio: Double) -> Double {
        min(max(1 - 1.2 * (1 - ratio), 0), 1)
    }
}
