package import Geometry
import Motion
import WaylandProtocol

/// What a window asks of the desktop: move, resize, menu, icon, place and activation.
extension Window {
    package func setMaximized(_ isMaximized: Bool) {
        toplevel?.setMaximized(isMaximized)
        configuration.request(isMaximized: isMaximized, at: connection.now)
    }

    package func minimize() { toplevel?.raw.setMinimized() }

    /// Lets the compositor move the window with the finger or button that is down on that seat.
    ///
    /// Contacts are cancelled and buttons released, since the compositor receives their events from
    /// here on.
    package func beginMove(seat: Int) {
        guard let toplevel else { return }
        connection.seats.first { $0.number == seat }?.beginMove(toplevel.raw)
    }

    /// Lets the compositor show its menu for the window at a point of the window.
    ///
    /// Contacts and buttons end as by `beginMove`.
    package func showWindowMenu(seat: Int, at point: Point) {
        guard let toplevel else { return }
        connection.seats.first { $0.number == seat }?.showWindowMenu(toplevel.raw, at: point)
    }

    /// Lets the compositor resize the window with the press of that serial.
    func beginResize(_ edges: WindowState.Edges, seat: Seat, serial: UInt32) {
        guard let toplevel, let edge = XdgToplevel.ResizeEdge(edges) else { return }
        seat.beginResize(toplevel.raw, edge, serial: serial)
    }

    /// Does what need not delay the first frame, which is sent before.
    func finishFirstCommit(_ state: WindowState) {
        // An error of the connection is found by its next turn.
        _ = try? connection.display.flush()
        if let token = options.activationToken { activate(token: token) }
        desktop.export(surface, connection.globals)
        updateCursors()
        showBorder(for: state)
        if border != nil { surface.commit() }
    }

    /// Shows the border with the next commit, if the window draws its own decorations.
    ///
    /// The geometry is set only with a border, since the compositor finds the size of a single
    /// surface by itself.
    func showBorder(for state: WindowState) {
        if border == nil {
            guard !BorderLayout(state).isEmpty else { return }
            border = WindowBorder(of: surface, connection: connection)
        }
        guard let border else { return }
        border.show(state)
        toplevel?.setGeometry(state.size)
    }

    /// Comes to the front with the token of another program, which has started or called this one.
    package func activate(token: String) {
        connection.globals.activation?.activate(
            token: Toplevel.sendable(token), surface: surface)
    }

    /// Identifies the window to portals, which show their dialogs above it.
    ///
    /// This is "wayland:" and the handle of the exported window. Nil before the compositor has
    /// answered, and without xdg-foreign.
    package var portalParent: String? { desktop.exported?.handle.map { "wayland:\($0)" } }

    /// Asks for a token that lets a program that is about to be started come to the front.
    ///
    /// Set the token as XDG_ACTIVATION_TOKEN in the program's environment. `seat` is the seat whose
    /// input is the reason; `appID` names the desktop file of the program, if known. `handler` is
    /// called once, at once or later: with nil if the compositor has no token, or does not answer
    /// within half a second.
    package func requestActivationToken(
        seat: Int, appID: String? = nil, handler: @escaping (String?) -> Void
    ) {
        guard let manager = connection.globals.activation else { return handler(nil) }
        connection.add(
            ActivationRequest(
                manager, for: surface, seat: connection.seats.first { $0.number == seat },
                appID: appID, now: connection.now, handler: handler))
    }
}

extension XdgToplevel.ResizeEdge {
    /// Nil for edges that do not meet, and for none.
    fileprivate init?(_ edges: WindowState.Edges) {
        switch edges {
        case .top: self = .top
        case .bottom: self = .bottom
        case .left: self = .left
        case .right: self = .right
        case [.top, .left]: self = .topLeft
        case [.top, .right]: self = .topRight
        case [.bottom, .left]: self = .bottomLeft
        case [.bottom, .right]: self = .bottomRight
        default: return nil
        }
    }
}
