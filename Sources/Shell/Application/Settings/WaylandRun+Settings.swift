import EventLoop
import Folders
import Kiosk
import Localization
import Motion
import Threads
import Viewer
import WaylandClient

/// Settings files that change while the viewer runs.
extension WaylandRun {
    /// Applies the settings files whenever they have changed.
    func followSettingsFiles() {
        guard let files = options.settingsReader else { return }
        if files.hasReachedWatchLimit { Diagnostics.reportWatchLimit() }
        _ = sources.add(descriptor: files.updated.descriptor) { [unowned self] in
            if files.hasReachedWatchLimit { Diagnostics.reportWatchLimit() }
            if let found = files.fetch() { apply(found) }
        }
    }

    private func apply(_ files: [SettingsFiles.File]) {
        var new = options
        let problems = new.applySettings(files)
        choices?.keepPending(in: &new, at: clock())
        for problem in problems where !settingsProblems.contains(problem) {
            Diagnostics.warning(problem)
        }
        settingsProblems = Set(problems)
        let changed = new.changedSettings(from: options)
        for name in changed where !Options.isLive(name) {
            Diagnostics.warning(localized("\(name) has changed; it applies from the next start on"))
        }
        apply(new)
    }

    /// Tells the connection what the tip of a pen is.
    func followPens() { connection.penContact = options.settings.pen }

    /// Changes to other options, which may differ in live settings only.
    func apply(_ new: Options) {
        if new.kiosk.outputs != options.kiosk.outputs { outputs.hasChanged = true }
        options = new
        followPens()
        for window in windows { window.apply(new) }
        choices?.accept()
        updateSettingsPage()
    }
}
