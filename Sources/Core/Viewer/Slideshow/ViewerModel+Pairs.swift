import Geometry
import Interface
import Motion
import SceneModel

/// Two pictures of a slideshow on one page.
extension ViewerModel {
    /// Whether the picture of a page may be one of a pair; nil while that is not known.
    private func mayPair(_ page: Int) -> Bool? {
        switch pager.content(of: page) {
        case .picture:
            PairLayout.mayPair(
                geometry(of: page).rotatedSize(rotation: pager.rotation(of: page)),
                on: viewport.size)
        case .failure: false
        case nil: nil
        }
    }

    /// The picture that comes together with `next`; nil if that one comes alone.
    ///
    /// `isKnown` is false while that depends on a picture that is loading.
    func partner(of next: Int) -> (index: Int?, isKnown: Bool) {
        guard settings.slideshow.pairs, mayPair(next) == true,
            let second = slideshow.second, second != next, second != pager.page,
            second != slideshow.partner?.index
        else { return (nil, true) }
        switch mayPair(second) {
        case false?: return (nil, true)
        case true?: return (second, pager.content(of: second)?.picture?.isWhole == true)
        case nil: return (nil, false)
        }
    }

    /// Puts the picture of the current page and another one into the areas of a pair.
    mutating func showPair(with second: Int) {
        guard let picture = pager.content(of: second)?.picture else { return }
        let areas = PairLayout.areas(of: viewport.size, isMirrored: pager.isMirrored)
        zoomPan.rest(
            at: PairLayout.placement(
                of: geometry, rotation: pager.rotation(of: pager.page), in: areas[0]))
        let placement = PairLayout.placement(
            of: geometry(of: second), rotation: pager.rotation(of: second), in: areas[1])
        slideshow.showPartner(
            SlidePartner(picture: picture, index: second, placement: placement))
    }

    /// Gives the finger the picture of a pair at a point of the surface, or the first one without a
    /// point; the other one fades out.
    ///
    /// The chosen picture stays where it is, and comes to rest at fit after the gesture.
    mutating func chooseFromPair(
        at point: Point?, _ moment: Moment, effects: inout [ViewerEffect]
    ) {
        guard let partner = slideshow.partner else { return }
        slideshow.partner = nil
        let areas = PairLayout.areas(of: viewport.size, isMirrored: pager.isMirrored)
        guard let point, areas[1].contains(point),
            let picture = pager.picture, zoomPan.isShown, zoomPan.held == nil
        else {
            slideshow.leaving = LeavingPartner(partner: partner, start: moment)
            return
        }
        let first = SlidePartner(
            picture: picture, index: pager.page, placement: zoomPan.drawnPlacement(at: moment))
        slideshow.leaving = LeavingPartner(partner: first, start: moment)
        pager.jump(to: partner.index)
        zoomPan.rest(at: partner.placement)
        slideshow.show(partner.index, from: moment)
        effects.append(.want)
    }

    /// Turns the place of a picture that a finger has just chosen from a pair into an offset of its page,
    /// if the finger goes sideways: so the page follows the finger, and can be turned.
    mutating func displacePage(for translation: Vector, at moment: Moment) {
        guard let leaving = slideshow.leaving, case .resting(var placement) = zoomPan.state,
            abs(translation.dx) > abs(translation.dy), pager.offset.isAtRest(at: moment)
        else { return }
        let middle = geometry.restRange(zoom: placement.zoom, rotation: placement.rotation)
            .clamp(placement.center).x
        let shift = placement.center.x - middle
        guard shift != 0 else { return }
        placement.center.x = middle
        zoomPan.rest(at: placement)
        pager.hold(at: shift)
        slideshow.leaving = leaving.displaced(by: -shift)
    }

    /// Lets the second picture of a pair go, because the first one moves.
    mutating func endPair(at moment: Moment) {
        guard let partner = slideshow.partner else { return }
        slideshow.partner = nil
        slideshow.leaving = LeavingPartner(partner: partner, start: moment)
    }

    /// Shows the picture of a pair at a point alone, at fit.
    mutating func dissolvePair(at point: Point, _ moment: Moment, effects: inout [ViewerEffect]) {
        guard slideshow.partner != nil else { return }
        chooseFromPair(at: point, moment, effects: &effects)
        settleAtFit(at: moment)
    }

    /// Moves a picture that has lost its partner to fit, unless a finger holds the picture.
    mutating func settleAtFit(at moment: Moment) {
        guard zoomPan.held == nil, zoomPan.isShown else { return }
        travel(
            from: zoomPan.computedPlacement(at: moment), to: fitOfCurrentPage,
            pivot: viewport.center, at: moment)
    }
}
