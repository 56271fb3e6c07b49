import CXKB
import Glibc

/// Composes characters of several keys, as a dead accent and a letter.
///
/// The sequences are those of the locale, or of the user's `~/.XCompose`. Reading them takes some
/// milliseconds, so the object is made when the first text field has the focus.
final class ComposeSequence {
    /// What a key is in its sequence.
    enum Step {
        /// The key is not part of a sequence.
        case outside
        /// The sequence is unfinished, or this key has cancelled it.
        case inside
        /// The key has completed the sequence, which types this text.
        case complete(String)
    }

    private let context: OpaquePointer
    private let table: OpaquePointer
    private let state: OpaquePointer

    /// Reads the sequences of a locale such as "en_US.UTF-8"; nil if the system has none for it.
    init?(locale: String) {
        guard let context = xkb_context_new(XKB_CONTEXT_NO_FLAGS) else { return nil }
        // A missing or wrong file of the user is no reason for messages: keys then type plain text.
        xkb_context_set_log_level(context, XKB_LOG_LEVEL_CRITICAL)
        guard
            let table = xkb_compose_table_new_from_locale(
                context, locale, XKB_COMPOSE_COMPILE_NO_FLAGS)
        else {
            xkb_context_unref(context)
            return nil
        }
        guard let state = xkb_compose_state_new(table, XKB_COMPOSE_STATE_NO_FLAGS) else {
            xkb_compose_table_unref(table)
            xkb_context_unref(context)
            return nil
        }
        (self.context, self.table, self.state) = (context, table, state)
    }

    deinit {
        xkb_compose_state_unref(state)
        xkb_compose_table_unref(table)
        xkb_context_unref(context)
    }

    /// Continues the sequence with a key symbol.
    func feed(_ symbol: UInt32) -> Step {
        // Modifier keys do not belong to sequences, but may be pressed within one.
        guard xkb_compose_state_feed(state, symbol) == XKB_COMPOSE_FEED_ACCEPTED else {
            return .outside
        }
        switch xkb_compose_state_get_status(state) {
        case XKB_COMPOSE_COMPOSING: return .inside
        case XKB_COMPOSE_CANCELLED:
            reset()
            return .inside
        case XKB_COMPOSE_COMPOSED:
            defer { reset() }
            return .complete(
                xkbText { xkb_compose_state_get_utf8(state, $0, $1) })
        default: return .outside
        }
    }

    func reset() { xkb_compose_state_reset(state) }

    /// The locale of the environment's characters, by the rules of setlocale(3).
    static var locale: String {
        for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
            if let value = getenv(name), value.pointee != 0 { return String(cString: value) }
        }
        return "C"
    }
}

/// A text that an XKB function writes: it takes a buffer and its size, and returns the length.
func xkbText(_ write: (UnsafeMutablePointer<CChar>?, Int) -> Int32) -> String {
    let length = Int(write(nil, 0))
    guard length > 0 else { return "" }
    let bytes = [CChar](unsafeUninitializedCapacity: length + 1) { buffer, count in
        count = min(max(Int(write(buffer.baseAddress, buffer.count)), 0), length)
    }
    return String(decoding: bytes.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
