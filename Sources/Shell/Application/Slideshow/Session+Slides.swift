import Browser
import Folders
import Interface
import Motion
import SceneModel
import Viewer

/// Resumes a slideshow in its place, and updates the texts over it.
extension Session {
    /// A reason has gone: the slideshow goes on that played before, or that was asked for meanwhile.
    func endSuspension(_ reason: Suspension, at moment: Moment) {
        if slideshow.suspensions.removeValue(forKey: reason) == true {
            setSlideshow(true, at: moment)
        }
    }

    /// Continues with the picture that the last run has shown, once that picture is listed; a person who
    /// does something first is not interrupted.
    func resumePlace(at moment: Moment) {
        guard slideshow.resumesPlace else { return }
        guard browser.mode == .viewer || playsSlideshow else {
            // The grid is shown to choose a picture.
            if slideshow.hasReadPlace { slideshow.resumesPlace = false }
            return
        }
        if let place = slideshow.recall.place {
            slideshow.resumesPlace = false
            if place != browser.viewer.index { show(slide: place, at: moment) }
        } else if slideshow.hasReadPlace {
            slideshow.resumesPlace = false
        }
    }

    /// Shows a picture and plays from there.
    private func show(slide index: Int, at moment: Moment) {
        guard hasShownPicture || browser.mode == .grid else {
            return perform(showNewAlbum(with: index), at: moment)
        }
        let played = playsSlideshow
        var effects: [ViewerEffect] = []
        browser.show(index, at: moment, effects: &effects)
        if played { browser.startSlideshow(at: moment) }
        perform(effects, at: moment)
    }

    /// Begins the slideshow without visitors, with the picture that the last run has shown.
    func startAttract(at moment: Moment) {
        defer { slideshow.hasAttracted = true }
        guard !slideshow.hasAttracted, !playsSlideshow, let place = slideshow.recall.place,
            album.count > 0
        else { return setSlideshow(true, at: moment) }
        browser.startSlideshow(at: moment)
        show(slide: place, at: moment)
    }

    /// Follows a change of the listing or of the order.
    func orderSlides() {
        if browser.viewer.settings.slideshow.order == .date {
            pictures.listing.readDates()
            album.readDetails()
        }
        slideshow.listingChanged(for: &browser)
    }

    /// Updates the texts over a slideshow.
    func updateSlides(at moment: Moment) {
        if slideshow.recall.receive(for: &browser) { resumePlace(at: moment) }
        slideshow.update(&browser, at: moment)
    }

    /// Whether a pointer that rests is hidden.
    var hidesPointer: Bool {
        kiosk != nil || playsSlideshow && browser.mode == .viewer
    }
}
