import Browser
import Interface

/// The settings page in the windows of a run: its values, and where its changes go.
extension WaylandRun {
    func handle(_ request: SettingsRequest, in window: WindowController) {
        switch request {
        case .open:
            let session = window.session
            adoptChoices(of: session)
            session.showSettings(options.settingsPage(settingsStorage))
            // The disk may not answer, so the page does not wait for it.
            choices?.findObstacle { [unowned self] in updateSettingsPage() }
        case .change(let change):
            adoptChoices(of: window.session)
            var new = options
            let changed = new.change(change, lasts: choices == nil)
            apply(new)
            choices?.store(changed)
        }
        invalidate()
    }

    private func adoptChoices(of session: Session) {
        session.adoptChoices()
        options.adopt(session.choices)
    }

    private var settingsStorage: Options.SettingsStorage {
        choices.map { .file($0.folder, obstacle: $0.obstacle) } ?? .run
    }

    /// Shows the present values on the pages that are open.
    func updateSettingsPage() {
        let shown = windows.filter(\.session.browser.showsSettings)
        guard !shown.isEmpty else { return }
        let page = options.settingsPage(settingsStorage)
        for window in shown {
            window.session.browser.updateSettings(page)
            window.frames.invalidate()
        }
    }
}
