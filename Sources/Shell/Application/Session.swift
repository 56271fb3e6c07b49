import CLinux
import Folders
import Browser
import Geometry
import Gestures
import Input
import Motion
import Pacing
import Painting
import ImageTypes
import SceneModel
import Threads
import Viewer
import Grid

/// The browser with its pictures and its painter: everything that is the same with and without a
/// compositor.
final class Session {
    private var interaction: Interaction<BrowserModel>
    private let album: Album
    private let pictures: PictureSupply
    /// Nil until the grid is shown, because only the grid needs thumbnails and their threads.
    private var cells: CellPictures?
    private let prefetchesThumbnails: Bool
    /// Nil while the information panel is closed.
    private var information: InformationReader?
    /// Nil unless the order, the headings or the layout need data from picture headers.
    private let headers: HeaderReader?
    private let painter = Painter()
    private let workers: WorkerPool
    /// Nil if `frames.rest` is `plain`.
    private let refiner: StillRefiner?
    private let threeQuarterLevels: ThreeQuarterLevels
    /// The ids of pictures whose failure was reported on standard error.
    private var reported: Set<Int> = []
    private let sections: SectionKind

    private var browser: BrowserModel {
        get { interaction.target }
        _modify { yield &interaction.target }
    }

    /// Whether the user has quit.
    private(set) var hasEnded = false
    /// Whether there is content to show: a picture, or a message why there is none.
    var hasContent: Bool { browser.hasContent }
    /// Whether any picture was shown so far.
    private(set) var hasShownPicture = false
    /// Called when the user toggles fullscreen.
    var onToggleFullscreen: (() -> Void)?

    init(
        _ album: Album, loader: PictureLoader, headers: HeaderReader?, viewport: Viewport,
        options: Options
    ) {
        self.album = album
        pictures = PictureSupply(loader)
        self.headers = headers
        sections = options.sections
        prefetchesThumbnails = !options.isReproducible
        var gridSettings = options.gridSettings
        gridSettings.reducedMotion = options.settings.reducedMotion
        interaction = Interaction(
            BrowserModel(
                options.startsInGrid ? .grid : .viewer, viewport: viewport,
                contents: sections.contents(of: album.listing) { _ in nil },
                viewerSettings: options.settings,
                gridSettings: gridSettings))
        let processors = Int(clinux_processor_count())
        workers = WorkerPool(width: processors)
        let filterSpace: FilterSpace = options.frames.rest == .linear ? .linear : .encoded
        let background = WorkerPool(width: processors, niceness: BackgroundPainting.niceness)
        refiner =
            options.frames.rest == .plain
            ? nil : StillRefiner(background, filterSpace: filterSpace)
        threeQuarterLevels = ThreeQuarterLevels(background, filterSpace: filterSpace)
    }

    // MARK: Events

    /// Requests the first picture.
    func start(now: Moment) {
        requestPictures(now: now)
        headers?.follow()
    }

    /// Requests the pictures around the selected one, and drops all others.
    private func requestPictures(now: Moment) {
        let kept = browser.prune(at: now).filter { $0 < album.count }
        let wanted = browser.wanted.filter { $0 < album.count }
        apply(
            pictures.want(wanted.map { album.id($0) }, keeping: Set(kept.map { album.id($0) })),
            now: now)
    }

    /// Starts decoding for the size of the surface, which is known from now on.
    func surfaceIsKnown() {
        let viewport = browser.viewer.viewport
        pictures.setTarget(PixelSize(covering: viewport.size, scale: viewport.scale))
    }

    /// Handles one event of the seat number `seat`; returns false if the event was ignored.
    @discardableResult
    func handle(_ event: InputEvent, of seat: Int = 0, at moment: Moment) -> Bool {
        var effects: [BrowserModel.Effect] = []
        let isRelevant = interaction.handle(event, of: seat, at: moment, effects: &effects)
        switch event {
        case .resize, .scale: surfaceIsKnown()
        case .touch, .pinch, .swipe, .hold, .pointer, .key: break
        }
        perform(effects, now: moment)
        return isRelevant
    }

