/// The end of the connection that bindings are made for.
enum Side: String {
    case client
    case server

    /// The class that stands for an interface's objects on this side.
    func className(_ interface: String) -> String {
        Naming.type(interface) + (self == .client ? "" : "Resource")
    }

    /// The messages that this side writes.
    func outgoing(_ interface: Interface) -> [Message] {
        self == .client ? interface.requests : interface.events
    }

    /// The messages that this side reads.
    func incoming(_ interface: Interface) -> [Message] {
        self == .client ? interface.events : interface.requests
    }

    /// The nested type of the incoming messages.
    var incomingType: String { self == .client ? "Event" : "Request" }

    /// The closure that receives them.
    var handler: String { self == .client ? "onEvent" : "onRequest" }

    /// Whether libwayland itself serves the interface's objects, so that no class is wanted.
    ///
    /// On either side the display is its; on the server the registry and shared memory are too.
    func isBuiltIn(_ interface: Interface) -> Bool {
        switch self {
        case .client: interface.name == "wl_display"
        case .server:
            ["wl_display", "wl_registry", "wl_shm", "wl_shm_pool"].contains(interface.name)
        }
    }
}
