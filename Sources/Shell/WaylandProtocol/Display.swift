import CWayland
import Glibc
import SystemCalls

/// The connection to a compositor, through libwayland.
///
/// No method blocks. One iteration of the caller's loop is `prepareToRead`, `flush`, poll(2), then
/// `dispatch`.
package final class Display {
    private let raw: OpaquePointer

    /// Connects to the compositor of the session: WAYLAND_SOCKET, else WAYLAND_DISPLAY.
    package init() throws(DisplayError) {
        WaylandLog.install()
        // The library would take the empty text for descriptor 0.
        if let socket = getenv("WAYLAND_SOCKET"), socket.pointee == 0 { unsetenv("WAYLAND_SOCKET") }
        do throws(SystemError) {
            raw = try reporting { wl_display_connect(nil) }
        } catch { throw .noCompositor(error) }
    }

    /// Uses a connected socket, takes ownership of it and closes it at the end.
    package init(socket: Int32) throws(DisplayError) {
        WaylandLog.install()
        do throws(SystemError) {
            raw = try reporting { wl_display_connect_to_fd(socket) }
        } catch { throw .noCompositor(error) }
    }

    deinit { wl_display_disconnect(raw) }

    /// The descriptor to poll; the connection keeps its ownership.
    package var fileDescriptor: Int32 { wl_display_get_fd(raw) }

    /// Dispatches all queued events and prepares a read.
    ///
    /// Each call must be followed by a call of `dispatch` or `cancelRead`.
    package func prepareToRead() throws(DisplayError) {
        do throws(SystemError) {
            while wl_display_prepare_read(raw) != 0 {
                try reporting { wl_display_dispatch_pending(raw) }
            }
        } catch { throw failure(error) }
    }

    /// Sends the buffered requests; returns whether some remain, so that the caller must poll for
    /// POLLOUT.
    ///
    /// A connection closed by the compositor (EPIPE) is not an error here, since the reason may
    /// still have to be read.
    package func flush() throws(DisplayError) -> Bool {
        do throws(SystemError) {
            try reporting { wl_display_flush(raw) }
            return false
        } catch {
            switch error.code {
            case EAGAIN: return true
            case EPIPE:
                // Reading has to end even if the reason is another one than the end of the compositor.
                PacketSocket.shutDown(fileDescriptor)
                return false
            default: throw failure(error)
            }
        }
    }

    /// Reads the events that have arrived if `reads`, dispatches the queued events, and returns their number;
    /// after `prepareToRead`.
    @discardableResult
    package func dispatch(reads: Bool) throws(DisplayError) -> Int {
        do throws(SystemError) {
            // libwayland reports success if there is nothing to read yet.
            if reads { try reporting { wl_display_read_events(raw) } } else { cancelRead() }
            return Int(try reporting { wl_display_dispatch_pending(raw) })
        } catch { throw failure(error) }
    }

    /// Throws `gone` if the compositor has closed the connection and nothing is left to read.
    ///
    /// libwayland 1.26 reports no error where the connection ends within a message, and poll(2) would
    /// return at once for ever.
    package func checkEnd() throws(DisplayError) {
        var byte: UInt8 = 0
        let flags = Int32(MSG_PEEK | MSG_DONTWAIT)
        guard recv(fileDescriptor, &byte, 1, flags) == 0 else { return }
        throw .gone(SystemError(code: EPIPE))
    }

    /// Cancels the read that `prepareToRead` has prepared.
    package func cancelRead() {
        wl_display_cancel_read(raw)
    }

    /// The error that ended the connection; nil while the connection works.
    package var error: DisplayError? {
        wl_display_get_error(raw) == 0 ? nil : failure(SystemError(code: EPIPE))
    }

    private func failure(_ fallback: SystemError) -> DisplayError {
        let code = wl_display_get_error(raw)
        guard code == EPROTO else { return .gone(code == 0 ? fallback : SystemError(code: code)) }
        var interface: UnsafePointer<wl_interface>?
        var id: UInt32 = 0
        let error = wl_display_get_protocol_error(raw, &interface, &id)
        let name = interface.flatMap { $0.pointee.name }.map { String(cString: $0) }
        return .protocolError(interface: name ?? "unknown", id: id, code: error)
    }
}

// MARK: The display's own requests

extension Display {
    /// Requests the globals.
    package func registry() -> WlRegistry { create(opcode: 1) }

    /// A callback that receives `done` when all requests so far are handled.
    package func sync() -> WlCallback { create(opcode: 0) }

    private func create<T: Proxy>(opcode: UInt32) -> T {
        var argument = wl_argument(o: nil)
        let created = wl_proxy_marshal_array_flags(
            raw, opcode, T.interface.raw, 1, 0, &argument)
        guard let created else { preconditionFailure("no memory for a protocol object") }
        return T(adopting: created, display: self)
    }
}
