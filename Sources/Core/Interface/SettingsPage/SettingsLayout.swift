import Commands
import Geometry
import Localization
import SceneModel
import TOML

/// The rows of the settings page as widgets, relative to the corner of the scrolling content.
///
/// A wide page has the controls beside the titles; a narrow one has numbers, and the chosen values,
/// below them.
struct SettingsLayout {
    let page: SettingsPage
    let part: SettingsPage.Part
    let layout: BarLayout
    /// The width of the rows, in logical pixels.
    let width: Double
    /// The setting with open choices; nil for none.
    let expanded: String?
    /// The command that waits for a key; nil for none.
    let capture: KeyCapture?
    /// Whether the button that resets all settings asks first.
    let asksReset: Bool

    /// Narrower pages have one column: a width in logical pixels, for texts of the usual size.
    private static let columnsLimit = 480.0
    /// The least and the largest width of a number with its buttons, for texts of the usual size.
    private static let numberWidth = 168.0
    /// The space before the text of a row, and after its control, in logical pixels.
    static let inset = Theme.Space.text
    private static let chevron = Theme.icon
    /// A text of more lines is shortened.
    private static let mostLines = 6
    static let switchWidth = 56.0

    var theme: Theme { layout.theme }
    private var hasColumns: Bool { width >= Self.columnsLimit * theme.textScale }
    private var numberWidth: Double {
        // Beside the number there is room for the button that resets it.
        let room = width - 2 * Self.inset - Theme.target - Theme.Space.widget
        return min(Self.numberWidth * max(theme.textScale, 1), max(room, 1))
    }

    /// All rows, from the top down.
    var widgets: [Widget] {
        var widgets: [Widget] = []
        var y = 0.0
        func add(_ widget: Widget) {
            widgets.append(widget)
            y = widget.rect.maxY
        }
        for (number, text) in notes.enumerated() { add(note(text, number, at: y)) }
        for (number, section) in page.sections(of: part).enumerated() {
            add(heading(section.title, number, at: y))
            for row in section.rows {
                add(widget(of: row, at: y))
                for option in options(of: row) { add(widget(of: option, at: y)) }
            }
        }
        if part == .settings, !page.keys.isEmpty { add(keysRow(at: y + Theme.Space.widget)) }
        add(resetAll(at: y + 2 * Theme.Space.widget))
        return widgets
    }

    // MARK: Texts

    /// A text that is as high as its lines.
    func text(
        _ id: String, _ text: String, _ role: Widget.TextRole, x: Double, y: Double, width: Double,
        _ alignment: Widget.Alignment = .leading
    ) -> Widget {
        var style = theme.style(role)
        style.lines = Self.mostLines
        let width = max(width, 1)
        let height = layout.text(text, style, width: width).height.rounded(.up)
        return Widget(
            id, .label, rect: Rect(x: x, y: y, width: width, height: height),
            face: .paragraph(text, role, lines: Self.mostLines, alignment))
    }

    /// The sentences at the top.
    private var notes: [String] {
        let keys =
            part == .keys
            ? localized(
                "Choose a command, then press its new key. The Delete key leaves it without a key.")
            : ""
        return [keys, page.note].filter { !$0.isEmpty }
    }

    private func note(_ note: String, _ number: Int, at y: Double) -> Widget {
        var widget = text(
            "settings-note/\(number)", note, .small, x: Self.inset, y: y + Theme.Space.widget,
            width: width - 2 * Self.inset)
        widget.name = note
        return widget
    }

    private func heading(_ title: String, _ number: Int, at y: Double) -> Widget {
        var widget = text(
            "settings-section/\(number)", title, .title, x: Self.inset,
            y: y + (number == 0 && notes.isEmpty ? 0 : 2.5 * Theme.Space.widget),
            width: width - 2 * Self.inset)
        (widget.role, widget.name) = (.heading, title)
        return widget
    }

    // MARK: Rows

