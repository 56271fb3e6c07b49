package import Commands
package import Motion

/// Keys while the menu or the help is open, or a button has the focus.
extension Chrome {
    /// Handles a key while the menu or the help is open, or a button has the focus.
    package mutating func handle(
        _ command: Command, bars widgets: @autoclosure () -> [Widget], at moment: Moment
    ) -> Response {
        usesKeys = true
        chosenFrom = nil
        if let response = handleInPrompt(command, at: moment) { return response }
        if let response = handleInSettings(command, at: moment) { return response }
        if help != nil { return handleInHelp(command, at: moment) }
        if menu != nil { return handleInMenu(command) }
        // The panel was opened after the bars, so its button comes first.
        func all() -> [Widget] { [panelWidget(at: moment)].compactMap(\.self) + widgets() }
        switch command {
        case .focusNext, .focusPrevious:
            moveFocus(by: command == .focusNext ? 1 : -1, all(), moment)
            return .consumed
        default: break
        }
        guard let focused = focus.focused else { return .ignored }
        if focused == Self.filmstrip, let step = filmstripStep(command),
            focusable(widgets()).contains(where: { $0.id == focused })
        {
            bars.use(at: moment)
            return .choose(step)
        }
        switch command {
        case .chrome, .next, .open:
            bars.use(at: moment)
            guard let widget = focusable(all()).first(where: { $0.id == focused }) else {
                focus.focused = nil
                return .ignored
            }
            if focused == Self.messageAction { endMessage(at: moment) }
            // The picture in the middle is shown already.
            if focused == Self.filmstrip { focus.focused = nil }
            return widget.action.map { .act($0) } ?? .consumed
        case .leave: focus.focused = nil
        case .left, .right:
            let isForward = (command == .right) != layout.theme.isRightToLeft
            moveFocus(by: isForward ? 1 : -1, all(), moment)
        default:
            focus.focused = nil
            return .ignored
        }
        return .consumed
    }

    /// The step of a key on the filmstrip, which is mirrored in right-to-left languages.
    private func filmstripStep(_ command: Command) -> FilmstripStep? {
        switch command {
        case .left: layout.theme.isRightToLeft ? .next : .previous
        case .right: layout.theme.isRightToLeft ? .previous : .next
        case .first: .first
        case .last: .last
        default: nil
        }
    }

    private mutating func moveFocus(by step: Int, _ widgets: [Widget], _ moment: Moment) {
        endEditing(at: moment)
        bars.show(at: moment, isStill: reducesMotion)
        let order = focusable(widgets).map(\.id)
        guard !order.isEmpty else { return }
        guard let focused = focus.focused, let place = order.firstIndex(of: focused) else {
            focus.focused = step > 0 ? order.first : order.last
            return
        }
        focus.focused = order[((place + step) % order.count + order.count) % order.count]
    }

    /// The widgets that can receive keys, in the order of the focus: a message does not stay for
    /// long, so its button is the first.
    private func focusable(_ widgets: [Widget]) -> [Widget] {
        ([message(above: [])].compactMap(\.self) + widgets).flatMap(\.focusOrder)
    }

    /// A key that the menu does not know closes it, too.
    private mutating func handleInMenu(_ command: Command) -> Response {
        guard var menu else { return .ignored }
        self.menu = nil
        switch command {
        case .down, .up, .focusNext, .focusPrevious:
            menu.moveFocus(by: command == .down || command == .focusNext ? 1 : -1)
            self.menu = menu
        case .left, .right:
            let isForward = (command == .right) != layout.theme.isRightToLeft
            guard let action = isForward ? menu.nestingAction : menu.backAction else {
                return .ignored
            }
            chosenFrom = menu.place
            return .act(action)
        case .chrome, .next, .open:
            guard let focused = menu.focusedAction else {
                return command == .next ? .ignored : .consumed
            }
            chosenFrom = menu.place
            return .act(focused)
        case .leave, .menu: break
        default: return .ignored
        }
        return .consumed
    }

    private mutating func handleInHelp(_ command: Command, at moment: Moment) -> Response {
        switch command {
        case .up, .down: help?.scroll(by: command == .up ? -1 : 1, at: moment)
        case .next, .pageDown: help?.page(1, at: moment)
        case .previous, .pageUp: help?.page(-1, at: moment)
        case .quit: return .ignored
        default: closeHelp(at: moment)
        }
        return .consumed
    }
}
