import CLinux
import Collection
import GalleryCore
import Geometry
import Gestures
import Input
import Motion
import Painting
import Pictures
import SceneModel
import Threads
import ViewerCore
import Wall

/// The gallery with its pictures and its painter: everything that is the same on a compositor and
/// without one.
final class Session {
    private var interaction: Interaction<Gallery>
    private let album: Album
    private let loader: PictureLoader
    /// Only once the wall is seen: nothing else asks for thumbnails, which have threads of their own.
    private var cells: CellPictures?
    /// Of pictures that are too large to be held, by their ids.
    private var boards: [Int: TileBoard] = [:]
    /// Only once there is something that moves.
    private var player: AnimationPlayer?
    /// Animations that cannot be played, by their ids.
    private var unplayable: Set<Int> = []
    /// Only while the panel that tells of a picture is open.
    private var information: InformationReader?
    /// Only where dates are wanted.
    private let dates: DateReader?
    private let painter = Painter()
    private let workers: WorkerPool
    /// Pictures whose failure was told on standard error, by their ids.
    private var reported: Set<Int> = []
    private let sections: SectionKind

    private var gallery: Gallery {
        get { interaction.target }
        _modify { yield &interaction.target }
    }

    /// Whether the gallery was left.
    private(set) var hasEnded = false
    /// Whether there is something to see on the surface: pictures, or why there are none.
    var hasContent: Bool { gallery.hasContent }
    /// Whether a picture was ever on the surface.
    private(set) var hasShownPicture = false
    /// What the window should do, for the one who owns it.
    var onToggleFullscreen: (() -> Void)?

    init(
        _ album: Album, loader: PictureLoader, dates: DateReader?, viewport: Viewport,
        options: Options
    ) {
        self.album = album
        self.loader = loader
        self.dates = dates
        sections = options.sections
        var wallSettings = options.wallSettings
        wallSettings.reducedMotion = options.settings.reducedMotion
        interaction = Interaction(
            Gallery(
                options.startsInGrid ? .grid : .viewer, viewport: viewport,
                contents: sections.contents(of: album.listing), viewerSettings: options.settings,
                wallSettings: wallSettings))
        workers = WorkerPool(width: Int(clinux_processor_count()))
    }

    // MARK: In

    /// Wants the first picture.
    func start(now: Moment) {
        want(now: now)
        dates?.follow()
    }

    /// Asks for the pictures around the selected one, and lets go of all others.
    private func want(now: Moment) {
        let kept = gallery.viewer.prune(at: now).filter { $0 < album.count }
        let ids = Set(kept.map { album.id($0) })
        loader.keepOnly(ids)
        boards = boards.filter { ids.contains($0.key) }
        take(loader.want(gallery.wanted.filter { $0 < album.count }.map { album.id($0) }), now: now)
    }

    /// The size of the surface is known: from here on pictures are decoded for it.
    func surfaceIsKnown() {
        let viewport = gallery.viewer.viewport
        loader.setTarget(PixelSize(covering: viewport.size, scale: viewport.scale))
    }

    /// Takes in one event, of the seat with that number; tells whether it counted.
    @discardableResult
    func handle(_ event: InputEvent, of seat: Int = 0, at moment: Moment) -> Bool {
        var effects: [Gallery.Effect] = []
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
        var effects: [Gallery.Effect] = []
        interaction.resize(to: size, scale: scale, at: moment, effects: &effects)
        surfaceIsKnown()
        carryOut(effects, now: moment)
    }

    /// Lets time pass: what waits for a moment up to `moment` happens, and what fingers hold is
    /// where they are at that moment.
    func advance(to moment: Moment) {
        var effects: [Gallery.Effect] = []
        interaction.advance(to: moment, effects: &effects)
        carryOut(effects, now: moment)
        animate(at: moment)
        inform()
    }

    /// The next moment at which something happens by itself, apart from frames and loading.
    var deadline: Moment? { interaction.deadline }

    /// When an animation's next frame is due.
    var animationDeadline: Moment? { player?.deadline }

    private func carryOut(_ effects: [Gallery.Effect], now: Moment) {
        for effect in effects {
            switch effect {
            case .want: want(now: now)
            case .toggleFullscreen: onToggleFullscreen?()
            case .playPause: player?.togglePause(at: now)
            case .nextFrame: player?.step(at: now)
            case .quit: hasEnded = true
            }
        }
    }

    // MARK: Pictures

    /// Whether pixels that the frame shows, or is about to, are still to come.
    var isLoading: Bool {
        loader.isBusy || boards.values.contains(where: \.isBusy) || player?.isBusy == true
            || cells?.isBusy == true || dates?.isBusy == true || information?.isBusy == true
            || album.isWaiting
    }

    /// On the real clock, whatever clock the session is on.
    var loaderDeadline: Moment? {
        ([loader.deadline, dates?.deadline, player?.loaderDeadline, information?.deadline]
            + boards.values.map(\.deadline)).compactMap(\.self).min()
    }

