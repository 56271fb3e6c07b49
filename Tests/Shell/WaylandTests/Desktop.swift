import CompositorKit
import Geometry
import Glibc
import Motion
import Testing
import WaylandClient
import WaylandProtocol
import WaylandServer

/// A small compositor with one output and one seat, a connected client, and a manual clock.
final class Desktop {
    struct Options {
        var compositorVersion: UInt32 = 4
        var seatVersion: UInt32 = 8
        var hasShell = true
        var hasSharedMemory = true
        var hasFractionalScale = false
        var hasDecorations = false
        var hasGestures = false
        var hasPresentation = false
        var hasTimestamps = false
        var hasTablets = false
        var hasActivation = false
        var hasSubsurfaces = false
        var hasExporter = false
        /// The version of wl_data_device_manager; nil without it.
        var dataVersion: UInt32?
        var hasPrimarySelection = false
    }

    let server: Server
    let client: ServerClient
    let connection: Connection
    private let time: Time
    private let options: Options

    private(set) var surfaces: [SurfaceLog] = []
    private(set) var toplevel: XdgToplevelResource?
    private(set) var xdgSurface: XdgSurfaceResource?
    private(set) var shell: XdgWmBaseResource?
    private(set) var fractional: WpFractionalScaleV1Resource?
    private(set) var decoration: ZxdgToplevelDecorationV1Resource?
    private(set) var feedbacks: [WpPresentationFeedbackResource] = []
    private(set) var seat: WlSeatResource?
    private(set) var touch: WlTouchResource?
    private(set) var pointer: WlPointerResource?
    private(set) var keyboard: WlKeyboardResource?
    private(set) var pinch: ZwpPointerGesturePinchV1Resource?
    private(set) var touchStamps: ZwpInputTimestampsV1Resource?
    private(set) var pointerStamps: ZwpInputTimestampsV1Resource?
    private(set) var tablets: ZwpTabletSeatV2Resource?
    private(set) var output: WlOutputResource?
    let data = TestData()
    private(set) var tokens: [TokenLog] = []
    private(set) var exported: [ZxdgExportedV2Resource] = []
    /// The tokens of activations, each with the number of commits before it.
    private(set) var activations: [String] = []
    private(set) var seatGlobal: Global?
    private(set) var acknowledged: [UInt32] = []
    private(set) var pongs: [UInt32] = []

    init(_ options: Options = Options()) throws {
        self.options = options
        let ends = try socketPair()
        server = try Server(hasSharedMemory: options.hasSharedMemory)
        client = try server.connect(socket: ends.server)
        let time = Time()
        self.time = time
        connection = try Connection(socket: ends.client) { time.now }
        try addGlobals()
    }

    /// Milliseconds on the client's clock.
    var now: Double {
        get { time.now.milliseconds }
        set { time.now = Moment(milliseconds: newValue) }
    }

    /// Dispatches both sides until all messages, and the replies to them, are handled.
    func pump() throws {
        for _ in 0..<3 {
            _ = try connection.prepareAndFlush()
            server.pump()
            var poll = pollfd(fd: connection.fileDescriptor, events: Int16(POLLIN), revents: 0)
            try connection.readAndDispatch(isReadable: Glibc.poll(&poll, 1, 0) > 0)
        }
    }

    /// A window that has received its first configure, with that size.
    func makeWindow(
        _ options: WindowOptions = WindowOptions(title: "t", appID: "a"), width: Int32 = 300,
        height: Int32 = 200
    ) throws -> WindowLog {
        try pump()
        let log = WindowLog(try Window(connection: connection, options: options))
        try pump()
        try configure(width: width, height: height)
        return log
    }

    func configure(
        width: Int32, height: Int32, states: [XdgToplevel.State] = [], serial: UInt32 = 1
    ) throws {
        let words = WireArray(words: states.map(\.rawValue))
        toplevel?.configure(width: width, height: height, states: words)
        xdgSurface?.configure(serial: serial)
        try pump()
    }

