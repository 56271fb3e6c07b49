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
import Localization
import Motion
import Painting
import SceneModel
import SystemCalls
import TOML
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
    let presenter: PicturePresenter
    let cells: CellPictures
    let information: InformationLoader
    /// Whether assistive technology is served, which reads the alternative texts of pictures.
    var describesPictures = false {
        didSet { if describesPictures != oldValue { updateInformation() } }
    }
    let slides: SlideshowRecall
    /// Changes of files, which all sessions of a run share.
    let files: FileWork
    let marks: MarkStore
    let turns: PictureTurns
    let crops: PictureCrops
    let recentFolders: RecentFolders
    /// Writes the files of the state.
    let disk = DiskWork()
    var question = Question()
    let ownCommands = OwnCommands()
    let sequence: SlideSequence
    let captions: SlideCaptions
    var slideClock: SlideClock
    /// Whether the picture that the last run has shown is still to be found.
    var resumesPlace = false
    /// Whether a slideshow has begun without visitors.
    var hasAttracted = false
    var options: Options
    let text: TextEngine
    var opening = AlbumOpening()
    var albumSource: EventSources.Source?
    /// Nil where the system does not measure the pressure on memory.
    private var memoryPressure: MemoryPressure?
    /// The moment at which an event source is handled.
    private(set) var now: () -> Moment = { .zero }

    var browser: BrowserModel {
        get { interaction.target }
        _modify { yield &interaction.target }
    }

    let sources: EventSources
    let environment: DecoderEnvironment
    /// Completes and paints the scenes of frames.
    let composer: FrameComposer
    /// Whether nothing was held by fingers or moved in the last frame.
    var isAtRest = true
    /// Whether the user has quit.
    var hasEnded = false {
        didSet { if hasEnded, !oldValue { saveAtEnd() } }
    }
    /// Until when the program waits for changes of files after the user has quit; nil before.
    var latestEnd: Moment?
    /// Whether there is content to show: a picture, or a message why there is none.
    var hasContent: Bool { browser.hasContent }
    /// Whether any picture was shown so far.
    var hasShownPicture = false {
        didSet { if hasShownPicture, !oldValue { prepareFiles() } }
    }
    /// The looks of the interface, the window buttons that the bars include, and whether the desktop asks for
    /// reduced motion.
    var looks: (theme: Theme, buttons: WindowControls?, reducesMotion: Bool) = (Theme(), nil, false)
    /// The rules of a kiosk; nil for a person's own viewer.
    var kiosk: KioskModel?
    /// The media that visitors plug in; nil unless a kiosk offers them.
    var media: MediaWatcher?
    /// Why no slideshow may play now, and for each reason whether one plays when the reason has gone.
    var suspensions: [Suspension: Bool] = [:]
    /// Called when a person opens the settings page, or changes settings.
    var onSettings: ((SettingsRequest) -> Void)?
    /// Nil without a compositor.
    weak var window: (any SessionWindow)?
    /// Nil without a window, and in a kiosk.
    var clipboard: Clipboard?
    /// Whether something is dragged over the window that can be dropped.
    var showsDropHighlight = false

    init(
        _ album: Album, pictures: PictureProvider, headers: HeaderReader?,
        environment: DecoderEnvironment, thumbnails: ThumbnailCache?, text: TextEngine,
        files: FileWork, viewport: Viewport, options: Options
    ) {
        self.album = album
        self.pictures = pictures
        self.options = options
        self.text = text
        self.files = files
        let marks = MarkStore(album, files, RatingReader(environment, files: album))
        self.marks = marks
        turns = PictureTurns(album, files, environment)
        crops = PictureCrops(files, environment)
        let state = options.headless == nil ? options.stateFolder : nil
        recentFolders = RecentFolders(in: state, on: disk)
        listing = ListingPresenter(
            album, options.values.sections, headers, readsDates: options.readsDates,
            sizedColumns: options.sizedColumns
        ) {
            options.startHeaders(of: album, environment, wantsDates: $0)
        }
        sources = environment.sources
        self.environment = environment
        let cells = CellPictures(
            album, environment, cache: thumbnails, prefetchesThumbnails: !options.isReproducible)
        self.cells = cells
        presenter = PicturePresenter(
            album, pictures, cells, readsFileTimes: !options.isReproducible
        ) { [turns] in turns.absorb($0) }
        information = InformationLoader(album, environment) { marks.starsInSidecar(of: $0) }
        captions = SlideCaptions(album, environment) { [presenter] in presenter.date(of: $0) }
        sequence = SlideSequence(album, environment.sources)
        slideClock = SlideClock(isReproducible: options.isReproducible)
        slides = SlideshowRecall(
            album, in: state, on: disk, environment.sources, now: environment.clock)
        composer = FrameComposer(
            pictures, options.values.frames, text: text, sources: environment.sources
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
        _ = sources.add(runDeadline: { [unowned self] in opening.message }) { [unowned self] in
            opening.message = nil
            browser.show(
                Toast(
                    album.name.map { localized("\($0.shortName.isolated): waiting for the files") }
                        ?? localized("waiting for the files")), at: now())
        }
        if !options.isReproducible {
            memoryPressure = MemoryPressure.watch(sources) { [unowned self] in
                pictures.releaseMemory()
                cells.releaseMemory()
                composer.releaseUnusedLayers()
            }
        }
        pictures.onTurnEnd = { [unowned self] in updatePictures(at: now()) }
        listing.onHeaders { [unowned self] in listing.applySizes(to: &browser, at: now()) }
        cells.onPixels = { [unowned self] in
            if !hasShownPicture { hasShownPicture = true }
        }
        sequence.onSorted = { [unowned self] in browser.viewer.setSlides(inOrder: $0) }
        captions.onRead = { [unowned self] in captions.update(&browser) }
        _ = sources.add(runDeadline: { [unowned self] in latestEnd }) {}
        _ = sources.add(descriptor: ownCommands.pollDescriptor) { [unowned self] in
            ownCommands.handleReadable()
        }
        files.onState = { [unowned self] in updateFileFacts() }
        files.onProgress = { [unowned self] in showProgress($0) }
        marks.onRead = { [unowned self] in showReadMarks(mayDiffer: $0) }
        turns.onEnd = { [unowned self] in report($0) }
        registerCrops()
        information.onFacts = { [unowned self] facts, isOther in
            browser.viewer.setInformation(Information(facts), isOther: isOther)
            updateInformation()
        }
    }

    // MARK: Events

    /// Requests the first picture; from now on, event sources are handled at the moment `now`.
    func start(now: @escaping () -> Moment) {
        self.now = now
        files.now = now
        if album.isWaiting || album.hasStalled {
            opening.expectListing(at: now())
        }
        showListing()
        slides.open(for: &browser)
        sequence.listingChanged(options.values.viewer.slideshow.order)
        resumesPlace = options.startsSlideshow
        resumePlace(at: now())
        startKiosk(at: now())
        if options.startsSlideshow { startSlideshow(at: now()) }
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
        if case .key(let key) = event, runOwnCommand(for: key, at: moment) { return true }
        if case .pointer(.button(.middle, isDown: false)) = event { pastePrimary() }
        var effects: [ViewerEffect] = []
        let isRelevant = interaction.handle(event, of: seat, at: moment, effects: &effects)
        switch event {
        case .resize, .scale:
            surfaceIsKnown()
            kiosk?.set(browser.layout)
        // A pointer that is only there has done nothing.
        case .pointer(.move), .pointer(.leave), .modifiers: break
        case .touch, .pinch, .swipe, .hold, .pointer, .pen, .key, .textInput:
            resumesPlace = false
        }
        perform(effects, at: moment)
        return isRelevant
    }

    /// Applies a new size and scale of the surface as one change.
    func resize(to size: Size, scale: Double, at moment: Moment) {
        var effects: [ViewerEffect] = []
        interaction.resize(to: size, scale: scale, at: moment, effects: &effects)
        surfaceIsKnown()
        kiosk?.set(browser.layout)
        perform(effects, at: moment)
    }

    /// The screen has turned, so that fingers that are down have other coordinates.
    func outputTurned(at moment: Moment) {
        var effects: [ViewerEffect] = []
        interaction.outputTurned(at: moment, effects: &effects)
        perform(effects, at: moment)
    }

    /// Advances the time: fires timers up to `moment` and moves manipulated content to the fingers'
    /// position at `moment`.
    func advance(to moment: Moment) {
        var effects: [ViewerEffect] = []
        interaction.advance(to: moment, effects: &effects)
        perform(effects, at: moment)
        noteLeftSlideshow(at: moment)
        advanceKiosk(to: moment)
        listing.applySizes(to: &browser, at: moment)
        updatePictures(at: moment)
        updateSlides(at: moment)
        turns.flush(
            except: browser.shownPicture(of: album.count).map { album.id($0) })
        updateInformation()
    }

    /// Shows what has become known of pictures that were opened.
    private func updatePictures(at moment: Moment) {
        presenter.update(&browser, at: moment)
        let stars = presenter.consumeStars()
        if kiosk == nil, !stars.isEmpty { marks.noteStars(stars) }
    }

    /// Reads the facts of the shown picture while the panel or assistive technology asks for them.
    func updateInformation() {
        let isWanted = browser.viewer.showsInformation || describesPictures
        let index = isWanted ? browser.shownPicture(of: album.count) : nil
        information.show(index)
        if let index {
            browser.viewer.setAlternativeText(information.alternativeText, of: index)
        }
    }

    /// The next deadline of the interaction, apart from frames and loading.
    var deadline: Moment? {
        [interaction.deadline, kiosk?.deadline, slideClock.deadline].compactMap(\.self).min()
    }

    /// When an animation's next frame is due.
    var animationDeadline: Moment? { pictures.animationDeadline }

    /// Carries out effects, in a kiosk only those that a person may cause, unless a program causes them.
    func perform(_ effects: [ViewerEffect], isRemote: Bool = false, at moment: Moment) {
        for effect in effects where isRemote || browser.policy.allows(effect) {
            switch effect {
            case .want:
                if suspensions[.rest] == nil { presenter.request(for: &browser, at: moment) }
            case .playPause: pictures.togglePause(at: moment)
            case .nextFrame: pictures.step(at: moment)
            case .openFiles: openFiles(.files)
            case .openFolder: openFiles(.folder)
            case .turned(let index, let quarters):
                keepTurn(index, quarters: quarters, at: moment)
            case .dragOut(let indexes, let point): dragOut(indexes, from: point)
            case .files(let command): performOnFiles(command, at: moment)
            case .answered(let purpose, let answer): receive(answer, to: purpose)
            case .saveCrop(let edit, let save, let index):
                saveCrop(edit, save, of: index, at: moment)
            case .openSettings: openSettings()
            case .changeSettings(let change): onSettings?(.change(change))
            case .choose(let name, let isOn):
                onSettings?(.choose([(name, .flag(isOn))], isStored: !isRemote))
            case .quit: hasEnded = true
            case .window(let request): window?.perform(request)
            case .sort(let choice):
                onSettings?(.sort(options.values.collection.order.applying(choice)))
            }
        }
    }

    // MARK: Pictures

    /// Whether pixels or data for the frame are still being loaded or computed.
    var isLoading: Bool {
        pictures.isBusy || cells.isBusy || listing.isBusy || information.isBusy || captions.isBusy
            || sequence.isBusy || composer.isBusy || files.isBusy || turns.isWriting
            || crops.isBusy || ownCommands.isBusy || marks.isBusy
    }

    /// Whether the listing or the state is being read or written.
    var usesDisk: Bool {
        !album.isComplete && !album.hasStalled || slides.isReading || disk.isBusy
    }

    /// Whether pictures are being decoded, which needs all processors.
    var isDecoding: Bool { pictures.isBusy || cells.isBusy }

    /// Prefaults the pixels of new pictures; call it when nothing more urgent is to do.
    func prefaultPictures() { pictures.prefault() }

    /// Keeps the place without pixels, because the output has gone; fingers of that seat let go.
    func rest(from seat: Int, at moment: Moment) {
        guard suspensions[.rest] == nil else { return }
        cancelTouches(of: seat, at: moment)
        suspensions[.rest] = playsSlideshow
        browser.viewer.stopSlideshow()
        pictures.want([], keeping: [])
        cells.dropRequests()
    }

    /// Goes on after a rest.
    func resume(at moment: Moment) {
        guard suspensions[.rest] != nil else { return }
        endSuspension(.rest, at: moment)
        perform([.want], at: moment)
    }
}
