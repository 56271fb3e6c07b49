import Browser
import Interface

/// What a person does with the page of settings.
enum SettingsRequest {
    case open
    case change(SettingChange)
}

/// The page of settings, of which the run that owns the session has the values.
extension Session {
    /// Opens the page of settings, unless a question is shown.
    func openSettings() {
        guard browser.prompt == nil else { return }
        onSettings?(.open)
    }

    func showSettings(_ page: SettingsPage) { browser.showSettings(page, at: now()) }

    /// The menus have changed settings of the browser alone: takes them for the settings.
    func adoptChoices() { options.adopt(choices) }
}
