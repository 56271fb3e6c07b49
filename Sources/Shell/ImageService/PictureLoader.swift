import CLinux
import DecodeClient
import EventLoop
import Geometry
import ImageTypes
import ImageWire
import Localization
import Threads

/// Decodes requested pictures, one at a time, and keeps their pixels.
final class PictureLoader {
    /// A tiled picture whose overview is decoded, with the decoder that delivers the tiles.
    struct TiledPicture {
        var id: Int
        var session: DecodeSession
        /// The mip level of the overview, see `Bitmap.Level.mipLevel`.
        var overviewLevel: Int
        /// See `PictureInfo.detail`.
        var detail: Int
    }

    let environment: DecoderEnvironment
    private let files: any PictureFiles
    private let log: (String) -> Void
    private var session: DecodeSession
    var queue = LoadQueue()
    var cache = PixelCache()
    var budget: PixelBudget { PixelBudget(bytes: environment.memory) }
    var room = PixelRoom()
    private var request = PictureRequest()
    /// The picture that is being decoded for its finer mip levels alone, while the coarse ones are shown.
    var completing: Int?
    /// The pictures that are decoded in tiles, whose overviews stay as they are.
    var tiled: Set<Int> = []
    private let backingFiles: BackingFileMaker
    let reducer: LevelReducer
    var shown = ShownPictures()
    /// The deadlines of the next attempt after a failure that may pass, and of the end of a shortage.
    private var deadlines: [EventSources.Source] = []
    /// Which pictures are decoded for the screen alone.
    var reduction = ReducedDecoding()

    /// Whether gain planes are decoded, because light that is brighter than white can be shown.
    var wantsGains = false {
        didSet {
            guard wantsGains, !oldValue else { return }
            // Pictures that were decoded without.
            for id in queue.wanted where cache.bitmap(id)?.gain == nil { cache.invalidate(id) }
            startNext()
        }
    }
    /// Called with the events of a picture; the number is the id of the picture.
    var onEvent: (DecodeEvent) -> Void = { _ in }
    /// Called after the events of one turn of the decoder.
    var onTurnEnd: () -> Void = {}
    /// Bytes of the pixels that other owners hold.
    var otherBytes: () -> Int = { 0 }
    /// Called when a tiled picture has its overview.
    var onTiled: (TiledPicture) -> Void = { _ in }

    /// The nice value of the decoder: below painting of frames, above thumbnails.
    static let niceness: Int32 = 5
    /// Starts the decoder, so that it is ready for the first picture.
    ///
    /// `log` receives messages for `--verbose`. Throws if the decoder cannot be started.
    init(
        _ environment: DecoderEnvironment, files: any PictureFiles, log: @escaping (String) -> Void
    ) throws(DecodeClientError) {
        self.environment = environment
        self.files = files
        self.log = log
        backingFiles = BackingFileMaker(environment.sources)
        reducer = LevelReducer(environment.sources)
        session = try DecodeSession(environment, niceness: Self.niceness)
        follow(session)
        deadlines = [
            environment.sources.add(deadline: { [unowned self] in queue.retryDeadline }) {
                [unowned self] in
                retry()
            },
            environment.sources.add(deadline: { [unowned self] in room.shortage.end }) {
                [unowned self] in
                endShortage()
            },
        ]
    }

    deinit { for deadline in deadlines { environment.sources.remove(deadline) } }

    private func follow(_ session: DecodeSession) {
        session.onEvent = { [unowned self] in handle($0) }
        session.onTurnEnd = { [unowned self] in onTurnEnd() }
    }

    /// Whether pixels of requested pictures are still being decoded.
    var isBusy: Bool { queue.current != nil }

    // MARK: Pixels

    /// Keeps only the pixels of these pictures.
    func keepOnly(_ ids: Set<Int>) {
        cache.keepOnly(ids)
        reduction.keepOnly(ids)
        shown.keepOnly(ids)
        room.keepOnly(ids)
        tiled.formIntersection(ids)
    }

    /// Prefaults new pixels on another thread, because the page faults of the first access take as
    /// long as a frame.
    func prefault() {
        let memories = cache.consumeUnprefaulted()
        guard !memories.isEmpty else { return }
        Thread.start {
            for memory in memories {
                clinux_populate_for_reading(memory.bytes.baseAddress, memory.bytes.count)
            }
        }
    }

    // MARK: Requests

