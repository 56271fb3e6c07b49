import Commands
import Edits
import Geometry
package import Interface
package import Motion
package import SceneModel

/// The viewer: shows one picture on the whole surface, and turns to the neighbouring pictures.
///
/// A pure state machine. Its inputs are gestures, keys and results of loading, each with the moment
/// when it happened; its outputs are effects as data. `frame(at:title:)` is the content of the
/// surface at a moment.
///
/// The viewer is composed of parts that own their state. A part changes only itself; the viewer
/// coordinates the parts.
package struct ViewerModel: Sendable {
    package internal(set) var settings: ViewerSettings
    /// Whether the picture can be dragged to other programs.
    package var allowsDragOut = false
    package private(set) var viewport: Viewport
    /// Which picture is selected, the contents of the pages, and how far the pages are displaced.
    var pager: Pager
    /// Where the picture of the current page is, and what moves it.
    var zoomPan: ZoomPan
    var backdrop: Backdrop
    /// The cell of the selected picture, and the crop on the way from or to the cell.
    var cell: CellTransition
    /// The bars, the menu, the panels and the messages over the picture.
    ///
    /// While the grid handles input, they lie over the grid, and the browser uses them.
    package var chrome: Chrome
    /// The light of the pictures that are brighter than white.
    var lights = PictureLights()
    var filmstrip = Filmstrip()
    var slideshow: Slideshow
    var pictureFacts = PictureFacts()
    /// What is written over the pictures of a slideshow.
    var slideOverlay = SlideOverlay()
    /// The view of the last picture, which the next one shows, too; nil shows it at fit.
    var keptView: RelativeView?
    /// The zoom that a person has chosen last as a percentage, in logical pixels per pixel of the picture.
    var chosenZoom: Double?
    /// The playback phase of the selected picture; nil for a still picture.
    package private(set) var playback: Playback.Phase?
    /// What is known about work on files.
    var files = FileFacts()
    /// The crop that is being made; nil outside of crop mode.
    @Boxed var crop: CropMode?
    /// The blocks of the selected picture's file; nil where there are none.
    var cropBlocks: CropBlocks?
    /// Whether the viewer was dismissed or closed, and no frame has reported that yet.
    var isDismissalUnreported = false
    /// Whether the picture has reached its cell; see `consumeLanding`.
    var hasLanded = false

    package init(
        viewport: Viewport, count: Int, index: Int = 0, settings: ViewerSettings = ViewerSettings(),
        text: TextMeasurement, theme: Theme = Theme()
    ) {
        self.viewport = viewport
        self.settings = settings
        let reducesMotion = settings.reducedMotion
        pager = Pager(
            count: count, index: index, width: viewport.size.width, reducesMotion: reducesMotion)
        let blank = Placement(center: viewport.center, zoom: 1 / viewport.scale)
        zoomPan = ZoomPan(at: blank, reducesMotion: reducesMotion)
        backdrop = Backdrop(reducesMotion: reducesMotion)
        cell = CellTransition(reducesMotion: reducesMotion)
        chrome = Chrome(
            .viewer,
            on: BarLayout(
                surface: viewport.size, theme: theme, text: text, reducesMotion: reducesMotion))
        filmstrip.set(index)
        slideshow = Slideshow(settings.slideshow)
        zoomPan.rest(at: geometry.fit(rotation: 0))
        nameGestures()
    }

    /// The index of the selected picture.
    package var index: Int { pager.index }

    package var count: Int { pager.count }

    /// Sets the playback phase of the selected picture; nil for a still picture.
    ///
    /// A new phase closes the menu, whose items depend on the phase.
    package mutating func setPlayback(_ phase: Playback.Phase?) {
        guard phase != playback else { return }
        playback = phase
        if ownsChrome { chrome.closeMenu() }
    }

    /// Whether the selected picture is an animation that has not been shown to its end: a slideshow
    /// waits for the end.
    package var isAnimationUnfinished: Bool {
        get { slideshow.isAnimationUnfinished }
        set { slideshow.isAnimationUnfinished = newValue }
    }

    /// Applies settings that have changed; the zoom relative to fit stays the same.
    package mutating func setSettings(_ new: ViewerSettings, at moment: Moment) {
        let old = geometry
        let reducedMotion = settings.reducedMotion
        settings = new
        settings.reducedMotion = reducedMotion
        nameGestures()
        slideshow.setOrder(new.slideshow)
        if geometry != old {
            endPair(at: moment)
            zoomPan.resize(from: old, to: geometry, at: moment)
        }
    }

    // MARK: The surface

    /// Sets a new size or scale of the surface.
    ///
    /// The picture point at the centre of the surface and the zoom relative to fit stay the same.
    package mutating func resize(to viewport: Viewport, at moment: Moment) {
        guard viewport != self.viewport, viewport.size.width > 0, viewport.size.height > 0 else {
            return
        }
        let old = geometry
        slideshow.partner = nil
        self.viewport = viewport
        var layout = chrome.layout
        layout.surface = viewport.size
        chrome.set(layout)
        pager.resize(width: viewport.size.width)
        layOutCrop()
        // A resize ends a quick zoom.
        if case .quickZoom? = zoomPan.held?.kind { backdrop.set(1) }
        zoomPan.resize(from: old, to: geometry, at: moment)
    }

    // MARK: Geometry

    /// The geometry of the current page on the surface.
    var geometry: ViewGeometry { geometry(of: pager.page) }

    /// The geometry of a page on the surface; a page without a picture counts as one whose picture
    /// just fits.
    func geometry(of page: Int) -> ViewGeometry {
        let picture = pager.content(of: page)?.picture
        return ViewGeometry(
            picture: picture?.size.size ?? viewport.size * viewport.scale, viewport: viewport,
            enlarge: settings.enlarge, hasRubberBand: !settings.reducedMotion,
            pagerRange: pager.offsetRange(of: page))
    }

    func limits(rotation: Double) -> ZoomLimits { geometry.limits(rotation: rotation) }

    /// The pager offset without the correction of a prediction, in logical pixels.
    func pagerOffset(at moment: Moment) -> Double {
        zoomPan.drawn?.pagerOffset ?? pager.offset.displacement(at: moment)
    }

    /// The drawn pager offset, with the correction of a prediction, in logical pixels.
    func drawnPagerOffset(at moment: Moment) -> Double {
        pagerOffset(at: moment) + zoomPan.correction.shift(at: moment)
    }

    /// The placement at which the picture of the current page is drawn on the surface; nil without
    /// a picture.
    package func placement(at moment: Moment) -> Placement? {
        guard hasPicture else { return nil }
        if let cropped = cropPlacement(at: moment) { return cropped }
        var placement = zoomPan.drawnPlacement(at: moment)
        placement.center.x += drawnPagerOffset(at: moment)
        return placement
    }

    package var hasPicture: Bool { !zoomPan.isGone && pager.picture != nil }

    /// Whether no better pixels of the selected picture are to come.
    package var hasWholePicture: Bool { hasPicture && pager.picture?.isWhole == true }

    package var hasMessage: Bool { message != nil }

    /// The message about the selected picture: a timed one, or why it cannot be shown.
    var message: String? { ownsChrome ? chrome.messageText ?? pager.failure : nil }

    // MARK: Backdrop

    /// The opacity of the backdrop, 0…1; a manipulation that may dismiss determines it.
    func backdropOpacity(at moment: Moment) -> Double {
        zoomPan.drawn?.backdropOpacity(on: geometry) ?? backdrop.opacity(at: moment)
    }

    /// Animates the opacity of the backdrop to `opacity`, 0…1.
    mutating func fade(to opacity: Double, at moment: Moment) {
        backdrop.fade(from: backdropOpacity(at: moment), to: opacity, at: moment)
    }

    // MARK: Time

    /// Whether a touch would catch a motion.
    package func isMoving(at moment: Moment) -> Bool {
        if isCropping, let crop { return crop.model.isMoving(at: moment) }
        if zoomPan.isMoving(at: moment) { return true }
        return zoomPan.isShown && zoomPan.held == nil && !pager.offset.isAtRest(at: moment)
    }

    /// Whether the next frame can differ from this one without any event.
    package func isAnimating(at moment: Moment) -> Bool {
        isMoving(at: moment) || lights.isMoving(at: moment) || isRevealingCrop(at: moment)
            || !backdrop.isAtRest(at: moment)
            || !cell.isAtRest(at: moment)
            || !zoomPan.correction.isAtRest(at: moment) || chrome.isAnimating(at: moment)
            || chrome.showsBars && filmstrip.isAnimating(at: moment)
            || zoomPan.drift.map { !$0.isAtRest(at: moment) } ?? false
            || slideshow.fade.map { moment < $0.end } ?? false
            || slideshow.leaving.map { moment < $0.end } ?? false
    }

    /// When the next change happens without an event or a motion; nil if there is none.
    package var deadline: Moment? {
        if let leaving = zoomPan.leavingMotion { return leaving.end }
        return [
            chrome.deadline, slideshow.deadline(settings.slideshow), countdownDeadline,
            progressDeadline,
        ]
        .compactMap(\.self).min()
    }

    /// Ends the motions and messages that are over at `moment`.
    package mutating func advance(to moment: Moment, effects: inout [ViewerEffect]) {
        slideOverlay.moment = moment
        zoomPan.advance(to: moment)
        backdrop.advance(to: moment)
        cell.advance(to: moment)
        chrome.advance(to: moment)
        filmstrip.follow(index, at: moment, isStill: settings.reducedMotion)
        filmstrip.advance(to: moment)
        // The field may have lost its place, for example on a surface that shrinks.
        if chrome.zoomField != nil, bars(at: moment).caret == nil { chrome.endEditing(at: moment) }
        endReturn(at: moment)
        if let leaving = zoomPan.leavingMotion, moment >= leaving.end {
            zoomPan.disappear()
            effects.append(.quit)
        }
        advanceSlideshow(to: moment, effects: &effects)
        guard zoomPan.held == nil else { return }
        releaseUnheld(at: moment)
        pager.advance(to: moment, displacedBy: drawnPagerOffset(at: moment))
    }

    /// Restarts a motion that a touch has stopped, if no finger holds it any more.
    ///
    /// Pages settle, and a picture that was caught on its way to its cell returns to the whole
    /// surface.
    private mutating func releaseUnheld(at moment: Moment) {
        guard zoomPan.isShown, zoomPan.interruption == nil else { return }
        if pager.offset.isHeld {
            pager.settle(from: pagerOffset(at: moment), velocity: 0, at: moment)
        }
        guard cell.restsCropped || !backdrop.restsOpaque else { return }
        cell.uncrop(at: moment)
        fade(to: 1, at: moment)
    }
}
