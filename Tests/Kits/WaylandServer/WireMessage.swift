import CWayland

/// A message between the server and a client.
package struct WireMessage {
    /// Whether the client sent it.
    package var isRequest: Bool
    /// The interface and the message, as "wl_surface.commit".
    package var name: String
    package var client: ServerClient
}

/// The receiver of a server's messages.
final class MessageWatcher {
    fileprivate let handler: (WireMessage) -> Void

    init(_ handler: @escaping (WireMessage) -> Void) {
        self.handler = handler
    }
}

/// `wl_protocol_logger_func_t` of the servers.
func messagePassed(
    _ watcher: UnsafeMutableRawPointer?, _ direction: wl_protocol_logger_type,
    _ message: UnsafePointer<wl_protocol_logger_message>?
) {
    guard let watcher, let message = message?.pointee, let resource = message.resource,
        let client = wl_resource_get_client(resource), let name = message.message.pointee.name
    else { return }
    Unmanaged<MessageWatcher>.fromOpaque(watcher).takeUnretainedValue().handler(
        WireMessage(
            isRequest: direction == WL_PROTOCOL_LOGGER_REQUEST,
            name: String(cString: wl_resource_get_class(resource)) + "." + String(cString: name),
            client: ServerClient.find(client)))
}
