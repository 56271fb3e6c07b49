import Geometry
import Localization
import SceneModel
import TOML

/// The rows of the page of settings as widgets, relative to the corner of what scrolls.
///
/// A wide page has the controls beside the titles; a narrow one has numbers, and the chosen values,
/// below them.
struct SettingsLayout {
    let page: SettingsPage
    let layout: BarLayout
    /// The width of the rows, in logical pixels.
    let width: Double
    /// The setting whose choices are shown; nil for none.
    let expanded: String?
    /// Whether the button that resets all settings asks first.
    let asksReset: Bool

    /// Narrower pages have one column: a width in logical pixels, for texts of the usual size.
    private static let columnsLimit = 480.0
    /// The least and the largest width of a number with its buttons, for texts of the usual size.
    private static let numberWidth = 168.0
    /// The space before the text of a row, and after its control, in logical pixels.
    static let inset = 14.0
    private static let chevron = Theme.icon
    /// A text of more lines is shortened.
    private static let mostLines = 6
    static let switchWidth = 56.0

    private var theme: Theme { layout.theme }
    private var hasColumns: Bool { width >= Self.columnsLimit * theme.textScale }
    private var numberWidth: Double {
        // Beside the number there is room for the button that resets it.
        let room = width - 2 * Self.inset - Theme.target - Theme.spacing
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
        if !page.note.isEmpty { add(note(at: y)) }
        for (number, section) in page.sections.enumerated() {
            add(heading(section.title, number, at: y))
            for row in section.rows {
                add(widget(of: row, at: y))
                guard expanded == row.entry.name, case .choice(let choices) = row.entry.control
                else { continue }
                for number in choices.indices { add(choice(number, of: row, choices, at: y)) }
            }
        }
        add(resetAll(at: y + 2 * Theme.spacing))
        return widgets
    }

    // MARK: Texts

