import Browser
import Interface
import WaylandClient

/// The settings page in the windows of a run: its values, and where its changes go.
extension WaylandRun {
    func handle(_ request: SettingsRequest, in window: WindowController) {
        var new = options
        switch request {
        case .open:
            window.session.showSettings(
                options.settingsPage(settingsStorage, screen: window.window?.screenLight))
            // The disk may not answer, so the page does not wait for it.
            choices?.findObstacle { [unowned self] in updateSettingsPage() }
        case .change(let change):
            let changed = new.change(change, lasts: choices == nil)
            apply(new)
            choices?.store(changed)
        // A visitor of a kiosk chooses for the pictures that are shown in this window.
        case .choose where options.isKiosk: return
        case .choose(let chosen, let isStored):
            let stored = new.choose(chosen)
            apply(new)
            if isStored { choices?.store(stored) }
        case .sort(let order):
            let stored = new.sort(order)
            apply(new)
            choices?.store(stored)
        }
        invalidate()
    }

    private var settingsStorage: Options.SettingsStorage {
        choices.map { .file($0.folder, obstacle: $0.obstacle) } ?? .run
    }

    /// Shows the present values on the pages that are open.
    func updateSettingsPage() {
        let shown = windows.filter(\.session.browser.showsSettings)
        guard !shown.isEmpty else { return }
        for window in shown {
            let page = options.settingsPage(
                settingsStorage, screen: window.window?.screenLight)
            window.session.browser.updateSettings(page)
            window.frames.invalidate()
        }
    }
}
