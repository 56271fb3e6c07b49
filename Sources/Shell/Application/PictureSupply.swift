import Geometry
import Motion
import Painting
import ImageTypes
import SceneModel
import Viewer

/// Supplies the pixels of pictures: decoded whole, tile by tile, or frame by frame.
final class PictureSupply {
    /// A result of loading; `id` is the id of the picture's entry.
    enum Outcome {
        /// The picture's size in pixels is known; its pixels follow.
        case size(id: Int, PixelSize)
        case pixels(id: Int, size: PixelSize, PictureItem.Source)
        /// A frame of an animation is due.
        case frame(id: Int, size: PixelSize, PictureItem.Source)
        case notice(id: Int, text: String)
        case failure(id: Int, text: String)
    }

    private let loader: PictureLoader
    /// The tile loaders of pictures that are too large for memory, by the pictures' ids.
    private var tileLoaders: [Int: TileLoader] = [:]
    /// Nil until the first animation is played.
    private var player: AnimationPlayer?
    /// Animations that cannot be played, by their ids.
    private var unplayable: Set<Int> = []

    init(_ loader: PictureLoader) { self.loader = loader }

    var limits: DecodeLimits { loader.limits }
    var screen: ScreenProfile? { loader.screen }
    /// The real clock, which measures the timeouts of decoders.
    var clock: () -> Moment { loader.clock }

    /// Opens a picture's file.
    func open(_ id: Int) throws(DecodeFailure) -> Int32 { try loader.open(id) }

    // MARK: Requests

    /// Requests the pictures `ids`, the most urgent first, and drops the pixels of all pictures that are
    /// not in `kept`.
    func want(_ ids: [Int], keeping kept: Set<Int>) -> [Outcome] {
        loader.keepOnly(kept)
        tileLoaders = tileLoaders.filter { kept.contains($0.key) }
        return outcomes(of: loader.want(ids))
    }

    /// Sets the size at which pictures are shown, in device pixels.
    func setTarget(_ size: PixelSize) { loader.setTarget(size) }

    /// Drops everything loaded from these pictures, because their files have changed.
    func forget(_ ids: Set<Int>) {
        loader.forget(ids)
        tileLoaders = tileLoaders.filter { !ids.contains($0.key) }
        unplayable.subtract(ids)
        if let picture = player?.picture, ids.contains(picture) { player?.stop() }
    }

    /// Prefaults new pixels; call it when nothing more urgent is to do.
    func prefault() { loader.prefault() }

    // MARK: Results

    /// Whether pixels for the last frame are still being loaded.
    var isBusy: Bool {
        loader.isBusy || tileLoaders.values.contains(where: \.isBusy) || player?.isBusy == true
    }

    var descriptors: [Int32] {
        loader.descriptors + (player?.descriptors ?? [])
            + tileLoaders.values.flatMap(\.descriptors)
    }

    /// The next deadline of a decoder, on the real clock.
    var deadline: Moment? {
        ([loader.deadline, player?.loaderDeadline] + tileLoaders.values.map(\.deadline))
            .compactMap(\.self).min()
    }

    func handleReadable(_ descriptor: Int32) -> [Outcome] {
        if let player, player.descriptors.contains(descriptor) {
            player.handleReadable(descriptor)
            return []
        }
        if let tileLoader = tileLoaders.values.first(
            where: { $0.descriptors.contains(descriptor) })
        {
            tileLoader.handleReadable(descriptor)
            return handleTileFailures()
        }
        return outcomes(of: loader.handleReadable(descriptor))
    }

    func handleDeadline() -> [Outcome] {
        player?.handleDeadline()
        for tileLoader in tileLoaders.values { tileLoader.handleDeadline() }
        return outcomes(of: loader.handleDeadline()) + handleTileFailures()
    }

    private func outcomes(of loaded: [PictureLoader.Outcome]) -> [Outcome] {
        loaded.compactMap { outcome in
            switch outcome {
            case .size(let id, let size): return .size(id: id, size)
            case .pixels(let id, let size, let revision):
                return .pixels(id: id, size: size, .init(picture: id, revision: revision))
            case .tiled(let id, let client, let number, let overview, let detail):
                tileLoaders[id] = TileLoader(
                    id, client, request: number, overview: overview, detail: detail, clock: clock)
                return nil
            case .notice(let id, let text): return .notice(id: id, text: text)
            case .failure(let id, let text): return .failure(id: id, text: text)
            }
        }
    }

