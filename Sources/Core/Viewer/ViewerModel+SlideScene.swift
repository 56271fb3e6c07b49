import Geometry
import Motion
import SceneModel

/// What a slideshow adds to the scene: the picture that fades, and what is beside a picture.
extension ViewerModel {
    private var margins: MarginItems {
        MarginItems(margins: settings.slideshow.margins, surface: viewport.size)
    }

    /// The opacity of the current page in a fade, and what is below it.
    ///
    /// Below is the picture that goes with its margins, and over it the margins of the one that comes,
    /// faded. So each pixel is the mean of both frames, weighted by the share.
    func fadeItems(at moment: Moment) -> (share: Double, items: [SceneItem]) {
        guard let fade = slideshow.fade, fade.end > moment else { return (1, []) }
        // An animation that goes is shown as a still picture.
        let going = pager.content(of: fade.index)?.picture ?? fade.picture
        let old = fade.placement(at: moment)
        let share = fade.share(at: moment)
        let coming = pager.picture
        let new = placement(at: moment)
        let cover = new.flatMap { new in coming.map { new.boundingRect(of: $0.size) } }
        let items =
            margins.items(below: going, at: old, opacity: 1)
            + [.picture(PictureItem(source: going.source, size: going.size, placement: old))]
            + margins.items(
                of: coming, turned: new?.rotation ?? 0,
                beside: cover ?? Rect(x: 0, y: 0, width: 0, height: 0), opacity: share)
        return (share, items)
    }

    /// What is beside the picture on a page that is displaced by some logical pixels, while a slideshow
    /// plays.
    func marginItems(
        ofPage page: Int, _ placement: Placement, displacedBy displacement: Double,
        at moment: Moment
    ) -> [SceneItem] {
        guard slideshow.isOn, zoomPan.isShown, let picture = pager.content(of: page)?.picture else {
            return []
        }
        let items = margins.items(
            below: picture, at: placement, opacity: backdropOpacity(at: moment))
        guard displacement != 0 else { return items }
        let shift = Vector(dx: displacement, dy: 0)
        return items.map { item in
            switch item {
            case .fill(var fill):
                fill.rect = fill.rect + shift
                return .fill(fill)
            case .picture(var picture):
                picture.placement.center = picture.placement.center + shift
                picture.clip = picture.clip.map { $0 + shift }
                return .picture(picture)
            case .layer: return item
            }
        }
    }
}
