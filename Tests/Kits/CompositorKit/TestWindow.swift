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
    package private(set) var isMaximized = false
    package private(set) var isMinimized = false
    /// The number of interactive moves that the client requested.
    package private(set) var moves = 0
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
        toplevel?.configure(
            width: Int32(size?.width ?? 0), height: Int32(size?.height ?? 0),
            states: WireArray(words: states.map(\.rawValue)))
        decoration?.configure(mode: compositor.setup.decoration)
        resource.configure(serial: configure.serial)
        return configure.serial
    }

    /// Sends a configure with the size of the window's state.
    private func configureForState() {
        let screen = compositor.outputs.first { !$0.isRemoved }?.logicalSize
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
        case .setWindowGeometry(_, _, let width, let height):
            if width < 1 || height < 1 { violate("set an empty geometry") }
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
        case .setFullscreen: change { $0.isFullscreen = true }
        case .unsetFullscreen: change { $0.isFullscreen = false }
        case .setMaximized: change { $0.isMaximized = true }
        case .unsetMaximized: change { $0.isMaximized = false }
        case .setMinimized: isMinimized = true
        case .move: moves += 1
        case .destroy:
            if decoration?.isAlive == true { violate("destroyed before its decoration") }
        case .setParent, .showWindowMenu, .resize, .setMaxSize: break
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

    func willCommit(hasBuffer: Bool) {
        if hasBuffer, acknowledged == nil {
            violate("committed a buffer before the first configure was acknowledged")
        }
        guard !hasAskedForConfigure, toplevel != nil else { return }
        hasAskedForConfigure = true
        if compositor.setup.configuresByItself { configureForState() }
    }

    /// Checks the size: exactly the configured size if maximized, at most that if fullscreen.
    func checkSize(_ size: Size) {
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
