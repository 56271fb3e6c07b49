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
        var gridSettings = values.grid
        gridSettings.reducedMotion = values.viewer.reducedMotion
        return BrowserModel(
            mode, viewport: viewport,
            contents: values.sections.contents(of: listing) { _ in nil }, index: index,
            viewerSettings: values.viewer,
            gridSettings: gridSettings, text: text)
    }
}
