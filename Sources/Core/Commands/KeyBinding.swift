package import Input

/// A key that starts a command: an XKB keysym name, with Ctrl or without.
///
/// Alt and the logo key belong to the desktop. Shift selects the keysym or extends a selection.
package struct KeyBinding: Hashable, Sendable, ExpressibleByStringLiteral {
    package let name: String
    package let hasControl: Bool

    /// Reads "plus" or "Ctrl+plus".
    package init(stringLiteral text: String) {
        let prefix = "Ctrl+"
        hasControl = text.hasPrefix(prefix)
        name = hasControl ? String(text.dropFirst(prefix.count)) : text
    }

    /// The binding of a key event; nil where a modifier of the desktop is held.
    package init?(_ key: KeyEvent) {
        guard key.modifiers.isDisjoint(with: [.alt, .logo]) else { return nil }
        name = key.name
        hasControl = key.modifiers.contains(.control)
    }

    /// The key as a help text writes it, "Ctrl+Q" or "+".
    package var label: String {
        let labels = [
            "plus": "+", "minus": "-", "period": ".", "space": "Space", "BackSpace": "Backspace",
            "Next": "Page Down", "Prior": "Page Up", "question": "?", "ISO_Left_Tab": "Shift+Tab",
        ]
        let label = labels[name] ?? name
        guard hasControl else { return label }
        // Shift selects the keysym of an upper-case letter.
        let needsShift = label.count == 1 && label != label.lowercased()
        return (needsShift ? "Ctrl+Shift+" : "Ctrl+")
            + (label.count == 1 ? label.uppercased() : label)
    }
}
