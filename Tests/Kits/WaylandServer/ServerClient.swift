import CWayland

/// A client's connection, as the server sees it.
package final class ServerClient {
    private var raw: OpaquePointer?

    private init(raw: OpaquePointer) {
        self.raw = raw
    }

    /// Whether the connection still stands.
    package var isConnected: Bool { raw != nil }

    /// Hangs up.
    package func disconnect() {
        if let raw { wl_client_destroy(raw) }
    }

    /// The connection for libwayland, which must still stand.
    var target: OpaquePointer {
        guard let raw else { preconditionFailure("the client is gone") }
        return raw
    }

    /// The one Swift object for a client of libwayland.
    static func find(_ raw: OpaquePointer) -> ServerClient {
        if let listener = wl_client_get_destroy_listener(raw, clientDestroyed),
            let client = DestroyListener.owner(of: listener) as? ServerClient
        {
            return client
        }
        let client = ServerClient(raw: raw)
        wl_client_add_destroy_listener(
            raw, DestroyListener.make(owner: client, notify: clientDestroyed))
        return client
    }

    fileprivate func forget() { raw = nil }
}

/// `wl_notify_func_t` of the clients.
private func clientDestroyed(
    _ listener: UnsafeMutablePointer<wl_listener>?, _ data: UnsafeMutableRawPointer?
) {
    guard let listener else { return }
    (DestroyListener.release(listener) as? ServerClient)?.forget()
}
