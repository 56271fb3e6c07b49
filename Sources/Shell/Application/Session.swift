import Browser
import DecodeClient
import Desktop
import EventLoop
import Folders
import Geometry
import Gestures
import Grid
import ImageService
import Input
import Interface
import Kiosk
import Motion
import Painting
import SceneModel
import Text
import Thumbnails
import Viewer

/// The browser with its pictures and its painter: everything that is the same with and without a
/// compositor.
///
/// A session registers its descriptors and the deadlines of its decoders as event sources; the run
/// that owns the session waits for them.
final class Session {
    var interaction: Interaction<BrowserModel>
    let album: Album
    let pictures: PictureProvider
    let listing: ListingPresenter
    private let presenter: PicturePresenter
    private let cells: CellPictures
    let information: InformationPanel
    let slides: SlideshowRecall
    let sequence: SlideSequence
    let captions: SlideCaptions
    var slideClock: SlideClock
    /// Whether the picture that the last run has shown is still to be found.
    var resumesPlace = false
    /// Whether a slideshow has begun because nobody was there.
    var hasAttracted = false
    var options: Options
    private let text: TextEngine
    /// How to begin with an album that is being opened; nil for the first one.
    private var newMode: BrowserModel.Mode?
    /// When to say that the listing is waited for; nil if it is not, or that was said.
    private var waitMessage: Moment?
    /// After this time, in milliseconds, a message says that the listing is waited for.
    private static let silentWait = 2000.0
    private var albumSource: EventSources.Source?
    /// Nil where the system does not measure the pressure on memory.
    private var memoryPressure: MemoryPressure?
    /// The moment at which an event source is handled.
    private(set) var now: () -> Moment = { .zero }

    var browser: BrowserModel {
        get { interaction.target }
        _modify { yield &interaction.target }
    }

    let sources: EventSources
    /// Completes and paints the scenes of frames.
    let composer: FrameComposer
    /// Whether the user has quit.
    var hasEnded = false
    /// Whether there is content to show: a picture, or a message why there is none.
    var hasContent: Bool { browser.hasContent }
    /// Whether any picture was shown so far.
    private(set) var hasShownPicture = false
    /// Called when the user toggles fullscreen.
    var onToggleFullscreen: (() -> Void)?
    /// The looks of the interface, and the window buttons that the bars include.
    private var looks: (theme: Theme, buttons: WindowControls?) = (Theme(), nil)
    /// Whether the desktop asks for reduced motion.
    private var desktopReducesMotion = false
    /// The rules of a kiosk; nil for a person's own viewer.
    var kiosk: KioskModel?
    /// The media that visitors plug in; nil unless a kiosk offers them.
    var media: MediaWatcher?
    /// Whether a slideshow begins with the next album.
    var resumesSlideshow = false
    /// When somebody last used the devices elsewhere, as far as the compositor tells.
    var lastInputElsewhere: ((Moment) -> Moment?)?
    /// Whether a slideshow played before the screen went dark.
    var playedBeforeDark = false
    /// Whether no window shows the pictures, and whether a slideshow played before.
    private var isResting = false
    private var playedBeforeRest = false
    /// Called when the user acts on the window.
    var onWindowRequest: ((WindowRequest) -> Void)?
    /// Called when the user wants to open other files; nil without a window.
    var onOpenFiles: ((FileKind) -> Void)?

    init(
        _ album: Album, pictures: PictureProvider, headers: HeaderReader?,
        environment: DecoderEnvironment, thumbnails: ThumbnailCache?, text: TextEngine,
        viewport: Viewport, options: Options
    ) {
        self.album = album
        self.pictures = pictures
        self.options = options
        self.text = text
        listing = ListingPresenter(
            album, options.sections, headers, readsDates: options.readsDates,
            sizedColumns: options.sizedColumns
        ) {
            options.startHeaders(of: album, environment, wantsDates: $0)
        }
        sources = environment.sources
        let cells = CellPictures(
            album, environment, cache: thumbnails, prefetchesThumbnails: !options.isReproducible)
        self.cells = cells
        presenter = PicturePresenter(
            album, pictures, cells, readsFileTimes: !options.isReproducible)
        information = InformationPanel(album, environment)
        captions = SlideCaptions(album, environment) { [presenter] in presenter.date(of: $0) }
        sequence = SlideSequence(album, environment.sources)
        slideClock = SlideClock(isReproducible: options.isReproducible)
        slides = SlideshowRecall(
            album, in: options.headless == nil ? options.stateFolder : nil, environment.sources,
            now: environment.clock)
        composer = FrameComposer(
            pictures, options.frames, text: text, sources: environment.sources
        ) {
            cells.bitmap($0)
        }
        interaction = Interaction(
            options.browser(
                of: album.listing, options.startsInGrid ? .grid : .viewer, viewport,
                TextMeasurement(text)))
        registerSources()
    }

