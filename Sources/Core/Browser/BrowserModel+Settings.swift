package import Commands
package import Grid
package import Interface
package import Motion
package import Viewer

/// Settings of the browser, and their page.
extension BrowserModel {
    /// The commands that a person may use.
    package var policy: CommandPolicy { viewer.policy }

    /// Sets the commands that a person may use; buttons and menu items of others are left out.
    package mutating func setPolicy(_ policy: CommandPolicy) {
        viewer.setPolicy(policy)
        grid.allowsSelection = policy.allows(.select)
        returnsToGrid = returnsToGrid(viewer.settings, otherwise: returnsToGrid)
    }

    /// Sets the keys of the commands.
    package mutating func setKeys(_ keys: KeyMap) { viewer.setKeys(keys) }

    /// Applies settings that have changed, but not those of the layout and the header of the grid.
    package mutating func setSettings(
        _ viewerSettings: ViewerSettings, _ gridSettings: GridSettings, at moment: Moment
    ) {
        viewer.setSettings(viewerSettings, at: moment)
        grid.setSettings(gridSettings)
        returnsToGrid = returnsToGrid(viewerSettings, otherwise: returnsToGrid)
    }

    // MARK: Page

    package var showsSettings: Bool { chrome.showsSettings }

    /// Whether a prompt or the settings page covers the pictures, and takes the input.
    package var isModal: Bool { prompt != nil || showsSettings }

    /// Shows the settings page.
    package mutating func showSettings(_ page: SettingsPage, at moment: Moment) {
        chrome.showSettings(page, at: moment)
    }

    /// Closes the settings page.
    package mutating func hideSettings(at moment: Moment) {
        if showsSettings { chrome.closeSheet(at: moment) }
    }

    /// Shows other values on the settings page, if it is shown.
    package mutating func updateSettings(_ page: SettingsPage) { chrome.updateSettings(page) }
}
