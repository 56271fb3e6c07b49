import CWayland
import Synchronization

/// What libwayland's client side has to say, kept instead of written to standard error: the errors
/// that matter come back as values, and how they are told is the program's choice.
package enum WaylandLog {
    private static let last = Mutex("")

    /// The last message; with a protocol error, the compositor's own words on it.
    package static var lastMessage: String { last.withLock { $0 } }

    /// Takes libwayland's messages from here on, for the whole process.
    static func install() {
        cwayland_set_log_handler { message in
            guard let message else { return }
            let line = String(cString: message).prefix { $0 != "\n" }
            WaylandLog.last.withLock { $0 = String(line) }
        }
    }
}
