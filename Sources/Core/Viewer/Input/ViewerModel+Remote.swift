package import Commands
import SceneModel
package import Interface
package import Motion

/// What a program may ask for that is not a command of a person.
extension ViewerModel {
    /// Performs a command as its key does.
    package mutating func handle(
        _ command: Command, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        if isCropping { return performInCrop(command, at: moment, effects: &effects) }
        var chrome = chrome
        let response = chrome.handle(command, bars: bars(at: moment).widgets, at: moment)
        self.chrome = chrome
        guard !perform(response, at: moment, effects: &effects) else { return }
        perform(command, at: moment, effects: &effects)
    }

    /// Selects a picture by its index, as a tap on the filmstrip does.
    package mutating func show(_ index: Int, at moment: Moment, effects: inout [ViewerEffect]) {
        // A dismissed picture does not come back.
        guard zoomPan.isShown, !isCropping else { return }
        zoomPan.endSeries()
        zoomPan.stepFromManipulation(on: geometry)
        select(index, at: moment, effects: &effects)
    }

    /// Zooms about the centre to a zoom in logical pixels per picture pixel, within the limits.
    package mutating func zoom(to zoom: Double, at moment: Moment) {
        guard zoomPan.isShown, !isCropping else { return }
        zoomPan.endSeries()
        zoomPan.stepFromManipulation(on: geometry)
        self.zoom(to: zoom, about: viewport.center, at: moment)
    }
}