    var descriptors: [Int32] {
        loader.descriptors + [album.pollDescriptor] + (dates?.descriptors ?? [])
            + (player?.descriptors ?? []) + boards.values.flatMap(\.descriptors)
            + (information?.descriptors ?? [])
            + (cells.map { [$0.pollDescriptor] } ?? [])
    }

    func handleReadable(_ descriptor: Int32, now: Moment) {
        if descriptor == album.pollDescriptor {
            followCollection(now: now)
        } else if let cells, descriptor == cells.pollDescriptor {
            if cells.handleReadable() { hasShownPicture = true }
        } else if let dates, dates.descriptors.contains(descriptor) {
            dates.handleReadable(descriptor)
        } else if let information, information.descriptors.contains(descriptor) {
            if information.handleReadable(descriptor) { tell(information, isOther: false) }
        } else if let player, player.descriptors.contains(descriptor) {
            player.handleReadable(descriptor)
            animate(at: now)
        } else if let board = boards.values.first(where: { $0.descriptors.contains(descriptor) }) {
            board.handleReadable(descriptor)
            renewBoards(now: now)
        } else {
            take(loader.handleReadable(descriptor), now: now)
        }
    }

    func handleLoaderDeadline(now: Moment) {
        take(loader.handleDeadline(), now: now)
        dates?.handleDeadline()
        player?.handleDeadline()
        for board in boards.values { board.handleDeadline() }
        renewBoards(now: now)
        if let information, information.handleDeadline() { tell(information, isOther: false) }
    }

    /// Pictures have come, gone, changed or moved.
    private func followCollection(now: Moment) {
        guard let earlier = album.takeUpdate() else { return }
        let listing = album.listing
        let changed = Set(
            earlier.entries.filter { old in
                album.entry(old.id).map { $0.revision != old.revision } ?? true
            }.map(\.id))
        loader.forget(changed)
        boards = boards.filter { !changed.contains($0.key) }
        unplayable.subtract(changed)
        if let picture = player?.picture, changed.contains(picture) { player?.stop() }
        if let picture = information?.picture, changed.contains(picture.id) { information = nil }
        var effects: [Gallery.Effect] = []
        gallery.update(
            to: sections.contents(of: listing), mapping: { listing.index(of: $0, in: earlier) },
            nearest: { listing.nearestIndex(to: $0, in: earlier) }, at: now, effects: &effects)
        // That dates were read gives nothing a second chance.
        if !changed.isEmpty || earlier.count != listing.count { cells?.retry() }
        carryOut(effects, now: now)
        dates?.follow()
    }

    private func take(_ outcomes: [PictureLoader.Outcome], now: Moment) {
        for outcome in outcomes {
            switch outcome {
            case .size(let id, let size):
                // The thumbnail stands for it until its own pixels are there.
                guard let index = album.listing.index(of: id), let preview = cells?.preview(index)
                else { continue }
                present(index, size, preview, now)
            case .pixels(let id, let size, let revision):
                guard let index = album.listing.index(of: id) else { continue }
                if let path = album.path(id) {
                    Diagnostics.info("\(path): \(size.width) × \(size.height)")
                }
                present(index, size, .init(picture: id, revision: revision), now)
            case .tiled(let id, let client, let number, let overview, let detail):
                boards[id] = TileBoard(
                    id, client, request: number, overview: overview, detail: detail,
                    clock: loader.clock)
            case .notice(let id, let text):
                guard let index = album.listing.index(of: id) else { continue }
                gallery.viewer.notify(index: index, text: text, at: now)
                if let path = album.path(id) { Diagnostics.warning(path, text) }
            case .failure(let id, let text):
                guard let index = album.listing.index(of: id) else { continue }
                gallery.viewer.fail(
                    index: index, text: "\(album.title(index)): \(text)", at: now)
                gallery.pictureArrived(at: now)
                report(id, text)
            }
        }
    }

    /// Decodes pictures once more whose finer parts come no more.
    ///
    /// Their decoders are ended after a time. What fails soon fails for good, and a person is told.
    private func renewBoards(now: Moment) {
        for (id, board) in boards {
            guard let failure = board.failure else { continue }
            boards[id] = nil
            if board.hasServedLong {
                take(loader.decodeAgain(id), now: now)
            } else {
                take([.notice(id: id, text: "no finer detail: \(failure)")], now: now)
            }
        }
    }

    private func present(
        _ index: Int, _ size: PixelSize, _ source: PictureItem.Source, _ now: Moment
    ) {
        gallery.viewer.present(index: index, size: size, source: source, at: now)
        gallery.pictureArrived(at: now)
    }

    // MARK: Animations

