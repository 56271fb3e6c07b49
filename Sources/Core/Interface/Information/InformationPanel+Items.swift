import Geometry
import Motion
import SceneModel

/// The scene items of the information panel.
extension InformationPanel {
    private static let cornerRadius = 14.0
    /// The opacity of the labels, 0…1.
    private static let labelOpacity = 0.62
    /// The width of the scroll bar, in logical pixels.
    private static let scrollBarWidth = 4.0

    func items(at moment: Moment) -> [SceneItem] {
        guard let (rect, lines, scrolled) = visible(at: moment) else { return [] }
        var ground = rect
        // At the bottom of a narrow surface the lower corners are square.
        if rect.x == 0 { ground.height += Self.cornerRadius }
        var items: [SceneItem] = [
            .panel(
                PanelItem(rect: ground, cornerRadius: Self.cornerRadius, labels: [], ground: .dense)
            )
        ]
        for line in lines { items += self.items(of: line, in: rect) }
        if let scrolled {
            let length = rect.height - 2 * Self.cornerRadius
            let scrollBar = Rect(
                x: rect.maxX - 2 * Self.scrollBarWidth,
                y: rect.y + Self.cornerRadius + scrolled.lowerBound * length,
                width: Self.scrollBarWidth,
                height: (scrolled.upperBound - scrolled.lowerBound) * length)
            items.append(
                .panel(
                    PanelItem(
                        rect: scrollBar, cornerRadius: Self.scrollBarWidth / 2, labels: [],
                        ground: .highlighted)))
        }
        return items
    }

    private func items(of line: InformationLayout.Line, in rect: Rect) -> [SceneItem] {
        let labels = InformationLayout.labelWidth
        let lines = InformationLayout.mostLines
        func item(x: Double, width: Double, _ label: PanelItem.Label, opacity: Double) -> SceneItem
        {
            .panel(
                PanelItem(
                    rect: Rect(
                        x: rect.x + x, y: rect.y + line.y, width: width,
                        height: line.height),
                    labels: [label], textSize: InformationLayout.textSize, ground: .clear,
                    opacity: opacity, clip: rect))
        }
        if line.isHeading {
            return [item(x: 0, width: rect.width, .init(line.text, weight: .bold), opacity: 1)]
        }
        let value = item(
            x: labels, width: rect.width - labels, .init(line.text, lines: lines), opacity: 1)
        guard !line.label.isEmpty else { return [value] }
        // The label may extend over the margin before the value.
        let width = labels + InformationLayout.textMargin
        let label = item(
            x: 0, width: width, .init(line.label, lines: lines), opacity: Self.labelOpacity)
        return [label, value]
    }
}
