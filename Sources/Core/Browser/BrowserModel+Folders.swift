package import Geometry
import Grid
import Interface
package import Motion

/// The flights of folders between their tiles and the surface.
extension BrowserModel {
    /// The cover of a folder on the surface, in logical pixels; nil where the tile is not visible.
    package func coverRect(ofFolder index: Int, at moment: Moment) -> Rect? {
        guard mode == .grid else { return nil }
        return grid.folderTiles(at: moment).first { $0.index == index }
            .map { $0.cover(textScale: chrome.layout.theme.textScale) }
    }

    /// Opens the folder that the grid shows now out of the rectangle that its cover had, in logical pixels of the
    /// surface; at once where motion is reduced.
    package mutating func openFolder(from cover: Rect, at moment: Moment) {
        guard !grid.settings.reducedMotion, mode == .grid else { return }
        folderFlight = FolderFlight(.opening(from: cover), at: moment)
    }

    /// Closes the folder that was shown before into its tile; at once where motion is reduced or the tile is not
    /// visible.
    package mutating func closeFolder(into index: Int, at moment: Moment) {
        guard !grid.settings.reducedMotion, coverRect(ofFolder: index, at: moment) != nil else {
            return
        }
        folderFlight = FolderFlight(.closing(into: index), at: moment)
    }
}