    private func registerSources() {
        albumSource = sources.add(descriptor: album.pollDescriptor) { [unowned self] in
            applyListingChange(at: now())
        }
        _ = sources.add(deadline: { [unowned self] in waitMessage }) { [unowned self] in
            waitMessage = nil
            browser.show(
                Toast(
                    album.name.map { "\($0.isolated): waiting for the files" }
                        ?? "waiting for the files"), at: now())
        }
        if !options.isReproducible {
            memoryPressure = MemoryPressure.watch(sources) { [unowned self] in
                pictures.releaseMemory()
                cells.releaseMemory()
            }
        }
        pictures.onTurnEnd = { [unowned self] in presenter.update(&browser, at: now()) }
        listing.onHeaders { [unowned self] in listing.applySizes(to: &browser, at: now()) }
        cells.onPixels = { [unowned self] in hasShownPicture = true }
        sequence.onSorted = { [unowned self] in browser.viewer.setSlides(inOrder: $0) }
        captions.onRead = { [unowned self] in captions.update(&browser) }
        information.onFacts = { [unowned self] facts, isOther in
            browser.viewer.setInformation(Information(facts), isOther: isOther)
        }
    }

    // MARK: Events

    /// Requests the first picture; from now on, event sources are handled at the moment `now`.
    func start(now: @escaping () -> Moment) {
        self.now = now
        if album.isWaiting || album.hasStalled {
            waitMessage = now().advanced(byMilliseconds: Self.silentWait)
        }
        showListing()
        slides.open(for: &browser)
        sequence.listingChanged(options.settings.slideshow.order)
        resumesPlace = options.startsSlideshow
        resumePlace(at: now())
        startKiosk(at: now())
        if options.startsSlideshow { browser.startSlideshow(at: now()) }
        presenter.request(for: &browser, at: now())
        listing.requestDates()
    }

    /// Starts decoding for the size of the surface, which is known from now on.
    func surfaceIsKnown() {
        let viewport = browser.viewer.viewport
        pictures.setTarget(PixelSize(covering: viewport.size, scale: viewport.scale))
    }

    /// Handles one event of the seat number `seat`; returns false if the event was ignored.
    @discardableResult
    func handle(_ given: InputEvent, of seat: Int = 0, at moment: Moment) -> Bool {
        let event = kiosk?.burnInOffset.map { given.translated(by: $0 * -1) } ?? given
        guard kioskAllows(event, of: seat, at: moment) else { return false }
        var effects: [BrowserModel.Effect] = []
        let isRelevant = interaction.handle(event, of: seat, at: moment, effects: &effects)
        switch event {
        case .resize, .scale:
            surfaceIsKnown()
            kiosk?.set(browser.layout)
        // A pointer that is only there has done nothing.
        case .pointer(.move), .pointer(.leave): break
        case .touch, .pinch, .swipe, .hold, .pointer, .key, .textInput: resumesPlace = false
        }
        perform(effects, at: moment)
        return isRelevant
    }

    /// Applies a new size and scale of the surface as one change.
    func resize(to size: Size, scale: Double, at moment: Moment) {
        var effects: [BrowserModel.Effect] = []
        interaction.resize(to: size, scale: scale, at: moment, effects: &effects)
        surfaceIsKnown()
        kiosk?.set(browser.layout)
        perform(effects, at: moment)
    }

    /// Advances the time: fires timers up to `moment` and moves manipulated content to the fingers'
    /// position at `moment`.
    func advance(to moment: Moment) {
        var effects: [BrowserModel.Effect] = []
        interaction.advance(to: moment, effects: &effects)
        perform(effects, at: moment)
        advanceKiosk(to: moment)
        listing.applySizes(to: &browser, at: moment)
        presenter.update(&browser, at: moment)
        updateSlides(at: moment)
        information.show(
            browser.viewer.showsInformation ? browser.shownPicture(of: album.count) : nil)
    }

    /// The next deadline of the interaction, apart from frames and loading.
    var deadline: Moment? {
        [interaction.deadline, kiosk?.deadline, slideClock.deadline].compactMap(\.self).min()
    }

    /// When an animation's next frame is due.
    var animationDeadline: Moment? { pictures.animationDeadline }

