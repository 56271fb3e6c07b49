import Browser
import Folders
import Geometry
import Grid
import SceneModel
import Viewer

extension Options {
    /// The browser of a listing, with the settings of these options; `text` measures its texts.
    func browser(
        of listing: Listing, _ mode: BrowserModel.Mode, _ viewport: Viewport,
        _ text: TextMeasurement, index: Int = 0
    ) -> BrowserModel {
        var gridSettings = gridSettings
        gridSettings.reducedMotion = settings.reducedMotion
        return BrowserModel(
            mode, viewport: viewport,
            contents: sections.contents(of: listing) { _ in nil }, index: index,
            viewerSettings: settings,
            gridSettings: gridSettings, text: text)
    }
}
