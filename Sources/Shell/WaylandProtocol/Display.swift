import CWayland
import Glibc

/// The connection to a compositor, by libwayland.
///
/// It never blocks. A turn of the caller's loop is: `prepareToRead`, `flush`, poll, then
/// `readEvents` or `cancelRead`, and `dispatchPending`.
package final class Display {
    private let raw: OpaquePointer

    /// Connects to the compositor of the session: WAYLAND_SOCKET, else WAYLAND_DISPLAY.
    package init() throws(DisplayError) {
        WaylandLog.install()
        guard let raw = wl_display_connect(nil) else {
            throw .noCompositor(errno: errno)
        }
        self.raw = raw
    }

    /// Speaks over a connected socket, which is taken over and closed at the end.
    package init(socket: Int32) throws(DisplayError) {
        WaylandLog.install()
        guard let raw = wl_display_connect_to_fd(socket) else {
            throw .noCompositor(errno: errno)
        }
        self.raw = raw
    }

    deinit { wl_display_disconnect(raw) }

    /// What to poll for; stays the connection's.
    package var fileDescriptor: Int32 { wl_display_get_fd(raw) }

    /// Handles all events that are queued already and announces a read.
    ///
    /// Each call is to be followed by one of `readEvents` and `cancelRead`.
    package func prepareToRead() throws(DisplayError) {
        while wl_display_prepare_read(raw) != 0 { try dispatchPending() }
    }

    /// Sends what is buffered; whether some could not be sent, so that POLLOUT is to be awaited.
    ///
    /// A compositor that closed its end is no error here: why it did may still have to be read.
    package func flush() throws(DisplayError) -> Bool {
        guard wl_display_flush(raw) < 0 else { return false }
        switch errno {
        case EAGAIN: return true
        case EPIPE: return false
        case let code: throw failure(errno: code)
        }
    }

    /// Reads what has come into the queue, after `prepareToRead`.
    package func readEvents() throws(DisplayError) {
        // Nothing to read yet is no failure; libwayland says so by success.
        guard wl_display_read_events(raw) < 0 else { return }
        throw failure(errno: errno)
    }

    /// Takes back the announcement of `prepareToRead`.
    package func cancelRead() {
        wl_display_cancel_read(raw)
    }

    /// Handles the events of the queue, and returns how many there were.
    @discardableResult
    package func dispatchPending() throws(DisplayError) -> Int {
        let count = wl_display_dispatch_pending(raw)
        guard count >= 0 else { throw failure(errno: errno) }
        return Int(count)
    }

    /// Why the connection is dead, if it is.
    package var error: DisplayError? {
        wl_display_get_error(raw) == 0 ? nil : failure(errno: EPIPE)
    }

    private func failure(errno fallback: Int32) -> DisplayError {
        let code = wl_display_get_error(raw)
        guard code == EPROTO else { return .gone(errno: code == 0 ? fallback : code) }
        var interface: UnsafePointer<wl_interface>?
        var id: UInt32 = 0
        let error = wl_display_get_protocol_error(raw, &interface, &id)
        let name = interface.flatMap { $0.pointee.name }.map { String(cString: $0) }
        return .protocolError(interface: name ?? "unknown", id: id, code: error)
    }
}

// MARK: The display's own requests

extension Display {
    /// Asks for the globals.
    package func registry() -> WlRegistry { create(opcode: 1) }

    /// An object that says `done` when all requests up to here are handled.
    package func sync() -> WlCallback { create(opcode: 0) }

    private func create<T: Proxy>(opcode: UInt32) -> T {
        var argument = wl_argument(o: nil)
        let created = wl_proxy_marshal_array_flags(
            raw, opcode, T.interface.raw, 1, 0, &argument)
        guard let created else { preconditionFailure("no memory for a protocol object") }
        return T(adopting: created, display: self)
    }
}
