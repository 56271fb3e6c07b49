package import Commands
package import Geometry
package import Gestures
package import Motion
package import SceneModel

/// What lies over the picture: the bar, the menu, the information panel and a timed message.
package struct Chrome: Hashable, Sendable {
    /// What the owner of the chrome does after a tap or a key.
    package enum Response: Hashable, Sendable {
        /// The input is not for the chrome.
        case ignored
        /// The chrome has handled the input.
        case consumed
        case perform(Command)
        /// The close button was tapped.
        case close
    }

    package private(set) var showsBar = false
    private(set) var menu: Menu?
    private(set) var panel: InformationPanel
    private(set) var message: TimedMessage?
    /// In logical pixels.
    private(set) var surface: Size

    /// A wheel detent or a key scrolls the information panel by this distance, in logical pixels.
    private static let panelStep = 69.0
    /// A wheel detent scrolls the menu by this distance, in logical pixels.
    private static let menuStep = 80.0

    /// Nothing is shown at first; the size of the surface is in logical pixels.
    package init(on surface: Size, reducesMotion: Bool, text: TextMeasurement) {
        self.surface = surface
        panel = InformationPanel(on: surface, reducesMotion: reducesMotion, text: text)
    }

    /// Sets the size of the surface, in logical pixels; closes the menu.
    package mutating func resize(to surface: Size) {
        self.surface = surface
        menu = nil
        panel.resize(to: surface)
    }

    /// The areas of the surface where touches are for the chrome and not for the picture.
    package var area: ChromeArea {
        ChromeArea(bar: showsBar ? bar.rect : nil, menu: menu?.rect)
    }

    var bar: Bar { Bar(width: surface.width) }

    // MARK: Bar and message

    package mutating func toggleBar() { showsBar.toggle() }

    /// Shows a message for a limited time instead of the last one; nil shows none.
    package mutating func show(message text: String?, at moment: Moment) {
        message = text.map { TimedMessage($0, at: moment) }
    }

    package mutating func hideMessage() { message = nil }

    /// The text of the message; nil while none is shown.
    package var messageText: String? { message?.text }

    /// Hides the bar, the menu and the message at once.
    package mutating func hide() { (showsBar, menu, message) = (false, nil, nil) }

    // MARK: Menu

    /// Opens a menu at a point of the surface, in logical pixels.
    package mutating func openMenu(_ items: [Menu.Item], at point: Point) {
        menu = Menu(items, at: point, on: surface)
    }

    package mutating func closeMenu() { menu = nil }

    package var showsMenu: Bool { menu != nil }

    /// Scrolls the menu with a finger, `distance` logical pixels down.
    package mutating func dragMenu(by distance: Double) { menu?.drag(by: distance) }

    /// Scrolls an open menu by the wheel, in 1/120 of a detent, positive down; returns whether the
    /// menu is open.
    package mutating func turnWheelOnMenu(_ units: Double) -> Bool {
        menu?.drag(by: -units / 120 * Self.menuStep)
        return menu != nil
    }

    /// Handles a key while the menu is open: a key that the menu does not know closes it, too.
    package mutating func handleInMenu(_ command: Command) -> Response {
        guard var menu else { return .ignored }
        self.menu = nil
        switch command {
        case .down, .up:
            menu.moveFocus(by: command == .down ? 1 : -1)
            self.menu = menu
        case .chrome, .next:
            guard let focused = menu.focusedCommand else {
                return command == .chrome ? .consumed : .ignored
            }
            return .perform(focused)
        case .leave, .menu: break
        default: return .ignored
        }
        return .consumed
    }

    // MARK: Taps

    /// Handles a tap that began on the bar or on the menu.
    package mutating func tap(at point: Point) -> Response {
        if let menu {
            self.menu = nil
            return menu.command(at: point).map { .perform($0) } ?? .consumed
        }
        return showsBar && bar.closeButton.contains(point) ? .close : .ignored
    }

    /// Handles a tap beside the chrome: it closes the menu, or else the information panel; returns
    /// whether one of them was open.
    package mutating func tapBeside(at moment: Moment) -> Bool {
        if menu != nil {
            menu = nil
            return true
        }
        guard panel.isShown else { return false }
        hideInformation(at: moment)
        return true
    }

    // MARK: Information panel

    package var showsInformation: Bool { panel.isShown }

    /// Sets the content of the information panel; `isOther` says that the content describes another
    /// picture than before.
    package mutating func setInformation(_ information: Information?, isOther: Bool) {
        panel.set(information, isOther: isOther)
    }

    package mutating func toggleInformation(at moment: Moment) {
        panel.set(isShown: !panel.isShown, at: moment)
    }

    package mutating func hideInformation(at moment: Moment) {
        panel.set(isShown: false, at: moment)
    }

    /// Scrolls a panel whose content is higher than the panel by a key; returns whether it did.
    ///
    /// `direction` is 1 for down and −1 for up.
    package mutating func scrollInformation(_ direction: Double, at moment: Moment) -> Bool {
        guard panel.isShown, panel.isScrollable else { return false }
        panel.scroll(by: direction * Self.panelStep, at: moment)
        return true
    }

    /// Handles a gesture on the information panel; returns whether the panel consumed it.
    package mutating func handleInPanel(_ gesture: Gesture, at moment: Moment) -> Bool {
        if panel.isHeld { return panel.follow(gesture, at: moment) }
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

    // MARK: Time

    /// Whether the content of the information panel scrolls, so that a touch would stop it.
    package func isScrolling(at moment: Moment) -> Bool { panel.isScrolling(at: moment) }

    /// Whether the next frame can differ from this one without any event.
    package func isAnimating(at moment: Moment) -> Bool { panel.isAnimating(at: moment) }

    /// When the message disappears; nil while none is shown.
    package var deadline: Moment? { message?.end }

    /// Ends the motions and the message that are over at `moment`.
    package mutating func advance(to moment: Moment) {
        panel.advance(to: moment)
        if let end = message?.end, moment >= end { message = nil }
    }
}
