import Browser
import Folders
import Geometry
import Input
import Gestures
import ImageService
import Interface
import Kiosk
import Motion
import SceneModel
import Viewer

/// What a session shows: frames, the interface, titles.
extension Session {
    /// The title of the window.
    var title: String {
        browser.mode == .viewer ? album.title(browser.viewer.index) : "Vitrine"
    }

    /// The size of the first picture whose header was read, upright and in pixels; nil before.
    var firstPictureSize: PixelSize? { pictures.presenter.firstSize }

    /// The path of a picture, for the trace; empty if there is no such picture.
    func path(at index: Int) -> String {
        index < album.count ? album.listing.path(at: index).description : ""
    }

    /// Whether the next frame can differ from the frame at `moment` without any event.
    func isAnimating(at moment: Moment) -> Bool { interaction.isAnimating(at: moment) }

    /// The frame at `moment`, before `prepareToPaint`.
    func frame(at moment: Moment) -> BrowserFrame {
        var frame = browser.frame(
            at: moment, content: { [cells = pictures.cells] in cells.content($0) },
            name: { [album] in album.title($0) }, folder: { [unowned self] in folderContent($0) })
        addDropHighlight(to: &frame.scene)
        addKioskOverlay(to: &frame.scene, at: moment)
        frame.animationFrame = pictures.provider.frameNumber
        return frame
    }

    /// Completes a frame that is about to be painted, and starts what the next frames need.
    func prepareToPaint(_ frame: inout BrowserFrame, at moment: Moment) {
        browser.acknowledgeFrame()
        // The pixels that a picture needs go by its own zoom, which burn-in care enlarges, and tiles take
        // the place of the picture.
        requestContents(of: frame, at: moment)
        // Refined pixels are those of the place where they are painted.
        if let offset = kiosk?.burnInOffset { BurnInCare.apply(offset, to: &frame.scene) }
        composer.complete(&frame.scene, isAtRest: frame.isAtRest)
    }

    /// Requests thumbnails, headers, finer pixels and marks that the frame lacks.
    private func requestContents(of frame: BrowserFrame, at moment: Moment) {
        // The requests of thumbnails below need the queue.
        if frame.grid != nil || browser.viewer.showsFilmstrip(at: moment) {
            pictures.cells.start()
        }
        pictures.provider.decodeFiner(
            frame.scene, looksCloser: !browser.viewer.playsAlone(at: moment))
        if !hasShownPicture, browser.mode == .viewer, browser.viewer.hasPicture {
            hasShownPicture = true
        }
        requestThumbnails(of: frame, at: moment)
        // Marks wait for the first picture.
        if kiosk == nil, hasShownPicture { changes.marks.want(frame.grid) }
        // Files are compared for the thumbnails that were requested last.
        if frame.isAtRest { pictures.cells.follow() }
    }

    private func requestThumbnails(of frame: BrowserFrame, at moment: Moment) {
        if let grid = frame.grid {
            pictures.listing.requestSizes(for: grid)
            return pictures.cells.want(
                grid, covers: requestCovers(of: grid), scale: frame.scene.scale)
        }
        pictures.cells.want(frame.viewer.filmstrip, scale: frame.scene.scale)
        if frame.viewer.filmstrip.clip == nil, browser.viewer.playsAlone(at: moment) {
            pictures.cells.releaseAll()
        }
    }

    /// The text field for the input method; nil while no field is edited.
    func textInput(at moment: Moment) -> TextInputState? { browser.textInput(at: moment) }

    /// The interface as assistive technology sees it at `moment`.
    func interface(at moment: Moment) -> Widget {
        addingKioskPage(
            to: browser.interface(
                title: title, name: { [album] in album.title($0) },
                folder: { [unowned self] in folderContent($0) }, at: moment), at: moment)
    }

    /// Sets the looks of the interface, the window buttons that the bars include, and whether the
    /// desktop asks for reduced motion.
    func setLooks(_ theme: Theme, windowControls: WindowControls?, reducesMotion: Bool) {
        looks = (theme, windowControls, reducesMotion)
        applyLooks()
    }

    func applyLooks() {
        browser.setLooks(looks.theme, windowControls: looks.buttons)
        browser.setKeys(options.values.keys.map)
        applyPolicy()
        // Tiles have room for larger texts.
        showFolders()
        browser.setReducesMotion(
            options.values.viewer.reducedMotion
                || options.values.looks.reducesMotion(desktop: looks.reducesMotion))
    }

    /// Whether no better pixels of the picture are to come; true in the grid.
    var showsWholePicture: Bool { browser.mode == .grid || browser.viewer.hasWholePicture }

    /// The exit code if no other error occurred.
    ///
    /// A kiosk ends because somebody wants that, also before the first picture; folders are something to see,
    /// too.
    var exitCode: ExitCode {
        let hasContent = hasShownPicture || options.isKiosk || !album.subfolders.isEmpty
        return hasContent ? .done : .nothingShown
    }
}

extension BrowserFrame {
    /// Whether nothing is held by fingers or moves.
    fileprivate var isAtRest: Bool { !isHeld && !isAnimating }
}
