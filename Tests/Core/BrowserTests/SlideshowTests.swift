import Geometry
import Gestures
import Grid
import Interface
import Motion
import Testing
import Viewer

@testable import Browser

/// A slideshow while pictures come and go.
@Suite struct SlideshowTests {
    /// Changes the listing to `count` pictures, none of which was there before.
    private func replace(_ rig: inout BrowserRig, count: Int) {
        var effects: [ViewerEffect] = []
        rig.hands.target.update(
            to: GridContents(count: count), mapping: { _ in nil }, nearest: { _ in nil },
            at: rig.moment, effects: &effects)
        rig.load()
    }

    private func start(_ rig: inout BrowserRig) {
        rig.hands.target.startSlideshow(at: rig.moment)
    }

    @Test func theSlideshowGoesOnWhenThereArePicturesAgain() {
        var rig = BrowserRig(.viewer)
        start(&rig)
        replace(&rig, count: 0)
        #expect(rig.browser.mode == .grid && rig.browser.playsSlideshow)
        rig.rest()
        replace(&rig, count: 5)
        rig.rest()
        #expect(rig.browser.mode == .viewer && rig.browser.viewer.playsSlideshow)
    }

    @Test func aSlideshowThatWasStoppedDoesNotGoOn() {
        var rig = BrowserRig(.viewer)
        start(&rig)
        replace(&rig, count: 0)
        rig.hands.target.stopSlideshow()
        replace(&rig, count: 5)
        rig.rest()
        #expect(rig.browser.mode == .grid && !rig.browser.playsSlideshow)
    }

    @Test func withoutASlideshowTheGridStays() {
        var rig = BrowserRig(.viewer)
        replace(&rig, count: 0)
        replace(&rig, count: 5)
        rig.rest()
        #expect(rig.browser.mode == .grid && !rig.browser.playsSlideshow)
    }

    @Test func aSlideshowWaitsForTheFirstPicture() {
        var rig = BrowserRig(.grid, count: 5)
        replace(&rig, count: 0)
        start(&rig)
        #expect(rig.browser.playsSlideshow && rig.browser.mode == .grid)
        replace(&rig, count: 5)
        rig.rest()
        #expect(rig.browser.mode == .viewer && rig.browser.viewer.playsSlideshow)
    }
}
