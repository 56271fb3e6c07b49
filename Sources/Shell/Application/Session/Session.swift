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
    let pictures: SessionPictures
    let slideshow: SessionSlideshow
    let changes: SessionChanges
    /// Writes the files of the state.
    let disk = DiskWork()
    var question = Question()
    var options: Options
    var opening = AlbumOpening()
    /// The moment at which an event source is handled.
    private(set) var now: () -> Moment = { .zero }
    let environment: DecoderEnvironment
    /// Completes and paints the scenes of frames.
    let composer: FrameComposer
    /// Whether the user has quit.
    var hasEnded = false {
        didSet { if hasEnded, !oldValue { changes.saveAtEnd(now: now()) } }
    }
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
    /// Called when a person opens the settings page, or changes settings.
    var onSettings: ((SettingsRequest) -> Void)?
    /// Nil without a compositor.
    weak var window: (any SessionWindow)?
    /// Nil without a window, and in a kiosk.
    var clipboard: Clipboard?

    var browser: BrowserModel {
        get { interaction.target }
        _modify { yield &interaction.target }
    }

    var sources: EventSources { environment.sources }

    /// Whether there is content to show: a picture, or a message why there is none.
    var hasContent: Bool { browser.hasContent }

    /// Whether nothing was held by fingers or moved in the last frame.
    var isAtRest: Bool { composer.isAtRest }

    init(
        _ album: Album, pictures: PictureProvider, headers: HeaderReader?,
        environment: DecoderEnvironment, thumbnails: ThumbnailCache?, text: TextEngine,
        files: FileWork, viewport: Viewport, options: Options
    ) {
        self.album = album
        self.options = options
        self.environment = environment
        changes = SessionChanges(album, files, options, environment, on: disk)
        self.pictures = SessionPictures(
            album, pictures, headers, environment, thumbnails, changes, options)
        slideshow = SessionSlideshow(album, options, environment, on: disk) {
            [presenter = self.pictures.presenter] in presenter.date(of: $0)
        }
        composer = FrameComposer(
            pictures, options.values.frames, text: text, sources: environment.sources
        ) { [cells = self.pictures.cells] in cells.bitmap($0) }
        interaction = Interaction(
            options.browser(
                of: album.listing, options.start.isInGrid ? .grid : .viewer, viewport,
                TextMeasurement(text)))
        registerSources()
    }

    private func registerSources() {
        opening.source = sources.add(descriptor: album.pollDescriptor) { [unowned self] in
            applyListingChange(at: now())
        }
        _ = sources.add(runDeadline: { [unowned self] in opening.message }) { [unowned self] in
            opening.message = nil
            browser.show(
                Toast(
                    album.name.map { localized("\($0.shortName.isolated): waiting for the files") }
                        ?? localized("waiting for the files")), at: now())
        }
        if !options.headless.isReproducible {
            pictures.watchMemoryPressure(environment) { [unowned self] in
                composer.releaseUnusedLayers()
            }
        }
        pictures.provider.onTurnEnd = { [unowned self] in updatePictures(at: now()) }
        pictures.listing.onHeaders { [unowned self] in applySizes(at: now()) }
        pictures.cells.onPixels = { [unowned self] in
            if !hasShownPicture { hasShownPicture = true }
        }
        pictures.cells.onSmallPicture = { [unowned self] id, size in
            pictures.listing.note(size, of: id, in: &browser, at: now())
        }
        pictures.covers.onSummary = { [unowned self] in window?.invalidate() }
        slideshow.sequence.onSorted = { [unowned self] in browser.viewer.setSlides(inOrder: $0) }
        slideshow.captions.onRead = { [unowned self] in slideshow.captions.update(&browser) }
        _ = sources.add(runDeadline: { [unowned self] in changes.latestEnd }) {}
        _ = sources.add(descriptor: changes.ownCommands.pollDescriptor) { [unowned self] in
            changes.ownCommands.handleReadable()
        }
        changes.files.onState = { [unowned self] in updateFileFacts() }
        changes.files.onProgress = { [unowned self] in showProgress($0) }
        changes.marks.onRead = { [unowned self] in showReadMarks(mayDiffer: $0) }
        changes.turns.onEnd = { [unowned self] in report($0) }
        registerCrops()
        pictures.information.onFacts = { [unowned self] facts, isOther in
            browser.viewer.setInformation(Information(facts), isOther: isOther)
            updateInformation()
        }
    }

    // MARK: Events

    /// Requests the first picture; from now on, event sources are handled at the moment `now`.
    func start(now: @escaping () -> Moment) {
        self.now = now
        changes.files.now = now
        if album.isWaiting || album.hasStalled {
            opening.expectListing(at: now())
        }
        showListing()
        slideshow.recall.open(for: &browser)
        slideshow.sequence.listingChanged(options.values.viewer.slideshow.order)
        slideshow.resumesPlace = options.start.playsSlideshow
        resumePlace(at: now())
        startKiosk(at: now())
        if options.start.playsSlideshow { startSlideshow(at: now()) }
        pictures.presenter.request(for: &browser, at: now())
        pictures.listing.requestDates()
    }

    /// Starts decoding for the size of the surface, which is known from now on.
    func surfaceIsKnown() {
        let viewport = browser.viewer.viewport
        pictures.provider.setTarget(PixelSize(covering: viewport.size, scale: viewport.scale))
    }

    /// Decodes gain planes from now on, or not.
    func setWantsGains(_ wantsGains: Bool) { pictures.provider.wantsGains = wantsGains }

    /// Handles one event of the seat number `seat`; returns false if the event was ignored.
    @discardableResult
    func handle(_ given: InputEvent, of seat: Int = 0, at moment: Moment) -> Bool {
        let event = kiosk?.burnInOffset.map { given.translated(by: $0 * -1) } ?? given
        if kiosk != nil, !kioskAllows(event, at: moment) { return false }
        if case .key(let key) = event, !options.values.commands.keys.isEmpty,
            runOwnCommand(for: key, at: moment)
        {
            return true
        }
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
            slideshow.resumesPlace = false
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
        advanceInteraction(to: moment)
        // A person may just have left or started the slideshow: the kiosk is told before it decides whether
        // to start one.
        noteLeftSlideshow(at: moment)
        // The kiosk may show another picture, as a person may; what follows is about the picture then shown.
        advanceKiosk(to: moment)
        // A picture that arrives may open from its cell, whose place goes by the sizes.
        applySizes(at: moment)
        updatePictures(at: moment)
        // The place of a slideshow is a picture that has arrived, and its caption has the date of its header.
        updateSlides(at: moment)
        // The steps above may show another picture; turns and facts go by the picture that stays shown.
        writeTurns()
        updateInformation()
    }

    private func advanceInteraction(to moment: Moment) {
        var effects: [ViewerEffect] = []
        interaction.advance(to: moment, effects: &effects)
        perform(effects, at: moment)
    }

    /// Writes the turns of pictures that are not shown any more.
    private func writeTurns() {
        changes.turns.flush(
            except: browser.shownPicture(of: album.count).map { album.id($0) })
    }

    /// Shows what has become known of pictures that were opened.
    private func updatePictures(at moment: Moment) {
        pictures.presenter.update(&browser, at: moment)
        let stars = pictures.presenter.consumeStars()
        if kiosk == nil, !stars.isEmpty { changes.marks.noteStars(stars) }
    }

    /// Reads the facts of the shown picture while the panel or assistive technology asks for them.
    func updateInformation() {
        let isWanted = browser.viewer.showsInformation || pictures.areDescribed
        let index = isWanted ? browser.shownPicture(of: album.count) : nil
        pictures.information.show(index)
        if let index {
            browser.viewer.setAlternativeText(pictures.information.alternativeText, of: index)
        }
    }

    /// Notes whether assistive technology is served.
    func describePictures(_ isServed: Bool) {
        guard pictures.areDescribed != isServed else { return }
        pictures.areDescribed = isServed
        updateInformation()
    }

    /// The next deadline of the interaction, apart from frames and loading.
    var deadline: Moment? {
        [interaction.deadline, kiosk?.deadline, slideshow.deadline].compactMap(\.self).min()
    }

    /// When an animation's next frame is due.
    var animationDeadline: Moment? { pictures.provider.animationDeadline }

    /// Carries out effects, in a kiosk only those that a person may cause, unless a program causes them.
    func perform(_ effects: [ViewerEffect], isRemote: Bool = false, at moment: Moment) {
        for effect in effects where isRemote || browser.policy.allows(effect) {
            switch effect {
            case .want:
                if slideshow.suspensions[.rest] == nil {
                    pictures.presenter.request(for: &browser, at: moment)
                }
            case .playPause: pictures.provider.togglePause(at: moment)
            case .nextFrame: pictures.provider.step(at: moment)
            case .openFiles: openFiles(.files)
            case .openFolder: openFiles(.folder)
            case .newWindow: openWindow()
            case .openHomePage: openHomePage()
            case .turned(let index, let quarters):
                keepTurn(index, quarters: quarters, at: moment)
            case .dragOut(let indexes, let point): dragOut(indexes, from: point)
            case .files(let command): performOnFiles(command, at: moment)
            case .answered(let purpose, let answer): receive(answer, to: purpose)
            case .saveCrop(let edit, let save, let index):
                saveCrop(edit, save, of: index, at: moment)
            case .present(let id): present(id, at: moment)
            case .openSettings: openSettings()
            case .changeSettings(let change): onSettings?(.change(change))
            case .choose(let name, let isOn):
                onSettings?(.choose([(name, .flag(isOn))], isStored: !isRemote))
            case .quit: hasEnded = true
            case .window(let request): window?.perform(request)
            case .position(let use): self.use(use)
            case .folder(let step): go(step, at: moment)
            case .search(let text): search(text, at: moment)
            case .sort(let choice):
                onSettings?(.sort(options.values.collection.order.applying(choice)))
            }
        }
    }

    // MARK: Pictures

    /// Whether pixels or data for the frame are still being loaded or computed.
    var isLoading: Bool {
        pictures.isBusy || slideshow.isBusy || composer.isBusy || changes.isBusy
    }

    /// Whether the listing or the state is being read or written.
    var usesDisk: Bool {
        !album.isComplete && !album.hasStalled || slideshow.recall.isReading || disk.isBusy
    }

    /// Whether pictures are being decoded, which needs all processors.
    var isDecoding: Bool { pictures.isDecoding }

    /// Prefaults the pixels of new pictures; call it when nothing more urgent is to do.
    func prefaultPictures() { pictures.provider.prefault() }

    /// Keeps the place without pixels, because the output has gone; fingers of that seat let go.
    func rest(from seat: Int, at moment: Moment) {
        guard slideshow.suspensions[.rest] == nil else { return }
        cancelTouches(of: seat, at: moment)
        slideshow.suspensions[.rest] = playsSlideshow
        browser.viewer.stopSlideshow()
        pictures.provider.want([], keeping: [])
        pictures.cells.dropRequests()
    }

    /// Goes on after a rest.
    func resume(at moment: Moment) {
        guard slideshow.suspensions[.rest] != nil else { return }
        endSuspension(.rest, at: moment)
        perform([.want], at: moment)
    }
}
