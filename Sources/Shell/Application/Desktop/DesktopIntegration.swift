import Desktop
import EventLoop
import Localization
import WaylandClient

/// The desktop around a run: its settings, its file chooser, the slideshow as a media player, and the
/// interface for assistive technology.
final class DesktopIntegration {
    /// Nil if the process belongs to somebody else.
    let services: DesktopServices?
    /// What the desktop is set to; the usual settings until it has answered.
    private(set) var settings = DesktopSettings()
    private var openChooser: DesktopServices.Request?
    /// Nil before `follow`, and without services.
    private var mediaControls: MediaControls?
    private var accessibility: Accessibility?

    init(_ services: DesktopServices?) { self.services = services }

    /// Registers the events of the services with their run.
    func follow(_ run: WaylandRun) {
        guard let services else { return }
        mediaControls = MediaControls(run, services)
        accessibility = Accessibility(run)
        _ = run.sources.add(descriptor: services.pollDescriptor) { services.handleReadable() }
        services.onSettings = { [unowned self, unowned run] in apply($0, to: run) }
        run.followCalls(services)
        services.onAccessibility = { [unowned self] in accessibility?.set($0) }
        services.onSettingsProblem = {
            Diagnostics.info("the desktop's settings are unknown: \($0)")
        }
    }

    private func apply(_ new: DesktopSettings, to run: WaylandRun) {
        Diagnostics.info("the desktop's settings: \(new.summary)")
        settings = new
        showCursors(on: run.compositor.connection)
        for window in run.windows { window.updateLooks() }
        run.libraries.prepareFonts()
        run.invalidate()
    }

    /// Shows the cursors of the desktop.
    func showCursors(on connection: Connection) {
        connection.followCursors(size: settings.cursorSize, theme: settings.cursorTheme)
    }

    /// Tells the desktop what has changed; to be called in each turn of the loop.
    func update() {
        mediaControls?.update()
        accessibility?.update()
    }

    /// The desktop as a window uses it; nil without one.
    func access(for window: WindowController) -> DesktopAccess? {
        guard let services else { return nil }
        return DesktopAccess(services: services, parent: window.window?.portalParent) {
            [weak window] onEnd in
            guard let shown = window?.window else { return onEnd(nil) }
            shown.requestActivationToken(seat: window?.lastSeat ?? 0, handler: onEnd)
        }
    }

    /// Opens the desktop's file chooser, instead of one that is open already.
    func choose(
        _ kind: FileKind, for window: WindowController, onEnd: @escaping (FileChoice) -> Void
    ) {
        guard let services else {
            return onEnd(.unavailable(localized("there are no services of a desktop")))
        }
        if let openChooser { services.cancel(openChooser) }
        openChooser = services.openFiles(kind, parent: window.window?.portalParent) {
            [unowned self] choice in
            openChooser = nil
            onEnd(choice)
        }
    }
}

extension DesktopSettings {
    /// The settings in a line, for `--verbose`.
    fileprivate var summary: String {
        let scheme =
            switch colorScheme {
            case .noPreference: "no colour scheme"
            case .dark: "dark"
            case .light: "light"
            }
        let parts: [String?] = [
            scheme, hasHighContrast ? "high contrast" : nil,
            enablesAnimations ? nil : "no animations", "texts × \(textScale)",
            cursorSize.map { "cursor of \($0) pixels" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}
