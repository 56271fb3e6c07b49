import Desktop
import EventLoop
import Motion
import WaylandClient

/// The interface of the first window for assistive technology, while the desktop has enabled accessibility.
///
/// Requests are input of whoever is at the screen, so what they may do in a kiosk is what visitors may do,
/// and they do nothing while the viewer is locked or dark.
final class Accessibility {
    private unowned let run: WaylandRun
    /// Nil before accessibility was enabled first.
    private var server: AccessibilityServer?
    /// When the interface was shown last.
    private var lastUpdate: Moment?

    /// How often an interface in motion is shown, in milliseconds.
    private static let interval = 500.0

    init(_ run: WaylandRun) { self.run = run }

    /// Connects to the accessibility bus at an address, or ends the connection.
    func setBus(_ address: String?) {
        guard let address else { return server?.stop() ?? () }
        Diagnostics.info("assistive technology is served")
        let server = server ?? makeServer()
        self.server = server
        lastUpdate = nil
        server.start(address)
    }

    private func makeServer() -> AccessibilityServer {
        let server = AccessibilityServer()
        server.onRequest = { [unowned self] in perform($0) }
        _ = run.sources.add(descriptor: server.pollDescriptor) { server.handleReadable() }
        return server
    }

    /// Shows the interface as it is; to be called in each turn of the loop.
    func update() {
        run.first.session.describesPictures = server?.isOn == true
        guard let server, server.isOn else { return }
        let (first, now) = (run.first, run.clock())
        let moment = max(now, first.latest)
        // In motion rectangles change with each frame, which no reader needs.
        if first.session.isAnimating(at: moment), let lastUpdate,
            moment.seconds(since: lastUpdate) * 1000 < Self.interval
        {
            return
        }
        lastUpdate = moment
        let isActive = first.window?.state?.isActivated ?? false
        server.show(first.session.interface(at: moment), isActive: isActive)
    }

    private func perform(_ request: AccessibilityRequest) {
        let session = run.session
        guard !run.isLocked, session.screenIsOn != false else { return }
        session.perform(request, at: run.first.passingTime())
        run.invalidate()
    }
}
