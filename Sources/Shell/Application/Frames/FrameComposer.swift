import CLinux
import EventLoop
import Geometry
import ImageService
import ImageTypes
import Pacing
import Painting
import SceneModel
import Text
import Threads
import WaylandClient

/// Completes and paints scenes: tiles, refinement at rest, and three-quarter levels.
final class FrameComposer {
    private let pictures: PictureProvider
    private let painter: Painter
    let text: TextEngine
    private let workers: WorkerPool
    /// Nil if `frames.rest` is `plain`.
    private let refiner: StillRefiner?
    private let threeQuarterLevels: ThreeQuarterLevels
    private let blurredPictures = BlurredPictures()
    /// The pixels of a thumbnail; nil if there are none.
    private let thumbnail: (PictureItem.Source) -> Bitmap?
    /// Whether nothing was held by fingers or moved in the last scene.
    private(set) var isAtRest = true

    init(
        _ pictures: PictureProvider, _ settings: FrameSettings, text: TextEngine,
        sources: EventSources,
        thumbnail: @escaping (PictureItem.Source) -> Bitmap?
    ) {
        self.pictures = pictures
        self.thumbnail = thumbnail
        self.text = text
        Self.kernel(settings.instructions).becomeBest()
        painter = Painter(text: text)
        let processors = Int(clinux_processor_count())
        workers = WorkerPool(width: processors)
        let filterSpace: FilterSpace = settings.rest == .linear ? .linear : .encoded
        let background = WorkerPool(width: processors, niceness: BackgroundPainting.niceness)
        let refiner =
            settings.rest == .plain ? nil : StillRefiner(background, filterSpace: filterSpace)
        let levels = ThreeQuarterLevels(background, filterSpace: filterSpace)
        self.refiner = refiner
        threeQuarterLevels = levels
        if let refiner {
            _ = sources.add(descriptor: refiner.pollDescriptor) { refiner.handleReadable() }
        }
        _ = sources.add(descriptor: levels.pollDescriptor) { levels.handleReadable() }
    }

    private static func kernel(_ instructions: FrameSettings.Instructions) -> PaintingKernel {
        switch instructions {
        case .best: .best
        case .simd: .simd
        case .portable: .portable
        }
    }

    /// Whether pixels for the next frames are being computed.
    var isBusy: Bool { refiner?.isBusy == true || threeQuarterLevels.isBusy }

    /// Opens the library of text and its fonts on another thread, so that they are ready for the first tap,
    /// and calls `handler` in the loop afterwards, with whether texts were in plain letters meanwhile.
    func prepareText(
        _ styles: [TextStyle], by backgroundJobs: BackgroundJobs,
        then handler: @escaping (Bool) -> Void
    ) {
        let isRunning = backgroundJobs.run({ [text] in text.prepare(styles) }, then: handler)
        if !isRunning { handler(false) }
    }

    /// See `TextEngine.limitWaits`.
    func limitWaitsForFonts() { text.limitWaits() }

    /// Adds tiles and the refined picture to a scene, of which `isAtRest` says that nothing is held by fingers or
    /// moves; starts refining if the scene is at rest.
    func complete(_ scene: inout Scene, isAtRest: Bool) {
        self.isAtRest = isAtRest
        pictures.addTiles(to: &scene)
        let unrefined = scene
        refiner?.insertRefinement(&scene, isAtRest: isAtRest) {
            pictures.refinementSource(in: unrefined)
        }
        scene.lightRefinements()
        // Refinement of the visible picture has priority over the three-quarter level.
        threeQuarterLevels.prepare(
            for: unrefined, isAtRest: isAtRest && refiner?.isBusy != true,
            bitmap: { [pictures] in pictures.bitmap($0) })
    }

    /// Paints a scene inside `damage`, in device pixels.
    ///
    /// A `blockSide` above 1 paints square blocks with this side in device pixels; see `Painter`.
    func paint(_ scene: Scene, into canvas: Canvas, blockSide: Int = 1, damage: [PixelRect]) {
        painter.paint(
            scene, into: canvas, blockSide: blockSide, damage: damage,
            bitmap: { [self] in bitmap($0) },
            concurrently: { self.workers.run($0, $1) })
        pictures.framePainted()
    }

    /// The largest share of the gain of a picture in a scene that counts on a screen with headroom.
    func gainShare(of scene: Scene, headroom: Double) -> Double {
        scene.items.map { item in
            guard case .picture(let picture) = item, picture.light > 0,
                let gain = bitmap((picture.unrefined.first ?? picture).source)?.gain
            else { return 0 }
            return picture.light * gain.range.weight(headroom: headroom)
        }.max() ?? 0
    }

    /// Notes that a frame shows a scene at rest, each device pixel in a pixel of `frame`.
    func noteShown(_ scene: Scene, in frame: ShownFrame) {
        refiner?.releasePixels(shown: scene, in: frame)
    }

    /// See `Painter.releaseUnusedLayers`.
    func releaseUnusedLayers() { painter.releaseUnusedLayers() }

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
        case .thumbnail: thumbnail(source)
        case .rest: refiner?.bitmap(source)
        case .blurred:
            blurredPictures.bitmap(source) { [pictures] in
                pictures.source(of: $0).flatMap { pictures.bitmap($0) }
            }
        case .picture: threeQuarterLevels.adding(to: pictures.bitmap(source), source)
        case .tile, .frame: pictures.bitmap(source)
        }
    }
}
