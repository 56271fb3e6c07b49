import CWayland
import Glibc

/// A client's connection on the server's side.
package final class ServerClient {
    private var raw: OpaquePointer?

    private init(raw: OpaquePointer) {
        self.raw = raw
    }

    /// Whether the connection is open.
    package var isConnected: Bool { raw != nil }

    /// Closes the connection.
    package func disconnect() {
        if let raw { wl_client_destroy(raw) }
    }

    /// Sends the events that are queued.
    package func flush() {
        if let raw { wl_client_flush(raw) }
    }

    /// Ends the connection while messages are handled, as if the server were killed.
    ///
    /// `bytes` are sent before, as the beginning of a message.
    package func cut(after bytes: [UInt8] = []) {
        guard let raw else { return }
        let socket = wl_client_get_fd(raw)
        _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// All objects of the client, by their IDs.
    package var objects: [WireObject] {
        guard let raw else { return [] }
        var found: [WireObject] = []
        withUnsafeMutablePointer(to: &found) { list in
            wl_client_for_each_resource(raw, addObject, list)
        }
        return found
    }

    /// The libwayland client; the connection must be open.
    var target: OpaquePointer {
        guard let raw else { preconditionFailure("the client is disconnected") }
        return raw
    }

    /// The Swift object of a libwayland client.
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

/// `wl_client_for_each_resource_iterator_func_t` that collects the objects.
private func addObject(
    _ raw: OpaquePointer?, _ list: UnsafeMutableRawPointer?
) -> wl_iterator_result {
    if let raw, let object = WireObject(raw) {
        list?.assumingMemoryBound(to: [WireObject].self).pointee.append(object)
    }
    return WL_ITERATOR_CONTINUE
}
