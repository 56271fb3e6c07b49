import CLinux
import Glibc
import Input
import WaylandProtocol
import WaylandServer

/// A keymap with one unmodified key for each symbol of a common keyboard.
///
/// The keymap is generated text and does not need the layouts of the system.
package struct TestKeymap {
    /// The keysym names; the key codes of Linux start at 1.
    private static let names: [String] = {
        let words = """
            Escape Return BackSpace Tab Delete Insert Home End Prior Next Left Right Up Down space plus \
            minus equal slash question comma period less greater bracketleft bracketright KP_Add \
            KP_Subtract Shift_L Control_L Alt_L Super_L Menu
            """
        let functions = (1...12).map { "F\($0)" }
        let characters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".map(
            String.init)
        let others = ["percent", "dead_acute", "Multi_key", "KP_Enter", "KP_Decimal", "KP_5"]
        return words.split(separator: " ").map(String.init) + functions + characters + others
    }()

    /// The difference between XKB and Linux key codes.
    private static let offset = 8

    /// The Linux key code of a keysym name.
    func code(of name: String) -> UInt32? {
        Self.names.firstIndex(of: name).map { UInt32($0 + 1) }
    }

    /// The bits of the modifiers that every XKB keymap has.
    static func mask(_ modifiers: KeyEvent.Modifiers) -> UInt32 {
        (modifiers.contains(.shift) ? 1 : 0) | (modifiers.contains(.control) ? 4 : 0)
            | (modifiers.contains(.alt) ? 8 : 0) | (modifiers.contains(.logo) ? 64 : 0)
    }

    /// The keymap, without a NUL.
    package static var text: String {
        let codes = names.indices.map { "<K\($0)> = \($0 + 1 + offset);" }
        let symbols = zip(names.indices, names).map { "key <K\($0)> { [ \($1) ] };" }
        return """
            xkb_keymap {
            xkb_keycodes { minimum = 8; maximum = 255; \(codes.joined(separator: " ")) };
            xkb_types { type "ONE_LEVEL" { modifiers = none; level_name[Level1] = "Any"; }; };
            xkb_compat { interpret.repeat = False; };
            xkb_symbols { \(symbols.joined(separator: " ")) };
            };

            """
    }

    func send(to keyboard: WlKeyboardResource) {
        let bytes = Array(Self.text.utf8) + [0]
        let memory = clinux_memfd_create("keymap")
        defer { close(memory) }
        guard write(memory, bytes, bytes.count) == bytes.count else {
            preconditionFailure("no memory for a keymap")
        }
        keyboard.keymap(format: .xkbV1, fd: memory, size: UInt32(bytes.count))
    }
}
