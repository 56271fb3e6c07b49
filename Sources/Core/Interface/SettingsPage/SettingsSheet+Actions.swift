import Commands
import Geometry
import Input
import Motion

/// What a person does with the widgets of the settings page.
extension SettingsSheet {
    /// Performs the sheet's own part of an action; returns the changes that the owner makes, in their
    /// order.
    mutating func perform(_ action: SettingsAction, at moment: Moment) -> [SettingChange] {
        guard isShown else { return [] }
        let awaited = capture
        (asksReset, capture) = (action == .askReset, nil)
        defer { layOut() }
        switch action {
        case .askReset: break
        case .toggleChoices(let name):
            expanded = expanded == name ? nil : name
            layOut()
            if expanded == name { revealParts(of: name, at: moment) }
        case .show(let part): show(part, at: moment)
        case .awaitKey(let name):
            guard awaited?.command != page.row(name)?.command else { break }
            awaitKey(for: name, isAdding: false, at: moment)
        case .awaitAnotherKey(let name): awaitKey(for: name, isAdding: true, at: moment)
        case .giveKeys(let changes): return changes.filter(isPossible)
        case .change(let change):
            if case .set(let name, _) = change, expanded == name { expanded = nil }
            return isPossible(change) ? [change] : []
        }
        return []
    }

    /// The change of the setting of a widget to the step nearest to a number; nil where there is none.
    func change(of widget: String, to number: Double) -> SettingChange? {
        let row = page.sections.lazy.flatMap(\.rows).first {
            Self.identifier(of: $0.entry.name) == widget
        }
        guard let row, row.obstacle == nil, let value = row.step(nearestTo: number) else {
            return nil
        }
        return .set(row.entry.name, value)
    }

    private mutating func awaitKey(for name: String, isAdding: Bool, at moment: Moment) {
        guard let row = page.row(name), row.obstacle == nil, let command = row.command else {
            return
        }
        capture = KeyCapture(command, isAdding: isAdding)
        layOut()
        revealParts(of: name, at: moment)
    }

    private func isPossible(_ change: SettingChange) -> Bool {
        switch change {
        case .set(let name, _): page.row(name)?.obstacle == nil
        case .reset(let names): !names.isEmpty
        }
    }

    /// Shows the settings or the keys, from their top.
    private mutating func show(_ part: SettingsPage.Part, at moment: Moment) {
        guard part != self.part else { return }
        self.part = part
        expanded = nil
        area.end(velocity: 0, at: moment)
        area.reset()
        focus = ""
        layOut()
        let first = stops.first { $0.hasPrefix("setting/") }
        setFocus(part == .settings ? Self.keysRow : first ?? Self.back, at: moment)
    }

    /// The command that waits for a key receives this one; returns the action that gives it to the command,
    /// nil while there is none.
    mutating func receiveAwaited(_ key: KeyEvent, at moment: Moment) -> Widget.Action? {
        guard var capture else { return nil }
        let outcome = capture.receive(key, .init(keys: layout.keys, page: page))
        switch outcome {
        case .waits:
            self.capture = capture
            layOut()
            revealParts(of: SettingsPage.keyName(of: capture.command), at: moment)
            return nil
        case .cancelled:
            withdrawQuestion()
            return nil
        case .changes(let changes): return .setting(.giveKeys(changes))
        }
    }

    /// Forgets the question whether to reset all, and the command that waits for a key, because something
    /// else was done.
    mutating func withdrawQuestion() {
        guard asksReset || capture != nil else { return }
        (asksReset, capture) = (false, nil)
        layOut()
    }

    /// Scrolls until a row and what is open below it are visible.
    private mutating func revealParts(of name: String, at moment: Moment) {
        let id = Self.identifier(of: name)
        let parts = rows.filter { $0.id == id || $0.id.hasPrefix(id + "/") }
        guard let first = parts.first, let last = parts.last else { return }
        area.reveal(
            first.rect.y...last.rect.maxY, at: moment, isStill: layout.reducesMotion)
    }
}
