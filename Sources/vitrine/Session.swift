import CLinux
import Geometry
import Input
import Motion
import Painting
import Pictures
import SceneModel
import Threads
import ViewerCore

/// The viewer with its recogniser, its pictures and its painter: everything that is the same on a
/// compositor and without one.
final class Session {
    private var interaction: Interaction
    private let list: PictureList
    private let loader: PictureLoader
    private let painter = Painter()
    private let workers: WorkerPool
    /// Pictures whose failure was told on standard error.
    private var reported: Set<Int> = []

    private var viewer: Viewer {
        get { interaction.viewer }
        _modify { yield &interaction.viewer }
    }

    /// Whether the viewer was left.
    private(set) var hasEnded = false
    /// Whether there is something to see on the surface: a picture, or why there is none.
    var hasContent: Bool { viewer.hasPicture || viewer.hasMessage }
    /// Whether a picture was ever on the surface.
    private(set) var hasShownPicture = false
    /// What the window should do, for the one who owns it.
    var onToggleFullscreen: (() -> Void)?

    init(
        list: PictureList, loader: PictureLoader, viewport: Viewport, settings: ViewerSettings
    ) {
        self.list = list
        self.loader = loader
        interaction = Interaction(
            Viewer(viewport: viewport, count: list.entries.count, settings: settings))
        workers = WorkerPool(width: Int(clinux_processor_count()))
    }

    // MARK: In

    /// Wants the first picture.
    func start(now: Moment) {
        want(now: now)
    }

    /// Asks for the pictures around the selected one, and lets go of all others.
    private func want(now: Moment) {
        loader.keepOnly(viewer.prune(at: now))
        take(loader.want(viewer.wanted), now: now)
    }

    /// The size of the surface is known: from here on pictures are decoded for it.
    func surfaceIsKnown() {
        let viewport = viewer.viewport
        loader.setTarget(PixelSize(covering: viewport.size, scale: viewport.scale))
    }

    /// Takes in one event, of the seat with that number; tells whether it counted.
    @discardableResult
    func handle(_ event: InputEvent, of seat: Int = 0, at moment: Moment) -> Bool {
        var effects: [Effect] = []
        let counted = interaction.handle(event, of: seat, at: moment, effects: &effects)
        switch event {
        case .resize, .scale: surfaceIsKnown()
        case .touch, .pinch, .swipe, .hold, .pointer, .key: break
        }
        carryOut(effects, now: moment)
        return counted
    }

    /// Lets time pass: what waits for a moment up to `moment` happens, and what fingers hold is
    /// where they are at that moment.
    func advance(to moment: Moment) {
        var effects: [Effect] = []
        interaction.advance(to: moment, effects: &effects)
        carryOut(effects, now: moment)
    }

    /// The next moment at which something happens by itself, apart from frames and loading.
    var deadline: Moment? { interaction.deadline }

    private func carryOut(_ effects: [Effect], now: Moment) {
        for effect in effects {
            switch effect {
            case .show: want(now: now)
            case .toggleFullscreen: onToggleFullscreen?()
            case .quit: hasEnded = true
            }
        }
    }

    // MARK: Pictures

    var isLoading: Bool { loader.isBusy }

    /// On the real clock, whatever clock the session is on.
    var loaderDeadline: Moment? { loader.deadline }

    var descriptors: [Int32] { loader.descriptors }

    func handleReadable(_ descriptor: Int32, now: Moment) {
        take(loader.handleReadable(descriptor), now: now)
    }

    func handleLoaderDeadline(now: Moment) {
        take(loader.handleDeadline(), now: now)
    }

    private func take(_ outcomes: [PictureLoader.Outcome], now: Moment) {
        for outcome in outcomes {
            switch outcome {
            case .pixels(let index, let size, let revision):
                viewer.present(index: index, size: size, revision: revision, at: now)
                hasShownPicture = hasShownPicture || viewer.hasPicture
                Diagnostics.info("\(list.entries[index].path): \(size.width) × \(size.height)")
            case .notice(let index, let text):
                viewer.notify(index: index, text: text, at: now)
                Diagnostics.warning(list.entries[index].path, text)
            case .failure(let index, let text):
                viewer.fail(index: index, text: "\(list.entries[index].title): \(text)", at: now)
                report(index, text)
            }
        }
    }

    private func report(_ index: Int, _ text: String) {
        guard reported.insert(index).inserted else { return }
        Diagnostics.error(list.entries[index].path, text)
    }

    // MARK: Out

    var title: String { list.entries[viewer.index].title }

    var path: String { list.entries[viewer.index].path.description }

    /// Whether the next frame can differ from the one of `moment` without any event.
    func isAnimating(at moment: Moment) -> Bool { interaction.isAnimating(at: moment) }

    func frame(at moment: Moment) -> ViewerFrame { viewer.frame(at: moment, title: title) }

    func paint(_ scene: Scene, into canvas: Canvas, damage: [PixelRect]) {
        painter.paint(
            scene, into: canvas, damage: damage, bitmap: { self.loader.bitmap($0) },
            concurrently: { self.workers.run($0, $1) })
    }

    /// What the program ends with when nothing else went wrong.
    var exitCode: ExitCode { hasShownPicture ? .done : .nothingShown }
}
