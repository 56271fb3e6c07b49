import Geometry
import Gestures
import Motion
import SceneModel

/// The panel that tells of the selected picture.
extension ViewerModel {
    /// A wheel detent scrolls the panel by this, in logical pixels; a key too.
    private static let panelStep = 69.0
    private static let panelRadius = 14.0
    /// Of what names a value.
    private static let labelOpacity = 0.62
    /// Of the mark that says how much there is, in logical pixels.
    private static let markWidth = 4.0

    /// Whether the panel is shown: then somebody should say what is in it.
    package var showsInformation: Bool { panel.isShown }

    /// Takes what there is to say of the selected picture; `isOther` where the panel told of another
    /// one before.
    package mutating func tell(_ information: Information?, isOther: Bool) {
        panel.tell(information, isOther: isOther)
    }

    mutating func toggleInformation(at moment: Moment) {
        panel.set(isShown: !panel.isShown, at: moment)
    }

    mutating func hideInformation(at moment: Moment) {
        panel.set(isShown: false, at: moment)
    }

    /// Up and Down scroll what is longer than can be seen; tells whether they did.
    mutating func scrollInformation(_ way: Double, at moment: Moment) -> Bool {
        guard panel.isShown, panel.isLonger else { return false }
        panel.scroll(by: way * Self.panelStep, at: moment)
        return true
    }

    // MARK: Hands

    /// Takes what fingers do on the panel; tells whether it was the panel's.
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
        // The menu's, if it is open: a tap beside it closes it.
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

    /// What has begun on the panel stays the panel's to its end.
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
        // From below it has no lower corners.
        if rect.x == 0 { ground.height += Self.panelRadius }
        var items: [SceneItem] = [
            .panel(
                PanelItem(rect: ground, cornerRadius: Self.panelRadius, labels: [], ground: .dense))
        ]
        for line in lines { items += self.items(of: line, in: rect) }
        if let scrolled {
            let room = rect.height - 2 * Self.panelRadius
            let mark = Rect(
                x: rect.maxX - 2 * Self.markWidth,
                y: rect.y + Self.panelRadius + scrolled.lowerBound * room, width: Self.markWidth,
                height: (scrolled.upperBound - scrolled.lowerBound) * room)
            items.append(
                .panel(
                    PanelItem(
                        rect: mark, cornerRadius: Self.markWidth / 2, labels: [],
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
        // It may reach over the margin before the value.
        let width = labels + InformationLayout.textMargin
        return [item(x: 0, width: width, .init(line.label), opacity: Self.labelOpacity), value]
    }
}
