import Browser
import Folders
import Interface
import Kiosk
import Motion
import Viewer

/// What a person does with settings.
enum SettingsRequest {
    /// Opens the settings page.
    case open
    /// Changes settings on their page.
    case change(SettingChange)
    /// Changes settings by a command, or a program does, whose choices are not stored.
    case choose([StoredSetting], isStored: Bool)
    /// Chooses the order of the pictures.
    case sort(ListingOrder)
}

/// Settings and their page; the run owns the values.
extension Session {
    /// Opens the settings page, unless a question is shown.
    func openSettings() {
        guard browser.prompt == nil else { return }
        onSettings?(.open)
    }

    func showSettings(_ page: SettingsPage) { browser.showSettings(page, at: now()) }

    /// Settings with what the visitor of a kiosk has chosen, unless the settings have changed in that.
    private func keepingChoices(_ new: ViewerSettings, _ old: ViewerSettings) -> ViewerSettings {
        guard options.isKiosk else { return new }
        var settings = new
        let shown = browser.viewer.settings
        if new.keepZoom == old.keepZoom { settings.keepZoom = shown.keepZoom }
        if new.checkerboard == old.checkerboard { settings.checkerboard = shown.checkerboard }
        return settings
    }

    /// Applies settings that have changed.
    func apply(_ new: Options, at moment: Moment) {
        let old = options
        options = new
        if new.values.viewer != old.values.viewer || new.values.grid != old.values.grid {
            browser.setSettings(
                keepingChoices(new.values.viewer, old.values.viewer), new.values.grid, at: moment)
            orderSlides()
        }
        kiosk?.set(new.values.kiosk, at: moment)
        updateFileFacts()
        let order = new.values.collection.order
        if order != old.values.collection.order {
            if order.key == .taken { pictures.listing.readDates() }
            album.sort(order)
            showListing()
        }
        applyLooks()
    }
}
