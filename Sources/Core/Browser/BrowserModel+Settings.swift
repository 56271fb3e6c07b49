package import Commands
package import Grid
package import Interface
package import Motion
package import Viewer

/// Settings of the browser, and their page.
extension BrowserModel {
    /// The commands that a person may use.
    package var policy: CommandPolicy { gridChrome.layout.policy }

    /// Sets the commands that a person may use; buttons and menu items of others are left out.
    package mutating func setPolicy(_ policy: CommandPolicy) {
        viewer.setPolicy(policy)
        grid.allowsSelection = policy.allows(.select)
        var layout = gridChrome.layout
        layout.policy = policy
        gridChrome.set(layout)
        returnsToGrid = returnsToGrid(viewer.settings, otherwise: returnsToGrid)
    }

    /// Sets the keys of the commands.
    package mutating func setKeys(_ keys: KeyMap) {
        viewer.setKeys(keys)
        var layout = gridChrome.layout
        layout.keys = keys
        gridChrome.set(layout)
    }

    /// Applies settings that have changed, but not those of the layout and the header of the grid.
    package mutating func setSettings(
        _ viewerSettings: ViewerSettings, _ gridSettings: GridSettings, at moment: Moment
    ) {
        viewer.setSettings(viewerSettings, at: moment)
        grid.setSettings(gridSettings)
        returnsToGrid = returnsToGrid(viewerSettings, otherwise: returnsToGrid)
    }

    // MARK: Page

    package var showsSettings: Bool {
        mode == .grid ? gridChrome.showsSettings : viewer.showsSettings
    }

    /// Whether a prompt or the settings page covers the pictures, and takes the input.
    package var isModal: Bool { prompt != nil || showsSettings }

    /// Shows the settings page over the grid or the viewer, whichever handles input; it moves along
    /// as a prompt does.
    package mutating func showSettings(_ page: SettingsPage, at moment: Moment) {
        switch mode {
        case .grid: gridChrome.showSettings(page, at: moment)
        case .viewer: viewer.showSettings(page, at: moment)
        }
    }

    /// Closes the settings page.
    package mutating func hideSettings(at moment: Moment) {
        guard showsSettings else { return }
        switch mode {
        case .grid: gridChrome.closeSheet(at: moment)
        case .viewer: viewer.hideSettings(at: moment)
        }
    }

    /// Shows other values on the settings page, if it is shown.
    package mutating func updateSettings(_ page: SettingsPage) {
        gridChrome.updateSettings(page)
        viewer.updateSettings(page)
    }
}
