import CXKB
import Glibc
import Input
import SystemCalls

/// The keyboard layout and the state of the modifiers.
final class Keymap {
    private let context: OpaquePointer
    private let keymap: OpaquePointer
    private let state: OpaquePointer
    /// The state without locks of letters, by which keys start commands: Caps Lock chooses no other command.
    private let commandState: OpaquePointer
    /// The modifiers of such locks: Lock, and Shift where it is locked.
    private let lock: UInt32
    private let shift: UInt32

    /// Keymaps of several layouts have a few hundred kilobytes.
    private static let longest = 4 << 20

    /// Where the parts of keymaps are that a keymap may name; compositors send complete ones.
    private static var systemFolder: String {
        getenv("XKB_CONFIG_ROOT").map { String(cString: $0) } ?? "/usr/share/X11/xkb"
    }

    /// Compiles the keymap in a file of `size` bytes; nil if the file is not a valid keymap.
    ///
    /// The caller keeps ownership of the descriptor.
    init?(descriptor: Int32, size: Int) {
        // Without the flag the library would look for folders in the person's home, which may not answer.
        guard (1...Self.longest).contains(size),
            let context = xkb_context_new(XKB_CONTEXT_NO_DEFAULT_INCLUDES)
        else { return nil }
        xkb_context_include_path_append(context, Self.systemFolder)
        // The library would write its own words about the compositor's text on standard error.
        xkb_context_set_log_level(context, XKB_LOG_LEVEL_CRITICAL)
        guard let keymap = Self.compile(descriptor, size, context) else {
            xkb_context_unref(context)
            return nil
        }
        guard let state = xkb_state_new(keymap), let commandState = xkb_state_new(keymap) else {
            xkb_keymap_unref(keymap)
            xkb_context_unref(context)
            return nil
        }
        (self.context, self.keymap) = (context, keymap)
        (self.state, self.commandState) = (state, commandState)
        (lock, shift) = (
            Self.mask(XKB_MOD_NAME_CAPS, of: keymap), Self.mask(XKB_MOD_NAME_SHIFT, of: keymap)
        )
    }

    /// The bit of a modifier; 0 where the keymap has no such modifier.
    private static func mask(_ name: String, of keymap: OpaquePointer) -> UInt32 {
        let index = xkb_keymap_mod_get_index(keymap, name)
        return index < 32 ? 1 << index : 0
    }

    deinit {
        xkb_state_unref(commandState)
        xkb_state_unref(state)
        xkb_keymap_unref(keymap)
        xkb_context_unref(context)
    }

    private static func compile(
        _ descriptor: Int32, _ size: Int, _ context: OpaquePointer
    ) -> OpaquePointer? {
        // Read, not mapped: a file that shrinks under a mapping would end the program. A pipe cannot be
        // read at a position, so that nothing waits for a writer.
        let text = firstBytes(of: descriptor, limit: size)
        guard text.count == size else { return nil }
        return text.withUnsafeBytes { bytes in
            let text = bytes.assumingMemoryBound(to: CChar.self).baseAddress
            return text.flatMap {
                xkb_keymap_new_from_buffer(
                    context, $0, strnlen($0, size), XKB_KEYMAP_FORMAT_TEXT_V1,
                    XKB_KEYMAP_COMPILE_NO_FLAGS)
            }
        }
    }

    /// Applies the compositor's modifiers and active layout.
    func update(_ modifiers: KeyboardModifiers) {
        xkb_state_update_mask(
            state, modifiers.depressed, modifiers.latched, modifiers.locked, 0, 0, modifiers.group)
        xkb_state_update_mask(
            commandState, modifiers.depressed & ~lock, modifiers.latched & ~lock,
            modifiers.locked & ~(lock | shift), 0, 0, modifiers.group)
    }

    /// The key's symbol in the current state; nil for a key without one.
    func symbol(of key: UInt32) -> UInt32? { symbol(of: key, in: state) }

    /// The key's symbol in the active layout, whatever is locked; nil for a key without one.
    func localSymbol(of key: UInt32) -> UInt32? { symbol(of: key, in: commandState) }

    private func symbol(of key: UInt32, in state: OpaquePointer) -> UInt32? {
        let symbol = xkb_state_key_get_one_sym(state, code(key))
        return symbol == UInt32(XKB_KEY_NoSymbol) ? nil : symbol
    }

    /// The symbol by which the key starts commands.
    ///
    /// Usually the key's symbol. A letter of a script other than Latin starts no command, so such a key
    /// has the symbol of the first other layout with a Latin one, as in GTK and Qt, and without such a
    /// layout the symbol of the US layout.
    func commandSymbol(of key: UInt32) -> UInt32? {
        guard let symbol = localSymbol(of: key) else { return nil }
        guard USLayout.isForeign(xkb_keysym_to_utf32(symbol)) else { return symbol }
        return latinSymbol(of: key) ?? symbol
    }

