import CXKB
import Glibc
import Synchronization
import SystemCalls
import Threads

/// The sequences of composed keys of a locale, or of the user's `~/.XCompose`.
///
/// `@unchecked Sendable`: the object is complete when it is shared, and the library counts its references
/// without a lock only while sequences are made and freed, which the input thread alone does.
final class ComposeTable: @unchecked Sendable {
    private let context: OpaquePointer
    let raw: OpaquePointer

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
        (self.context, raw) = (context, table)
    }

    deinit {
        xkb_compose_table_unref(raw)
        xkb_context_unref(context)
    }
}

/// Reads the sequences on a thread: the file of the user lies in a home folder that may not answer.
final class ComposeLoader: Sendable {
    private enum State {
        case reading
        /// Nil if there are none.
        case ready(ComposeTable?)
    }

    private let state = Mutex(State.reading)
    private let isRead = Signal()

    /// Begins to read the sequences of the environment's locale.
    init() {
        let isRunning = Thread.start { [self] in
            let table = ComposeTable(locale: Self.locale)
            state.withLock { $0 = .ready(table) }
            isRead.raise()
        }
        if !isRunning { state.withLock { $0 = .ready(nil) } }
    }

    /// Waits for the sequences, at most `patience` milliseconds.
    func wait(atMost patience: Int) {
        if case .reading = state.withLock({ $0 }) { _ = isRead.wait(atMost: patience) }
    }

    /// The sequences; nil if there are none, or while they are read.
    var table: ComposeTable? {
        state.withLock { if case .ready(let table) = $0 { table } else { nil } }
    }

    /// The locale of the environment's characters.
    static var locale: String { EnvironmentLocale.name(of: "LC_CTYPE") ?? "C" }
}