    /// Carries out effects, in a kiosk only those that a person may cause, unless a program causes them.
    func perform(_ effects: [BrowserModel.Effect], isRemote: Bool = false, at moment: Moment) {
        for effect in effects where isRemote || browser.policy.allows(effect) {
            switch effect {
            case .want: if !isResting { presenter.request(for: &browser, at: moment) }
            case .toggleFullscreen: onToggleFullscreen?()
            case .playPause: pictures.togglePause(at: moment)
            case .nextFrame: pictures.step(at: moment)
            case .openFiles: openFiles(.files)
            case .openFolder: openFiles(.folder)
            case .quit: hasEnded = true
            case .moveWindow: onWindowRequest?(.move)
            case .showWindowMenu(let point): onWindowRequest?(.menu(point))
            case .window(.minimize): onWindowRequest?(.minimize)
            case .window(.toggleMaximized): onWindowRequest?(.toggleMaximized)
            case .window(.close): hasEnded = true
            case .sort(let choice): sort(choice)
            }
        }
    }

    // MARK: Settings

    /// Applies settings that have changed.
    func apply(_ new: Options, at moment: Moment) {
        let old = options
        options = new
        if new.settings != old.settings || new.gridSettings != old.gridSettings {
            var settings = new.settings
            // What a person has chosen in the menu stays unless the files say otherwise.
            let shown = browser.viewer.settings
            if settings.keepZoom == old.settings.keepZoom { settings.keepZoom = shown.keepZoom }
            if settings.checkerboard == old.settings.checkerboard {
                settings.checkerboard = shown.checkerboard
            }
            browser.setSettings(settings, new.gridSettings, at: moment)
            orderSlides()
        }
        kiosk?.set(new.kiosk, at: moment)
        if new.collection.order != old.collection.order {
            if new.collection.order.key == .taken { listing.readDates() }
            album.sort(new.collection.order)
            showListing()
        }
        applyLooks()
    }

    // MARK: Listing

    private func sort(_ choice: SortChoice) {
        let order = album.options.order.applying(choice)
        if order.key == .taken { listing.readDates() }
        album.sort(order)
        showListing()
    }

    /// Tells the browser about the listing.
    func showListing() {
        let state: GridFacts.State =
            if album.isEmpty { .nothing } else if !album.isComplete {
                .reading
            } else if let problem = album.problem, album.count == 0 {
                .failed(problem)
            } else { .complete }
        browser.setListing(name: album.name ?? "Pictures", state: state)
        browser.setOrder(album.options.order.key.choice, isReversed: album.options.order.isReversed)
    }

    // MARK: Opening

    private func openFiles(_ kind: FileKind) {
        guard let onOpenFiles else {
            return Diagnostics.error("nothing can be opened: there is no window")
        }
        onOpenFiles(kind)
    }

    /// Opens what was chosen in the desktop's file chooser instead of the album.
    func open(_ choice: FileChoice, _ kind: FileKind) {
        switch choice {
        case .chosen(let paths, let refused):
            for uri in refused { notify("\(uri.isolated): not a file of this computer") }
            if !paths.isEmpty { open(paths, in: kind == .folder ? .grid : .viewer) }
        case .cancelled: break
        case .unavailable(let reason): notify(reason)
        }
    }

    /// Opens other files and folders instead of the album, which stays until they are read; without a
    /// mode, folders begin with the grid.
    ///
    /// `isRecursive` is that of the settings unless given.
    func open(_ paths: [FilePath], in mode: BrowserModel.Mode?, isRecursive: Bool? = nil) {
        newMode = mode
        resumesPlace = false
        album.replace(with: paths, isRecursive: isRecursive ?? options.collection.isRecursive)
        waitMessage = now().advanced(byMilliseconds: Self.silentWait)
        if let albumSource { sources.setDescriptor(album.pollDescriptor, of: albumSource) }
    }

    /// Tells the user that something failed: on standard error, and in the viewer.
    private func notify(_ message: String) {
        Diagnostics.error(message)
        browser.show(Toast(message), at: now())
    }

    /// Begins anew with another album, at its first picture.
    func showNewAlbum(with index: Int = 0) -> [BrowserModel.Effect] {
        let mode =
            album.count == 0
            ? .grid : newMode ?? options.startMode(hasFolder: album.hasFolder)
        // Fingers that are down belong to the album before, so the interaction is new, too.
        let former = browser
        interaction = Interaction(
            options.browser(
                of: album.listing, mode, former.viewer.viewport, TextMeasurement(text),
                index: index))
        slides.open(for: &browser)
        // What was chosen may have been refused in part, which a message says.
        browser.receiveMessages(from: former, at: now())
        // The first listing of an album that was slow to answer replaces an empty one.
        if former.playsSlideshow || resumesSlideshow, mode == .viewer || album.count == 0 {
            browser.startSlideshow(at: now())
        }
        resumesSlideshow = false
        applyLooks()
        return [.want]
    }

    // MARK: Pictures

