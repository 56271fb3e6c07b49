import Geometry
import Motion
import SceneModel

/// The fixed point of a zoom: a point of the surface, and the placement that says which picture
/// point is there.
///
/// A series of wheel detents keeps the aim of its first detent. With a new aim for each detent the
/// zoom would drift away from the point, since the limits keep a small picture centred.
struct ZoomAim: Hashable, Sendable {
    /// The point on the current page, in logical pixels.
    let point: Point
    private let placement: Placement
    /// When the aim was last used.
    private(set) var moment: Moment

    /// A longer pause ends a series, in milliseconds.
    private static let pause = 500.0

    init(at point: Point, of placement: Placement, _ moment: Moment = .zero) {
        (self.point, self.placement, self.moment) = (point, placement, moment)
    }

    /// The picture's centre at a zoom, before any limits, in logical pixels.
    func center(at zoom: Double) -> Point {
        point + (placement.center - point) * (zoom / placement.zoom)
    }

    /// The aim for the next step of the series; nil where the series has ended.
    func continued(at moment: Moment) -> ZoomAim? {
        guard moment.seconds(since: self.moment) * 1000 <= Self.pause else { return nil }
        var next = self
        next.moment = moment
        return next
    }
}