    /// Requests the pictures `ids`, the most urgent first; replaces the previous request.
    ///
    /// Reports the pixels of newly requested pictures that have pixels already.
    func want(_ ids: [Int]) {
        let added = queue.want(ids)
        makeRoom()
        if queue.cancelOutranked(at: environment.clock(), isComplete: isSettled) {
            cancel()
        }
        for id in added { reportPixels(of: id) }
        startNext()
    }

    /// Reports the pixels of a picture again, if there are any.
    func reportPixels(of id: Int) {
        guard let bitmap = cache.bitmap(id) else { return }
        onEvent(.pixels(id, bitmap, isFinal: cache.isComplete(id)))
        // A slideshow goes on to whole pictures only.
        if cache.isComplete(id) { onEvent(.finished(id, message: nil)) }
    }

    /// Decodes a picture again; its existing pixels stay until new ones arrive.
    func decodeAgain(_ id: Int) {
        cache.invalidate(id)
        startNext()
    }

    /// Notes that a picture is shown with its longest side in so many device pixels: more than were
    /// decoded are decoded now.
    ///
    /// A picture that a person has zoomed into stays whole while it is near.
    func need(_ id: Int, side: Int) {
        shown.sides[id] = side
        if reduction.side == nil, let target = shown.target, cache.isComplete(id),
            let bitmap = cache.bitmap(id)
        {
            let fitting = Bitmap.index(fitting: target, in: bitmap.levels, of: bitmap.size)
            if side > bitmap.levels[fitting].size.longestSide { reduction.keepWhole(id) }
        }
        if cache.isComplete(id), reduction.need(id, side: side) { decodeAgain(id) }
    }

    /// Sets the size at which pictures are shown, in device pixels.
    func setTarget(_ size: PixelSize) {
        shown.target = size
        requestPixels()
        // A larger screen needs more of the pictures that were decoded ahead.
        for id in queue.wanted.dropFirst() where reduction.isAhead(id) {
            if cache.bitmap(id)?.fills(size) == false { cache.invalidate(id) }
        }
        startNext()
    }

    /// Drops the pixels and requests of these pictures, because their files have changed.
    func forget(_ ids: Set<Int>) {
        guard !ids.isEmpty else { return }
        cache.remove(ids)
        reduction.forget(ids)
        tiled.subtract(ids)
        room.forget(ids)
        if queue.forget(ids) { cancel() }
    }

    /// Whether nothing is to be decoded of a requested picture for now.
    func isSettled(_ id: Int) -> Bool {
        cache.isComplete(id) || room.plan.postponed.contains(id)
    }

    func startNext() {
        makeRoom()
        while let (id, isShownWhole) = next() {
            completing = isShownWhole ? id : nil
            do throws(DecodeFailure) {
                let source = try files.source(id)
                queue.begin(id)
                backingFiles.cancel()
                // The first picture is shown before the size of the screen is known.
                let side = shown.target == nil ? nil : reduction.begin(id)
                request = PictureRequest(pixels: side == nil ? .none : .reduced)
                session.start(
                    side.map { .thumbnail(ThumbnailRequest(side: $0, wantsRegions: true)) }
                        ?? .picture, of: id, source)
            } catch {
                guard !stopCompleting(untilNeeded: true) else { continue }
                queue.fail(id)
                onEvent(.failed(id, error))
            }
        }
        reduceNeighbour()
    }

    /// Requests the pixels of the current picture once the size of the surface is known.
    private func requestPixels() {
        guard let target = shown.target, let id = queue.current, request.pixels == .none,
            !backingFiles.isMaking
        else { return }
        let isAhead = id != queue.wanted.first && reduction.isReducible(id)
        request.pixels = isAhead ? .ahead : .whole
        session.decode(target: target, only: isAhead, wantsGain: wantsGains)
    }

    /// Cancels what is requested of the decoder.
    func cancel() {
        stopCompleting(untilNeeded: false)
        session.cancel()
        backingFiles.cancel()
    }

    // MARK: Events

    private func handle(_ event: DecodeEvent) {
        switch event {
        case .info(let id, let info): begin(id, info)
        case .pixels(let id, let bitmap, let isFinal):
            if insert(bitmap, of: id, isFinal: isFinal) { onEvent(event) }
        case .gain(let id, let plane):
            cache.light(id, by: plane)
            onEvent(event)
        case .finished(let id, let message):
            let isReduced = reduction.side(of: id) != nil
            end(id, message: message, keepsDecoder: request.info?.isTiled == true && !isReduced)
        case .failed(let id, let failure): fail(id, failure)
        case .opened: onEvent(event)
        // Nothing is missing until a person zooms in.
        case .waiting(let id): if completing != id { onEvent(event) }
        case .frame, .tile, .metadata, .edited: break
        }
    }

