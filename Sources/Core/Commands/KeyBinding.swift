package import Input

/// A key that starts a command: an XKB keysym name, with Ctrl and Shift or without.
///
/// Alt and the logo key belong to the desktop. Shift is named only with keys that have the same keysym
/// with it; with others it selects the keysym. A key without a binding of its own with Shift has that
/// without, because Shift extends a selection.
package struct KeyBinding: Hashable, Sendable, ExpressibleByStringLiteral {
    package let name: String
    package let hasControl: Bool
    package let hasShift: Bool

    /// Reads "plus", "Ctrl+plus" or "Shift+Delete".
    package init(stringLiteral text: String) {
        var rest = text[...]
        func consumes(_ prefix: String) -> Bool {
            guard rest.hasPrefix(prefix) else { return false }
            rest = rest.dropFirst(prefix.count)
            return true
        }
        hasControl = consumes("Ctrl+")
        hasShift = consumes("Shift+")
        name = String(rest)
    }

    /// The binding of a key event; nil where a modifier of the desktop is held.
    package init?(_ key: KeyEvent) {
        guard key.modifiers.isDisjoint(with: [.alt, .logo]) else { return nil }
        self.init(
            name: key.name, hasControl: key.modifiers.contains(.control),
            hasShift: key.modifiers.contains(.shift))
    }

    private init(name: String, hasControl: Bool, hasShift: Bool) {
        (self.name, self.hasControl, self.hasShift) = (name, hasControl, hasShift)
    }

    package var withoutShift: KeyBinding {
        KeyBinding(name: name, hasControl: hasControl, hasShift: false)
    }

    private static let labels = [
        "plus": "+", "minus": "-", "period": ".", "space": "Space", "BackSpace": "Backspace",
        "Next": "Page Down", "Prior": "Page Up", "question": "?", "ISO_Left_Tab": "Shift+Tab",
        "asterisk": "*", "colon": ":", "comma": ",",
    ]

    /// The key as a help text writes it, "Ctrl+Q" or "+".
    package var label: String {
        let label = Self.labels[name] ?? name
        // Shift selects the keysym of an upper-case letter.
        let needsShift =
            hasShift || hasControl && label.count == 1 && label != label.lowercased()
        let shown = hasControl && label.count == 1 ? label.uppercased() : label
        return (hasControl ? "Ctrl+" : "") + (needsShift ? "Shift+" : "") + shown
    }
}
