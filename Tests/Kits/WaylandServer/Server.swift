import CWayland
package import WaylandProtocol

/// A Wayland server on the test's thread, connected to clients over sockets.
///
/// The test adds the globals, answers the requests, and calls `pump` to read and write.
package final class Server {
    private let raw: OpaquePointer
    private var globals: [any AnyObject] = []
    private var watchers: [MessageWatcher] = []

    /// Takes buffers of another format, from now on.
    package func addFormat(_ format: WlShm.Format) {
        wl_display_add_shm_format(raw, format.rawValue)
    }

    /// Creates a server without globals except wl_shm, which libwayland implements itself.
    package init(hasSharedMemory: Bool = true) throws(ServerError) {
        guard let raw = wl_display_create() else { throw .noMemory }
        self.raw = raw
        guard !hasSharedMemory || wl_display_init_shm(raw) == 0 else { throw .noMemory }
    }

    deinit {
        wl_display_destroy_clients(raw)
        wl_display_destroy(raw)
    }

    /// Adds a global; `bind` is called with the new object of each client.
    ///
    /// The version may be higher than any that is known.
    @discardableResult
    package func addGlobal<R: Resource>(
        _ type: R.Type, version: UInt32, bind: @escaping (R) -> Void
    ) throws(ServerError) -> Global {
        let global = Global { client, version, id in
            bind(R(client: client, version: version, id: id))
        }
        guard
            let rawGlobal = wl_global_create(
                raw, Self.interface(type, version), Int32(version),
                Unmanaged.passUnretained(global).toOpaque(), bindGlobal)
        else { throw .noMemory }
        global.raw = rawGlobal
        // The display refers to the global until the display is destroyed.
        globals.append(global)
        return global
    }

    /// The interface, with a higher version if libwayland would refuse to offer `version`.
    private static func interface<R: Resource>(
        _ type: R.Type, _ version: UInt32
    ) -> UnsafePointer<wl_interface> {
        guard version > type.interface.version else { return type.interface.raw }
        // Never freed, since the display may refer to it.
        let copy = UnsafeMutablePointer<wl_interface>.allocate(capacity: 1)
        copy.initialize(to: type.interface.raw.pointee)
        copy.pointee.version = Int32(version)
        return UnsafePointer(copy)
    }

    /// Adds a client on a connected socket, which the server then owns.
    package func connect(socket: Int32) throws(ServerError) -> ServerClient {
        guard let client = wl_client_create(raw, socket) else { throw .noMemory }
        return ServerClient.find(client)
    }

    /// The descriptor to poll for input from the clients; owned by the server.
    package var fileDescriptor: Int32 {
        wl_event_loop_get_fd(wl_display_get_event_loop(raw))
    }

    /// Reads and handles the clients' requests, and sends the pending events.
    package func pump() {
        wl_event_loop_dispatch(wl_display_get_event_loop(raw), 0)
        wl_display_flush_clients(raw)
    }

    /// Calls `handler` with each message, before a request is handled and before an event is sent.
    package func watchMessages(_ handler: @escaping (WireMessage) -> Void) {
        let watcher = MessageWatcher(handler)
        watchers.append(watcher)
        wl_display_add_protocol_logger(
            raw, messagePassed, Unmanaged.passUnretained(watcher).toOpaque())
    }

    /// A new serial number, higher than all previous ones.
    package func nextSerial() -> UInt32 { wl_display_next_serial(raw) }
}

package enum ServerError: Error, Hashable {
    case noMemory
}

/// A global of a server.
package final class Global {
    fileprivate var raw: OpaquePointer?
    fileprivate let bind: (ServerClient, _ version: UInt32, _ id: UInt32) -> Void

    fileprivate init(bind: @escaping (ServerClient, UInt32, UInt32) -> Void) {
        self.bind = bind
    }

    /// Announces the removal of the global; late binds of clients still succeed.
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