    /// The symbol by which a key that types punctuation starts a command if the punctuation starts none: that
    /// of a Latin layout, where the active layout has no Latin letters.
    func secondCommandSymbol(of key: UInt32) -> UInt32? {
        guard let symbol = localSymbol(of: key),
            USLayout.isPunctuation(xkb_keysym_to_utf32(symbol)),
            !hasLatinLetters(xkb_state_key_get_layout(commandState, code(key)))
        else { return nil }
        return latinSymbol(of: key)
    }

    /// The codes of all keys of Linux; a keymap may name any number.
    private static let codes: ClosedRange<UInt32> = 8...0x307

    /// Whether any key has a Latin letter in a layout.
    private func hasLatinLetters(_ layout: UInt32) -> Bool {
        Self.codes.contains { code in
            guard let symbol = symbol(of: code, layout, level: 0) else { return false }
            return USLayout.isLetter(xkb_keysym_to_utf32(symbol))
        }
    }

    /// The only symbol of the key with a code of XKB in a layout at a level; nil for none or several.
    private func symbol(of code: UInt32, _ layout: UInt32, level: UInt32) -> UInt32? {
        var symbols: UnsafePointer<UInt32>?
        let count = xkb_keymap_key_get_syms_by_level(keymap, code, layout, level, &symbols)
        return count == 1 ? symbols?.pointee : nil
    }

    private func latinSymbol(of key: UInt32) -> UInt32? {
        let active = xkb_state_key_get_layout(commandState, code(key))
        for layout in 0..<xkb_keymap_num_layouts_for_key(keymap, code(key)) where layout != active {
            let level = xkb_state_key_get_level(commandState, code(key), layout)
            guard let other = symbol(of: code(key), layout, level: level) else { continue }
            let scalar = xkb_keysym_to_utf32(other)
            if scalar > 0x20, !USLayout.isForeign(scalar) { return other }
        }
        // The keysyms of ASCII characters are their codes.
        return USLayout.character(of: key, isShifted: isActive(XKB_MOD_NAME_SHIFT)).map {
            UInt32($0)
        }
    }

    /// The text that the key types in the current state; empty for keys without a text.
    ///
    /// Control characters, as of Return, are none.
    func text(of key: UInt32) -> String {
        let text = xkbText { xkb_state_key_get_utf8(state, code(key), $0, $1) }
        let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        return isPlain ? text : ""
    }

    /// The name of a key symbol.
    func name(of symbol: UInt32) -> String? {
        var name = [CChar](repeating: 0, count: 64)
        guard xkb_keysym_get_name(symbol, &name, name.count) > 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The active modifiers.
    ///
    /// They are queried by name, since compositors add virtual modifiers to the mask. Shift is left
    /// out if it selected the symbol ("plus", "R").
    func modifiers(for key: UInt32) -> KeyEvent.Modifiers {
        var modifiers: KeyEvent.Modifiers = []
        if isActive(XKB_MOD_NAME_CTRL) { modifiers.insert(.control) }
        if isActive(XKB_MOD_NAME_ALT) { modifiers.insert(.alt) }
        if isActive(XKB_MOD_NAME_LOGO) { modifiers.insert(.logo) }
        let index = xkb_keymap_mod_get_index(keymap, XKB_MOD_NAME_SHIFT)
        let isConsumed =
            xkb_state_mod_index_is_consumed2(
                commandState, code(key), index, XKB_CONSUMED_MODE_GTK) > 0
        if isActive(XKB_MOD_NAME_SHIFT), !isConsumed { modifiers.insert(.shift) }
        return modifiers
    }

    func repeats(_ key: UInt32) -> Bool {
        xkb_keymap_key_repeats(keymap, code(key)) != 0
    }

    private func isActive(_ name: String) -> Bool {
        xkb_state_mod_name_is_active(commandState, name, XKB_STATE_MODS_EFFECTIVE) > 0
    }

    /// XKB key codes are Linux key codes plus 8; Linux has no codes near the limit.
    private func code(_ key: UInt32) -> UInt32 { key &+ 8 }
}

/// The compositor's modifier state, as bit masks of the keymap.
struct KeyboardModifiers {
    var depressed: UInt32 = 0
    var latched: UInt32 = 0
    var locked: UInt32 = 0
    var group: UInt32 = 0

    /// The modifiers in effect, by the bits that the real modifiers have in every keymap, with Alt and the
    /// logo key in their usual places.
    ///
    /// Shift that is locked acts on letters, as Caps Lock does.
    var effective: KeyEvent.Modifiers {
        let mask = depressed | latched | (locked & ~1)
        var modifiers: KeyEvent.Modifiers = []
        if mask & 1 != 0 { modifiers.insert(.shift) }
        if mask & 4 != 0 { modifiers.insert(.control) }
        if mask & 8 != 0 { modifiers.insert(.alt) }
        if mask & 64 != 0 { modifiers.insert(.logo) }
        return modifiers
    }
}
