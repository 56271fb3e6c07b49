import Commands
import Geometry
import Input
import Motion

/// Keys for the settings page: none of them is for what lies below.
extension SettingsSheet {
    /// Handles a key that went down or repeats; returns the action of the key, nil for none.
    ///
    /// A key that is held presses nothing and closes nothing: it may have opened the page.
    mutating func handle(_ key: KeyEvent, at moment: Moment) -> Widget.Action? {
        guard key.action != .up else { return nil }
        let isHeld = key.action == .repeated
        if capture != nil { return isHeld ? nil : receiveAwaited(key, at: moment) }
        // The key that opens the page closes it, too.
        if let binding = KeyBinding(key),
            layout.keys.keys(of: CommandTable.entry(of: .settings), in: .viewer).contains(binding)
        {
            return isHeld ? nil : .closeSheet
        }
        let name = key.name.hasPrefix("KP_") ? String(key.name.dropFirst(3)) : key.name
        switch name {
        case "Escape": return isHeld ? nil : leaveAction
        case "Tab", "ISO_Left_Tab":
            let isBack = name == "ISO_Left_Tab" || key.modifiers.contains(.shift)
            withdrawQuestion()
            moveFocus(by: isBack ? -1 : 1, at: moment)
        case "Return", "Enter", "ISO_Enter", "space":
            guard !isHeld, key.modifiers.isDisjoint(with: KeyEvent.silencing) else { return nil }
            return activate()
        case "Left", "Right":
            return step((name == "Left") == layout.theme.isRightToLeft ? 1 : -1)
        case "Delete", "BackSpace": return isHeld ? nil : removeKeys()
        case "plus", "equal", "Add": return step(1)
        case "minus", "Subtract": return step(-1)
        default: move(by: name, at: moment)
        }
        return nil
    }

    /// Handles a command that comes without a key.
    mutating func handle(_ command: Command, at moment: Moment) -> SheetOutcome<Widget.Action> {
        // What waits for a key receives no commands.
        let isAwaiting = capture != nil
        withdrawQuestion()
        switch command {
        case .leave: return SheetOutcome(isAwaiting ? nil : leaveAction)
        case .settings: return .request(.closeSheet)
        case .open, .chrome: return SheetOutcome(activate())
        case .focusNext, .focusPrevious: moveFocus(by: command == .focusNext ? 1 : -1, at: moment)
        case .left, .right:
            return SheetOutcome(step((command == .left) == layout.theme.isRightToLeft ? 1 : -1))
        default:
            guard let key = command.sheetKey else { return .ignored }
            move(by: key, at: moment)
        }
        return .consumed
    }

    private mutating func move(by name: String, at moment: Moment) {
        let page = list.height * 0.9
        withdrawQuestion()
        switch name {
        case "Up": moveRow(by: -1, at: moment)
        case "Down": moveRow(by: 1, at: moment)
        case "Home": moveRow(by: -rows.count, at: moment)
        case "End": moveRow(by: rows.count, at: moment)
        case "Prior", "Page_Up": area.scroll(by: -page, at: moment, isStill: layout.reducesMotion)
        case "Next", "Page_Down": area.scroll(by: page, at: moment, isStill: layout.reducesMotion)
        default: break
        }
    }

    /// One level up: from the keys to the settings, and from there out of the page.
    private var leaveAction: Widget.Action {
        part == .keys ? .setting(.show(.settings)) : .closeSheet
    }

    /// The action that leaves the command with the focus without a key.
    private func removeKeys() -> Widget.Action? {
        guard let row = focusedRow, row.obstacle == nil, let command = row.command,
            !layout.keys.shownKeys(of: command).isEmpty
        else { return nil }
        return .setting(.change(.set(row.entry.name, SettingsPage.value(of: []))))
    }

    /// The action of the widget with the focus.
    private func activate() -> Widget.Action? {
        if focus == Self.close { return .closeSheet }
        if focus == Self.back { return leaveAction }
        let widget = rows.lazy.compactMap { [focus] in $0.widget(focus) }.first
        return widget.flatMap { $0.states.contains(.disabled) ? nil : $0.action }
    }

    /// The action of a key that changes the number with the focus.
    private func step(_ direction: Int) -> Widget.Action? {
        guard let row = focusedRow, row.obstacle == nil, let value = row.step(direction) else {
            return nil
        }
        return .setting(.change(.set(row.entry.name, value)))
    }
}
