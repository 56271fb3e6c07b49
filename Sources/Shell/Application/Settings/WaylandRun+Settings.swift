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
        guard let files = options.settingSources.reader else { return }
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
        // The files have what a person has just changed here.
        guard
            new.values != options.values
                || new.settingSources.origins != options.settingSources.origins
        else {
            return
        }
        let changed = new.values.differences(from: options.values)
        for name in changed where !SettingValues.isLive(name) {
            Diagnostics.warning(localized("\(name) has changed; it applies from the next start on"))
        }
        apply(new)
    }

    /// Tells the connection what the tip of a pen is.
    func followPens() { compositor.connection.penContact = options.values.viewer.pen }

    /// Changes to other options, which may differ in live settings only.
    func apply(_ new: Options) {
        if new.values.kiosk.outputs != options.values.kiosk.outputs {
            kioskWindows?.settingsChanged()
        }
        options = new
        followPens()
        for window in windows { window.apply(new) }
        updateSettingsPage()
    }
}
