package import Geometry
import Gestures
import Glibc
package import Motion
package import SceneModel

/// What one frame shows, and what the trace says of it.
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
    /// Set on the one frame that follows the release that dismissed.
    package var isDismissed: Bool
    package var showsChrome: Bool
    package var message: String?
}

extension Viewer {
    /// The height of the bar at the top, in logical pixels: a finger's width.
    static let barHeight = 48.0
    /// The widest that a message gets, in logical pixels.
    private static let messageWidth = 640.0

    var chromeBar: Rect {
        Rect(x: 0, y: 0, width: viewport.size.width, height: Self.barHeight)
    }

    /// The part of the bar that closes the viewer.
    var closeButton: Rect {
        let width = min(64, viewport.size.width)
        return Rect(
            x: viewport.size.width - width, y: 0, width: width, height: Self.barHeight)
    }

    /// What the surface shows at `moment`; `title` is the selected picture's name.
    package mutating func frame(at moment: Moment, title: String) -> ViewerFrame {
        let placement = placement(at: moment)
        let frame = ViewerFrame(
            scene: scene(at: moment, title: title), index: index, count: count,
            viewport: viewport, picture: shown?.size, placement: placement,
            limits: placement.map { limits(rotation: $0.rotation) }, phase: phase(at: moment),
            activity: activity, dismissProgress: dismissProgress(at: moment),
            isDismissed: justDismissed, showsChrome: chrome, message: message?.text)
        justDismissed = false
        return frame
    }

    private func phase(at moment: Moment) -> ViewerFrame.Phase {
        if case .held = state { return .touching }
        return isAnimating(at: moment) ? .animating : .idle
    }

    private var activity: ViewerFrame.Activity {
        guard case .held(let hold) = state else { return .none }
        switch hold.kind {
        case .pan, .swipe, .dismiss:
            if hold.source == .scroll { return .scroll }
            if hold.kind == .dismiss { return .dismiss }
            return hold.kind == .swipe ? .swipe : .pan
        case .pinch: return .pinch
        case .quickZoom: return .zoomDrag
        }
    }

    private func dismissProgress(at moment: Moment) -> Double {
        switch state {
        case .leaving: 1
        case .held, .empty, .resting, .moving: 1 - backdrop(at: moment)
        }
    }

    private func scene(at moment: Moment, title: String) -> Scene {
        var items: [SceneItem] = []
        if let shown, let placement = placement(at: moment) {
            var opacity = 1.0
            if case .leaving(_, let fading, _) = state {
                opacity = min(max(fading.value(at: moment), 0), 1)
            }
            items.append(
                .picture(
                    PictureItem(
                        source: .init(picture: shown.index, revision: shown.revision),
                        size: shown.size, placement: placement, opacity: opacity)))
        }
        if chrome { items.append(.panel(bar(title: title, at: moment))) }
        if let message { items.append(.panel(panel(for: message.text))) }
        return Scene(
            size: viewport.size, scale: viewport.scale, backdrop: backdrop(at: moment),
            items: items)
    }

    private func bar(title: String, at moment: Moment) -> PanelItem {
        var place = count > 1 ? "\(index + 1) / \(count)" : ""
        if let placement = placement(at: moment) {
            let percent = Int((placement.zoom * viewport.scale * 100).rounded())
            place += place.isEmpty ? "\(percent) %" : " · \(percent) %"
        }
        return PanelItem(
            rect: chromeBar,
            labels: [
                .init(title, weight: .bold), .init(place, alignment: .center),
                .init("✕", alignment: .trailing),
            ],
            sharesLine: true)
    }

    private func panel(for text: String) -> PanelItem {
        let size = viewport.size
        let width = max(min(Self.messageWidth, size.width - 32), 1)
        let height = 72.0
        return PanelItem(
            rect: Rect(
                center: Point(
                    x: size.width / 2,
                    y: shown == nil ? size.height / 2 : size.height - height / 2 - 24),
                size: Size(width: width, height: height)),
            cornerRadius: 14, labels: [.init(text, alignment: .center)])
    }
}
