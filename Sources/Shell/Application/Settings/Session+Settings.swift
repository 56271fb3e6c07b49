import Browser
import Folders
import Interface
import Kiosk
import Motion
import Viewer

/// What a person does with the settings page.
enum SettingsRequest {
    case open
    case change(SettingChange)
}

/// Settings and their page; the run owns the values.
extension Session {
    /// Opens the settings page, unless a question is shown.
    func openSettings() {
        guard browser.prompt == nil else { return }
        onSettings?(.open)
    }

    func showSettings(_ page: SettingsPage) { browser.showSettings(page, at: now()) }

    /// Adopts settings that the menus have changed in the browser alone.
    func adoptChoices() { options.adopt(choices) }

    /// Applies settings that have changed.
    func apply(_ new: Options, at moment: Moment) {
        let old = options
        options = new
        if new.settings != old.settings || new.gridSettings != old.gridSettings {
            var settings = new.settings
            // A choice of the menu stays unless the files have changed the setting.
            let shown = browser.viewer.settings
            if settings.keepZoom == old.settings.keepZoom { settings.keepZoom = shown.keepZoom }
            if settings.checkerboard == old.settings.checkerboard {
                settings.checkerboard = shown.checkerboard
            }
            browser.setSettings(settings, new.gridSettings, at: moment)
            orderSlides()
        }
        kiosk?.set(new.kiosk, at: moment)
        updateFileFacts()
        if new.collection.order != old.collection.order {
            if new.collection.order.key == .taken { listing.readDates() }
            album.sort(new.collection.order)
            showListing()
        }
        applyLooks()
    }
}
