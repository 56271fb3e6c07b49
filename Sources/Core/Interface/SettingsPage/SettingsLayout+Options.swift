import Commands
import Geometry
import Localization
import SceneModel

/// The options below an open row of the settings page, and the row that leads to the keys.
extension SettingsLayout {
    /// A row that a person can choose below the row of a setting.
    struct Option {
        let id: String
        let title: String
        /// Whether the option is the present value; nil where the option is no value.
        var isChecked: Bool?
        let action: SettingsAction
        /// The title of the setting.
        let setting: String
    }

    /// The choices of the setting with open choices; further actions for the keys of the command that
    /// waits for a key.
    func options(of row: SettingsPage.Row) -> [Option] {
        let (name, title) = (row.entry.name, row.entry.title)
        let id = SettingsSheet.identifier(of: name)
        switch row.entry.control {
        case .choice(let choices) where expanded == name:
            return choices.enumerated().map { number, choice in
                Option(
                    id: id + "/choice/\(number)", title: choice.title,
                    isChecked: choice.value == row.value,
                    action: .change(.set(name, choice.value)), setting: title)
            }
        case .keys(let command) where command == capture?.command:
            var options: [Option] = []
            if let capture, let takeTitle = capture.takeTitle {
                let changes = capture.takingChanges(.init(keys: layout.keys, page: page))
                options.append(
                    Option(
                        id: id + "/take", title: takeTitle, action: .giveKeys(changes),
                        setting: title))
            }
            let keys = layout.keys.keys(of: command)
            if keys.count > 1, !layout.keys.sharesKeys(of: command) {
                // Two keys of a keyboard may have the same label.
                for (number, key) in keys.enumerated()
                where keys.firstIndex(where: { $0.label == key.label }) == number {
                    let others = keys.filter { $0.label != key.label }
                    options.append(
                        Option(
                            id: id + "/remove/\(number)",
                            title: localized("Remove \(KeyCapture.label(key))"),
                            action: .change(.set(name, SettingsPage.value(of: others))),
                            setting: title))
                }
            }
            if !keys.isEmpty {
                options.append(
                    Option(
                        id: id + "/none", title: localized("No key"),
                        action: .change(.set(name, SettingsPage.value(of: []))), setting: title))
            }
            return options + [
                Option(
                    id: id + "/cancel", title: localized("Cancel"), action: .awaitKey(name),
                    setting: title)
            ]
        case .flag, .choice, .number, .keys: return []
        }
    }

    func widget(of option: Option, at y: Double) -> Widget {
        let start = 2 * Widget.Row.indent + Widget.Row.iconSide(theme)
        var states: Widget.States = .focusable
        if let isChecked = option.isChecked {
            states.insert(.checkable)
            if isChecked { states.insert(.checked) }
        }
        return Widget(
            option.id, option.isChecked == nil ? .pushButton : .radioButton, option.title,
            description: option.setting, rect: Rect(x: 0, y: y, width: width, height: 0),
            states: states, action: .setting(option.action), face: .row(.init(""))
        ).holding(
            [
                text(
                    option.id + "/title", option.title, .body, x: start, y: 0,
                    width: width - start - Self.inset)
            ], [], [])
    }

    /// The row that leads to the keys.
    func keysRow(at y: Double) -> Widget {
        let id = SettingsSheet.keysRow
        let (title, detail) = (localized("Keys"), localized("Which key does what."))
        let end = width - Self.inset - Theme.icon
        let room = end - Self.inset - Theme.Space.widget
        return Widget(
            id, .pushButton, title, description: detail,
            rect: Rect(x: 0, y: y, width: width, height: 0), states: .focusable,
            action: .setting(.show(.keys)), face: .plainRow
        ).holding(
            [
                text(id + "/title", title, .body, x: Self.inset, y: 0, width: room),
                text(id + "/text", detail, .small, x: Self.inset, y: 0, width: room),
            ],
            [
                Widget(
                    id + "/mark", .image,
                    rect: Rect(x: end, y: 0, width: Theme.icon, height: Theme.target),
                    face: .icon(.submenu))
            ], [])
    }
}

extension Widget {
    /// The widget with texts one below the other, parts beside them in the middle, and a line of parts
    /// below; as high as all of them, and at least as high as a finger is wide.
    ///
    /// The parts have their places in x only.
    func holding(_ texts: [Widget], _ beside: [Widget], _ below: [Widget]) -> Widget {
        var widget = self
        let height = texts.reduce(0) { $0 + $1.rect.height }
        let tallest = beside.reduce(0) { max($0, $1.rect.height) }
        // Several lines keep a distance from the frame of the focus.
        let margins = (height > Theme.target ? 2 : 1) * Theme.Space.widget
        let top = max(height + margins, tallest, Theme.target)
        var y = rect.y + (top - height) / 2
        for var text in texts {
            text.rect.y = y
            y = text.rect.maxY
            widget.children.append(text)
        }
        for var part in beside {
            part.rect.y = rect.y + ((top - part.rect.height) / 2).rounded()
            widget.children.append(part)
        }
        let lower = below.reduce(0) { max($0, $1.rect.height) }
        for var part in below {
            part.rect.y = rect.y + top + ((lower - part.rect.height) / 2).rounded()
            widget.children.append(part)
        }
        widget.rect.size.height = top + lower
        return widget
    }
}