    /// Drops failed tile loaders; decodes a picture again if its decoder had used up its processor time,
    /// and reports every other failure.
    private func handleTileFailures() -> [Outcome] {
        tileLoaders.flatMap { id, tileLoader -> [Outcome] in
            guard let failure = tileLoader.failure else { return [] }
            tileLoaders[id] = nil
            guard failure != .spent else { return outcomes(of: loader.decodeAgain(id)) }
            return [.notice(id: id, text: "no finer detail: \(failure)")]
        }
    }

    // MARK: Animations

    /// When the next frame is due, on the session's clock.
    var animationDeadline: Moment? { player?.deadline }
    var phase: Playback.Phase? { player?.phase }
    /// The number of the displayed frame, from 0 in every loop; nil before the first frame.
    var frameNumber: Int? { player?.frameNumber }

    func togglePause(at moment: Moment) { player?.togglePause(at: moment) }
    func step(at moment: Moment) { player?.step(at: moment) }
    /// Reports that the displayed frame was painted.
    func framePainted() { player?.framePainted() }

    /// Plays the picture `id` if it is an animation and stops any other; returns the frame that is due.
    func animate(_ id: Int?, startsPaused: Bool, at moment: Moment) -> [Outcome] {
        var outcomes: [Outcome] = []
        let playable = id.flatMap { isPlayable($0) ? $0 : nil }
        if playable != player?.picture {
            if let previous = player?.picture {
                player?.stop()
                // The previous picture may stay visible for a while: show its still pixels.
                outcomes += self.outcomes(of: loader.shown(previous))
            }
            if let playable { play(playable, isPaused: startsPaused) }
        } else if let playable, player?.needsDecoder == true {
            do {
                player?.restartDecoding(descriptor: try loader.open(playable))
            } catch {
                unplayable.insert(playable)
            }
        }
        if let (source, bitmap) = player?.advance(to: moment) {
            outcomes.append(.frame(id: source.picture, size: bitmap.size, source))
        }
        return outcomes
    }

    private func isPlayable(_ id: Int) -> Bool {
        loader.isAnimated(id) && !unplayable.contains(id)
    }

    private func play(_ id: Int, isPaused: Bool) {
        do {
            let player =
                try player ?? AnimationPlayer(limits: limits, screen: screen, clock: clock)
            self.player = player
            player.play(id, descriptor: try loader.open(id), isPaused: isPaused)
        } catch {
            // The picture is shown as a still.
            unplayable.insert(id)
        }
    }

    // MARK: Frames

    /// Adds the tiles of tiled pictures to the scene.
    func addTiles(to scene: inout Scene) {
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
        for (id, tileLoader) in tileLoaders where !shown.contains(id) { tileLoader.rest() }
    }

    /// The picture of a scene that can be refined at rest.
    ///
    /// Nil if the scene has no picture or several, or if tiles of the picture are still missing.
    func refinementSource(in scene: Scene) -> RefinementSource? {
        guard let (index, item, isAlone) = scene.topPicture else { return nil }
        switch item.source.kind {
        case .picture:
            guard isAlone, let bitmap = bitmap(item.source) else { return nil }
            return RefinementSource(index: index, item: item, pixels: .bitmap(bitmap))
        case .tile:
            guard let (item, mosaic) = tileLoaders[item.source.picture]?.mosaic else { return nil }
            return RefinementSource(index: index, item: item, pixels: .mosaic(mosaic))
        case .frame, .thumbnail, .rest: return nil
        }
    }

    /// The pixels of an item of a scene; nil for thumbnails and refined pictures.
    func bitmap(_ source: PictureItem.Source) -> Bitmap? {
        switch source.kind {
        case .picture: loader.bitmap(source)
        case .frame: player?.bitmap(source)
        case .tile: tileLoaders[source.picture]?.bitmap(source)
        case .thumbnail, .rest: nil
        }
    }
}
