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

/// The browser with its pictures and its painter: everything that is the same on a compositor and
/// without one.
final class Session {
    private var interaction: Interaction<BrowserModel>
    private let album: Album
    private let pictures: PictureSupply
    /// Only once the grid is seen: nothing else asks for thumbnails, which have threads of their own.
    private var cells: CellPictures?
    private let looksAhead: Bool
    /// Only while the panel that tells of a picture is open.
    private var information: InformationReader?
    /// Only where the order, the headings or the layout want to know more than names.
    private let headers: HeaderReader?
    private let painter = Painter()
    private let workers: WorkerPool
    /// Unless pictures are to stay as they are in motion.
    private let rest: StillRefiner?
    private let intermediate: ThreeQuarterLevels
    /// Pictures whose failure was told on standard error, by their ids.
    private var reported: Set<Int> = []
    private let sections: SectionKind

    private var browser: BrowserModel {
        get { interaction.target }
        _modify { yield &interaction.target }
    }

    /// Whether the browser was left.
    private(set) var hasEnded = false
    /// Whether there is something to see on the surface: pictures, or why there are none.
    var hasContent: Bool { browser.hasContent }
    /// Whether a picture was ever on the surface.
    private(set) var hasShownPicture = false
    /// What the window should do, for the one who owns it.
    var onToggleFullscreen: (() -> Void)?

    init(
        _ album: Album, loader: PictureLoader, headers: HeaderReader?, viewport: Viewport,
        options: Options
    ) {
        self.album = album
        pictures = PictureSupply(loader)
        self.headers = headers
        sections = options.sections
        looksAhead = !options.isReproducible
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
        let means: FilterSpace = options.frames.rest == .linear ? .light : .numbers
        let background = WorkerPool(width: processors, niceness: BackgroundPainting.niceness)
        rest = options.frames.rest == .plain ? nil : StillRefiner(background, filterSpace: means)
        intermediate = ThreeQuarterLevels(background, filterSpace: means)
    }

    // MARK: In

    /// Wants the first picture.
    func start(now: Moment) {
        want(now: now)
        headers?.follow()
    }

    /// Asks for the pictures around the selected one, and lets go of all others.
    private func want(now: Moment) {
        let kept = browser.prune(at: now).filter { $0 < album.count }
        let wanted = browser.wanted.filter { $0 < album.count }
        take(
            pictures.want(wanted.map { album.id($0) }, keeping: Set(kept.map { album.id($0) })),
            now: now)
    }

    /// The size of the surface is known: from here on pictures are decoded for it.
    func surfaceIsKnown() {
        let viewport = browser.viewer.viewport
        pictures.setTarget(PixelSize(covering: viewport.size, scale: viewport.scale))
    }

    /// Takes in one event, of the seat with that number; tells whether it counted.
    @discardableResult
    func handle(_ event: InputEvent, of seat: Int = 0, at moment: Moment) -> Bool {
        var effects: [BrowserModel.Effect] = []
        let counted = interaction.handle(event, of: seat, at: moment, effects: &effects)
        switch event {
        case .resize, .scale: surfaceIsKnown()
        case .touch, .pinch, .swipe, .hold, .pointer, .key: break
        }
        carryOut(effects, now: moment)
        return counted
    }

    /// Takes in a configure.
    func resize(to size: Size, scale: Double, at moment: Moment) {
        var effects: [BrowserModel.Effect] = []
        interaction.resize(to: size, scale: scale, at: moment, effects: &effects)
        surfaceIsKnown()
        carryOut(effects, now: moment)
    }

    /// Lets time pass: what waits for a moment up to `moment` happens, and what fingers hold is
    /// where they are at that moment.
    func advance(to moment: Moment) {
        var effects: [BrowserModel.Effect] = []
        interaction.advance(to: moment, effects: &effects)
        carryOut(effects, now: moment)
        takeSizes(now: moment)
        animate(at: moment)
        inform()
    }

    /// The next moment at which something happens by itself, apart from frames and loading.
    var deadline: Moment? { interaction.deadline }

