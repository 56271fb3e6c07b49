import Testing
import WaylandProtocol
import WaylandServer

/// A client and a server that are connected and dispatched in turn.
final class Link {
    let server: Server
    let client: ServerClient
    let display: Display

    init() throws {
        let ends = try socketPair()
        server = try Server()
        client = try server.connect(socket: ends.server)
        display = try Display(socket: ends.client)
    }

    /// Dispatches both sides until all messages, and the replies to them, are handled.
    func pump() throws {
        for _ in 0..<3 {
            _ = try display.flush()
            server.pump()
            try display.pump()
        }
    }

    /// The globals that the server offers by now.
    func globals() throws -> Globals {
        let globals = Globals(display: display)
        try pump()
        return globals
    }

    func addCompositor(version: UInt32 = 5) throws -> PlainCompositor {
        let compositor = PlainCompositor()
        try server.addGlobal(WlCompositorResource.self, version: version) { resource in
            resource.onRequest = {
                if case .createSurface(let surface) = $0 { compositor.add(surface) }
            }
        }
        return compositor
    }
}

/// The globals of a registry, to be bound by class.
final class Globals {
    private let registry: WlRegistry
    private var offers: [String: (name: UInt32, version: UInt32)] = [:]

    init(display: Display) {
        registry = display.registry()
        registry.onEvent = { [unowned self] in
            if case .global(let name, let interface, let version) = $0 {
                offers[interface] = (name, version)
            }
        }
    }

    func bind<T: Proxy>(_ type: T.Type) throws -> T {
        let offer = try #require(offers[type.interface.name])
        return registry.bind(
            name: offer.name, type, version: min(offer.version, type.interface.version))
    }
}

/// A compositor that only records the requests of its surfaces.
final class PlainCompositor {
    private(set) var surfaces: [WlSurfaceResource] = []
    private(set) var attached: WlBufferResource?
    private(set) var requests: [String] = []

    func add(_ surface: WlSurfaceResource) {
        surfaces.append(surface)
        surface.onRequest = { [unowned self] request in
            switch request {
            case .attach(let buffer, _, _):
                attached = buffer
                requests.append("attach")
            case .commit: requests.append("commit")
            case .destroy: requests.append("destroy")
            default: requests.append("other")
            }
        }
    }
}
