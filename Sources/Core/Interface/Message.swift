package import Geometry
import Motion
package import SceneModel

/// A message that is shown for a limited time.
struct TimedMessage: Hashable, Sendable {
    let text: String
    /// When the message disappears by itself.
    let end: Moment

    /// How long a message is shown, in milliseconds.
    private static let duration = 5000.0

    /// A message that is shown from `moment` on.
    init(_ text: String, at moment: Moment) {
        self.text = text
        end = moment.advanced(byMilliseconds: Self.duration)
    }
}

/// The panel of a message: one line of text.
package enum MessagePanel {
    /// The largest width, in logical pixels.
    private static let width = 640.0
    /// The height, in logical pixels: one line of text and padding.
    private static let height = 72.0
    /// The distance to the lower edge of the surface, in logical pixels.
    private static let margin = 24.0

    /// The panel of `text` at `center`, a point in logical pixels; its width is limited by the
    /// `surface`.
    package static func item(_ text: String, at center: Point, on surface: Size) -> PanelItem {
        let width = max(min(Self.width, surface.width - 32), 1)
        return PanelItem(
            rect: Rect(center: center, size: Size(width: width, height: height)),
            cornerRadius: 14, labels: [.init(text, alignment: .center)])
    }

    /// The panel of `text` at the lower edge of the surface.
    static func item(_ text: String, atBottomOf surface: Size) -> PanelItem {
        let center = Point(x: surface.width / 2, y: surface.height - height / 2 - margin)
        return item(text, at: center, on: surface)
    }
}
