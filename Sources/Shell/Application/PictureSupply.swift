import Geometry
import Motion
import Painting
import ImageTypes
import SceneModel
import Viewer

/// Where the pixels of pictures come from: decoded whole, in parts while they are looked at, or frame by
/// frame.
final class PictureSupply {
    /// What became of a picture, by the id of its entry.
    enum Outcome {
        /// Its size is known; pixels follow.
        case size(id: Int, PixelSize)
        case pixels(id: Int, size: PixelSize, PictureItem.Source)
        /// A frame of an animation is due.
        case frame(id: Int, size: PixelSize, PictureItem.Source)
        case notice(id: Int, text: String)
        case failure(id: Int, text: String)
    }

    private let loader: PictureLoader
    /// Of pictures that are too large to be held, by their ids.
    private var boards: [Int: TileLoader] = [:]
    /// Only once there is something that moves.
    private var player: AnimationPlayer?
    /// Animations that cannot be played, by their ids.
    private var unplayable: Set<Int> = []

    init(_ loader: PictureLoader) { self.loader = loader }

    var limits: DecodeLimits { loader.limits }
    var screen: ScreenProfile? { loader.screen }
    /// The real clock, which decoders' patience is measured on.
    var clock: () -> Moment { loader.clock }

    /// Opens a picture's file.
    func open(_ id: Int) throws(DecodeFailure) -> Int32 { try loader.open(id) }

    // MARK: Wishes

    /// Wants these pictures, by their ids, the most urgent first, and keeps what there is of those.
    func want(_ ids: [Int], keeping kept: Set<Int>) -> [Outcome] {
        loader.keepOnly(kept)
        boards = boards.filter { kept.contains($0.key) }
        return outcomes(of: loader.want(ids))
    }

    /// Tells how large pictures will be shown, in device pixels.
    func setTarget(_ size: PixelSize) { loader.setTarget(size) }

    /// The pictures have changed: what is there of them is out of date.
    func forget(_ ids: Set<Int>) {
        loader.forget(ids)
        boards = boards.filter { !ids.contains($0.key) }
        unplayable.subtract(ids)
        if let picture = player?.picture, ids.contains(picture) { player?.stop() }
    }

    /// Makes what has come quick to look at; to be called when there is nothing more urgent.
    func prefault() { loader.prefault() }

    // MARK: Answers

    /// Whether pixels that the last frame showed, or was about to, are still to come.
    var isBusy: Bool {
        loader.isBusy || boards.values.contains(where: \.isBusy) || player?.isBusy == true
    }

    var descriptors: [Int32] {
        loader.descriptors + (player?.descriptors ?? []) + boards.values.flatMap(\.descriptors)
    }

    /// On the real clock.
    var deadline: Moment? {
        ([loader.deadline, player?.loaderDeadline] + boards.values.map(\.deadline))
            .compactMap(\.self).min()
    }

    func handleReadable(_ descriptor: Int32) -> [Outcome] {
        if let player, player.descriptors.contains(descriptor) {
            player.handleReadable(descriptor)
            return []
        }
        if let board = boards.values.first(where: { $0.descriptors.contains(descriptor) }) {
            board.handleReadable(descriptor)
            return renewBoards()
        }
        return outcomes(of: loader.handleReadable(descriptor))
    }

    func handleDeadline() -> [Outcome] {
        player?.handleDeadline()
        for board in boards.values { board.handleDeadline() }
        return outcomes(of: loader.handleDeadline()) + renewBoards()
    }

    private func outcomes(of loaded: [PictureLoader.Outcome]) -> [Outcome] {
        loaded.compactMap { outcome in
            switch outcome {
            case .size(let id, let size): return .size(id: id, size)
            case .pixels(let id, let size, let revision):
                return .pixels(id: id, size: size, .init(picture: id, revision: revision))
            case .tiled(let id, let client, let number, let overview, let detail):
                boards[id] = TileLoader(
                    id, client, request: number, overview: overview, detail: detail, clock: clock)
                return nil
            case .notice(let id, let text): return .notice(id: id, text: text)
            case .failure(let id, let text): return .failure(id: id, text: text)
            }
        }
    }

    /// Decodes pictures once more whose decoder was ended for the time it took; of others whose finer
    /// parts come no more a person is told.
    private func renewBoards() -> [Outcome] {
        boards.flatMap { id, board -> [Outcome] in
            guard let failure = board.failure else { return [] }
            boards[id] = nil
            guard failure != .spent else { return outcomes(of: loader.decodeAgain(id)) }
            return [.notice(id: id, text: "no finer detail: \(failure)")]
        }
    }

    // MARK: Animations

    /// When the next frame is due, on the session's clock.
    var animationDeadline: Moment? { player?.deadline }
    var phase: Playback.Phase? { player?.phase }
    /// The frame on the surface, counted from 0 in every round; nil before the first.
    var frameNumber: Int? { player?.frameNumber }

    func togglePause(at moment: Moment) { player?.togglePause(at: moment) }
    func step(at moment: Moment) { player?.step(at: moment) }
    /// The frame that is shown was painted.
    func wasSeen() { player?.wasSeen() }

    /// Plays the picture with that id, if it moves, and no other; tells of the frame that is due.
    func animate(_ id: Int?, startsPaused: Bool, at moment: Moment) -> [Outcome] {
        var outcomes: [Outcome] = []
        let playable = id.flatMap { isPlayable($0) ? $0 : nil }
        if playable != player?.picture {
            if let left = player?.picture {
                player?.stop()
                // It may be seen for a while yet.
                outcomes += self.outcomes(of: loader.shown(left))
            }
            if let playable { play(playable, isPaused: startsPaused) }
        } else if let playable, player?.needsDecoder == true {
            do {
                player?.goOn(descriptor: try loader.open(playable))
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
            // It stays the still that it is.
            unplayable.insert(id)
        }
    }

    // MARK: Frames

    /// Puts the parts of tiled pictures on their overviews.
    func addTiles(to scene: inout Scene) {
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

    /// What of a scene may be shown better while it lies still; nil where there is no picture, are
    /// several, or one has parts that are still to come.
    func restSubject(in scene: Scene) -> RefinementSource? {
        guard let (index, item, isAlone) = scene.topPicture else { return nil }
        switch item.source.kind {
        case .picture:
            guard isAlone, let bitmap = bitmap(item.source) else { return nil }
            return RefinementSource(index: index, item: item, pixels: .bitmap(bitmap))
        case .tile:
            guard let (item, mosaic) = boards[item.source.picture]?.mosaic else { return nil }
            return RefinementSource(index: index, item: item, pixels: .mosaic(mosaic))
        case .frame, .thumbnail, .rest: return nil
        }
    }

    /// The pixels that a scene speaks of, unless they are a thumbnail's or made for its rest.
    func bitmap(_ source: PictureItem.Source) -> Bitmap? {
        switch source.kind {
        case .picture: loader.bitmap(source)
        case .frame: player?.bitmap(source)
        case .tile: boards[source.picture]?.bitmap(source)
        case .thumbnail, .rest: nil
        }
    }
}
