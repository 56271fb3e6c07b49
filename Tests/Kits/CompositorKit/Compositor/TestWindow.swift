package import Geometry
package import Motion
package import WaylandProtocol
package import WaylandServer

/// A window of the shell, with the record of its configures and acknowledgements.
package final class TestWindow {
    /// One configure that was sent.
    package struct Configure: Hashable {
        package var serial: UInt32
        /// The size in logical pixels; nil leaves the size to the client.
        package var size: Size?
        package var states: Set<XdgToplevel.State>
        package var moment: Moment
    }

    package let surface: TestSurface
    package let resource: XdgSurfaceResource
    package private(set) var toplevel: XdgToplevelResource?
    package private(set) var title = ""
    package private(set) var appID = ""
    package private(set) var minimumSize = Size.zero
    /// Every configure that was sent, in order.
    package private(set) var configures: [Configure] = []
    /// The last configure that the client has acknowledged.
    package private(set) var acknowledged: Configure?
    package private(set) var isFullscreen = false
    /// The screen that the client has asked for with fullscreen.
    package private(set) weak var output: TestOutput?
    package private(set) var isMaximized = false
    package private(set) var isMinimized = false
    /// The number of interactive moves that the client requested.
    package private(set) var moves = 0
    /// The edges of the interactive resizes that the client requested.
    package private(set) var resizes: [XdgToplevel.ResizeEdge] = []
    /// Where the client asked for the window menu.
    package private(set) var menus: [Point] = []
    /// The visible part of the surfaces; nil if it follows them.
    package private(set) var geometry: PixelRect?
    /// The name of the icon, if the client has set one.
    package internal(set) var iconName: String?
    /// The name of the window for rules, if the client has set one.
    package internal(set) var tag: String?
    /// The session in which the window has its place, while the client uses one.
    package internal(set) var session: WindowInSession?
    private var nextGeometry: PixelRect?
    package private(set) var isOpen = true
    var decoration: ZxdgToplevelDecorationV1Resource?
    private var hasAskedForConfigure = false

    private var compositor: TestCompositor { surface.compositor }

    init(_ resource: XdgSurfaceResource, surface: TestSurface) {
        self.resource = resource
        self.surface = surface
        if surface.isMapped { surface.violate("got a role when it had contents") }
        resource.onRequest = { [unowned self] in receive($0) }
        resource.onDestroy = { [weak self] in self?.isOpen = false }
    }

    // MARK: Events to the client

    /// Whether the last configure is acknowledged.
    package var isUpToDate: Bool { acknowledged == configures.last }

    /// Sends a configure with a size and with states besides those that the client requested.
    @discardableResult
    package func configure(
        _ size: Size?, states extra: Set<XdgToplevel.State> = [.activated]
    ) -> UInt32 {
        var states = extra
        if isFullscreen { states.insert(.fullscreen) }
        if isMaximized { states.insert(.maximized) }
        let configure = Configure(
            serial: compositor.nextSerial(), size: size, states: states, moment: compositor.now)
        configures.append(configure)
        if let capabilities = compositor.setup.windowCapabilities, resource.version >= 5 {
            toplevel?.wmCapabilities(
                capabilities: WireArray(words: capabilities.map(\.rawValue)))
        }
        toplevel?.configure(
            width: Int32(size?.width ?? 0), height: Int32(size?.height ?? 0),
            states: WireArray(words: states.map(\.rawValue)))
        decoration?.configure(mode: compositor.setup.decoration)
        resource.configure(serial: configure.serial)
        return configure.serial
    }

    /// Sends a configure with any size and any states, without checks of the size that follows.
    package func configure(rawWidth width: Int32, height: Int32, states: [UInt32] = []) {
        let configure = Configure(
            serial: compositor.nextSerial(), size: nil, states: [], moment: compositor.now)
        configures.append(configure)
        toplevel?.configure(width: width, height: height, states: WireArray(words: states))
        resource.configure(serial: configure.serial)
    }

    /// Sends a configure with the size of the window's state.
    private func configureForState() {
        let screen = (output ?? compositor.outputs.first { !$0.isRemoved })?.logicalSize
        configure(isFullscreen || isMaximized ? screen : compositor.setup.windowSize)
    }

    /// Sends a close request, as for a click on the close button.
    package func close() { toplevel?.close() }

    // MARK: Requests of the client

    private func receive(_ request: XdgSurfaceResource.Request) {
        switch request {
        case .getToplevel(let toplevel):
            self.toplevel = toplevel
            toplevel.onRequest = { [unowned self] in receive($0) }
        case .getPopup: violate("created a popup, which the test compositor does not support")
        case .setWindowGeometry(let x, let y, let width, let height):
            if width < 1 || height < 1 { violate("set an empty geometry") }
            nextGeometry = PixelRect(
                x: Int(x), y: Int(y), width: Int(width), height: Int(height))
        case .ackConfigure(let serial): acknowledge(serial)
        case .destroy:
            if toplevel?.isAlive == true { violate("destroyed before its toplevel") }
        }
    }

    private func receive(_ request: XdgToplevelResource.Request) {
        switch request {
        case .setTitle(let title): self.title = title
        case .setAppId(let appID): self.appID = appID
        case .setMinSize(let width, let height):
            minimumSize = Size(width: Double(width), height: Double(height))
        case .setFullscreen(let output):
            self.output = compositor.outputs.first { test in
                test.resources.contains { $0 === output }
            }
            change { $0.isFullscreen = true }
        case .unsetFullscreen: change { $0.isFullscreen = false }
        case .setMaximized: change { $0.isMaximized = true }
        case .unsetMaximized: change { $0.isMaximized = false }
        case .setMinimized: isMinimized = true
        case .move(let seat, let serial):
            checkPress(serial, of: seat)
            moves += 1
        case .resize(let seat, let serial, let edge):
            checkPress(serial, of: seat)
            resizes.append(edge)
        case .showWindowMenu(let seat, let serial, let x, let y):
            checkPress(serial, of: seat)
            menus.append(Point(x: Double(x), y: Double(y)))
        case .destroy:
            if decoration?.isAlive == true { violate("destroyed before its decoration") }
        case .setParent, .setMaxSize: break
        }
    }

    /// Changes a state; a change before the first commit is part of the first configure.
    private func change(_ body: (TestWindow) -> Void) {
        body(self)
        if hasAskedForConfigure, compositor.setup.configuresByItself { configureForState() }
    }

    private func acknowledge(_ serial: UInt32) {
        guard let index = configures.firstIndex(where: { $0.serial == serial }) else {
            violate("acknowledged \(serial), which was never sent")
            return
        }
        if let acknowledged, acknowledged.serial >= serial {
            violate("acknowledged \(serial) after \(acknowledged.serial)")
        }
        acknowledged = configures[index]
    }

    /// Checks that a finger or button of that serial is down, as compositors do.
    private func checkPress(_ serial: UInt32, of seat: WlSeatResource) {
        if !compositor.seats.contains(where: { $0.owns(seat) && $0.isDown(serial) }) {
            violate("named \(serial), which is no press that is down")
        }
    }

    /// Tells the client on which screen a window has appeared that had asked for one.
    func appeared() {
        guard let output, let bound = output.resources.last, !output.isRemoved else { return }
        surface.resource.enter(output: bound)
    }

    /// Sends a configure with the new size of the screen.
    package func followScreen() { configureForState() }

    func willCommit(hasBuffer: Bool) {
        geometry = nextGeometry
        if hasBuffer, acknowledged == nil {
            violate("committed a buffer before the first configure was acknowledged")
        }
        guard !hasAskedForConfigure, toplevel != nil else { return }
        hasAskedForConfigure = true
        if compositor.setup.configuresByItself { configureForState() }
    }

    /// The surface at a point of the window, and the point there; nil beside the window's surfaces.
    package func target(at point: Point) -> (surface: TestSurface, point: Point)? {
        let size = surface.commits.last?.logicalSize ?? .zero
        if Rect(origin: .zero, size: size).contains(point) { return (surface, point) }
        for child in surface.children {
            guard let rect = child.rect, rect.contains(point) else { continue }
            let local = Point(x: point.x - rect.x, y: point.y - rect.y)
            let receives = child.surface.inputRegion?.contains { Rect($0).contains(local) } ?? true
            if receives { return (child.surface, local) }
        }
        return nil
    }

    /// Checks the size: exactly the configured size if maximized, at most that if fullscreen.
    func checkSize(_ size: Size) {
        if let geometry, geometry != PixelRect(rounding: Rect(origin: .zero, size: size)) {
            violate("has a geometry of \(geometry) and a size of \(size)")
        }
        guard let acknowledged, let asked = acknowledged.size else { return }
        if acknowledged.states.contains(.maximized), size != asked {
            violate("is \(size) instead of the maximized size \(asked)")
        }
        if acknowledged.states.contains(.fullscreen),
            size.width > asked.width || size.height > asked.height
        {
            violate("is \(size), larger than its screen of \(asked)")
        }
    }

    private func violate(_ text: String) { compositor.violate("xdg_surface: " + text) }
}