    /// A text that is as high as its lines.
    private func text(
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

    private func note(at y: Double) -> Widget {
        var widget = text(
            "settings-note", page.note, .small, x: Self.inset, y: y + Theme.spacing,
            width: width - 2 * Self.inset)
        widget.name = page.note
        return widget
    }

    private func heading(_ title: String, _ number: Int, at y: Double) -> Widget {
        var widget = text(
            "settings-section/\(number)", title, .title, x: Self.inset,
            y: y + (number == 0 && page.note.isEmpty ? 0 : 2.5 * Theme.spacing),
            width: width - 2 * Self.inset)
        (widget.role, widget.name) = (.heading, title)
        return widget
    }

    // MARK: Rows

    private func widget(of row: SettingsPage.Row, at y: Double) -> Widget {
        let entry = row.entry
        let id = SettingsSheet.identifier(of: entry.name)
        let reset = row.canReset ? Theme.target : 0
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
        case .choice:
            textEnd -= Self.chevron
            parts.append(
                Widget(
                    id + "/chevron", .image,
                    rect: Rect(x: textEnd, y: 0, width: Self.chevron, height: Theme.target),
                    states: row.obstacle == nil ? [] : .disabled,
                    face: .icon(expanded == entry.name ? .collapse : .expand)))
            textEnd -= Theme.spacing
            if hasColumns {
                let room = (width * 0.34).rounded()
                parts.append(
                    text(
                        id + "/value", row.valueText, .small, x: textEnd - room, y: 0,
                        width: room, .trailing))
                textEnd -= room + Theme.spacing
            } else {
                below.append(
                    text(
                        id + "/value", row.valueText, .small, x: Self.inset, y: 0,
                        width: textEnd - Self.inset - reset))
            }
        case .number:
            if hasColumns {
                textEnd -= numberWidth
                parts += number(row, id, x: textEnd)
                textEnd -= Theme.spacing
            }
        }
        if reset > 0, hasColumns || !isNumber(entry) {
            textEnd -= Theme.target
            parts.append(resetButton(row, id, x: textEnd))
        }
        let room = textEnd - Self.inset - (textEnd < end ? Theme.spacing : 0)
        var texts = [
            text(
                id + "/title", entry.title, row.obstacle == nil ? .body : .disabled, x: Self.inset,
                y: 0, width: room)
        ]
        for line in [entry.detail, row.obstacle ?? ""] where !line.isEmpty {
            texts.append(
                text(
                    id + "/text\(texts.count)", line, .small, x: Self.inset, y: 0, width: room))
        }
        texts += below
        return Widget(
            id, row.role, entry.title, description: row.spoken,
            rect: Rect(x: 0, y: y, width: width, height: 0), states: row.states(expanded: expanded),
            action: row.action, face: row.face
        ).holding(
            texts, parts,
            isNumber(entry) && !hasColumns
                ? number(row, id, x: end - numberWidth)
                    + (reset > 0 ? [resetButton(row, id, x: Self.inset)] : []) : [])
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
                rect: Rect(x: x, y: 0, width: Theme.target, height: Theme.target),
                states: step == nil ? .disabled : [],
                action: .setting(
                    .change(.set(row.entry.name, step ?? row.value))),
                face: .icon(direction > 0 ? .zoomIn : .zoomOut))
        }
        let middle = max(numberWidth - 2 * Theme.target, 1)
        return [
            button(-1, at: x),
            text(
                id + "/value", row.valueText, row.obstacle == nil ? .number : .disabled,
                x: x + Theme.target, y: 0, width: middle, .center),
            button(1, at: x + Theme.target + middle),
        ]
    }

    private func resetButton(_ row: SettingsPage.Row, _ id: String, x: Double) -> Widget {
        Widget(
            id + "/reset", .pushButton, localized("Reset: \(row.entry.title)"),
            rect: Rect(x: x, y: 0, width: Theme.target, height: Theme.target), states: .focusable,
            action: .setting(.change(.reset([row.entry.name]))), face: .icon(.undo))
    }

    private func choice(
        _ number: Int, of row: SettingsPage.Row, _ choices: [SettingsPage.Choice], at y: Double
    ) -> Widget {
        let choice = choices[number]
        let id = SettingsSheet.identifier(of: row.entry.name) + "/choice/\(number)"
        let start = 2 * Widget.Row.indent + Widget.Row.iconSide
        var states: Widget.States = [.focusable, .checkable]
        if choice.value == row.value { states.insert(.checked) }
        return Widget(
            id, .radioButton, choice.title, description: row.entry.title,
            rect: Rect(x: 0, y: y, width: width, height: 0), states: states,
            action: .setting(.change(.set(row.entry.name, choice.value))), face: .row(.init(""))
        ).holding(
            [
                text(
                    id + "/title", choice.title, .body, x: start, y: 0,
                    width: width - start - Self.inset)
            ], [], [])
    }

    private func resetAll(at y: Double) -> Widget {
        let title = asksReset ? localized("Really reset all?") : localized("Reset all settings")
        let names = page.changedNames
        let size = layout.text(title, theme.title).width.rounded(.up) + 4 * Theme.spacing
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

extension Widget {
    /// The widget with texts one below the other, parts beside them in the middle, and a line of parts
    /// below; as high as all of them, and at least as high as a finger is wide.
    ///
    /// The parts have their places in x only.
    fileprivate func holding(_ texts: [Widget], _ beside: [Widget], _ below: [Widget]) -> Widget {
        var widget = self
        let height = texts.reduce(0) { $0 + $1.rect.height }
        let tallest = beside.reduce(0) { max($0, $1.rect.height) }
        let top = max(height + Theme.spacing, tallest, Theme.target)
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

// MARK: What a row is

extension SettingsPage.Row {
    fileprivate var role: Widget.Role {
        switch entry.control {
        case .flag: .toggleButton
        case .choice: .comboBox
        case .number: .spinButton
        }
    }

    /// What a screen reader says after the title.
    fileprivate var spoken: String {
        var parts: [String] = []
        if case .flag = entry.control {} else { parts.append(valueText) }
        return (parts + [entry.detail, obstacle ?? ""]).filter { !$0.isEmpty }
            .joined(separator: "; ")
    }

    fileprivate func states(expanded: String?) -> Widget.States {
        var states: Widget.States = .focusable
        if obstacle != nil { states.insert(.disabled) }
        if case .flag = entry.control {
            states.insert(.checkable)
            if value == .flag(true) { states.insert(.checked) }
        }
        if expanded == entry.name { states.insert(.expanded) }
        return states
    }

    fileprivate var action: Widget.Action? {
        switch entry.control {
        case .flag: .setting(.change(.set(entry.name, .flag(value != .flag(true)))))
        case .choice: .setting(.toggleChoices(entry.name))
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
