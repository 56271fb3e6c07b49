import Geometry
import SceneModel

/// The bar at the top of the surface: the name of the picture, its status, and a button that closes
/// the viewer.
struct Bar: Hashable, Sendable {
    /// The height, in logical pixels: the width of a finger.
    static let height = 48.0
    /// The largest width of the close button, in logical pixels.
    private static let buttonWidth = 64.0

    /// The rectangle of the bar on the surface, in logical pixels.
    let rect: Rect

    /// The bar of a surface that is `width` logical pixels wide.
    init(width: Double) {
        rect = Rect(x: 0, y: 0, width: width, height: Self.height)
    }

    /// The area that closes the viewer, in logical pixels.
    var closeButton: Rect {
        let width = min(Self.buttonWidth, rect.width)
        return Rect(x: rect.maxX - width, y: 0, width: width, height: Self.height)
    }

    /// The bar with the name of the picture, and its number and zoom as `status`.
    func item(title: String, status: String) -> PanelItem {
        PanelItem(
            rect: rect,
            labels: [
                .init(title, weight: .bold), .init(status, alignment: .center),
                .init("✕", alignment: .trailing),
            ],
            sharesLine: true)
    }
}
