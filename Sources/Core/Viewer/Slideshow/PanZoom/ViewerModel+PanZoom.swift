package import Geometry
import Motion
import SceneModel

/// The slow pan and zoom of the pictures of a slideshow.
extension ViewerModel {
    /// Sets the regions of a picture that stay in view, in fractions of the upright picture.
    package mutating func setRegions(_ regions: [Rect], of index: Int) {
        pictureFacts.setRegions(regions, of: index)
    }

    private var movesSlowly: Bool {
        settings.slideshow.motion == .panZoom && !settings.reducedMotion
    }

    /// How long a transition takes in which the picture goes, in milliseconds.
    private var departure: Double {
        settings.slideshow.transition == .fade ? Double(settings.slideshow.transitionTime) : 0
    }

    private func course(seconds: Double) -> PanZoomCourse {
        let seed = settings.slideshow.seed &+ (UInt64(pager.page) &+ 1) &* Self.seedStep
        return PanZoomCourse(
            on: geometry, rotation: pager.rotation(of: pager.page), seconds: seconds,
            regions: pictureFacts.regions(of: pager.page), seed: seed)
    }

    /// Odd, so that the seeds of all pictures differ.
    private static let seedStep: UInt64 = 0xD134_2543_DE82_EF95

    /// Begins the motion of a picture that comes: it moves from its first frame to its last one.
    mutating func beginSlowly(at moment: Moment) {
        guard movesSlowly, pager.picture != nil, zoomPan.held == nil else { return }
        let arrival = slideshow.fade?.duration ?? 0
        let duration = arrival + settings.slideshow.interval * 1000 + departure
        zoomPan.drift(
            by: PanZoom(course(seconds: duration / 1000), from: moment, duration: duration))
    }

    /// Begins the motion of a picture at rest: when the slideshow starts, and when it goes on.
    mutating func moveSlowly(at moment: Moment) {
        if !movesSlowly { zoomPan.freeze(at: moment) }
        guard slideshow.mayBeginMotion(at: moment, settings.slideshow), movesSlowly else { return }
        guard !isUsed else {
            slideshow.pause(at: moment)
            return
        }
        guard let due = slideshow.due(settings.slideshow), pager.picture?.isWhole == true,
            slideshow.fade == nil, slideshow.partner == nil,
            case .resting(let placement) = zoomPan.state,
            pager.offset.isAtRest(at: moment)
        else { return }
        let duration = due.milliseconds - moment.milliseconds + departure
        zoomPan.drift(
            by: PanZoom(
                course(seconds: duration / 1000), from: moment, at: placement, duration: duration))
    }
}