    /// Applies a new size and scale of the surface as one change.
    func resize(to size: Size, scale: Double, at moment: Moment) {
        var effects: [BrowserModel.Effect] = []
        interaction.resize(to: size, scale: scale, at: moment, effects: &effects)
        surfaceIsKnown()
        perform(effects, now: moment)
    }

    /// Advances the time: fires timers up to `moment` and moves manipulated content to the fingers'
    /// position at `moment`.
    func advance(to moment: Moment) {
        var effects: [BrowserModel.Effect] = []
        interaction.advance(to: moment, effects: &effects)
        perform(effects, now: moment)
        applySizes(now: moment)
        animate(at: moment)
        updateInformation()
    }

    /// The next deadline of the interaction, apart from frames and loading.
    var deadline: Moment? { interaction.deadline }

    /// When an animation's next frame is due.
    var animationDeadline: Moment? { pictures.animationDeadline }

    private func perform(_ effects: [BrowserModel.Effect], now: Moment) {
        for effect in effects {
            switch effect {
            case .want: requestPictures(now: now)
            case .toggleFullscreen: onToggleFullscreen?()
            case .playPause: pictures.togglePause(at: now)
            case .nextFrame: pictures.step(at: now)
            case .quit: hasEnded = true
            }
        }
    }

    // MARK: Pictures

    /// Whether pixels or data for the frame are still being loaded or computed.
    var isLoading: Bool {
        pictures.isBusy || cells?.isBusy == true || headers?.isBusy == true
            || information?.isBusy == true || album.isWaiting
            || refiner?.isBusy == true || threeQuarterLevels.isBusy
    }

    /// Whether pictures are being decoded, which needs all processors.
    var isDecoding: Bool { pictures.isBusy || cells?.isBusy == true }

    /// Prefaults the pixels of new pictures; call it when nothing more urgent is to do.
    func prefaultPictures() { pictures.prefault() }

    /// The next deadline of a decoder, on the real clock, even if the session has a virtual clock.
    var loaderDeadline: Moment? {
        [pictures.deadline, headers?.deadline, information?.deadline].compactMap(\.self).min()
    }

    var descriptors: [Int32] {
        pictures.descriptors + [album.pollDescriptor] + (headers?.descriptors ?? [])
            + (information?.descriptors ?? []) + (refiner.map { [$0.pollDescriptor] } ?? [])
            + (cells.map { [$0.pollDescriptor] } ?? []) + [threeQuarterLevels.pollDescriptor]
    }

    func handleReadable(_ descriptor: Int32, now: Moment) {
        if descriptor == album.pollDescriptor {
            applyListingUpdate(now: now)
        } else if let cells, descriptor == cells.pollDescriptor {
            if cells.handleReadable() { hasShownPicture = true }
        } else if let refiner, descriptor == refiner.pollDescriptor {
            refiner.handleReadable()
        } else if descriptor == threeQuarterLevels.pollDescriptor {
            threeQuarterLevels.handleReadable()
        } else if let headers, headers.descriptors.contains(descriptor) {
            headers.handleReadable(descriptor)
            applySizes(now: now)
        } else if let information, information.descriptors.contains(descriptor) {
            if information.handleReadable(descriptor) { show(information, isOther: false) }
        } else {
            apply(pictures.handleReadable(descriptor), now: now)
            animate(at: now)
        }
    }

    func handleLoaderDeadline(now: Moment) {
        apply(pictures.handleDeadline(), now: now)
        headers?.handleDeadline()
        applySizes(now: now)
        if let information, information.handleDeadline() { show(information, isOther: false) }
    }

    /// Lays out the grid with the picture sizes that were read.
    private func applySizes(now: Moment) {
        guard let sizes = headers?.consumeSizes(), !sizes.isEmpty else { return }
        browser.setSizes(sizes, at: now)
    }

