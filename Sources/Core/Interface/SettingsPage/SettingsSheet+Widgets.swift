import Geometry
import Localization
package import Motion
import SceneModel

/// The settings page as widgets.
extension SettingsSheet {
    static let identifier = "settings"
    static let close = "settings-close"
    static let back = "settings-back"
    /// The row that leads to the keys.
    static let keysRow = "settings-keys"
    static let resetAll = "settings-reset"

    /// The identifier of the row of a setting.
    static func identifier(of name: String) -> String { "setting/" + name }

    /// The sheet at `moment`, at the place where it rests.
    package func widget(at moment: Moment) -> Widget {
        let rect = rect
        let name = part == .keys ? localized("Keys") : localized("Settings")
        let buttonY = rect.y + Theme.Space.widget / 2
        let back =
            part == .keys
            ? layout.button(
                Self.back, .back, localized("Back"), .setting(.show(.settings)),
                at: rect.x + Theme.Space.widget / 2, y: buttonY) : nil
        let titleX = back?.rect.maxX ?? rect.x + Self.padding + SettingsLayout.inset
        let title = Widget(
            "settings-title", .heading, name,
            rect: Rect(
                x: titleX, y: rect.y, width: max(rect.maxX - layout.target - titleX, 0),
                height: layout.target + Theme.Space.widget),
            face: .text(name, .title, .leading))
        let close = layout.button(
            Self.close, .close, localized("Close"), .closeSheet,
            at: rect.maxX - layout.target - Theme.Space.widget / 2, y: buttonY)
        let content = Widget(
            "settings-list", .list, name, rect: list, face: .clip,
            children: area.visibleRows(rows, in: list, x: rect.x + Self.padding, at: moment)
                + area.edges("settings-edge", of: list)
                + [area.bar("settings-scroll", of: list, margin: 2, at: moment)].compactMap(\.self))
        return layout.oriented([
            Widget(
                Self.identifier, .dialog, name, rect: rect, states: .modal,
                face: .ground(radius: Theme.largeRadius, isDense: true),
                children: [back, title, close, content].compactMap(\.self))
        ])[0]
    }

    /// The areas in which touches press buttons, and do not drag the scrolling content: buttons that are
    /// pressed many times in a row.
    func areas(at moment: Moment) -> [Rect] {
        let sheet = widget(at: moment)
        let list = layout.oriented(list)
        let buttons = sheet.widget("settings-list")?.children.flatMap(\.children) ?? []
        let visible = buttons.filter { $0.role == .pushButton }.map {
            $0.rect.intersection(list)
        }
        let own = [Self.back, Self.close].compactMap { sheet.widget($0)?.rect }
        return (own + visible).filter { !$0.isEmpty }
    }
}
