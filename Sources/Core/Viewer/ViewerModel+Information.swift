import Geometry
import Gestures
import Motion
import SceneModel

/// The panel with information about the selected picture.
extension ViewerModel {
    /// A wheel detent or a key scrolls the panel by this distance, in logical pixels.
    private static let panelStep = 69.0
    private static let panelRadius = 14.0
    /// The opacity of the labels, 0…1.
    private static let labelOpacity = 0.62
    /// The width of the scroll bar, in logical pixels.
    private static let scrollBarWidth = 4.0

    /// Whether the panel is shown; its content should then be set.
    package var showsInformation: Bool { panel.isShown }

    /// Sets the content of the panel; `isOther` says that the content describes another picture
    /// than before.
    package mutating func tell(_ information: Information?, isOther: Bool) {
        panel.tell(information, isOther: isOther)
    }

    mutating func toggleInformation(at moment: Moment) {
        panel.set(isShown: !panel.isShown, at: moment)
    }

    mutating func hideInformation(at moment: Moment) {
        panel.set(isShown: false, at: moment)
    }

    /// Scrolls a panel whose content is higher than the panel by a key; returns whether it did.
    ///
    /// `direction` is 1 for down and −1 for up.
    mutating func scrollInformation(_ direction: Double, at moment: Moment) -> Bool {
        guard panel.isShown, panel.isScrollable else { return false }
        panel.scroll(by: direction * Self.panelStep, at: moment)
        return true
    }

    // MARK: Gestures

    /// Handles a gesture on the panel; returns whether the panel consumed it.
    mutating func handleInPanel(_ gesture: Gesture, at moment: Moment) -> Bool {
        if panel.isHeld { return follow(gesture, at: moment) }
        guard panel.isShown, let rect = panel.rect(at: moment) else { return false }
        switch gesture {
        case .caught(let point) where rect.contains(point):
            panel.stop(at: moment)
        case .manipulationBegan(let fingers) where rect.contains(fingers.base):
            menu = nil
            panel.begin(fingers, at: moment)
        case .wheel(let detents, let point, _) where rect.contains(point):
            panel.scroll(by: detents.dy / 120 * Self.panelStep, at: moment)
        // A tap closes an open menu, so the panel does not consume it then.
        case .tap(let point, _) where rect.contains(point): return menu == nil
        case .doubleTap(let point) where rect.contains(point): break
        case .twoFingerTap(let point) where rect.contains(point): break
        case .longPress(let point) where rect.contains(point): break
        case .quickZoomBegan(let point) where rect.contains(point): break
        case .scrollZoom(_, let point) where rect.contains(point): break
        default: return false
        }
        return true
    }

    /// Handles the rest of a manipulation that began on the panel; returns whether the gesture
    /// belongs to it.
    private mutating func follow(_ gesture: Gesture, at moment: Moment) -> Bool {
        switch gesture {
        case .manipulationChanged(let fingers), .manipulationPredicted(let fingers):
            panel.follow(fingers)
        case .manipulationRebased(let fingers, _): panel.rebase(fingers)
        case .manipulationEnded(let release):
            panel.end(velocity: release.isCancelled ? 0 : release.velocity.dy, at: moment)
        case .manipulationReverted, .resumed: panel.end(velocity: 0, at: moment)
        default: return false
        }
        return true
    }

    // MARK: The scene

    func panelItems(at moment: Moment) -> [SceneItem] {
        guard let (rect, lines, scrolled) = panel.visible(at: moment) else { return [] }
        var ground = rect
        // At the bottom of a narrow surface the lower corners are square.
        if rect.x == 0 { ground.height += Self.panelRadius }
        var items: [SceneItem] = [
            .panel(
                PanelItem(rect: ground, cornerRadius: Self.panelRadius, labels: [], ground: .dense))
        ]
        for line in lines { items += self.items(of: line, in: rect) }
        if let scrolled {
            let length = rect.height - 2 * Self.panelRadius
            let scrollBar = Rect(
                x: rect.maxX - 2 * Self.scrollBarWidth,
                y: rect.y + Self.panelRadius + scrolled.lowerBound * length,
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
        func item(x: Double, width: Double, _ label: PanelItem.Label, opacity: Double) -> SceneItem
        {
            .panel(
                PanelItem(
                    rect: Rect(
                        x: rect.x + x, y: rect.y + line.y, width: width,
                        height: InformationLayout.lineHeight),
                    labels: [label], textSize: InformationLayout.textSize, ground: .clear,
                    opacity: opacity, clip: rect))
        }
        if line.isHeading {
            return [item(x: 0, width: rect.width, .init(line.text, weight: .bold), opacity: 1)]
        }
        let value = item(x: labels, width: rect.width - labels, .init(line.text), opacity: 1)
        guard !line.label.isEmpty else { return [value] }
        // The label may extend over the margin before the value.
        let width = labels + InformationLayout.textMargin
        return [item(x: 0, width: width, .init(line.label), opacity: Self.labelOpacity), value]
    }
}
