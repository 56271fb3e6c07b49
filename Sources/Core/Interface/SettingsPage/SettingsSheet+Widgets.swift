import Geometry
import Localization
package import Motion
import SceneModel

/// The page of settings as widgets.
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
        let buttonY = rect.y + Theme.spacing / 2
        let back =
            part == .keys
            ? layout.button(
                Self.back, .back, localized("Back"), .setting(.show(.settings)),
                at: rect.x + Theme.spacing / 2, y: buttonY) : nil
        let titleX = back?.rect.maxX ?? rect.x + Self.padding + SettingsLayout.inset
        let title = Widget(
            "settings-title", .heading, name,
            rect: Rect(
                x: titleX, y: rect.y, width: max(rect.maxX - Theme.target - titleX, 0),
                height: Theme.target + Theme.spacing),
            face: .text(name, .title, .leading))
        let close = layout.button(
            Self.close, .close, localized("Close"), .closeSheet,
            at: rect.maxX - Theme.target - Theme.spacing / 2, y: buttonY)
        let content = Widget(
            "settings-list", .list, name, rect: list, face: .clip,
            children: visibleRows(at: moment) + edges + scrollBar(at: moment))
        return layout.oriented([
            Widget(
                Self.identifier, .dialog, name, rect: rect, states: .modal,
                face: .ground(radius: Theme.largeRadius, isDense: true),
                children: [back, title, close, content].compactMap(\.self))
        ])[0]
    }

    private func visibleRows(at moment: Moment) -> [Widget] {
        let list = list
        let translation = Vector(dx: rect.x + Self.padding, dy: list.y - area.offset(at: moment))
        return rows.lazy.map { $0.moved(by: translation) }.filter {
            $0.rect.y < list.maxY && $0.rect.maxY > list.y
        }
    }

    /// Thin lines at the ends of content that scrolls.
    private var edges: [Widget] {
        guard area.isScrollable else { return [] }
        let list = list
        return [list.y, list.maxY - 1].enumerated().map { number, y in
            Widget(
                "settings-edge/\(number)", .separator,
                rect: Rect(x: list.x + 1, y: y, width: list.width - 2, height: 1),
                face: .separator)
        }
    }

    private func scrollBar(at moment: Moment) -> [Widget] {
        guard let visible = area.visible(at: moment) else { return [] }
        let (list, width) = (list, 4.0)
        return [
            Widget(
                "settings-scroll", .scrollBar,
                rect: Rect(
                    x: rect.maxX - 1.5 * width, y: list.y + visible.lowerBound * list.height,
                    width: width,
                    height: (visible.upperBound - visible.lowerBound) * list.height),
                face: .separator)
        ]
    }

    /// The areas in which touches are presses of buttons, and not drags of what scrolls: buttons that
    /// are pressed many times in a row.
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
