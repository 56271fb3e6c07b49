/// The side of the connection to generate bindings for.
enum Side: String {
    case client
    case server

    /// The class for the objects of an interface on this side.
    func className(_ interface: String) -> String {
        Naming.type(interface) + (self == .client ? "" : "Resource")
    }

    /// The messages that this side sends.
    func outgoing(_ interface: Interface) -> [Message] {
        self == .client ? interface.requests : interface.events
    }

    /// The messages that this side receives.
    func incoming(_ interface: Interface) -> [Message] {
        self == .client ? interface.events : interface.requests
    }

    /// The nested type for incoming messages.
    var incomingType: String { self == .client ? "Event" : "Request" }

    /// The property for the closure that receives incoming messages.
    var handler: String { self == .client ? "onEvent" : "onRequest" }

    /// Whether libwayland itself implements the objects of the interface, so that no class is
    /// generated.
    ///
    /// This holds for the display on both sides, and for the registry and shared memory on the
    /// server.
    func isBuiltIn(_ interface: Interface) -> Bool {
        switch self {
        case .client: interface.name == "wl_display"
        case .server:
            ["wl_display", "wl_registry", "wl_shm", "wl_shm_pool"].contains(interface.name)
        }
    }
}
