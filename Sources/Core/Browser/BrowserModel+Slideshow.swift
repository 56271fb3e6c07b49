import Grid
import Interface
package import Motion
import Viewer

/// A slideshow whose pictures may all disappear for a while, as in a folder that is filled anew.
extension BrowserModel {
    /// Whether a slideshow plays, or goes on as soon as there are pictures.
    package var playsSlideshow: Bool { viewer.playsSlideshow || awaitsSlides }

    /// Starts the slideshow with the selected picture; without any, with the first one that comes.
    package mutating func startSlideshow(at moment: Moment) {
        if viewer.count > 0 { viewer.startSlideshow(at: moment) } else { awaitsSlides = true }
    }

    /// Stops the slideshow without a message.
    package mutating func stopSlideshow() {
        viewer.stopSlideshow()
        (awaitsSlides, hasLeftSlideshow) = (false, false)
    }

    /// Ends the slideshow that has begun without visitors.
    package mutating func leaveSlideshow(at moment: Moment) {
        viewer.leaveSlideshow(at: moment)
        (awaitsSlides, hasLeftSlideshow) = (false, false)
    }

    /// Continues a slideshow that has waited for pictures.
    mutating func resumeSlideshow(at moment: Moment, effects: inout [ViewerEffect]) {
        guard awaitsSlides, viewer.count > 0 else { return }
        awaitsSlides = false
        startSlideshow(0, at: moment, effects: &effects)
    }
}
