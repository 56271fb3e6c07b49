import CWayland
import Synchronization

/// Stores the log messages of libwayland's client side instead of writing them to standard error.
///
/// Relevant errors are returned as values, and the program decides how to report them.
package enum WaylandLog {
    private static let last = Mutex("")

    /// The last message; after a protocol error, the explanation of the compositor.
    package static var lastMessage: String { last.withLock { $0 } }

    /// Installs the log handler, for the whole process.
    static func install() {
        cwayland_set_log_handler { message in
            guard let message else { return }
            let line = String(cString: message).prefix { $0 != "\n" }
            WaylandLog.last.withLock { $0 = String(line) }
        }
    }
}
