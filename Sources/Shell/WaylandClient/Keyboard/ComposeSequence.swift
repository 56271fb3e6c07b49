import CXKB
import Glibc

/// Composes characters of several keys, as a dead accent and a letter.
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

    private let table: ComposeTable
    private let state: OpaquePointer

    /// Nil without memory.
    init?(_ table: ComposeTable) {
        guard let state = xkb_compose_state_new(table.raw, XKB_COMPOSE_STATE_NO_FLAGS) else {
            return nil
        }
        (self.table, self.state) = (table, state)
    }

    deinit { xkb_compose_state_unref(state) }

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
