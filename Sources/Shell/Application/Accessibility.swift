import Browser
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
    /// What the desktop says; nil while accessibility is not enabled.
    private var desktop: AssistiveTechnology?
    /// When the interface was shown last, and what a finger had touched then.
    private var lastUpdate: Moment?
    private var lastTouched: String?

    /// How often an interface in motion is shown, in milliseconds.
    private static let interval = 500.0

    init(_ run: WaylandRun) { self.run = run }

    /// Connects to the accessibility bus, or ends the connection.
    func set(_ desktop: AssistiveTechnology?) {
        let isSameBus = desktop?.address == self.desktop?.address && server?.isOn == true
        self.desktop = desktop
        guard let desktop else { return server?.stop() ?? () }
        guard !isSameBus else { return }
        Diagnostics.info("assistive technology is served")
        let server = server ?? makeServer()
        self.server = server
        lastUpdate = nil
        server.start(desktop.address)
    }

    /// Whether a person uses a screen reader that is served.
    private var hasReader: Bool {
        server?.isOn == true
            && (desktop?.hasReader == true || run.desktopSettings.usesScreenReader)
    }

    private func makeServer() -> AccessibilityServer {
        let server = AccessibilityServer()
        server.onRequest = { [unowned self] in perform($0) }
        _ = run.sources.add(descriptor: server.pollDescriptor) { server.handleReadable() }
        return server
    }

    /// Shows the interface as it is; to be called in each turn of the loop.
    func update() {
        let first = run.first
        first.session.describesPictures = server?.isOn == true
        let hasReader = hasReader
        if hasReader != first.session.exploresByTouch {
            first.session.setExploresByTouch(hasReader, at: max(run.clock(), first.latest))
        }
        guard let server, server.isOn else { return }
        let now = run.clock()
        let moment = max(now, first.latest)
        let touched = first.session.browser.touched
        // In motion, also under a finger, rectangles change with each frame, which no reader needs.
        if !first.session.isAtRest, touched == lastTouched, let lastUpdate,
            moment.seconds(since: lastUpdate) * 1000 < Self.interval
        {
            return
        }
        (lastUpdate, lastTouched) = (moment, touched)
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