    private func widget(of row: SettingsPage.Row, at y: Double) -> Widget {
        let entry = row.entry
        let id = SettingsSheet.identifier(of: entry.name)
        var reset = row.canReset ? Theme.target : 0
        let end = width - Self.inset
        var parts: [Widget] = []
        // Where the texts end, and what is below them.
        var textEnd = end
        var below: [Widget] = []
        switch entry.control {
        case .flag:
            textEnd -= Self.switchWidth
            parts.append(
                Widget(
                    id + "/switch", .image,
                    rect: Rect(x: textEnd, y: 0, width: Self.switchWidth, height: Theme.target),
                    states: row.obstacle == nil ? [] : .disabled,
                    face: .toggle(row.value == .flag(true))))
        case .choice, .keys:
            if row.command != nil {
                // All pencils stand in one column, beside the buttons that add a key and reset.
                let another = textEnd - Theme.target + Self.inset
                textEnd = another - Theme.target
                if reset > 0 { parts.append(resetButton(row, id, x: textEnd)) }
                if canHaveAnotherKey(row) { parts.append(anotherKeyButton(row, id, x: another)) }
                reset = 0
            }
            textEnd -= Self.chevron
            parts.append(
                Widget(
                    id + "/mark", .image,
                    rect: Rect(x: textEnd, y: 0, width: Self.chevron, height: Theme.target),
                    states: row.obstacle == nil ? [] : .disabled,
                    face: .icon(mark(of: row))))
            textEnd -= Theme.Space.widget
            if hasColumns {
                let room = (width * 0.34).rounded()
                parts.append(
                    text(
                        id + "/value", row.valueText(layout.keys), .small, x: textEnd - room, y: 0,
                        width: room, .trailing))
                textEnd -= room + Theme.Space.widget
            } else {
                below.append(
                    text(
                        id + "/value", row.valueText(layout.keys), .small, x: Self.inset, y: 0,
                        width: textEnd - Self.inset - reset))
            }
        case .number:
            if hasColumns {
                textEnd -= numberWidth
                parts += number(row, id, x: textEnd)
                textEnd -= Theme.Space.widget
            }
        }
        if reset > 0, hasColumns || !isNumber(entry) {
            textEnd -= Theme.target
            parts.append(resetButton(row, id, x: textEnd))
        }
        let room = textEnd - Self.inset - (textEnd < end ? Theme.Space.widget : 0)
        var texts = [
            text(
                id + "/title", entry.title, row.obstacle == nil ? .body : .disabled, x: Self.inset,
                y: 0, width: room)
        ]
        let message = message(of: row)
        for line in [entry.detail, row.obstacle ?? "", message ?? ""] where !line.isEmpty {
            texts.append(
                text(
                    id + "/text\(texts.count)", line,
                    line == message && capture?.refusal != nil ? .problem : .small, x: Self.inset,
                    y: 0, width: room))
        }
        texts += below
        var widget = Widget(
            id, row.role, entry.title, description: spoken(row),
            rect: Rect(x: 0, y: y, width: width, height: 0), states: states(of: row),
            action: row.action, face: row.face)
        // A screen reader says the new key, and what the row says while it waits.
        if row.command != nil { widget.announced = message ?? row.valueText(layout.keys) }
        return widget.holding(
            texts, parts,
            isNumber(entry) && !hasColumns
                ? number(row, id, x: end - numberWidth)
                    + (reset > 0 ? [resetButton(row, id, x: Self.inset)] : []) : [])
    }

    private func canHaveAnotherKey(_ row: SettingsPage.Row) -> Bool {
        guard let command = row.command, row.obstacle == nil else { return false }
        return !layout.keys.keys(of: command).isEmpty && !layout.keys.sharesKeys(of: command)
    }

    /// What the row of a command that waits for a key says; nil for other rows.
    private func message(of row: SettingsPage.Row) -> String? {
        capture.flatMap { $0.command == row.command ? $0.message : nil }
    }

    private func mark(of row: SettingsPage.Row) -> Icon {
        if row.command != nil { return .edit }
        return expanded == row.entry.name ? .collapse : .expand
    }

    private func states(of row: SettingsPage.Row) -> Widget.States {
        var states: Widget.States = .focusable
        if row.obstacle != nil { states.insert(.disabled) }
        if case .flag = row.entry.control {
            states.insert(.checkable)
            if row.value == .flag(true) { states.insert(.checked) }
        }
        if expanded == row.entry.name || message(of: row) != nil { states.insert(.expanded) }
        return states
    }

