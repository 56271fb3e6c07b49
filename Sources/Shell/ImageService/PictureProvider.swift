package import DecodeClient
package import Geometry
package import ImageTypes
import Localization
package import Motion
import Painting
package import SceneModel
package import Viewer

/// Provides the pixels of pictures: decoded whole, tile by tile, or frame by frame.
///
/// Pictures are identified by the ids of their entries.
package final class PictureProvider {
    private let environment: DecoderEnvironment
    private let files: any PictureFiles
    private let loader: PictureLoader
    /// The tile loaders of pictures that are too large for memory, by the pictures' ids.
    private var tileLoaders: [Int: TileLoader] = [:]
    /// Nil until the first animation is played.
    private var player: AnimationPlayer?
    /// Animations that cannot be played, by their ids.
    private var unplayable: Set<Int> = []
    private let wholePictures: WholePictures

    /// Called with each event that concerns the model; the number is the id of the picture.
    ///
    /// `finished` may come a second time, with a message, if tiles cannot be loaded any more.
    package var onEvent: (DecodeEvent) -> Void {
        get { loader.onEvent }
        set { loader.onEvent = newValue }
    }
    /// Called after the events of one turn of a decoder.
    package var onTurnEnd: () -> Void {
        get { loader.onTurnEnd }
        set { loader.onTurnEnd = newValue }
    }

    /// The niceness of the decoder, as in nice(2).
    package static var niceness: Int32 { PictureLoader.niceness }

    /// Starts the decoder, so that it is ready for the first picture.
    ///
    /// `log` receives messages for `--verbose`. Throws if the decoder cannot be started.
    package init(
        _ environment: DecoderEnvironment, files: any PictureFiles, log: @escaping (String) -> Void
    ) throws(DecodeClientError) {
        self.environment = environment
        self.files = files
        loader = try PictureLoader(environment, files: files, log: log)
        wholePictures = WholePictures(loader, environment.sources)
        loader.onTiled = { [unowned self] in loadTiles(of: $0) }
        loader.otherBytes = { [unowned self] in
            (player?.bytes ?? 0) + (tileLoaders.isEmpty ? 0 : tileBudget)
        }
    }

    // MARK: Requests

    /// Requests the pictures `ids`, the most urgent first, and drops the pixels of all pictures that
    /// are not in `kept`.
    package func want(_ ids: [Int], keeping kept: Set<Int>) {
        loader.keepOnly(kept)
        tileLoaders = tileLoaders.filter { kept.contains($0.key) }
        loader.want(ids)
    }

    /// Calls `action` with the pixels of a picture, once all pixels of the file are decoded.
    ///
    /// For the screen, the coarse mip levels of a picture suffice. `action` gets the pixels that are held if
    /// the rest cannot be decoded, if the picture is not wanted any more, and if it is decoded in tiles. It gets nil
    /// if nothing is held and nothing is being decoded, if decoding fails, and at once if not all is held of a
    /// picture that is not wanted. A second call for a picture has no effect before `action` was called.
    package func withWhole(_ id: Int, _ action: @escaping (Bitmap?) -> Void) {
        wholePictures.request(id, action)
    }

    /// Forgets what was requested: the next request reports pixels that are there already, as a new viewer
    /// needs them.
    package func forgetRequests() { loader.want([]) }

    /// Sets the size at which pictures are shown, in device pixels.
    package func setTarget(_ size: PixelSize) { loader.setTarget(size) }

    /// The longest side in pixels of the pictures that are decoded from now on, as those of a
    /// slideshow; nil for whole pictures.
    package var reducedSide: Int? {
        get { loader.reduction.side }
        set { loader.reduction.side = newValue }
    }

    /// Whether gain planes are decoded from now on.
    package var wantsGains: Bool {
        get { loader.wantsGains }
        set { loader.wantsGains = newValue }
    }

    /// The pictures whose gain planes are held.
    package var lit: Set<Int> { loader.cache.lit }

    /// Whether pictures that are decoded ahead are held at the size of the screen; false where they are shown
    /// enlarged at once.
    package var reducesNeighbours: Bool {
        get { loader.reduction.reducesNeighbours }
        set { loader.reduction.reducesNeighbours = newValue }
    }

    /// Decodes more of the pictures of a scene that are shown larger than they were decoded, but not
    /// more than `reducedSide` unless a person looks closer.
    package func decodeFiner(_ scene: Scene, looksCloser: Bool) {
        let most = looksCloser ? Int.max : reducedSide ?? .max
        for case .picture(let item) in scene.items where item.source.kind == .picture {
            let longest = Double(item.size.longestSide)
            let side = (longest * item.placement.zoom * scene.scale).rounded(.up)
            loader.need(item.source.picture, side: min(Int(clamping: side), most))
        }
    }

    /// Drops everything loaded from these pictures, because their files have changed.
    package func forget(_ ids: Set<Int>) {
        loader.forget(ids)
        tileLoaders = tileLoaders.filter { !ids.contains($0.key) }
        unplayable.subtract(ids)
        if let picture = player?.picture, ids.contains(picture) { player?.stop() }
    }

    /// Releases the pixels that are not shown, and decodes nothing ahead for a while.
    package func releaseMemory() { loader.releaseMemory() }

    /// Prefaults new pixels; call it when nothing more urgent is to do.
    package func prefault() { loader.prefault() }

    /// Whether pixels for the last frame are still being loaded.
    package var isBusy: Bool {
        loader.isBusy || tileLoaders.values.contains(where: \.isBusy) || player?.isBusy == true
    }

    // MARK: Tiles

    /// The most memory for the tiles of a picture, in bytes.
    private var tileBudget: Int { TileLoader.budget(in: environment.memory) }

    private func loadTiles(of picture: PictureLoader.TiledPicture) {
        let tileLoader = TileLoader(
            picture.id, picture.session, overview: picture.overviewLevel, detail: picture.detail,
            budget: tileBudget)
        tileLoader.onFailure = { [unowned self] in dropTiles(of: picture.id, $0) }
        // A closure of the tile loader would outlive a tile loader that is dropped during the turn.
        picture.session.onTurnEnd = { [unowned self] in onTurnEnd() }
        tileLoaders[picture.id] = tileLoader
    }

    /// Drops a failed tile loader; decodes the picture again if its decoder had used up its processor
    /// time, and reports every other failure.
    private func dropTiles(of id: Int, _ failure: DecodeFailure) {
        tileLoaders[id] = nil
        guard failure != .cpuLimitReached else { return loader.decodeAgain(id) }
        onEvent(.finished(id, message: localized("no finer detail: \(failure)")))
    }

    // MARK: Animations

    /// When the next frame is due, on the session's clock.
    package var animationDeadline: Moment? { player?.deadline }
    /// Whether the animation plays or is paused; nil if no animation is shown.
    package var phase: Playback.Phase? { player?.phase }
    /// The number of the displayed frame, from 0 in every loop; nil before the first frame.
    package var frameNumber: Int? { player?.frameNumber }

    /// Whether an animation plays that was not yet shown to its end.
    package var isAnimationUnfinished: Bool { player?.isAnimationUnfinished == true }

    /// Pauses or resumes the animation.
    package func togglePause(at moment: Moment) { player?.togglePause(at: moment) }
    /// Shows the next frame of the animation, and pauses it.
    package func step(at moment: Moment) { player?.step(at: moment) }
    /// Reports that the displayed frame was painted.
    package func framePainted() { player?.framePainted() }

    /// Plays the picture `id` if it is an animation and stops any other; reports the frame that is
    /// due.
    package func animate(_ id: Int?, startsPaused: Bool, at moment: Moment) {
        let playable = id.flatMap { isPlayable($0) ? $0 : nil }
        if playable != player?.picture {
            stopPlaying()
            if let playable { play(playable, isPaused: startsPaused) }
        } else if let playable, player?.needsDecoder == true {
            restartDecoding(of: playable)
        }
        if let event = player?.advance(to: moment) { onEvent(event) }
    }

    private func isPlayable(_ id: Int) -> Bool {
        loader.cache.isAnimated(id) && !unplayable.contains(id)
    }

    private func stopPlaying() {
        guard let previous = player?.picture else { return }
        player?.stop()
        // The previous picture may stay visible for a while: show its still pixels.
        loader.reportPixels(of: previous)
    }

    private func play(_ id: Int, isPaused: Bool) {
        do {
            let player =
                try player
                ?? AnimationPlayer(environment, onTurnEnd: { [unowned self] in onTurnEnd() })
            self.player = player
            player.play(
                id, try files.source(id),
                frameBytes: loader.cache.bitmap(id)?.memory.bytes.count ?? 0, isPaused: isPaused)
            loader.makeRoom()
        } catch {
            // The picture is shown as a still.
            unplayable.insert(id)
        }
    }

    private func restartDecoding(of id: Int) {
        do {
            player?.restartDecoding(id, try files.source(id))
        } catch {
            unplayable.insert(id)
        }
    }

    // MARK: Frames

    /// The source of the newest pixels of a picture; nil if there are none.
    package func source(of id: Int) -> PictureItem.Source? { loader.cache.source(of: id) }

    /// The source of the displayed frame of the animation; nil if there is none.
    package var frameSource: PictureItem.Source? { player?.source }

    /// Adds the tiles of tiled pictures to the scene.
    package func addTiles(to scene: inout Scene) {
        loader.shown.ids = scene.shownPictures
        guard !tileLoaders.isEmpty else { return }
        var shown: Set<Int> = []
        scene.items = scene.items.flatMap { item -> [SceneItem] in
            guard case .picture(let picture) = item, picture.source.kind == .picture,
                let tileLoader = tileLoaders[picture.source.picture]
            else { return [item] }
            shown.insert(picture.source.picture)
            return tileLoader.items(for: picture, on: scene.size, scale: scene.scale).map {
                .picture($0)
            }
        }
        for (id, tileLoader) in tileLoaders where !shown.contains(id) { tileLoader.dropTiles() }
    }

    /// The picture of a scene that can be refined at rest.
    ///
    /// Nil if the scene has no picture or several, or if tiles of the picture are still missing.
    package func refinementSource(in scene: Scene) -> RefinementSource? {
        guard let (index, item, isAlone) = scene.topPicture else { return nil }
        switch item.source.kind {
        case .picture:
            guard isAlone, let bitmap = bitmap(item.source) else { return nil }
            return RefinementSource(index: index, item: item, pixels: .bitmap(bitmap))
        case .tile:
            guard let (item, mosaic) = tileLoaders[item.source.picture]?.mosaic else { return nil }
            return RefinementSource(index: index, item: item, pixels: .mosaic(mosaic))
        case .frame, .thumbnail, .blurred, .rest: return nil
        }
    }

    /// The pixels of an item of a scene; nil for thumbnails and refined pictures.
    package func bitmap(_ source: PictureItem.Source) -> Bitmap? {
        switch source.kind {
        case .picture: loader.cache.bitmap(source)
        case .frame: player?.bitmap(source)
        case .tile: tileLoaders[source.picture]?.bitmap(source)
        case .thumbnail, .blurred, .rest: nil
        }
    }
}

extension Scene {
    /// The ids of the pictures whose pixels the scene shows.
    fileprivate var shownPictures: Set<Int> {
        Set(
            items.compactMap { item in
                guard case .picture(let picture) = item, !picture.source.isAccessory else {
                    return nil
                }
                return picture.source.picture
            })
    }
}
