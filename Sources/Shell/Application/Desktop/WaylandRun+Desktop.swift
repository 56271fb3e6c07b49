import Localization
import WaylandClient
import Desktop
import EventLoop

/// The services of the desktop for the window.
extension WaylandRun {
    /// Registers the events of the desktop's services.
    func followDesktop() {
        guard let desktop else { return }
        _ = sources.add(descriptor: desktop.pollDescriptor) { desktop.handleReadable() }
        desktop.onSettings = { [unowned self] settings in
            Diagnostics.info("the desktop's settings: \(settings.summary)")
            desktopSettings = settings
            followCursors()
            for window in windows { window.updateLooks() }
            prepareFonts()
            invalidate()
        }
        followCalls(desktop)
        desktop.onAccessibility = { [unowned self] in accessibility.set($0) }
        desktop.onSettingsProblem = {
            Diagnostics.info("the desktop's settings are unknown: \($0)")
        }
    }

    /// Shows the cursors of the desktop.
    func followCursors() {
        connection.followCursors(
            size: desktopSettings.cursorSize, theme: desktopSettings.cursorTheme)
    }

    /// The desktop as a window uses it; nil without one.
    func desktopAccess(for window: WindowController) -> DesktopAccess? {
        guard let desktop else { return nil }
        return DesktopAccess(services: desktop, parent: window.window?.portalParent) {
            [weak window] onEnd in
            guard let shown = window?.window else { return onEnd(nil) }
            shown.requestActivationToken(seat: window?.lastSeat ?? 0, handler: onEnd)
        }
    }

    /// Lets the person choose a folder in the desktop's file chooser.
    func chooseFolder(
        _ title: String, for window: WindowController, onEnd: @escaping (FileChoice) -> Void
    ) {
        guard let desktop else {
            return onEnd(.unavailable(localized("there are no services of a desktop")))
        }
        if let chooser { desktop.cancel(chooser) }
        chooser = desktop.openFiles(.folder, parent: window.window?.portalParent) {
            [unowned self] choice in
            chooser = nil
            onEnd(choice)
        }
    }

    /// Opens the desktop's file chooser, instead of one that is open already.
    func openFiles(_ kind: FileKind, for window: WindowController) {
        let session = window.session
        guard let desktop else {
            return session.open(.unavailable(localized("there are no services of a desktop")), kind)
        }
        if let chooser { desktop.cancel(chooser) }
        chooser = desktop.openFiles(kind, parent: window.window?.portalParent) {
            [unowned self] choice in
            chooser = nil
            session.open(choice, kind)
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