    /// What a screen reader says after the title.
    private func spoken(_ row: SettingsPage.Row) -> String {
        var parts: [String] = []
        if case .flag = row.entry.control {} else { parts.append(row.valueText(layout.keys)) }
        return (parts + [row.entry.detail, row.obstacle ?? "", message(of: row) ?? ""])
            .filter { !$0.isEmpty }.joined(separator: "; ")
    }

    private func isNumber(_ entry: SettingsPage.Entry) -> Bool {
        if case .number = entry.control { true } else { false }
    }

    /// A number between its buttons, `numberWidth` wide.
    private func number(_ row: SettingsPage.Row, _ id: String, x: Double) -> [Widget] {
        func button(_ direction: Int, at x: Double) -> Widget {
            let step = row.obstacle == nil ? row.step(direction) : nil
            let name =
                direction > 0
                ? localized("More: \(row.entry.title)") : localized("Less: \(row.entry.title)")
            return Widget(
                id + (direction > 0 ? "/more" : "/less"), .pushButton, name,
                rect: Rect(x: x, y: 0, width: Theme.target, height: layout.target),
                states: step == nil ? .disabled : [],
                action: .setting(
                    .change(.set(row.entry.name, step ?? row.value))),
                face: .icon(direction > 0 ? .zoomIn : .zoomOut))
        }
        let middle = max(numberWidth - 2 * Theme.target, 1)
        return [
            button(-1, at: x),
            text(
                id + "/value", row.valueText(layout.keys),
                row.obstacle == nil ? .number : .disabled,
                x: x + Theme.target, y: 0, width: middle, .center),
            button(1, at: x + Theme.target + middle),
        ]
    }

    private func anotherKeyButton(_ row: SettingsPage.Row, _ id: String, x: Double) -> Widget {
        Widget(
            id + "/another", .pushButton, localized("Another key: \(row.entry.title)"),
            rect: Rect(x: x, y: 0, width: Theme.target, height: layout.target), states: .focusable,
            action: .setting(.awaitAnotherKey(row.entry.name)), face: .icon(.zoomIn))
    }

    private func resetButton(_ row: SettingsPage.Row, _ id: String, x: Double) -> Widget {
        Widget(
            id + "/reset", .pushButton, localized("Reset: \(row.entry.title)"),
            rect: Rect(x: x, y: 0, width: Theme.target, height: layout.target), states: .focusable,
            action: .setting(.change(.reset([row.entry.name]))), face: .icon(.undo))
    }

    private func resetAll(at y: Double) -> Widget {
        let title =
            asksReset
            ? localized("Really reset all?")
            : part == .keys ? localized("Reset all keys") : localized("Reset all settings")
        let names = page.changedNames(of: part)
        let size = layout.text(title, theme.title).width.rounded(.up) + 4 * Theme.Space.widget
        let buttonWidth = min(max(size, 220), width)
        return Widget(
            SettingsSheet.resetAll, .pushButton, title,
            rect: Rect(
                x: ((width - buttonWidth) / 2).rounded(), y: y, width: buttonWidth,
                height: max(Theme.target, theme.row)),
            states: names.isEmpty ? [.focusable, .disabled] : .focusable,
            action: .setting(asksReset ? .change(.reset(names)) : .askReset),
            face: asksReset ? .destructiveButton(title) : .button(title, isProminent: false))
    }
}

// MARK: What a row is

extension SettingsPage.Row {
    fileprivate var role: Widget.Role {
        switch entry.control {
        case .flag: .toggleButton
        case .choice: .comboBox
        case .number: .spinButton
        case .keys: .pushButton
        }
    }

    fileprivate var action: Widget.Action? {
        switch entry.control {
        case .flag: .setting(.change(.set(entry.name, .flag(value != .flag(true)))))
        case .choice: .setting(.toggleChoices(entry.name))
        case .keys: .setting(.awaitKey(entry.name))
        case .number: nil
        }
    }

    fileprivate var face: Widget.Face {
        guard case .number(let steps, _) = entry.control, let number, let least = steps.first,
            let most = steps.last
        else { return .plainRow }
        return .value(number, min(least, number)...max(most, number))
    }
}
