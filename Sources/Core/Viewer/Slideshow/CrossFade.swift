import Geometry
import Motion
import SceneModel

/// A picture that fades into the picture of the current page.
struct CrossFade: Hashable, Sendable {
    /// Where the picture that goes is.
    enum Course: Hashable, Sendable {
        case still(Placement)
        /// It goes on moving, `shift` logical pixels to the right.
        case moving(PanZoom, shift: Double)

        func placement(at moment: Moment) -> Placement {
            switch self {
            case .still(let placement): return placement
            case .moving(let motion, let shift):
                var placement = motion.placement(at: moment)
                placement.center.x += shift
                return placement
            }
        }
    }

    /// The picture that goes, and its index.
    let picture: Page.Picture
    private(set) var index: Int
    private var course: Course
    /// The second picture, if the outgoing picture is the first of a pair.
    var partner: SlidePartner?
    /// When the fade began.
    let start: Moment
    /// In milliseconds.
    let duration: Double

    init(
        picture: Page.Picture, index: Int, course: Course, start: Moment, duration: Double
    ) {
        self.picture = picture
        self.index = index
        self.course = course
        self.start = start
        self.duration = duration
    }

    var end: Moment { start.advanced(byMilliseconds: duration) }

    /// The fade after a change of the listing; nil if a picture that goes was removed.
    ///
    /// `mapping` gives the new index of an old one, nil for a removed picture.
    func followed(by mapping: (_ old: Int) -> Int?) -> CrossFade? {
        guard let new = mapping(index) else { return nil }
        var fade = self
        fade.index = new
        if let partner {
            guard let second = mapping(partner.index) else { return nil }
            fade.partner?.index = second
        }
        return fade
    }

    /// Where the picture that goes is on the surface.
    func placement(at moment: Moment) -> Placement { course.placement(at: moment) }

    /// Stops the motion of the picture that goes.
    mutating func freeze(at moment: Moment) { course = .still(placement(at: moment)) }

    /// The opacity of the picture that comes, 0…1: 3t² − 2t³ of the elapsed share t of the duration.
    func share(at moment: Moment) -> Double {
        guard duration > 0 else { return 1 }
        let elapsed = min(max((moment.milliseconds - start.milliseconds) / duration, 0), 1)
        return elapsed * elapsed * (3 - 2 * elapsed)
    }

    /// The reversed fade, in which the outgoing picture comes back; `picture` is the outgoing one of that
    /// fade.
    ///
    /// The opacities at `moment` stay the same, because the curve is symmetrical.
    func reversed(
        _ picture: Page.Picture, _ index: Int, at placement: Placement, with partner: SlidePartner?,
        _ moment: Moment
    ) -> CrossFade {
        let elapsed = min(max(moment.milliseconds - start.milliseconds, 0), duration)
        var fade = CrossFade(
            picture: picture, index: index, course: .still(placement),
            start: moment.advanced(byMilliseconds: elapsed - duration), duration: duration)
        fade.partner = partner
        return fade
    }

    /// The parts of the surface outside a rectangle: above, below, to the left and to the right.
    static func margins(of rect: Rect, on surface: Size) -> [Rect] {
        let left = min(max(rect.x, 0), surface.width)
        let right = min(max(rect.maxX, left), surface.width)
        let top = min(max(rect.y, 0), surface.height)
        let bottom = min(max(rect.maxY, top), surface.height)
        return [
            Rect(x: 0, y: 0, width: surface.width, height: top),
            Rect(x: 0, y: bottom, width: surface.width, height: surface.height - bottom),
            Rect(x: 0, y: top, width: left, height: bottom - top),
            Rect(x: right, y: top, width: surface.width - right, height: bottom - top),
        ].filter { $0.width > 0 && $0.height > 0 }
    }
}