    /// Stores new pixels of a picture; returns false for a preview that is no better than what is there.
    private func insert(_ bitmap: Bitmap, of id: Int, isFinal: Bool) -> Bool {
        let held = cache.bitmap(id)?.levels[0].size
        if let held, !isFinal, held.width >= bitmap.levels[0].size.width { return false }
        if let held, isFinal, completing == id, shown.sides[id] ?? 0 <= held.longestSide {
            cache.insertLevels(bitmap, of: id)
        } else {
            cache.insert(bitmap, of: id, isAnimated: request.info?.isAnimated == true)
        }
        return true
    }

    private func begin(_ id: Int, _ info: PictureInfo) {
        request.info = info
        if info.isTiled { tiled.insert(id) }
        onEvent(.info(id, info))
        if let bytes = reduction.note(info, of: id) {
            if !admit(id, bytes: bytes) { startNext() }
            return
        }
        guard admit(id, bytes: info.bytes(target: shown.target)) else { return startNext() }
        if info.backingFileBytes > 0 {
            backingFiles.make(bytes: info.backingFileBytes, limit: environment.limits.disk) {
                [unowned self] file in
                provide(file, for: id, info)
            }
        }
        requestPixels()
    }

    /// Hands the backing file of the current picture to the decoder, or does without a file.
    private func provide(
        _ file: Result<Int32, DecodeFailure>, for id: Int, _ info: PictureInfo
    ) {
        switch file {
        case .success(let descriptor):
            if let path = files.displayPath(id) {
                let space = BackingFile.text(info.backingFileBytes)
                log("\(path): uses \(space) of disk space while it is shown")
            }
            session.provideBackingFile(descriptor)
        case .failure(let failure):
            guard !info.size.isLarger(than: environment.limits.pixels) else {
                cancel()
                fail(id, failure)
                return onTurnEnd()
            }
            guard admit(id, bytes: info.wholeBytes) else { return startNext() }
            log("\(failure); it is kept in memory instead")
            session.provideBackingFile(nil)
        }
        requestPixels()
    }

    private func fail(_ id: Int, _ failure: DecodeFailure) {
        // Nothing is missing until a person zooms in.
        if stopCompleting(untilNeeded: true) {
            queue.postpone()
            return startNext()
        }
        if failure.isRetriedWhileWanted {
            queue.fail(id, retryingFrom: environment.clock())
        }
        // Existing pixels stay, even those of an earlier request.
        guard cache.bitmap(id) == nil else {
            return end(id, message: "\(failure)", keepsDecoder: false)
        }
        queue.fail(id)
        onEvent(.failed(id, failure))
        startNext()
    }

    /// Decodes the most urgent picture again, whose failure may have passed.
    private func retry() {
        guard let id = queue.retry(at: environment.clock()) else { return }
        cache.invalidate(id)
        startNext()
        onTurnEnd()
    }

    /// Finishes a picture and starts the next one.
    ///
    /// With `keepsDecoder` the decoder stays with the tiled picture.
    private func end(_ id: Int, message: String?, keepsDecoder: Bool) {
        queue.end()
        cache.complete(id)
        if request.pixels == .ahead, request.info?.isTiled != true { noteAhead(id) }
        // The message came with the coarse mip levels.
        onEvent(.finished(id, message: completing == id ? nil : message))
        completing = nil
        if keepsDecoder {
            handOver(id)
        } else if shown.target != nil, let size = request.info?.size, reduction.isWasteful(id, size)
        {
            // The first picture of a slideshow, which was shown as soon as possible.
            cache.invalidate(id)
        }
        startNext()
    }

    /// Hands the decoder over with its tiled picture, and starts a new decoder.
    private func handOver(_ id: Int) {
        guard let bitmap = cache.bitmap(id) else { return cancel() }
        do {
            let tiled = session
            session = try DecodeSession(environment, niceness: Self.niceness)
            follow(session)
            onTiled(
                TiledPicture(
                    id: id, session: tiled, overviewLevel: bitmap.levels[0].mipLevel,
                    detail: request.info?.detail ?? 0))
        } catch {
            // No new decoder: keep this one for other pictures, so no tiles are loaded.
            cancel()
            onEvent(.finished(id, message: localized("no finer detail: \(error)")))
        }
    }
}
