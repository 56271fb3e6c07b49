package import Input

extension TextField {
    /// Handles a key.
    ///
    /// A key that types a text is consumed even if the field does not accept the text, since a
    /// command of the same key would surprise a person who types. Releases are ignored.
    package mutating func handle(_ key: KeyEvent) -> Response {
        guard key.action != .up else { return .ignored }
        guard !key.isComposing else { return .consumed }
        guard key.modifiers.isDisjoint(with: [.alt, .logo]) else { return .ignored }
        switch key.name {
        case "Return", "KP_Enter", "ISO_Enter":
            _ = commit()
            return .committed
        case "Escape":
            guard preedit == nil else {
                (preedit, changeCause) = (nil, .other)
                return .consumed
            }
            cancel()
            return .cancelled
        default: break
        }
        if moveCursor(by: key) || delete(by: key) { return .consumed }
        guard !key.modifiers.contains(.control) else {
            guard key.name == "a" || key.name == "A" else { return .ignored }
            selectAll()
            return .consumed
        }
        guard key.isTyping else { return .ignored }
        insert(key.text)
        return .consumed
    }

    private mutating func moveCursor(by key: KeyEvent) -> Bool {
        let byWord = key.modifiers.contains(.control)
        let extends = key.modifiers.contains(.shift)
        let target: Int
        switch key.name {
        case "Left", "KP_Left":
            let start = extends || selection.isEmpty ? cursor : selection.lowerBound
            let isCollapse = !extends && !selection.isEmpty && !byWord
            target = byWord ? wordBoundary(before: start) : isCollapse ? start : start - 1
        case "Right", "KP_Right":
            let start = extends || selection.isEmpty ? cursor : selection.upperBound
            let isCollapse = !extends && !selection.isEmpty && !byWord
            target = byWord ? wordBoundary(after: start) : isCollapse ? start : start + 1
        case "Home", "KP_Home": target = 0
        case "End", "KP_End": target = count
        default: return false
        }
        moveCursor(to: target, extendsSelection: extends)
        return true
    }

    private mutating func delete(by key: KeyEvent) -> Bool {
        let byWord = key.modifiers.contains(.control)
        switch key.name {
        case "BackSpace": deleteBackward(byWord: byWord)
        case "Delete", "KP_Delete": deleteForward(byWord: byWord)
        default: return false
        }
        (preedit, changeCause) = (nil, .other)
        return true
    }
}
