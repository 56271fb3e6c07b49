import Geometry
import Motion
import SceneModel

/// A picture that fades into the picture of the current page.
struct CrossFade: Hashable, Sendable {
    /// The picture that goes, and its index.
    let picture: Page.Picture
    let index: Int
    /// Where the picture is on the surface.
    let placement: Placement
    /// When the fade began.
    let start: Moment
    /// In milliseconds.
    let duration: Double

    var end: Moment { start.advanced(byMilliseconds: duration) }

    /// The opacity of the picture that comes, 0…1: 3t² − 2t³ of the elapsed share t of the duration.
    func share(at moment: Moment) -> Double {
        guard duration > 0 else { return 1 }
        let elapsed = min(max((moment.milliseconds - start.milliseconds) / duration, 0), 1)
        return elapsed * elapsed * (3 - 2 * elapsed)
    }

    /// The fade in which the picture that goes comes back: `picture` is the one that goes then.
    ///
    /// The opacities at `moment` stay the same, because the curve is symmetrical.
    func reversed(
        _ picture: Page.Picture, _ index: Int, at placement: Placement, _ moment: Moment
    ) -> CrossFade {
        let elapsed = min(max(moment.milliseconds - start.milliseconds, 0), duration)
        return CrossFade(
            picture: picture, index: index, placement: placement,
            start: moment.advanced(byMilliseconds: elapsed - duration), duration: duration)
    }

    /// The items below the picture that comes: the one that goes, and black beside the rectangle of the
    /// one that comes, `cover`, which fades the rest of the picture that goes.
    ///
    /// So each pixel is the mean of both frames, weighted by the share.
    func items(below cover: Rect, on surface: Size, at moment: Moment) -> [SceneItem] {
        let picture = SceneItem.picture(
            PictureItem(source: picture.source, size: picture.size, placement: placement))
        let black = Color.black(share(at: moment))
        return [picture]
            + Self.margins(of: cover, on: surface).map {
                .fill(FillItem(rect: $0, color: black))
            }
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
