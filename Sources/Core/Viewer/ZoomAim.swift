import Geometry
import Motion
import SceneModel

/// What a zoom is about: a point of the surface, and the placement of which the picture point there
/// is to stay there.
///
/// A run of wheel detents keeps the aim of its first one. Aimed anew at each detent, the zoom would
/// wander off the point, since the limits keep a small picture in the middle.
struct ZoomAim: Hashable, Sendable {
    let point: Point
    private let placement: Placement
    /// When it was used last.
    private(set) var moment: Moment

    /// A pause this long begins a new run, in milliseconds.
    private static let pause = 500.0

    init(at point: Point, of placement: Placement, _ moment: Moment = .zero) {
        (self.point, self.placement, self.moment) = (point, placement, moment)
    }

    /// Where the picture's centre is at a zoom if nothing limits it.
    func center(at zoom: Double) -> Point {
        point + (placement.center - point) * (zoom / placement.zoom)
    }

    /// The aim of the next step of a run; none where the run is over.
    func continued(at moment: Moment) -> ZoomAim? {
        guard moment.seconds(since: self.moment) * 1000 <= Self.pause else { return nil }
        var next = self
        next.moment = moment
        return next
    }
}
