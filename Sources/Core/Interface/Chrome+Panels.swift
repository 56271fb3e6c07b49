import Geometry
package import Gestures
package import Motion

/// The information panel, and gestures on the panels.
extension Chrome {
    /// A wheel detent or a key scrolls the information panel by this distance, in logical pixels.
    private static let panelStep = 69.0

    package var showsInformation: Bool { panel.isShown }

    /// Whether the panel covers the place of the bars at the bottom.
    package var panelCoversBottom: Bool { panel.isShown && panel.isNarrow }

    /// How much of the surface's width a panel at the side covers, in logical pixels: in the middle
    /// of the height, and where the bars at the bottom are.
    package func panelWidth(at moment: Moment) -> (middle: Double, bottom: Double) {
        (panel.coveredWidth(at: moment), panel.coveredWidthAtBottom(at: moment))
    }

    /// Sets the content of the information panel; `isOther` says that the content describes another
    /// picture than before.
    package mutating func setInformation(_ information: Information?, isOther: Bool) {
        panel.set(information, isOther: isOther)
    }

    /// The information panel with its rows; nil while it is hidden or leaves.
    func panelWidget(at moment: Moment) -> Widget? {
        panel.isShown ? panel.widget(at: moment) : nil
    }

    package mutating func toggleInformation(at moment: Moment) {
        panel.isShown ? hideInformation(at: moment) : showInformation(at: moment)
    }

    package mutating func showInformation(at moment: Moment) {
        panel.set(isShown: true, at: moment)
    }

    package mutating func hideInformation(at moment: Moment) {
        panel.set(isShown: false, at: moment)
        focus.forget(InformationPanel.closeIdentifier)
    }

    /// Scrolls a panel whose content is higher than the panel by a key; returns whether it did.
    ///
    /// `direction` is 1 for down and −1 for up.
    package mutating func scrollInformation(_ direction: Double, at moment: Moment) -> Bool {
        guard panel.isShown, panel.isScrollable else { return false }
        panel.scroll(by: direction * Self.panelStep, at: moment)
        return true
    }

    /// Handles a gesture on the help or on the information panel; returns whether the gesture was
    /// consumed.
    package mutating func handleInPanels(_ gesture: Gesture, at moment: Moment) -> Bool {
        if panel.isHeld { return panel.follow(gesture, at: moment) }
        return help != nil ? handleInHelp(gesture, at: moment) : handleInPanel(gesture, at: moment)
    }

    /// The help consumes all gestures but taps, which `tapBeside` handles, and the rest of gestures that
    /// began before the help was shown.
    private mutating func handleInHelp(_ gesture: Gesture, at moment: Moment) -> Bool {
        guard var help else { return false }
        defer { self.help = help }
        if help.isHeld { return help.follow(gesture, at: moment) }
        switch gesture {
        case .caught: help.stop(at: moment)
        case .manipulationBegan(let fingers): help.begin(fingers, at: moment)
        case .wheel(let detents, _, _): help.scroll(by: detents.dy / 120, at: moment)
        case .tap, .pen(.eraser, _), .chrome: return false
        case .manipulationChanged, .manipulationPredicted, .manipulationRebased,
            .manipulationEnded, .manipulationReverted, .resumed, .quickZoomChanged,
            .quickZoomPredicted, .quickZoomEnded:
            return false
        default: break
        }
        return true
    }

    private mutating func handleInPanel(_ gesture: Gesture, at moment: Moment) -> Bool {
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
        case .pen(.eraser, let point) where rect.contains(point): return menu == nil
        case .caught, .manipulationBegan, .wheel, .tap, .chrome, .dragOut: return false
        // All other gestures that begin on the panel mean nothing there.
        default: return gesture.point.map { rect.contains($0) } ?? false
        }
        return true
    }
}
