package import Geometry
package import Gestures
import CMath
package import Motion
package import SceneModel

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
    /// Progress of a dismissal, 0…1.
    package var dismissProgress: Double
    /// Set only for the first frame after the release that dismissed.
    package var isDismissed: Bool
    package var showsChrome: Bool
    package var showsMenu: Bool
    package var showsInformation: Bool
    package var message: String?
}

extension ViewerModel {
    /// The height of the bar at the top, in logical pixels: the width of a finger.
    static let barHeight = 48.0
    /// The largest width of a message, in logical pixels.
    private static let messageWidth = 640.0
    /// The height of a message, in logical pixels: one line of text and padding.
    private static let messageHeight = 72.0

    var chromeBar: Rect {
        Rect(x: 0, y: 0, width: viewport.size.width, height: Self.barHeight)
    }

    /// The areas of the surface where touches are for the chrome and not for the picture.
    package var chromeArea: ChromeArea {
        ChromeArea(bar: chrome ? chromeBar : nil, menu: menu?.rect)
    }

    /// Whether a single tap has to wait for a second one.
    package var waitsForDoubleTap: Bool { hasPicture && menu == nil && !panel.isShown }

    /// The area of the bar that closes the viewer, in logical pixels.
    var closeButton: Rect {
        let width = min(64, viewport.size.width)
        return Rect(
            x: viewport.size.width - width, y: 0, width: width, height: Self.barHeight)
    }

    /// The frame at `moment`; `title` is the name of the selected picture.
    package mutating func frame(at moment: Moment, title: String) -> ViewerFrame {
        let placement = placement(at: moment)
        let frame = ViewerFrame(
            scene: scene(at: moment, title: title), index: index, count: count,
            viewport: viewport, picture: hasPicture ? pages[page]?.picture?.size : nil,
            placement: placement,
            limits: placement.map { limits(rotation: $0.rotation) }, phase: phase(at: moment),
            activity: activity, dismissProgress: dismissProgress(at: moment),
            isDismissed: justDismissed, showsChrome: chrome, showsMenu: menu != nil,
            showsInformation: panel.isShown,
            message: message)
        justDismissed = false
        return frame
    }

    private func phase(at moment: Moment) -> ViewerFrame.Phase {
        if case .held = state { return .touching }
        return isAnimating(at: moment) ? .animating : .idle
    }

    private var activity: ViewerFrame.Activity {
        guard case .held(let manipulation) = state else { return .none }
        switch manipulation.kind {
        case .pan, .swipe, .dismiss:
            if manipulation.source == .scroll { return .scroll }
            if manipulation.kind == .dismiss { return .dismiss }
            return manipulation.kind == .swipe || manipulation.pagerOffset != 0 ? .swipe : .pan
        case .pinch: return .pinch
        case .quickZoom: return .zoomDrag
        }
    }

    private func dismissProgress(at moment: Moment) -> Double {
        switch state {
        case .leaving, .returningToCell, .gone: 1
        case .held, .resting, .moving: 1 - backdrop(at: moment)
        }
    }

    // MARK: The scene

    private func scene(at moment: Moment, title: String) -> Scene {
        var items = pageItems(at: moment)
        items += panelItems(at: moment)
        if chrome { items.append(.panel(bar(title: title, at: moment))) }
        if let notice { items.append(.panel(panel(for: notice.text, at: noticeCenter))) }
        if let menu { items += rows(of: menu) }
        return Scene(
            size: viewport.size, scale: viewport.scale, backdrop: backdrop(at: moment),
            items: items)
    }

    /// The visible pages, the current page above its neighbours.
    private func pageItems(at moment: Moment) -> [SceneItem] {
        if case .gone = state { return [] }
        let displacement = drawnPagerOffset(at: moment)
        let pitch = Paging.pitch(width: viewport.size.width)
        var items: [SceneItem] = []
        for other in visiblePages(at: moment) where other != page {
            let offset = displacement + Double(other - page) * pitch
            items += item(
                of: other, placement(onPage: other, at: moment), displacedBy: offset, at: moment)
        }
        var opacity = 1.0
        if case .leaving(_, let fading, _) = state {
            opacity = min(max(fading.value(at: moment), 0), 1)
        }
        return items
            + item(
                of: page, placementOnPage(at: moment), displacedBy: displacement,
                opacity: opacity, at: moment)
    }

    /// The items of a page: its picture, or its error message.
    private func item(
        of page: Int, _ placement: Placement, displacedBy displacement: Double,
        opacity: Double = 1, at moment: Moment
    ) -> [SceneItem] {
        var placement = placement
        placement.center.x += displacement
        switch pages[page] {
        case .picture(let picture):
            return [
                .picture(
                    PictureItem(
                        source: picture.source, size: picture.size, placement: placement,
                        opacity: opacity, clip: clip(displacedBy: displacement),
                        crop: crop(ofPage: page, picture.size, at: moment),
                        hasCheckerboard: settings.checkerboard))
            ]
        case .failure(let text): return [.panel(panel(for: text, at: placement.center))]
        case nil: return []
        }
    }

    /// The clip of a displaced page: pictures wider than the surface are cut in the middle of the
    /// gap between the pages.
    private func clip(displacedBy displacement: Double) -> Rect? {
        guard displacement != 0 else { return nil }
        let pitch = Paging.pitch(width: viewport.size.width)
        let gap = pitch - viewport.size.width
        return Rect(
            x: displacement - gap / 2, y: 0, width: pitch, height: viewport.size.height)
    }

    // MARK: Panels

    private func bar(title: String, at moment: Moment) -> PanelItem {
        var status = count > 1 ? "\(index + 1) / \(count)" : ""
        if let placement = placement(at: moment) {
            let percent = Int((placement.zoom * viewport.scale * 100).rounded())
            status += status.isEmpty ? "\(percent) %" : " · \(percent) %"
        }
        return PanelItem(
            rect: chromeBar,
            labels: [
                .init(title, weight: .bold), .init(status, alignment: .center),
                .init("✕", alignment: .trailing),
            ],
            sharesLine: true)
    }

    private var noticeCenter: Point {
        let size = viewport.size
        return Point(x: size.width / 2, y: size.height - Self.messageHeight / 2 - 24)
    }

    private func panel(for text: String, at center: Point) -> PanelItem {
        let width = max(min(Self.messageWidth, viewport.size.width - 32), 1)
        return PanelItem(
            rect: Rect(center: center, size: Size(width: width, height: Self.messageHeight)),
            cornerRadius: 14, labels: [.init(text, alignment: .center)])
    }

    private func rows(of menu: Menu) -> [SceneItem] {
        menu.visibleRows.map { number in
            .panel(
                PanelItem(
                    rect: menu.row(number), labels: [.init(menu.items[number].title)],
                    ground: menu.focus == number ? .highlighted : .dark, clip: menu.rect))
        }
    }
}