    /// When an animation's next frame is due.
    var animationDeadline: Moment? { pictures.animationDeadline }

    private func carryOut(_ effects: [BrowserModel.Effect], now: Moment) {
        for effect in effects {
            switch effect {
            case .want: want(now: now)
            case .toggleFullscreen: onToggleFullscreen?()
            case .playPause: pictures.togglePause(at: now)
            case .nextFrame: pictures.step(at: now)
            case .quit: hasEnded = true
            }
        }
    }

    // MARK: Pictures

    /// Whether pixels that the frame shows, or is about to, are still to come.
    var isLoading: Bool {
        pictures.isBusy || cells?.isBusy == true || headers?.isBusy == true
            || information?.isBusy == true || album.isWaiting || rest?.isBusy == true
            || intermediate.isBusy
    }

    /// Whether pictures are being decoded, which needs all processors.
    var isDecoding: Bool { pictures.isBusy || cells?.isBusy == true }

    /// Makes pictures that have come quick to look at; to be called when there is nothing more urgent.
    func prefaultPictures() { pictures.prefault() }

    /// On the real clock, whatever clock the session is on.
    var loaderDeadline: Moment? {
        [pictures.deadline, headers?.deadline, information?.deadline].compactMap(\.self).min()
    }

    var descriptors: [Int32] {
        pictures.descriptors + [album.pollDescriptor] + (headers?.descriptors ?? [])
            + (information?.descriptors ?? []) + (rest.map { [$0.pollDescriptor] } ?? [])
            + (cells.map { [$0.pollDescriptor] } ?? []) + [intermediate.pollDescriptor]
    }

    func handleReadable(_ descriptor: Int32, now: Moment) {
        if descriptor == album.pollDescriptor {
            followCollection(now: now)
        } else if let cells, descriptor == cells.pollDescriptor {
            if cells.handleReadable() { hasShownPicture = true }
        } else if let rest, descriptor == rest.pollDescriptor {
            rest.handleReadable()
        } else if descriptor == intermediate.pollDescriptor {
            intermediate.handleReadable()
        } else if let headers, headers.descriptors.contains(descriptor) {
            headers.handleReadable(descriptor)
            takeSizes(now: now)
        } else if let information, information.descriptors.contains(descriptor) {
            if information.handleReadable(descriptor) { tell(information, isOther: false) }
        } else {
            take(pictures.handleReadable(descriptor), now: now)
            animate(at: now)
        }
    }

    func handleLoaderDeadline(now: Moment) {
        take(pictures.handleDeadline(), now: now)
        headers?.handleDeadline()
        takeSizes(now: now)
        if let information, information.handleDeadline() { tell(information, isOther: false) }
    }

    /// The grid is laid out with the shapes that have come to be known.
    private func takeSizes(now: Moment) {
        guard let sizes = headers?.takeSizes(), !sizes.isEmpty else { return }
        browser.setSizes(sizes, at: now)
    }

    /// A listing as the grid shows it, with the sizes that are known.
    private func contents(of listing: Listing) -> GridContents {
        sections.contents(of: listing) { [headers] in headers?.sizes[$0] }
    }

    /// Pictures have come, gone, changed or moved.
    private func followCollection(now: Moment) {
        guard let earlier = album.takeUpdate() else { return }
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
        // That dates were read gives nothing a second chance.
        if !changed.isEmpty || earlier.count != listing.count { cells?.retry() }
        carryOut(effects, now: now)
        headers?.follow()
    }

