import Geometry
import Motion
import SceneModel

/// The second picture of a pair, beside or below the picture of the current page.
struct SlidePartner: Hashable, Sendable {
    let picture: Page.Picture
    var index: Int
    /// Relative to the page.
    var placement: Placement
}

/// A picture of a pair that fades out, because the other one was chosen.
struct LeavingPartner: Hashable, Sendable {
    private(set) var partner: SlidePartner
    let start: Moment
    /// In milliseconds.
    private static let duration = 250.0

    init(partner: SlidePartner, start: Moment) { (self.partner, self.start) = (partner, start) }

    /// The same picture at another place of its page, in logical pixels to the right.
    func displaced(by shift: Double) -> LeavingPartner {
        var other = self
        other.partner.placement.center.x += shift
        return other
    }

    /// The same picture after a change of the listing; nil if it was removed.
    func followed(by mapping: (_ old: Int) -> Int?) -> LeavingPartner? {
        guard let new = mapping(partner.index) else { return nil }
        var other = self
        other.partner.index = new
        return other
    }

    var end: Moment { start.advanced(byMilliseconds: Self.duration) }

    func opacity(at moment: Moment) -> Double {
        1 - min(max((moment.milliseconds - start.milliseconds) / Self.duration, 0), 1)
    }
}

/// How two pictures share a surface: side by side where it is wide, else one above the other.
enum PairLayout {
    /// The areas of the first and the second picture, in logical pixels; the first one is at the right
    /// if `isMirrored`.
    static func areas(of surface: Size, isMirrored: Bool) -> [Rect] {
        let (width, height) = (surface.width, surface.height)
        let (left, right) = (
            Rect(x: 0, y: 0, width: width / 2, height: height),
            Rect(x: width / 2, y: 0, width: width / 2, height: height)
        )
        return width > height
            ? (isMirrored ? [right, left] : [left, right])
            : [
                Rect(x: 0, y: 0, width: width, height: height / 2),
                Rect(x: 0, y: height / 2, width: width, height: height / 2),
            ]
    }

    /// Whether a picture is one of those that may be shown in pairs: upright on a wide surface, wide on
    /// an upright one.
    static func mayPair(_ picture: Size, on surface: Size) -> Bool {
        (picture.width - picture.height) * (surface.width - surface.height) < 0
    }

    /// The placement that shows the whole picture in an area of its surface, in logical pixels.
    static func placement(of geometry: ViewGeometry, rotation: Double, in area: Rect) -> Placement {
        var part = geometry
        part.viewport.size = area.size
        var placement = part.fit(rotation: rotation)
        placement.center = placement.center + (area.origin - Point.zero)
        return placement
    }
}
