import Geometry
import SceneModel

/// The looks of the dial that straightens: a ruler of degrees below a mark, and the angle as text.
struct DialFace {
    let theme: Theme
    /// The dial in its layer, in logical pixels.
    let rect: Rect
    let degrees: Double

    private static let padding = Theme.Space.widget

    var elements: [LayerItem.Element] {
        [
            .box(
                .init(
                    rect, theme.ground, cornerRadius: min(rect.height / 2, Theme.target / 2),
                    border: theme.border)),
            .group(clip: ruler, ticks), .box(mark), .box(field), .text(label),
        ]
    }

    /// The text at the start of the dial.
    private var label: LayerItem.Label {
        .init(
            Rect(
                x: rect.x + Self.padding, y: rect.y, width: labelWidth, height: rect.height),
            CropDial.text(degrees), theme.number, theme.text, .center)
    }

    /// The edge around the text, which a person can edit.
    private var field: LayerItem.Box {
        .init(
            Rect(
                x: rect.x + Self.padding, y: rect.y + Self.padding, width: labelWidth,
                height: max(rect.height - 2 * Self.padding, 0)), theme.hovered,
            cornerRadius: Theme.radius - 2,
            border: theme.border)
    }

    private var labelWidth: Double { min((60 * theme.textScale).rounded(.up), rect.width / 3) }

    /// The area of the ruler; the mark is in its middle.
    var ruler: Rect {
        let left = rect.x + Self.padding + labelWidth + Self.padding
        return Rect(
            x: left, y: rect.y + 6, width: max(rect.maxX - 2 * Self.padding - left, 1),
            height: rect.height - 12)
    }

    private var mark: LayerItem.Box {
        let width = 3.0
        return .init(
            Rect(
                x: ruler.center.x - width / 2, y: ruler.y, width: width, height: ruler.height),
            theme.accentOnGround, cornerRadius: width / 2)
    }

    private var ticks: [LayerItem.Element] {
        let position = CropDial.position(of: degrees)
        let reach = ruler.width / 2
        let most = Int(CropDial.largest)
        return (-most...most).compactMap { degree in
            let away = (CropDial.position(of: Double(degree)) - position) * CropDial.spacing
            guard abs(away) < reach else { return nil }
            let isLong = degree.isMultiple(of: 5)
            let height = degree == 0 ? ruler.height * 0.72 : ruler.height * (isLong ? 0.5 : 0.28)
            let width = isLong ? 2.0 : 1.0
            // The ruler fades towards its ends.
            let share = min((reach - abs(away)) / 32, 1)
            let color = (isLong ? theme.text : theme.dimText).faded(share)
            return .box(
                .init(
                    Rect(
                        x: ruler.center.x + away - width / 2,
                        y: ruler.center.y - height / 2, width: width, height: height), color))
        }
    }
}
