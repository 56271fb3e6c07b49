import Browser
import Commands
import Desktop
import Folders
import Gestures
import ImageService
import Interface
import Kiosk
import Motion
import Viewer

/// What a program may ask of the session.
extension Session {
    func perform(_ command: Command, at moment: Moment) {
        advance(to: moment)
        var effects: [ViewerEffect] = []
        browser.perform(command, at: moment, effects: &effects)
        perform(effects, isRemote: true, at: moment)
    }

    /// Shows a picture by its index.
    func show(_ index: Int, at moment: Moment) {
        slideshow.resumesPlace = false
        advance(to: moment)
        var effects: [ViewerEffect] = []
        browser.show(index, at: moment, effects: &effects)
        perform(effects, at: moment)
    }

    /// Whether one finger reads and two act, as a person who uses a screen reader needs.
    var exploresByTouch: Bool { interaction.exploresByTouch }

    func setExploresByTouch(_ isOn: Bool, at moment: Moment) {
        Diagnostics.info(isOn ? "a finger reads what it touches" : "fingers act as usual")
        var effects: [ViewerEffect] = []
        interaction.setExploresByTouch(isOn, at: moment, effects: &effects)
        perform(effects, at: moment)
    }

    /// Does what assistive technology asks for, as input of a person: only what a person may do has an
    /// effect, and a slideshow pauses.
    func perform(_ request: AccessibilityRequest, at moment: Moment) {
        slideshow.resumesPlace = false
        kiosk?.notePresence(at: moment)
        advance(to: moment)
        browser.noticeInput(at: moment)
        var effects: [ViewerEffect] = []
        switch request {
        case .press(let id): browser.press(id, at: moment, effects: &effects)
        case .focus(let id): browser.setFocus(id, at: moment)
        case .setText(let text, let id):
            browser.setText(text, of: id, at: moment, effects: &effects)
        case .setValue(let value, let id):
            browser.setValue(value, of: id, at: moment, effects: &effects)
        case .setSelection(let anchor, let caret, let id):
            browser.setSelection(anchor: anchor, caret: caret, of: id, at: moment)
        case .setSelected(let isSelected, let id):
            browser.setSelected(isSelected, id, at: moment, effects: &effects)
        case .setAllSelected(let isSelected):
            browser.setAllSelected(isSelected, at: moment, effects: &effects)
        }
        perform(effects, at: moment)
    }

    /// Zooms to a zoom in logical pixels per picture pixel, within the limits.
    func zoom(to zoom: Double, at moment: Moment) {
        advance(to: moment)
        browser.viewer.zoom(to: zoom, at: moment)
    }

    /// Decodes the selected picture anew, and lists the folders again; returns whether there is a picture.
    func reload(at moment: Moment) -> Bool {
        album.rescan()
        guard let index = browser.shownPicture(of: album.count) else { return false }
        let ids: Set<Int> = [album.id(index)]
        pictures.provider.forget(ids)
        pictures.information.forget(ids)
        perform([.want], at: moment)
        return true
    }
}

/// The slideshow, as a program controls it.
extension Session {
    var playsSlideshow: Bool { browser.playsSlideshow }

    /// Starts or stops the slideshow; the grid opens its selected picture.
    func setSlideshow(_ isOn: Bool, at moment: Moment) {
        if !isOn { browser.hasLeftSlideshow = false }
        // No slideshow plays under a dark screen: a requested one begins when the screen is on again.
        guard kiosk?.isDark != true else { return slideshow.suspensions[.dark] = isOn }
        guard isOn != playsSlideshow else { return }
        if album.count > 0 {
            perform(.slideshow, at: moment)
        } else if isOn {
            browser.startSlideshow(at: moment)
        } else {
            browser.stopSlideshow()
        }
    }
}
