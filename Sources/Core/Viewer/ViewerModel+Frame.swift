package import Geometry
import Gestures
import Interface
package import Motion
package import SceneModel

/// The visible cells of the filmstrip.
package struct FilmstripFrame: Hashable, Sendable {
    package struct Cell: Hashable, Sendable {
        package var index: Int
        /// Logical pixels of the surface.
        package var rect: Rect
    }

    package var cells: [Cell]
    /// 0…1.
    package var opacity: Double
    /// The area that the cells do not leave, in logical pixels; nil without cells.
    package var clip: Rect?
}

/// The scene of one frame, and the values that the trace reports about the frame.
package struct ViewerFrame: Sendable {
    package enum Phase: String, Sendable { case idle, touching, animating }

    package enum Activity: String, Sendable {
        case none, pan, pinch, swipe, dismiss, scroll
        case zoomDrag = "zoom-drag"
    }

    package var scene: Scene
    package var index: Int
    package var count: Int
    package var viewport: Viewport
    package var picture: PixelSize?
    package var placement: Placement?
    package var limits: ZoomLimits?
    package var phase: Phase
    package var activity: Activity
    /// The cells of the filmstrip, in logical pixels; empty while it is hidden.
    package var filmstrip: FilmstripFrame
    /// The place of the filmstrip's pictures among the items of the scene: above the bars, below menus and sheets.
    package var filmstripPlace: Int
    /// Progress of a dismissal, 0…1.
    package var dismissProgress: Double
    /// Set only for the first frame after the release that dismissed.
    package var isDismissed: Bool
    package var showsChrome: Bool
    package var showsMenu: Bool
    package var showsInformation: Bool
    package var showsHelp: Bool
    /// The identifier of the widget with the focus; nil without one.
    package var focus: String?
    package var message: String?
    /// Nil while no slideshow plays.
    package var slideshow: SlideshowState?
}

extension ViewerModel {
    /// Whether a single tap has to wait for a second one.
    package var waitsForDoubleTap: Bool {
        hasPicture && !chrome.showsMenu && !chrome.showsInformation && !chrome.showsHelp
            && !chrome.isModal
    }

    /// The frame at `moment`; `title` is the name of the selected picture.
    ///
    /// The caller reports a frame that was used with `acknowledgeFrame`.
    package func frame(at moment: Moment, title: String) -> ViewerFrame {
        let placement = placement(at: moment)
        let (scene, filmstripPlace) = scene(at: moment, title: title)
        return ViewerFrame(
            scene: scene, index: index, count: count,
            viewport: viewport, picture: hasPicture ? pager.picture?.size : nil,
            placement: placement,
            limits: placement.map { limits(rotation: $0.rotation) }, phase: phase(at: moment),
            activity: activity, filmstrip: filmstripFrame(at: moment),
            filmstripPlace: filmstripPlace,
            dismissProgress: dismissProgress(at: moment),
            isDismissed: isDismissalUnreported,
            showsChrome: ownsChrome && chrome.showsBars,
            showsMenu: chrome.showsMenu, showsInformation: chrome.showsInformation,
            showsHelp: chrome.showsHelp, focus: chrome.focusedWidget,
            message: message, slideshow: slideshowState(at: moment))
    }

    /// Reports that the caller has used a frame: the next one does not report the same dismissal
    /// again.
    package mutating func acknowledgeFrame() { isDismissalUnreported = false }

    private func phase(at moment: Moment) -> ViewerFrame.Phase {
        if zoomPan.held != nil || crop?.model.isHeld == true { return .touching }
        return isAnimating(at: moment) ? .animating : .idle
    }

    private var activity: ViewerFrame.Activity {
        guard let manipulation = zoomPan.held else { return .none }
        switch manipulation.kind {
        case .pan, .swipe, .dismiss:
            if manipulation.source == .scroll { return .scroll }
            if manipulation.kind == .dismiss {
                let isHeld = manipulation.dismissalDrag.isHeld(manipulation.rawOverscroll.dy)
                return isHeld ? .pan : .dismiss
            }
            return manipulation.kind == .swipe || manipulation.pagerOffset != 0 ? .swipe : .pan
        case .pinch: return .pinch
        case .quickZoom: return .zoomDrag
        }
    }

