import WaylandProtocol

/// A place in a session of the compositor, which brings a window back to where a former run left the
/// window.
package struct WindowSessionOptions: Hashable, Sendable {
    /// Why the window opens.
    package enum Reason: Hashable, Sendable {
        /// A person has started the program.
        case launch
        /// The compositor has ended while the program ran.
        case recover
    }

    /// The identifier from the compositor; nil for a new session.
    package var identifier: String?
    package var reason: Reason

    package init(identifier: String?, reason: Reason) {
        (self.identifier, self.reason) = (identifier, reason)
    }
}

/// The session of one window, by xdg-session-management.
///
/// The compositor keeps what it knows of the window after `destroy`.
final class WindowSession {
    private let session: XdgSessionV1
    private var window: XdgToplevelSessionV1?
    /// The name of the window in the session, which has one window.
    private static let windowName = "window"

    /// Asks for the state of a window that has not been committed; `created` receives the identifier of
    /// a new session.
    init(
        _ options: WindowSessionOptions, of toplevel: XdgToplevel, _ manager: XdgSessionManagerV1,
        created: @escaping (String) -> Void
    ) {
        session = manager.getSession(
            reason: options.reason == .recover ? .recover : .launch,
            sessionId: options.identifier.map(Toplevel.sendable))
        window = session.restoreToplevel(toplevel: toplevel, name: Self.windowName)
        session.onEvent = { [weak self] in
            switch $0 {
            case .created(let identifier): created(identifier)
            case .restored: break
            // Another viewer has the session now, and this object has no effect any more.
            case .replaced: self?.letGo()
            }
        }
    }

    private func letGo() {
        window?.destroy()
        window = nil
    }

    /// Ends the use of the session; before the toplevel is destroyed.
    func destroy() {
        letGo()
        session.destroy()
    }
}
