import Geometry
import Interface
import Localization
import Motion
import SceneModel

/// `viewer.keep_zoom`: the next picture shows the same view as the last one.
extension ViewerModel {
    /// Switches the setting by a command, and says so.
    mutating func toggleKeepZoom(at moment: Moment, effects: inout [ViewerEffect]) {
        settings.keepZoom.toggle()
        effects.append(.choose("viewer.keep_zoom", isOn: settings.keepZoom))
        keptView = nil
        chrome.show(
            message: settings.keepZoom
                ? localized("The next picture keeps zoom and place")
                : localized("The next picture is shown at fit"),
            at: moment)
    }

    /// The view of the current page's picture at the resting placement `rest`, or the last view
    /// where the page has no picture; nil without `keep_zoom`.
    private func view(at rest: Placement) -> RelativeView? {
        guard settings.keepZoom, hasPicture else { return settings.keepZoom ? keptView : nil }
        return RelativeView(of: rest, on: geometry, last: keptView, chosen: chosenZoom)
    }

    /// Remembers the view of the current page for the picture that comes next.
    mutating func rememberView() {
        if zoomPan.isShown { keptView = view(at: goalOfCurrentPage) }
    }

    /// Where the picture of the current page comes to rest.
    var goalOfCurrentPage: Placement {
        guard let held = zoomPan.held else { return zoomPan.goal }
        return geometry.nearestRest(to: held.placement, about: held.placement.center)
    }

    /// The placement at which the picture of the current page, which was shown elsewhere or not at
    /// all, comes to rest: at fit, or in the remembered view.
    var restOfCurrentPage: Placement { rest(ofPage: pager.page, in: keptView) }

    /// The resting placement of a page that slides in while the picture of the current page is drawn
    /// at `drawn`: the neighbour is drawn where it would come to rest.
    func rest(ofPage page: Int, beside drawn: Placement) -> Placement {
        guard settings.keepZoom else { return rest(ofPage: page, in: nil) }
        let shown = geometry.nearestRest(to: drawn, about: drawn.center)
        return rest(ofPage: page, in: zoomPan.isShown ? view(at: shown) : keptView)
    }

    private func rest(ofPage page: Int, in view: RelativeView?) -> Placement {
        let (geometry, rotation) = (geometry(of: page), pager.rotation(of: page))
        guard let view, pager.content(of: page)?.picture != nil else {
            return geometry.fit(rotation: rotation)
        }
        return view.placement(rotation: rotation, on: geometry)
    }
}
