package import Input
import Localization

/// A key that starts a command: an XKB keysym name, with Ctrl, Alt and Shift or without.
///
/// Alt and the logo key belong to the desktop, but Alt with an arrow leads from place to place. Shift is named only with keys that have the same keysym
/// with it; with others it selects the keysym. A key without a binding of its own with Shift has that
/// without, because Shift extends a selection.
package struct KeyBinding: Hashable, Sendable, ExpressibleByStringLiteral {
    package let name: String
    package let hasControl: Bool
    package let hasAlt: Bool
    package let hasShift: Bool

    /// Reads "plus", "Ctrl+plus", "Alt+Left" or "Shift+Delete".
    package init(stringLiteral text: String) {
        var rest = text[...]
        func consumes(_ prefix: String) -> Bool {
            guard rest.hasPrefix(prefix) else { return false }
            rest = rest.dropFirst(prefix.count)
            return true
        }
        hasControl = consumes("Ctrl+")
        hasAlt = consumes("Alt+")
        hasShift = consumes("Shift+")
        name = String(rest)
    }

    /// The binding of a key event; nil where a modifier of the desktop is held.
    package init?(_ key: KeyEvent) {
        let hasAlt = key.modifiers.contains(.alt)
        guard !key.modifiers.contains(.logo), !hasAlt || Self.arrows.contains(key.name) else {
            return nil
        }
        self.init(
            name: key.name, hasControl: key.modifiers.contains(.control), hasAlt: hasAlt,
            hasShift: key.modifiers.contains(.shift))
    }

    /// The binding of a key event by the active keyboard layout; nil where that layout gives the event
    /// its name.
    package init?(local key: KeyEvent) {
        guard let name = key.localName else { return nil }
        var local = key
        local.name = name
        self.init(local)
    }

    /// The binding of a key event by its name in a Latin layout; nil where the event has no such name.
    package init?(latin key: KeyEvent) {
        guard let name = key.latinName else { return nil }
        var latin = key
        latin.name = name
        self.init(latin)
    }

    private init(name: String, hasControl: Bool, hasAlt: Bool, hasShift: Bool) {
        (self.name, self.hasControl, self.hasAlt, self.hasShift) = (
            name, hasControl, hasAlt, hasShift
        )
    }

    private static let arrows: Set = ["Left", "Right", "Up", "Down"]

    package var withoutShift: KeyBinding {
        KeyBinding(name: name, hasControl: hasControl, hasAlt: hasAlt, hasShift: false)
    }

    /// Whether the name can be that of a keysym.
    package var isNamed: Bool {
        !name.isEmpty
            && name.utf8.allSatisfy {
                $0 == UInt8(ascii: "_") || UnicodeScalar($0).properties.isAlphabetic
                    || UnicodeScalar($0).properties.numericType != nil
            }
    }

    /// Whether the key itself is a modifier, which starts no command.
    package var isModifier: Bool {
        Self.modifiers.contains { name.hasPrefix($0) }
    }

    private static let modifiers = [
        "Shift_", "Control_", "Alt_", "Meta_", "Super_", "Hyper_", "Caps_Lock", "Num_Lock",
        "Mode_switch", "ISO_Level", "ISO_Group", "ISO_Next_Group", "ISO_Prev_Group",
        "ISO_First_Group", "ISO_Last_Group",
    ]

    /// The key as settings write it, "Ctrl+plus" or "Shift+Delete".
    package var text: String {
        (hasControl ? "Ctrl+" : "") + (hasAlt ? "Alt+" : "") + (hasShift ? "Shift+" : "") + name
    }

    /// The keysym as it is written on a keyboard.
    private var symbol: String {
        switch name {
        case "space": localized("Space", context: "key")
        case "BackSpace": localized("Backspace", context: "key")
        case "Delete": localized("Delete", context: "key")
        case "Return": localized("Return", context: "key")
        case "Escape": localized("Escape", context: "key")
        case "Tab": localized("Tab", context: "key")
        case "ISO_Left_Tab": localized("Shift+\(localized("Tab", context: "key"))")
        case "Menu": localized("Menu", context: "key")
        case "Left": localized("Left", context: "key")
        case "Right": localized("Right", context: "key")
        case "Up": localized("Up", context: "key")
        case "Down": localized("Down", context: "key")
        case "Home": localized("Home", context: "key")
        case "End": localized("End", context: "key")
        case "Next", "Page_Down": localized("Page Down", context: "key")
        case "Prior", "Page_Up": localized("Page Up", context: "key")
        case _ where name.hasPrefix(Self.keypad):
            // Translators: a key of the keypad for numbers at the right end of a keyboard.
            localized("Keypad \(keypadSymbol)")
        default: KeyEvent.character(ofName: name) ?? name
        }
    }

    private static let keypad = "KP_"

    /// A key of the keypad without the word for the keypad.
    private var keypadSymbol: String {
        switch name.dropFirst(Self.keypad.count) {
        case "Add": "+"
        case "Subtract": "-"
        case "Multiply": "*"
        case "Divide": "/"
        case "Decimal": "."
        case "Separator": ","
        case let rest: KeyBinding(stringLiteral: String(rest)).symbol
        }
    }

    /// The key as AT-SPI writes it, "<Control>plus".
    package var accelerator: String {
        (hasControl ? "<Control>" : "") + (hasAlt ? "<Alt>" : "") + (hasShift ? "<Shift>" : "")
            + name
    }

    /// The key as a help text writes it, "Ctrl+Q" or "+".
    package var label: String {
        var label = symbol
        // Shift selects the keysym of an upper-case letter.
        let needsShift =
            hasShift || hasControl && label.count == 1 && label != label.lowercased()
        // The capital of "ß" is two letters.
        if hasControl, label.uppercased().count == 1 { label = label.uppercased() }
        if needsShift { label = localized("Shift+\(label)") }
        if hasAlt { label = localized("Alt+\(label)") }
        return hasControl ? localized("Ctrl+\(label)") : label
    }
}
