import Commands
import Geometry
import Gestures
import Input
package import Motion
import SceneModel

/// The settings page over the content: while it is shown, all input belongs to it.
extension Chrome {
    package var showsSettings: Bool { !$settings.isNil && settings?.isShown == true }

    /// The settings page that takes input.
    var shownSettings: SettingsSheet? { showsSettings ? settings : nil }

    /// Shows the settings page.
    package mutating func showSettings(_ page: SettingsPage, at moment: Moment) {
        endEditing(at: moment)
        (overlay, touch) = (nil, nil)
        (focus.pressed, focus.hovered) = (nil, nil)
        settings = SettingsSheet(page, on: layout, at: moment)
        bars.use(at: moment)
    }

    /// Shows other values on the settings page, if it is shown.
    package mutating func updateSettings(_ page: SettingsPage) { settings?.update(page) }

    /// Goes on showing the settings page of another chrome, which has none then.
    package mutating func receiveSettings(from other: inout Chrome) {
        guard var received = other.settings else { return }
        (other.settings, other.touch) = (nil, nil)
        received.resize(to: layout)
        usesKeys = other.usesKeys
        (overlay, touch) = (nil, nil)
        settings = received
    }

    /// Closes the settings page, or else the help.
    package mutating func closeSheet(at moment: Moment) {
        guard showsSettings else { return closeHelp(at: moment) }
        settings?.leave(at: moment)
        (touch, focus.pressed, focus.hovered) = (nil, nil, nil)
        bars.use(at: moment)
    }

    /// Does what a widget of the settings page asks for; returns the changes that the owner makes, in
    /// their order.
    package mutating func perform(
        _ action: SettingsAction, at moment: Moment
    ) -> [SettingChange] {
        settings?.perform(action, at: moment) ?? []
    }

    // MARK: Input

    /// Handles a key while the settings page is shown; nil where it is not.
    mutating func handleInSettings(_ key: KeyEvent, at moment: Moment) -> Response? {
        guard showsSettings else { return nil }
        if key.action != .up { usesKeys = true }
        return settings?.handle(key, at: moment).map { .act($0) } ?? .consumed
    }

    /// Handles a command that comes without a key; nil where it is not for the settings page.
    mutating func handleInSettings(_ command: Command, at moment: Moment) -> Response? {
        guard showsSettings else { return nil }
        return settings?.handle(command, at: moment).response { $0 }
    }

    /// Handles a gesture while the settings page is shown; nil for gestures on buttons, and for the
    /// rest of gestures that began before.
    mutating func handleInSettings(_ gesture: Gesture, at moment: Moment) -> Response? {
        guard var sheet = shownSettings else { return nil }
        defer { if settings?.isShown == true { settings = sheet } }
        switch sheet.area.handleOnSheet(gesture, at: moment, isStill: reducesMotion) {
        case .tap(let point):
            let widget = sheet.widget(at: moment)
            guard widget.rect.contains(point) else { return .act(.closeSheet) }
            guard let target = widget.target(at: point) else {
                sheet.withdrawQuestion()
                return .consumed
            }
            sheet.setFocus(target.id, at: moment)
            return target.action.map { .act($0) } ?? .consumed
        case .consumed: return .consumed
        case .passed: return nil
        }
    }

    // MARK: Looks

    /// The dimmed surface and the settings page, below the message.
    func settingsItems(at moment: Moment) -> [SceneItem] {
        guard let settings else { return [] }
        var shown = focus
        // The ring is for keys.
        shown.focused = usesKeys && settings.isShown ? settings.focus : nil
        return settings.reveal.items(
            of: settings.widget(at: moment), on: layout, shown, at: moment)
    }
}
