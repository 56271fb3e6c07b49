import CWayland
import WaylandProtocol

/// A Wayland server in the test's own thread, spoken to over a socket.
///
/// It does nothing by itself: the test adds the globals, answers the requests, and calls `pump` to
/// let it read and write.
package final class Server {
    private let raw: OpaquePointer
    private var globals: [any AnyObject] = []

    /// Starts without globals but wl_shm, which libwayland serves by itself.
    package init(hasSharedMemory: Bool = true) throws(ServerError) {
        guard let raw = wl_display_create() else { throw .noMemory }
        self.raw = raw
        guard !hasSharedMemory || wl_display_init_shm(raw) == 0 else { throw .noMemory }
    }

    deinit {
        wl_display_destroy_clients(raw)
        wl_display_destroy(raw)
    }

    /// Offers a global; `bind` gets each client's new object for it.
    @discardableResult
    package func addGlobal<R: Resource>(
        _ type: R.Type, version: UInt32, bind: @escaping (R) -> Void
    ) throws(ServerError) -> Global {
        let global = Global { client, version, id in
            bind(R(client: client, version: version, id: id))
        }
        guard
            let rawGlobal = wl_global_create(
                raw, type.interface.raw, Int32(version),
                Unmanaged.passUnretained(global).toOpaque(), bindGlobal)
        else { throw .noMemory }
        global.raw = rawGlobal
        // The display calls into the global for as long as it lives.
        globals.append(global)
        return global
    }

    /// Speaks to a client over a connected socket, which is taken over.
    package func connect(socket: Int32) throws(ServerError) -> ServerClient {
        guard let client = wl_client_create(raw, socket) else { throw .noMemory }
        return ServerClient.find(client)
    }

    /// What to poll for input from the clients; stays the server's.
    package var fileDescriptor: Int32 {
        wl_event_loop_get_fd(wl_display_get_event_loop(raw))
    }

    /// Reads and handles what the clients have sent, and sends what is waiting for them.
    package func pump() {
        wl_event_loop_dispatch(wl_display_get_event_loop(raw), 0)
        wl_display_flush_clients(raw)
    }

    /// A serial number for an event, higher than all before.
    package func nextSerial() -> UInt32 { wl_display_next_serial(raw) }
}

package enum ServerError: Error, Hashable {
    case noMemory
}

/// A global that a server offers.
package final class Global {
    fileprivate var raw: OpaquePointer?
    fileprivate let bind: (ServerClient, _ version: UInt32, _ id: UInt32) -> Void

    fileprivate init(bind: @escaping (ServerClient, UInt32, UInt32) -> Void) {
        self.bind = bind
    }

    /// Tells the clients that it is gone; those that bind it nevertheless still may.
    package func remove() {
        guard let raw else { return }
        wl_global_remove(raw)
    }
}

/// `wl_global_bind_func_t` of every global.
private func bindGlobal(
    _ client: OpaquePointer?, _ data: UnsafeMutableRawPointer?, _ version: UInt32, _ id: UInt32
) {
    guard let client, let data else { return }
    let global = Unmanaged<Global>.fromOpaque(data).takeUnretainedValue()
    global.bind(ServerClient.find(client), version, id)
}