    /// Whether pixels or data for the frame are still being loaded or computed.
    var isLoading: Bool {
        pictures.isBusy || cells.isBusy || listing.isBusy || information.isBusy || captions.isBusy
            || sequence.isBusy || composer.isBusy
    }

    /// Whether pictures are being decoded, which needs all processors.
    var isDecoding: Bool { pictures.isBusy || cells.isBusy }

    /// Prefaults the pixels of new pictures; call it when nothing more urgent is to do.
    func prefaultPictures() { pictures.prefault() }

    /// Keeps the place without pixels, because the output has gone; fingers of that seat let go.
    func rest(from seat: Int, at moment: Moment) {
        guard !isResting else { return }
        cancelTouches(of: seat, at: moment)
        playedBeforeRest = playsSlideshow
        browser.viewer.stopSlideshow()
        isResting = true
        pictures.want([], keeping: [])
        cells.dropRequests()
    }

    /// Goes on after a rest.
    func resume(at moment: Moment) {
        guard isResting else { return }
        isResting = false
        if playedBeforeRest { setSlideshow(true, at: moment) }
        perform([.want], at: moment)
    }

    private func applyListingChange(at moment: Moment) {
        guard let change = listing.fetchChange() else { return }
        if !album.hasStalled { waitMessage = nil }
        let changed = change.changed
        pictures.forget(changed)
        information.forget(changed)
        cells.forget(changed)
        let effects =
            change.isReplacement
            ? showNewAlbum() : listing.apply(change, to: &browser, at: moment)
        showListing()
        orderSlides()
        resumePlace(at: moment)
        // A change that only adds dates is no reason to retry failed thumbnails.
        if !change.keepsPictures { cells.retry() }
        perform(effects, at: moment)
        listing.requestDates()
    }

    // MARK: Output

    /// The title of the window.
    var title: String {
        browser.mode == .viewer ? album.title(browser.viewer.index) : "Vitrine"
    }

    /// The size of the first picture whose header was read, upright and in pixels; nil before.
    var firstPictureSize: PixelSize? { presenter.firstSize }

    /// The path of a picture, for the trace; empty if there is no such picture.
    func path(at index: Int) -> String {
        index < album.count ? album.listing.path(at: index).description : ""
    }

    /// Whether the next frame can differ from the frame at `moment` without any event.
    func isAnimating(at moment: Moment) -> Bool { interaction.isAnimating(at: moment) }

    /// The frame at `moment`; requests the thumbnails and headers that the frame lacks.
    func frame(at moment: Moment) -> BrowserFrame {
        if browser.showsGrid(at: moment) || browser.viewer.showsFilmstrip(at: moment) {
            cells.start()
        }
        var frame = browser.frame(
            at: moment, content: { [cells] in cells.content($0) },
            name: { [album] in album.title($0) })
        browser.acknowledgeFrame()
        addKioskOverlay(to: &frame.scene, at: moment)
        pictures.refine(frame.scene, looksCloser: !browser.viewer.playsAlone(at: moment))
        if let offset = kiosk?.burnInOffset { BurnInCare.apply(offset, to: &frame.scene) }
        composer.complete(&frame.scene, isAtRest: !frame.isHeld && !frame.isAnimating)
        frame.animationFrame = pictures.frameNumber
        hasShownPicture = hasShownPicture || browser.mode == .viewer && browser.viewer.hasPicture
        if let grid = frame.grid {
            listing.requestSizes(for: grid)
            cells.want(grid, scale: frame.scene.scale)
        } else {
            cells.want(frame.viewer.filmstrip, scale: frame.scene.scale)
            if frame.viewer.filmstrip.clip == nil, browser.viewer.playsAlone(at: moment) {
                cells.releaseAll()
            }
        }
        return frame
    }

    /// The text field for the input method; nil while no field is edited.
    func textInput(at moment: Moment) -> TextInputState? { browser.textInput(at: moment) }

    /// The interface as assistive technology sees it at `moment`.
    func interface(at moment: Moment) -> Widget {
        addingKioskPage(
            to: browser.interface(
                title: title, name: { [album] in album.title($0) }, at: moment), at: moment)
    }

    /// Sets the looks of the interface, the window buttons that the bars include, and whether the
    /// desktop asks for reduced motion.
    func setLooks(_ theme: Theme, windowControls: WindowControls?, reducesMotion: Bool) {
        looks = (theme, windowControls)
        desktopReducesMotion = reducesMotion
        applyLooks()
    }

    private func applyLooks() {
        browser.setLooks(looks.theme, windowControls: looks.buttons)
        applyPolicy()
        browser.setReducesMotion(options.settings.reducedMotion || desktopReducesMotion)
    }

    /// The exit code if no other error occurred.
    var exitCode: ExitCode { hasShownPicture ? .done : .nothingShown }
}