    private func take(_ outcomes: [PictureSupply.Outcome], now: Moment) {
        for outcome in outcomes {
            switch outcome {
            case .size(let id, let size):
                // The thumbnail stands for it until its own pixels are there.
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

    /// Plays the selected picture if it moves, and shows the frame that is due.
    private func animate(at moment: Moment) {
        let id = browser.mode == .viewer && selected < album.count ? album.id(selected) : nil
        // Who wants no motion starts it.
        take(
            pictures.animate(
                id, startsPaused: browser.viewer.settings.reducedMotion, at: moment),
            now: moment)
        let phase = pictures.phase
        if browser.viewer.animation != phase { browser.viewer.animation = phase }
    }

    // MARK: Information

    /// Has the open panel tell of the selected picture; nothing is read while it is closed.
    private func inform() {
        guard browser.mode == .viewer, browser.viewer.showsInformation, selected < album.count
        else {
            information = nil
            return
        }
        let id = album.id(selected)
        // What comes from standard input lies nowhere.
        let path = album.entry(id)?.descriptor == nil ? album.path(id) : nil
        if let picture = information?.picture, picture == (id, path) { return }
        let reader =
            information ?? InformationReader(limits: pictures.limits, clock: pictures.clock)
        information = reader
        reader.read(id, path, name: album.title(selected)) {
            [pictures] () throws(DecodeFailure) in try pictures.open(id)
        }
        tell(reader, isOther: true)
    }

    private func tell(_ reader: InformationReader, isOther: Bool) {
        browser.viewer.tell(Information(reader.facts), isOther: isOther)
    }

    private func report(_ id: Int, _ text: String) {
        guard reported.insert(id).inserted, let path = album.path(id) else { return }
        Diagnostics.error(path, text)
    }

    // MARK: Out

    private var selected: Int { browser.viewer.index }

    var title: String {
        browser.mode == .viewer ? album.title(selected) : "Vitrine"
    }

    /// The path of a picture, for the trace.
    func path(at index: Int) -> String {
        index < album.count ? album.listing.path(at: index).description : ""
    }

    /// Whether the next frame can differ from the one of `moment` without any event.
    func isAnimating(at moment: Moment) -> Bool { interaction.isAnimating(at: moment) }

    func frame(at moment: Moment) -> BrowserFrame {
        let showsGrid = browser.showsGrid(at: moment)
        if showsGrid, cells == nil {
            cells = CellPictures(
                album, decoderPath: PictureLoader.decoderPath(), limits: pictures.limits,
                screen: pictures.screen, looksAhead: looksAhead)
        }
        let cells = cells
        var frame = browser.frame(
            at: moment, content: { cells?.content($0) ?? CellContent() },
            name: { [album] in album.title($0) })
        pictures.addTiles(to: &frame.scene)
        let isAtRest = !frame.isHeld && !frame.isAnimating
        let scene = frame.scene
        rest?.sharpen(&frame.scene, isAtRest: isAtRest) { pictures.restSubject(in: scene) }
        // What is seen comes first.
        intermediate.prepare(
            for: scene, isAtRest: isAtRest && rest?.isBusy != true,
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

    /// Paints a scene inside `damage`, device pixels; with a `blockSide` above 1 as blocks of so many
    /// device pixels a side (see `Painter`).
    func paint(
        _ scene: Scene, into canvas: Canvas, blockSide: Int = 1, damage: [PixelRect]
    ) {
        painter.paint(
            scene, into: canvas, blockSide: blockSide, damage: damage,
            bitmap: { [self] in bitmap($0) },
            concurrently: { self.workers.run($0, $1) })
        pictures.wasSeen()
    }

    /// How many pixels of a picture there are for each device pixel, along each side, where there are most.
    ///
    /// Below 1 is only what comes ahead of a picture: what has no more pixels is shown pixel by pixel.
    func detail(of scene: Scene) -> Double {
        scene.items.map { item in
            guard case .picture(let picture) = item, picture.source.kind == .picture,
                let finest = pictures.bitmap(picture.source)?.levels[0], finest.exponent > 0
            else { return 1 }
            return min(finest.scale / (picture.placement.zoom * scene.scale), 1)
        }.max() ?? 1
    }

    private func bitmap(_ source: PictureItem.Source) -> Bitmap? {
        switch source.kind {
        case .thumbnail: cells?.bitmap(source)
        case .rest: rest?.bitmap(source)
        case .picture: intermediate.adding(to: pictures.bitmap(source), source)
        case .tile, .frame: pictures.bitmap(source)
        }
    }

    /// What the program ends with when nothing else went wrong.
    var exitCode: ExitCode { hasShownPicture ? .done : .nothingShown }
}
