import Geometry
import Motion
import SceneModel

/// A picture of a slideshow on the surface, and the area that is its own.
private struct ShownSlide {
    var picture: Page.Picture
    var placement: Placement
    /// Logical pixels of the surface.
    var area: Rect

    /// The margins of the picture in its area: below the picture, or around it over the items below.
    func margins(_ margins: SlideMargins, opacity: Double, coversOthers: Bool = false)
        -> [SceneItem]
    {
        let items = MarginItems(margins: margins, surface: area.size)
        let origin = area.origin - Point.zero
        var local = placement
        local.center = local.center - origin
        let found =
            coversOthers
            ? items.items(
                of: picture, turned: local.rotation,
                beside: local.boundingRect(of: picture.size), opacity: opacity)
            : items.items(below: picture, at: local, opacity: opacity)
        return found.map { $0.shifted(by: origin) }
    }

    func item(opacity: Double = 1) -> SceneItem {
        .picture(
            PictureItem(
                source: picture.source, size: picture.size, placement: placement,
                opacity: opacity))
    }
}

/// What a slideshow adds to the scene: the picture that fades, and what is beside a picture.
extension ViewerModel {
    private var surface: Rect { Rect(origin: .zero, size: viewport.size) }

    /// One picture on the surface, or a pair; an animation that goes is shown as a still picture.
    private func slides(
        _ first: Page.Picture?, _ index: Int, at placement: Placement, _ partner: SlidePartner?
    ) -> [ShownSlide] {
        guard let first = pager.content(of: index)?.picture ?? first else { return [] }
        guard let partner else {
            return [ShownSlide(picture: first, placement: placement, area: surface)]
        }
        let areas = PairLayout.areas(of: viewport.size, isMirrored: pager.isMirrored)
        let second = pager.content(of: partner.index)?.picture ?? partner.picture
        return [
            ShownSlide(picture: first, placement: placement, area: areas[0]),
            ShownSlide(picture: second, placement: partner.placement, area: areas[1]),
        ]
    }

    /// The opacity of the current page in a fade, and what is below it.
    ///
    /// Below is the picture that goes with its margins, and over it the margins of the one that comes,
    /// faded. So each pixel is the mean of both frames, weighted by the share.
    func fadeItems(at moment: Moment) -> (share: Double, items: [SceneItem]) {
        guard let fade = slideshow.fade, fade.end > moment else { return (1, []) }
        let share = fade.share(at: moment)
        let margins = settings.slideshow.margins
        let going = slides(fade.picture, fade.index, at: fade.placement(at: moment), fade.partner)
        let coming = placement(at: moment).map {
            slides(nil, pager.page, at: $0, slideshow.partner)
        }
        var items = going.flatMap { $0.margins(margins, opacity: 1) + [$0.item()] }
        if let coming, !coming.isEmpty {
            items += coming.flatMap { $0.margins(margins, opacity: share, coversOthers: true) }
        } else {
            items.append(.fill(FillItem(rect: surface, color: .black(share))))
        }
        return (share, items)
    }

    /// The margins of the picture on a page that is displaced by some logical pixels, while a slideshow
    /// plays.
    func marginItems(
        ofPage page: Int, _ placement: Placement, displacedBy displacement: Double,
        at moment: Moment
    ) -> [SceneItem] {
        guard slideshow.isOn, zoomPan.isShown else { return [] }
        let partner = page == pager.page ? slideshow.partner : nil
        return slides(nil, page, at: placement, partner).flatMap {
            $0.margins(settings.slideshow.margins, opacity: backdropOpacity(at: moment))
        }.map { $0.shifted(by: Vector(dx: displacement, dy: 0)) }
    }

    /// The second picture of a pair on the current page, or the one that fades out after the other was
    /// chosen.
    func partnerItems(
        displacedBy displacement: Double, opacity: Double, at moment: Moment
    ) -> [SceneItem] {
        guard zoomPan.isShown else { return [] }
        var items: [SceneItem] = []
        for (partner, share) in [
            (slideshow.partner, 1),
            (slideshow.leaving?.partner, slideshow.leaving?.opacity(at: moment) ?? 0),
        ] {
            guard let partner, share > 0 else { continue }
            let picture = pager.content(of: partner.index)?.picture ?? partner.picture
            let slide = ShownSlide(
                picture: picture, placement: partner.placement, area: surface)
            items.append(
                slide.item(opacity: opacity * share)
                    .shifted(by: Vector(dx: displacement, dy: 0)))
        }
        return items
    }
}

extension SceneItem {
    /// A picture or a fill elsewhere on the surface.
    fileprivate func shifted(by shift: Vector) -> SceneItem {
        guard shift != .zero else { return self }
        switch self {
        case .fill(var fill):
            fill.rect = fill.rect + shift
            return .fill(fill)
        case .picture(var picture):
            picture.placement.center = picture.placement.center + shift
            picture.clip = picture.clip.map { $0 + shift }
            return .picture(picture)
        case .layer: return self
        }
    }
}
