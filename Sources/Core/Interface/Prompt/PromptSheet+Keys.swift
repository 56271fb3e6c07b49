import Commands
import Geometry
import Input
import Motion

/// Keys for the sheet of a prompt: none of them is for what lies below.
extension PromptSheet {
    /// Handles a key that went down or repeats; returns the answer that the key gives.
    ///
    /// A key that is held gives no answer: it may have opened the prompt.
    mutating func handle(_ key: KeyEvent, at moment: Moment) -> Prompt.Answer? {
        guard key.action != .up else { return nil }
        let isHeld = key.action == .repeated
        if focus == .field, !(isHeld && Self.endsEditing(key.name)), var edited = field {
            let response = edited.handle(key)
            switch response {
            case .consumed: field = edited
            case .committed:
                field = edited
                return .confirmed
            case .cancelled: return .cancelled
            case .ignored: break
            }
            if response != .ignored { return nil }
        }
        switch key.name {
        case "Escape": return isHeld ? nil : .cancelled
        case "Tab": moveFocus(by: key.modifiers.contains(.shift) ? -1 : 1, at: moment)
        case "ISO_Left_Tab": moveFocus(by: -1, at: moment)
        case "Return", "KP_Enter", "ISO_Enter", "space":
            guard !isHeld, key.modifiers.isDisjoint(with: KeyEvent.silencing) else { return nil }
            return activate()
        default:
            guard key.modifiers.isDisjoint(with: KeyEvent.silencing) else { return nil }
            if let stars = stars(of: key), !isHeld { return .choice(stars) }
            if !move(by: key.name, at: moment) { seekRow(key.text, at: moment) }
        }
        return nil
    }

    /// Handles a command that comes without a key.
    mutating func handle(_ command: Command, at moment: Moment) -> SheetOutcome<Prompt.Answer> {
        switch command {
        case .leave: return .request(.cancelled)
        case .open, .chrome: return SheetOutcome(activate())
        case .focusNext, .focusPrevious: moveFocus(by: command == .focusNext ? 1 : -1, at: moment)
        default:
            guard let key = command.sheetKey, move(by: key, at: moment) else { return .ignored }
        }
        return .consumed
    }

    private static func endsEditing(_ name: String) -> Bool {
        ["Return", "KP_Enter", "ISO_Enter", "Escape"].contains(name)
    }

    /// The answer of the widget with the focus.
    private func activate() -> Prompt.Answer? {
        switch focus {
        case .field, .confirm: canConfirm ? .confirmed : nil
        case .cancel: .cancelled
        case .row(let number): .choice(number)
        case .stars(let number): .choice(number)
        }
    }

    /// The number of stars of a digit, in a prompt for a rating.
    private func stars(of key: KeyEvent) -> Int? {
        guard prompt.purpose == .rate else { return nil }
        let digit = key.name.hasPrefix("KP_") ? String(key.name.dropFirst(3)) : key.name
        return Int(digit).flatMap { (0...Prompt.mostStars).contains($0) ? $0 : nil }
    }

    /// Moves the focus by a key without a text; returns whether the key has a meaning.
    private mutating func move(by name: String, at moment: Moment) -> Bool {
        let name = name.hasPrefix("KP_") ? String(name.dropFirst(3)) : name
        let isForward = layout.theme.isRightToLeft ? name == "Left" : name == "Right"
        switch (focus, name) {
        case (.row(let row), "Up"), (.row(let row), "Down"):
            focusRow(name == "Up" ? row - 1 : row + 1, at: moment)
        case (.row(let row), "Prior"), (.row(let row), "Page_Up"):
            focusRow(row - rowsPerPage, at: moment)
        case (.row(let row), "Next"), (.row(let row), "Page_Down"):
            focusRow(row + rowsPerPage, at: moment)
        case (.row, "Home"): focusRow(0, at: moment)
        case (.row, "End"): focusRow(prompt.choices.count - 1, at: moment)
        case (.stars(let stars), "Left"), (.stars(let stars), "Right"):
            let wanted = min(max(stars + (isForward ? 1 : -1), 0), Prompt.mostStars)
            moveFocus(to: .stars(wanted), at: moment)
        case (_, "Up"), (_, "Down"): moveFocus(by: name == "Up" ? -1 : 1, at: moment)
        case (.cancel, "Left"), (.cancel, "Right"), (.confirm, "Left"), (.confirm, "Right"):
            moveFromButton(isForward: isForward, at: moment)
        case (_, "Prior"), (_, "Page_Up"):
            area.scroll(by: -page, at: moment, isStill: layout.reducesMotion)
        case (_, "Next"), (_, "Page_Down"):
            area.scroll(by: page, at: moment, isStill: layout.reducesMotion)
        default: return false
        }
        return true
    }

    /// Moves the focus from a button at the end to the one beside it, or to the stars.
    private mutating func moveFromButton(isForward: Bool, at moment: Moment) {
        if prompt.confirm != nil {
            moveFocus(to: isForward ? .confirm : .cancel, at: moment)
        } else if prompt.purpose == .rate {
            moveFocus(to: .stars(shownStars ?? (isForward ? 1 : 0)), at: moment)
        }
    }

    private var page: Double { places.body.height * 0.9 }

    private var rowsPerPage: Int {
        max(Int(clamping: (places.body.height / places.rowHeight).rounded(.down)) - 1, 1)
    }

    /// Moves the focus to the next choice that begins with a letter.
    private mutating func seekRow(_ letter: String, at moment: Moment) {
        guard !prompt.choices.isEmpty, field == nil, let typed = letter.lowercased().first else {
            return
        }
        var start = -1
        if case .row(let row) = focus { start = row }
        let count = prompt.choices.count
        let found = (1...count).lazy.map { (start + $0) % count }.first {
            prompt.choices[$0].title.lowercased().first == typed
        }
        if let found { focusRow(found, at: moment) }
    }
}
