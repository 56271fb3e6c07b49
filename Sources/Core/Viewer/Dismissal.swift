package import Geometry
import CMath
import Motion

/// When letting go dismisses a picture.
///
/// Source: the project's behaviour sheet, "Dismissal": all three conditions, strictly; gesture
/// sheet §13 and §14.
package enum Dismissal {
    /// The slowest throw that dismisses, in logical pixels per second; exactly this does not.
    package static let throwSpeed = 1000.0
    /// A pinch let go below this part of fit, projected, dismisses.
    package static let pinchRatio = 0.75
    /// How far ahead a pinch's speed is projected, in seconds.
    package static let pinchHorizon = 0.1
    /// With `viewer.dismiss_by_distance`, the projected way that dismisses, as a part of H.
    package static let distanceRatio = 0.25
    /// The speed against the drag that keeps the picture, in logical pixels per second.
    private static let opposingSpeed = 50.0

    /// The way out that a release takes: one of the four axis directions, as a unit vector.
    ///
    /// `overscroll` is how far the picture is past its content edge and `velocity` the fingers'
    /// (logical pixels per second), both positive right and down. None where one of the
    /// conditions fails: past the edge, on the axis of the larger speed, outwards, fast enough.
    package static func direction(overscroll: Vector, velocity: Vector) -> Vector? {
        let (across, along) = (abs(velocity.dx), abs(velocity.dy))
        guard across != along, max(across, along) > throwSpeed else { return nil }
        if across > along {
            guard overscroll.dx * velocity.dx > 0 else { return nil }
            return Vector(dx: velocity.dx > 0 ? 1 : -1, dy: 0)
        }
        guard overscroll.dy * velocity.dy > 0 else { return nil }
        return Vector(dx: 0, dy: velocity.dy > 0 ? 1 : -1)
    }

    /// Whether a drag of `distance` logical pixels that ends at `velocity` dismisses by distance.
    package static func isFarEnough(distance: Double, velocity: Double, height: Double) -> Bool {
        if abs(velocity) >= opposingSpeed && velocity * distance < 0 { return false }
        let end = distance + Deceleration.distance(at: velocity, rate: Deceleration.firm)
        return abs(end) >= distanceRatio * height
    }

    /// Whether a pinch let go at `ratio` of fit, shrinking at `rate` (d ln zoom/dt), dismisses.
    package static func isPinchedAway(ratio: Double, rate: Double) -> Bool {
        ratio * exp(pinchHorizon * rate) < pinchRatio
    }

    /// The backdrop's opacity while a pinch holds the picture at `ratio` of fit.
    package static func pinchBackdrop(ratio: Double) -> Double {
        min(max(1 - 1.2 * (1 - ratio), 0), 1)
    }
}