    /// Plays the selected picture if it moves, and shows the frame that is due.
    private func animate(at moment: Moment) {
        let playable = playable
        if playable != player?.picture {
            if let left = player?.picture {
                player?.stop()
                // It may be seen for a while yet.
                take(loader.shown(left), now: moment)
            }
            if let playable { play(playable) }
        } else if let playable, player?.needsDecoder == true {
            do {
                player?.goOn(descriptor: try loader.open(playable))
            } catch {
                unplayable.insert(playable)
            }
        }
        if let (source, bitmap) = player?.advance(to: moment),
            let index = album.listing.index(of: source.picture)
        {
            gallery.viewer.present(index: index, size: bitmap.size, source: source, at: moment)
        }
        let phase = player?.phase
        if gallery.viewer.animation != phase { gallery.viewer.animation = phase }
    }

    private var playable: Int? {
        guard gallery.mode == .viewer, selected < album.count else { return nil }
        let id = album.id(selected)
        return loader.isAnimated(id) && !unplayable.contains(id) ? id : nil
    }

    private func play(_ id: Int) {
        do {
            let player =
                try player
                ?? AnimationPlayer(
                    limits: loader.limits, screen: loader.screen, clock: loader.clock)
            self.player = player
            // Who wants no motion starts it.
            let isPaused = gallery.viewer.settings.reducedMotion
            player.play(id, descriptor: try loader.open(id), isPaused: isPaused)
        } catch {
            // It stays the still that it is.
            unplayable.insert(id)
        }
    }

    // MARK: Information

    /// Has the open panel tell of the selected picture; nothing is read while it is closed.
    private func inform() {
        guard gallery.mode == .viewer, gallery.viewer.showsInformation, selected < album.count
        else {
            information = nil
            return
        }
        let id = album.id(selected)
        // What comes from standard input lies nowhere.
        let path = album.entry(id)?.descriptor == nil ? album.path(id) : nil
        if let picture = information?.picture, picture == (id, path) { return }
        let reader = information ?? InformationReader(limits: loader.limits, clock: loader.clock)
        information = reader
        reader.read(id, path, name: album.title(selected)) {
            [loader] () throws(DecodeFailure) in try loader.open(id)
        }
        tell(reader, isOther: true)
    }

    private func tell(_ reader: InformationReader, isOther: Bool) {
        gallery.viewer.tell(Information(reader.facts), isOther: isOther)
    }

    private func report(_ id: Int, _ text: String) {
        guard reported.insert(id).inserted, let path = album.path(id) else { return }
        Diagnostics.error(path, text)
    }

    // MARK: Out

    private var selected: Int { gallery.viewer.index }

    var title: String {
        gallery.mode == .viewer ? album.title(selected) : "Vitrine"
    }

    /// The path of a picture, for the trace.
    func path(at index: Int) -> String {
        index < album.count ? album.listing.path(at: index).description : ""
    }

    /// Whether the next frame can differ from the one of `moment` without any event.
    func isAnimating(at moment: Moment) -> Bool { interaction.isAnimating(at: moment) }

    func frame(at moment: Moment) -> GalleryFrame {
        let showsWall = gallery.showsWall(at: moment)
        if showsWall, cells == nil {
            cells = CellPictures(
                album, decoderPath: PictureLoader.decoderPath(), limits: loader.limits,
                screen: loader.screen)
        }
        let cells = cells
        var frame = gallery.frame(
            at: moment, content: { cells?.content($0) ?? CellContent() },
            name: { [album] in album.title($0) })
        addTiles(to: &frame.scene)
        frame.animationFrame = player?.frameNumber
        hasShownPicture = hasShownPicture || gallery.mode == .viewer && gallery.viewer.hasPicture
        if let wall = frame.wall {
            cells?.want(wall, scale: frame.scene.scale)
        } else {
            cells?.rest()
        }
        return frame
    }

    /// Puts the parts of tiled pictures on their overviews.
    private func addTiles(to scene: inout Scene) {
        guard !boards.isEmpty else { return }
        var shown: Set<Int> = []
        scene.items = scene.items.flatMap { item -> [SceneItem] in
            guard case .picture(let picture) = item, picture.source.kind == .picture,
                let board = boards[picture.source.picture]
            else { return [item] }
            shown.insert(picture.source.picture)
            return board.items(for: picture, on: scene.size, scale: scene.scale).map {
                .picture($0)
            }
        }
        for (id, board) in boards where !shown.contains(id) { board.rest() }
    }

    func paint(_ scene: Scene, into canvas: Canvas, damage: [PixelRect]) {
        painter.paint(
            scene, into: canvas, damage: damage,
            bitmap: { [loader, cells, player, boards] source in
                switch source.kind {
                case .picture: loader.bitmap(source)
                case .thumbnail: cells?.bitmap(source)
                case .frame: player?.bitmap(source)
                case .tile: boards[source.picture]?.bitmap(source)
                }
            },
            concurrently: { self.workers.run($0, $1) })
        player?.wasSeen()
    }

    /// What the program ends with when nothing else went wrong.
    var exitCode: ExitCode { hasShownPicture ? .done : .nothingShown }
}