    var windowSurface: SurfaceLog { get throws { try #require(surfaces.first) } }
}

// MARK: Globals

extension Desktop {
    private func addGlobals() throws {
        try server.addGlobal(WlCompositorResource.self, version: options.compositorVersion) {
            [unowned self] compositor in
            compositor.onRequest = { [unowned self] in
                if case .createSurface(let id) = $0 { surfaces.append(SurfaceLog(id)) }
            }
        }
        seatGlobal = try server.addGlobal(WlSeatResource.self, version: options.seatVersion) {
            [unowned self] in addSeat($0)
        }
        try server.addGlobal(WlOutputResource.self, version: 4) { [unowned self] output in
            self.output = output
            output.mode(flags: .current, width: 800, height: 600, refresh: 60000)
            output.done()
        }
        if options.hasShell { try addShell() }
        if options.hasFractionalScale { try addFractionalScale() }
        if options.hasPresentation { try addPresentation() }
        if options.hasGestures { try addGestures() }
        if options.hasTimestamps { try addTimestamps() }
        if options.hasTablets { try addTablets() }
        if options.hasActivation { try addActivation() }
        if options.hasExporter {
            try server.addGlobal(ZxdgExporterV2Resource.self, version: 1) { [unowned self] in
                $0.onRequest = { [unowned self] in
                    guard case .exportToplevel(let id, _) = $0 else { return }
                    exported.append(id)
                }
            }
        }
        if let version = options.dataVersion { try data.offer(server, version) }
        if options.hasPrimarySelection { try data.offerPrimary(server) }
        if options.hasSubsurfaces {
            try server.addGlobal(WlSubcompositorResource.self, version: 1) { _ in }
        }
        guard options.hasDecorations else { return }
        try server.addGlobal(ZxdgDecorationManagerV1Resource.self, version: 1) {
            [unowned self] manager in
            manager.onRequest = { [unowned self] in
                if case .getToplevelDecoration(let id, _) = $0 { decoration = id }
            }
        }
    }

    private func addShell() throws {
        try server.addGlobal(XdgWmBaseResource.self, version: 7) { [unowned self] shell in
            self.shell = shell
            shell.onRequest = { [unowned self] request in
                switch request {
                case .getXdgSurface(let id, _):
                    xdgSurface = id
                    id.onRequest = { [unowned self] in
                        switch $0 {
                        case .getToplevel(let id): toplevel = id
                        case .ackConfigure(let serial): acknowledged.append(serial)
                        default: break
                        }
                    }
                case .pong(let serial): pongs.append(serial)
                default: break
                }
            }
        }
    }

    private func addSeat(_ seat: WlSeatResource) {
        self.seat = seat
        seat.onRequest = { [unowned self] request in
            switch request {
            case .getTouch(let id): touch = id
            case .getPointer(let id): pointer = id
            case .getKeyboard(let id): keyboard = id
            case .release: break
            }
        }
        seat.capabilities(capabilities: [.touch, .pointer, .keyboard])
    }

    private func addFractionalScale() throws {
        try server.addGlobal(WpViewporterResource.self, version: 1) { [unowned self] viewporter in
            viewporter.onRequest = { [unowned self] in
                guard case .getViewport(let id, let surface) = $0 else { return }
                let log = surfaces.first { $0.resource === surface }
                id.onRequest = {
                    guard case .setDestination(let width, let height) = $0 else { return }
                    log?.destination = Size(width: Double(width), height: Double(height))
                }
            }
        }
        try server.addGlobal(WpFractionalScaleManagerV1Resource.self, version: 1) {
            [unowned self] manager in
            manager.onRequest = { [unowned self] in
                if case .getFractionalScale(let id, _) = $0 { fractional = id }
            }
        }
    }

    private func addPresentation() throws {
        try server.addGlobal(WpPresentationResource.self, version: 1) { [unowned self] in
            $0.clockId(clkId: UInt32(CLOCK_MONOTONIC))
            $0.onRequest = { [unowned self] in
                if case .feedback(_, let callback) = $0 { feedbacks.append(callback) }
            }
        }
    }

    private func addTimestamps() throws {
        try server.addGlobal(ZwpInputTimestampsManagerV1Resource.self, version: 1) {
            [unowned self] in
            $0.onRequest = { [unowned self] in
                switch $0 {
                case .getTouchTimestamps(let id, _): touchStamps = id
                case .getPointerTimestamps(let id, _): pointerStamps = id
                case .getKeyboardTimestamps, .destroy: break
                }
            }
        }
    }

    private func addTablets() throws {
        try server.addGlobal(ZwpTabletManagerV2Resource.self, version: 1) { [unowned self] in
            $0.onRequest = { [unowned self] in
                if case .getTabletSeat(let id, _) = $0 { tablets = id }
            }
        }
    }

    private func addActivation() throws {
        try server.addGlobal(XdgActivationV1Resource.self, version: 1) { [unowned self] in
            $0.onRequest = { [unowned self] in
                switch $0 {
                case .getActivationToken(let id): tokens.append(TokenLog(id))
                case .activate(let token, let surface):
                    let log = surfaces.first { $0.resource === surface }
                    activations.append("\(token) after \(log?.committed.count ?? -1)")
                case .destroy: break
                }
            }
        }
    }

    private func addGestures() throws {
        try server.addGlobal(ZwpPointerGesturesV1Resource.self, version: 3) { [unowned self] in
            $0.onRequest = { [unowned self] in
                if case .getPinchGesture(let id, _) = $0 { pinch = id }
            }
        }
    }
}

/// A clock that stands still until it is set.
private final class Time {
    var now = Moment(milliseconds: 1_000_000)
}
