package import WaylandProtocol
import WaylandServer

/// A window in a session of the compositor.
package struct WindowInSession: Hashable, Sendable {
    /// The identifier of the session.
    package var session: String
    package var name: String
    package var reason: XdgSessionManagerV1.Reason
    /// Whether the session and the window were known.
    package var isRestored: Bool

    package init(
        session: String, name: String, reason: XdgSessionManagerV1.Reason, isRestored: Bool
    ) {
        (self.session, self.name, self.reason) = (session, name, reason)
        self.isRestored = isRestored
    }
}

/// The globals that say what a window is, and those that bring a window back to its place.
extension TestCompositor {
    func addDescriptions() throws(ServerError) {
        try offer(WpContentTypeManagerV1Resource.self) { [unowned self] manager in
            manager.onRequest = { [unowned self] in
                guard case .getSurfaceContentType(let id, let surface) = $0,
                    let surface = self.surface(of: surface)
                else { return }
                if surface.hasContentType { violate("wp_content_type_manager_v1: a second object") }
                surface.hasContentType = true
                id.onRequest = { [unowned self, unowned surface] in
                    switch $0 {
                    case .setContentType(let type):
                        if type.rawValue > WpContentTypeV1.TypeValue.game.rawValue {
                            violate("wp_content_type_v1: there is no such type")
                        }
                        surface.nextContentType = type
                    case .destroy:
                        surface.hasContentType = false
                        surface.nextContentType = WpContentTypeV1.TypeValue.none
                    }
                }
            }
        }
        try offer(XdgToplevelTagManagerV1Resource.self) { [unowned self] manager in
            manager.onRequest = { [unowned self] in
                guard case .setToplevelTag(let toplevel, let tag) = $0 else { return }
                window(of: toplevel)?.tag = tag
            }
        }
    }

    func addSessions() throws(ServerError) {
        try offer(XdgSessionManagerV1Resource.self) { [unowned self] manager in
            manager.onRequest = { [unowned self] in
                guard case .getSession(let id, let reason, let identifier) = $0 else { return }
                if ![.launch, .recover, .sessionRestore].contains(reason) {
                    violate("xdg_session_manager_v1: there is no such reason")
                }
                add(id, reason, identifier)
            }
        }
    }

    private func add(
        _ session: XdgSessionV1Resource, _ reason: XdgSessionManagerV1.Reason,
        _ asked: String?
    ) {
        let isKnown = asked.map { setup.knownSessions.contains($0) } ?? false
        let identifier = isKnown ? asked ?? "" : setup.newSession
        if isKnown { session.restored() } else { session.created(sessionId: identifier) }
        sessions.append(session)
        session.onRequest = { [unowned self] in
            switch $0 {
            case .restoreToplevel(let id, let toplevel, let name):
                guard let window = window(of: toplevel) else { return }
                if window.surface.isMapped {
                    violate("xdg_session_v1: restored a window that had contents")
                }
                if window.session != nil { violate("xdg_session_v1: added a window twice") }
                if isKnown { id.restored() }
                window.session = WindowInSession(
                    session: identifier, name: name, reason: reason, isRestored: isKnown)
                id.onRequest = { [unowned window] in
                    if case .destroy = $0 { window.session = nil }
                }
            case .addToplevel, .removeToplevel, .remove, .destroy: break
            }
        }
    }
}