    /// The grid's contents for a listing, with the known picture sizes.
    private func contents(of listing: Listing) -> GridContents {
        sections.contents(of: listing) { [headers] in headers?.sizes[$0] }
    }

    /// Applies an update of the listing: pictures were added, removed, changed or moved.
    private func applyListingUpdate(now: Moment) {
        guard let earlier = album.fetchUpdate() else { return }
        let listing = album.listing
        let changed = Set(
            earlier.entries.filter { old in
                album.entry(old.id).map { $0.revision != old.revision } ?? true
            }.map(\.id))
        pictures.forget(changed)
        if let picture = information?.picture, changed.contains(picture.id) { information = nil }
        var effects: [BrowserModel.Effect] = []
        browser.update(
            to: contents(of: listing), mapping: { listing.index(of: $0, in: earlier) },
            nearest: { listing.nearestIndex(to: $0, in: earlier) }, at: now, effects: &effects)
        // An update that only adds dates is no reason to retry failed thumbnails.
        if !changed.isEmpty || earlier.count != listing.count { cells?.retry() }
        perform(effects, now: now)
        headers?.follow()
    }

    private func apply(_ outcomes: [PictureSupply.Outcome], now: Moment) {
        for outcome in outcomes {
            switch outcome {
            case .size(let id, let size):
                // Show the thumbnail until the picture's own pixels are decoded.
                guard let index = album.listing.index(of: id), let preview = cells?.preview(index)
                else { continue }
                present(index, size, preview, now)
            case .pixels(let id, let size, let source):
                guard let index = album.listing.index(of: id) else { continue }
                if let path = album.path(id) {
                    Diagnostics.info("\(path): \(size.width) × \(size.height)")
                }
                present(index, size, source, now)
            case .frame(let id, let size, let source):
                guard let index = album.listing.index(of: id) else { continue }
                browser.viewer.present(index: index, size: size, source: source, at: now)
            case .notice(let id, let text):
                guard let index = album.listing.index(of: id) else { continue }
                browser.viewer.notify(index: index, text: text, at: now)
                if let path = album.path(id) { Diagnostics.warning(path, text) }
            case .failure(let id, let text):
                guard let index = album.listing.index(of: id) else { continue }
                browser.viewer.fail(
                    index: index, text: "\(album.title(index)): \(text)", at: now)
                browser.pictureArrived(at: now)
                report(id, text)
            }
        }
    }

    private func present(
        _ index: Int, _ size: PixelSize, _ source: PictureItem.Source, _ now: Moment
    ) {
        browser.viewer.present(index: index, size: size, source: source, at: now)
        browser.pictureArrived(at: now)
    }

    /// Plays the selected picture if it is an animation, and shows the frame that is due.
    private func animate(at moment: Moment) {
        let id = browser.mode == .viewer && selected < album.count ? album.id(selected) : nil
        // With reduced motion an animation starts paused, and the user starts it.
        apply(
            pictures.animate(
                id, startsPaused: browser.viewer.settings.reducedMotion, at: moment),
            now: moment)
        let phase = pictures.phase
        if browser.viewer.animation != phase { browser.viewer.animation = phase }
    }

    // MARK: Information

    /// Reads the information about the selected picture if the panel is open; drops it if the panel is
    /// closed.
    private func updateInformation() {
        guard browser.mode == .viewer, browser.viewer.showsInformation, selected < album.count
        else {
            information = nil
            return
        }
        let id = album.id(selected)
        // A picture from standard input has no path.
        let path = album.entry(id)?.descriptor == nil ? album.path(id) : nil
        if let picture = information?.picture, picture == (id, path) { return }
        let reader =
            information ?? InformationReader(limits: pictures.limits, clock: pictures.clock)
        information = reader
        reader.read(id, path, name: album.title(selected)) {
            [pictures] () throws(DecodeFailure) in try pictures.open(id)
        }
        show(reader, isOther: true)
    }

