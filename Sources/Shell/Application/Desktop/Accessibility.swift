import Browser
import Desktop
import EventLoop
import Motion
import WaylandClient

/// The interfaces of all windows for assistive technology, while the desktop has enabled accessibility.
///
/// Each window is a frame of the application, from its opening until its output goes; the windows of a
/// canvas, which show parts of one interface, are one frame. Requests are input of whoever is at the
/// screen, so what they may do in a kiosk is what visitors may do, and they do nothing while the viewer is
/// locked or dark.
final class Accessibility {
    /// The state of a shown window.
    private struct Shown {
        /// The number of the window, which no other window gets.
        var number: Int
        /// When the interface was shown last, and what a finger had touched then.
        var lastUpdate: Moment?
        var lastTouched: String?
    }

    private unowned let run: WaylandRun
    /// Nil before accessibility was enabled first.
    private var server: AccessibilityServer?
    /// What the desktop says; nil while accessibility is not enabled.
    private var desktop: AssistiveTechnology?
    /// The windows that are shown, by their sessions.
    private var shown: [ObjectIdentifier: Shown] = [:]
    private var lastNumber = 0

    /// The interval of updates while the interface moves, in milliseconds.
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
        shown = [:]
        server.start(desktop.address)
    }

    /// Whether a person uses a screen reader that is served.
    private var hasReader: Bool {
        server?.isOn == true
            && (desktop?.hasReader == true || run.desktop.settings.usesScreenReader)
    }

    private func makeServer() -> AccessibilityServer {
        let server = AccessibilityServer()
        server.onRequest = { [unowned self] in perform($0, in: $1) }
        _ = run.sources.add(descriptor: server.pollDescriptor) { server.handleReadable() }
        return server
    }

    /// Shows the interfaces as they are; to be called in each turn of the loop.
    func update() {
        let (isServed, hasReader) = (server?.isOn == true, hasReader)
        for window in run.windows {
            let session = window.session
            session.describePictures(isServed)
            if hasReader != session.exploresByTouch {
                session.setExploresByTouch(hasReader, at: max(run.clock(), window.latest))
            }
        }
        guard let server, isServed else { return }
        let windows = frames
        let sessions = Set(windows.map { ObjectIdentifier($0.session) })
        shown = shown.filter { sessions.contains($0.key) }
        server.show(windows.map { interface(of: $0) })
    }

    /// The windows that are frames of the application.
    private var frames: [WindowController] {
        run.windows.filter { window in
            window.window != nil && (window.canvas.map { $0.leader === window } ?? true)
        }
    }

    private func interface(of window: WindowController) -> AccessibleInterface {
        let session = window.session
        let key = ObjectIdentifier(session)
        var shown = self.shown[key] ?? newWindow()
        defer { self.shown[key] = shown }
        let members = window.canvas?.members ?? [window]
        let isActive = members.contains { $0.window?.state?.isActivated == true }
        let moment = max(run.clock(), window.latest)
        let touched = session.browser.touched
        // In motion, also under a finger, rectangles change with each frame, which no reader needs.
        if !session.isAtRest, touched == shown.lastTouched, let lastUpdate = shown.lastUpdate,
            moment.seconds(since: lastUpdate) * 1000 < Self.interval
        {
            return AccessibleInterface(nil, of: shown.number, isActive: isActive)
        }
        (shown.lastUpdate, shown.lastTouched) = (moment, touched)
        return AccessibleInterface(
            session.interface(at: moment), of: shown.number, isActive: isActive)
    }

    private func newWindow() -> Shown {
        lastNumber += 1
        return Shown(number: lastNumber)
    }

    /// Performs a request to a window; a window that has closed meanwhile does nothing.
    private func perform(_ request: AccessibilityRequest, in number: Int) {
        guard !run.isLocked,
            let window = frames.first(where: {
                shown[ObjectIdentifier($0.session)]?.number == number
            }), window.session.screenIsOn != false
        else { return }
        window.session.perform(request, at: window.passingTime())
        run.invalidate()
    }
}