    private func dismissProgress(at moment: Moment) -> Double {
        zoomPan.isShown ? 1 - backdropOpacity(at: moment) : 1
    }

    // MARK: The scene

    private func scene(at moment: Moment, title: String) -> (Scene, filmstripPlace: Int) {
        var items = lit(pageItems(at: moment) + slideOverlayItems(at: moment), at: moment)
        var place = items.count
        if ownsChrome {
            // The bars are laid out only where they are shown.
            let layers = chrome.layers(
                bars: isCropping
                    ? cropBars(at: moment).widgets : bars(title: title, at: moment).widgets,
                at: moment)
            place += layers.bars.count
            items += layers.bars + layers.above
        }
        let scene = Scene(
            size: viewport.size, scale: viewport.scale, backdrop: backdropOpacity(at: moment),
            items: items)
        return (scene, place)
    }

    /// The visible pages, the current page above its neighbours.
    private func pageItems(at moment: Moment) -> [SceneItem] {
        guard !zoomPan.isGone else { return [] }
        if isCropping { return cropItems(at: moment) }
        let displacement = drawnPagerOffset(at: moment)
        let page = pager.page
        var items: [SceneItem] = []
        for other in pager.visiblePages(displacedBy: displacement) where other != page {
            let offset = displacement + Double(other - page) * pager.stride
            let placement = placement(onPage: other, at: moment)
            items += marginItems(ofPage: other, placement, displacedBy: offset, at: moment)
            items += item(of: other, placement, displacedBy: offset, at: moment)
        }
        let fade = fadeItems(at: moment)
        if fade.share < 1 {
            items += fade.items
        } else {
            items += marginItems(
                ofPage: page, zoomPan.drawnPlacement(at: moment), displacedBy: displacement,
                at: moment)
        }
        return items
            + item(
                of: page, zoomPan.drawnPlacement(at: moment), displacedBy: displacement,
                opacity: (zoomPan.leavingMotion?.opacity(at: moment) ?? 1) * fade.share,
                at: moment)
            + partnerItems(displacedBy: displacement, opacity: fade.share, at: moment)
    }

    /// The items of a page: its picture, or its error message.
    private func item(
        of page: Int, _ placement: Placement, displacedBy displacement: Double,
        opacity: Double = 1, at moment: Moment
    ) -> [SceneItem] {
        var placement = placement
        placement.center.x += displacement
        switch pager.content(of: page) {
        case .picture(let picture):
            return [
                .picture(
                    PictureItem(
                        source: picture.source, size: picture.size, placement: placement,
                        opacity: opacity, clip: clip(displacedBy: displacement),
                        crop: cell.crop(ofPage: page, picture.size, at: moment),
                        hasCheckerboard: settings.checkerboard))
            ]
        case .failure(let text, _):
            return [
                .layer(
                    failureBox(text, about: placement.center).layer(
                        chrome.layout.theme, WidgetFocus()))
            ]
        case nil: return []
        }
    }

    /// The clip of a displaced page: pictures wider than the surface are cut in the middle of the
    /// gap between the pages.
    private func clip(displacedBy displacement: Double) -> Rect? {
        guard displacement != 0 else { return nil }
        let gap = pager.pitch - viewport.size.width
        return Rect(
            x: displacement - gap / 2, y: 0, width: pager.pitch, height: viewport.size.height)
    }

    private func filmstripFrame(at moment: Moment) -> FilmstripFrame {
        let (cells, opacity) = filmstripCells(at: moment)
        return FilmstripFrame(
            cells: cells.map { .init(index: $0.index, rect: $0.rect) }, opacity: opacity,
            clip: cells.isEmpty ? nil : bars(at: moment).filmstripArea)
    }
}