    private func show(_ reader: InformationReader, isOther: Bool) {
        browser.viewer.tell(Information(reader.facts), isOther: isOther)
    }

    private func report(_ id: Int, _ text: String) {
        guard reported.insert(id).inserted, let path = album.path(id) else { return }
        Diagnostics.error(path, text)
    }

    // MARK: Output

    private var selected: Int { browser.viewer.index }

    var title: String {
        browser.mode == .viewer ? album.title(selected) : "Vitrine"
    }

    /// The path of a picture, for the trace; empty if there is no such picture.
    func path(at index: Int) -> String {
        index < album.count ? album.listing.path(at: index).description : ""
    }

    /// Whether the next frame can differ from the frame at `moment` without any event.
    func isAnimating(at moment: Moment) -> Bool { interaction.isAnimating(at: moment) }

    func frame(at moment: Moment) -> BrowserFrame {
        let showsGrid = browser.showsGrid(at: moment)
        if showsGrid, cells == nil {
            cells = CellPictures(
                album, decoderPath: PictureLoader.decoderPath(), limits: pictures.limits,
                screen: pictures.screen, prefetchesThumbnails: prefetchesThumbnails)
        }
        let cells = cells
        var frame = browser.frame(
            at: moment, content: { cells?.content($0) ?? CellContent() },
            name: { [album] in album.title($0) })
        pictures.addTiles(to: &frame.scene)
        let isAtRest = !frame.isHeld && !frame.isAnimating
        let scene = frame.scene
        refiner?.insertRefinement(&frame.scene, isAtRest: isAtRest) {
            pictures.refinementSource(in: scene)
        }
        // Refinement of the visible picture has priority over the three-quarter level.
        threeQuarterLevels.prepare(
            for: scene, isAtRest: isAtRest && refiner?.isBusy != true,
            bitmap: { [pictures] in pictures.bitmap($0) })
        frame.animationFrame = pictures.frameNumber
        hasShownPicture = hasShownPicture || browser.mode == .viewer && browser.viewer.hasPicture
        if let grid = frame.grid {
            headers?.want(grid.nearestCells(of: album.count))
            cells?.want(grid, scale: frame.scene.scale)
        } else {
            cells?.rest()
        }
        return frame
    }

    /// Paints a scene inside `damage`, in device pixels.
    ///
    /// A `blockSide` above 1 paints square blocks with this side in device pixels; see `Painter`.
    func paint(
        _ scene: Scene, into canvas: Canvas, blockSide: Int = 1, damage: [PixelRect]
    ) {
        painter.paint(
            scene, into: canvas, blockSide: blockSide, damage: damage,
            bitmap: { [self] in bitmap($0) },
            concurrently: { self.workers.run($0, $1) })
        pictures.framePainted()
    }

    /// The highest detail in a scene, in source pixels per device pixel along each side, at most 1.
    ///
    /// Below 1 only if all items are previews, which have fewer pixels than their picture; every other
    /// item counts as 1.
    func detail(of scene: Scene) -> Double {
        scene.items.map { item in
            guard case .picture(let picture) = item, picture.source.kind == .picture,
                let finest = pictures.bitmap(picture.source)?.levels[0], finest.mipLevel > 0
            else { return 1 }
            return min(finest.scale / (picture.placement.zoom * scene.scale), 1)
        }.max() ?? 1
    }

    private func bitmap(_ source: PictureItem.Source) -> Bitmap? {
        switch source.kind {
        case .thumbnail: cells?.bitmap(source)
        case .rest: refiner?.bitmap(source)
        case .picture: threeQuarterLevels.adding(to: pictures.bitmap(source), source)
        case .tile, .frame: pictures.bitmap(source)
        }
    }

    /// The exit code if no other error occurred.
    var exitCode: ExitCode { hasShownPicture ? .done : .nothingShown }
}
