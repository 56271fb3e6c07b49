import Browser
import DecodeClient
import EventLoop
import Folders
import Geometry
import ImageService
import ImageTypes
import SceneModel
import Thumbnails
import Viewer
import Grid

/// The thumbnails of the visible grid cells.
final class CellPictures {
    private let album: Album
    private let environment: DecoderEnvironment
    /// Where thumbnails are stored; nil if they are not.
    private let cache: ThumbnailCache?
    /// The paths of the pictures on the covers of folders, by their numbers, which are below 0 and no ids of the
    /// album.
    private let coverPath: (_ number: Int) -> FilePath?
    /// Nil until the grid is shown, because only the grid needs thumbnails and their threads.
    private var queue: ThumbnailQueue?
    /// Counts the versions of each thumbnail, so that a better one is painted again.
    private var revisions: [Int: Int] = [:]
    /// The thumbnails of the last frame that are not settled yet, with the requested longest side in
    /// device pixels.
    private var awaited: [ThumbnailKey: Int] = [:]
    /// Whether thumbnails are requested for cells that are about to become visible.
    private let prefetchesThumbnails: Bool
    /// The longest side of requested thumbnails, in device pixels.
    private var largest = 1024
    /// The thumbnails of the last frame.
    private var visible: Set<ThumbnailKey> = []
    /// While memory is short, only visible thumbnails are requested.
    private var shortage = ShortagePause()

    /// The most memory for thumbnails with their mip levels, in bytes; sessions share it.
    private var budget: Int { max(Self.wholeBudget / environment.sharers, Self.leastBudget) }
    private static let wholeBudget = 96 << 20
    private static let leastBudget = 24 << 20

    /// The longest side of thumbnails in the filmstrip, in device pixels.
    private static let filmstripSide = 256

    /// The longest side of the pictures of covers, in device pixels.
    private static let coverSide = 256

    /// Called when there are new pixels.
    var onPixels: () -> Void = {}
    /// Called with the id and the upright size, in pixels, of a picture that is as small as its thumbnail.
    var onSmallPicture: (_ id: Int, PixelSize) -> Void = { _, _ in }

    init(
        _ album: Album, _ environment: DecoderEnvironment, cache: ThumbnailCache?,
        prefetchesThumbnails: Bool, coverPath: @escaping (_ number: Int) -> FilePath?
    ) {
        self.album = album
        self.coverPath = coverPath
        self.environment = environment
        self.cache = cache
        self.prefetchesThumbnails = prefetchesThumbnails
    }

    /// Starts the threads that make thumbnails, unless they are running.
    func start() {
        guard queue == nil else { return }
        let queue = ThumbnailQueue(
            program: environment.program, cache: cache, budget: budget,
            limits: environment.limits, screen: environment.screen, files: environment.files,
            clock: environment.clock
        ) { [album, coverPath] key in
            guard key.picture >= 0 else { return coverPath(key.picture).map { .file($0.bytes) } }
            guard let entry = album.entry(key.picture) else { return nil }
            if let descriptor = entry.descriptor { return .memory(descriptor) }
            return album.path(key.picture).map { .file($0.bytes) }
        }
        self.queue = queue
        _ = environment.sources.add(descriptor: queue.pollDescriptor) { [unowned self] in
            handleOutcomes(of: queue)
        }
        _ = environment.sources.add(deadline: { queue.deadline }) { queue.handleDeadline() }
    }

    /// The longest side, in device pixels, that the budget allows for each of `count` visible cells.
    ///
    /// Every cell gets a thumbnail, a coarser one if necessary. A feed at rest is sharp: its cells
    /// get the pixels that they show.
    private func largestSide(for frame: GridFrame, count: Int) -> Int {
        if frame.isRestingFeed { return .max }
        let sides = [1024, 512, 256, 128]
        return sides.first { side in
            // The mip levels of a bitmap take a third more.
            count * side * side * 16 / 3 <= budget * 9 / 10
        } ?? 128
    }

    /// The most memory for the thumbnails of a frame, in bytes.
    ///
    /// In the feed the visible cells and one page of further ones have at most `feedPages` times the
    /// pixels of the surface.
    private func budget(for frame: GridFrame, scale: Double) -> Int {
        guard frame.columns == 1 else { return budget }
        let pixels = frame.surface.width * frame.surface.height * scale * scale
        return max(budget, Int(clamping: (pixels * Self.feedPages * 16 / 3).rounded(.up)))
    }

    private static let feedPages = 5.0

    /// Retries thumbnails that failed because the file could not be read, after files were renamed or
    /// reappeared.
    func retry() { queue?.forgetTemporaryFailures() }

    /// Forgets the thumbnails of pictures that are gone or have changed, given by their ids.
    func forget(_ pictures: Set<Int>) {
        queue?.forget(pictures)
        let covers = revisions.filter { $0.key < 0 }
        album.listing.prune(&revisions)
        revisions.merge(covers) { $1 }
    }

    /// Removes the thumbnails of files that are gone from the cache, given by their absolute paths.
    ///
    /// Without a queue this run has stored none.
    func removeStored(_ paths: [[UInt8]], on disk: DiskWork) {
        guard queue != nil, let cache, !paths.isEmpty else { return }
        disk.add { for path in paths { cache.forget(path) } }
    }

    /// Releases the thumbnails that are not visible, because memory is short, and requests none ahead
    /// for a while.
    func releaseMemory() {
        shortage.begin(at: environment.clock())
        queue?.releaseMemory(keeping: visible)
    }

    /// Releases all thumbnails, because a slideshow plays that shows none.
    func releaseAll() {
        if let queue, queue.bytesInMemory > 0 { queue.releaseMemory(keeping: []) }
    }

    /// Whether cells of the last frame still wait for their thumbnails.
    var isBusy: Bool { !awaited.isEmpty }

    /// Requests the thumbnails of a frame, the middle of the surface first, and those of the covers with these
    /// numbers.
    func want(_ frame: GridFrame, covers: [Int], scale: Double) {
        guard let queue else { return }
        let covers = covers.map {
            ThumbnailWant(
                index: $0, key: ThumbnailKey(picture: $0, revision: 0), side: Self.coverSide)
        }
        let cells = Dictionary(
            frame.cells.map { ($0.index, $0) }, uniquingKeysWith: { first, _ in first })
        let order = frame.nearestCells(of: album.count)
        largest = largestSide(for: frame, count: cells.count)
        queue.budget = budget(for: frame, scale: scale)
        // Cells that become visible next will be about as large as the visible ones.
        guard let typical = order.first.flatMap({ cells[$0] })?.rect else {
            note(covers, of: queue)
            return queue.want(covers)
        }
        var wants = order.compactMap { cells[$0] }.map {
            want($0.index, $0.rect, scale: scale, stretch: $0.isCut ? stretch($0) : 1)
        }
        if let lifted = frame.lifted, lifted.index < album.count {
            wants.insert(want(lifted.index, lifted.rect, scale: scale), at: 0)
        }
        wants += covers
        note(wants, of: queue)
        let isAhead = prefetchesThumbnails && !isMemoryShort
        let ahead = isAhead ? order.filter { cells[$0] == nil } : []
        queue.want(wants + ahead.map { want($0, typical, scale: scale) })
    }

    /// Requests the thumbnails of the filmstrip, the middle first; none while it is hidden.
    func want(_ strip: FilmstripFrame, scale: Double) {
        guard let queue, let clip = strip.clip else { return dropRequests() }
        largest = Self.filmstripSide
        let middle = clip.center.x
        let wants = strip.cells.filter { $0.index < album.count }
            .sorted { abs($0.rect.center.x - middle) < abs($1.rect.center.x - middle) }
            .map { want($0.index, $0.rect, scale: scale) }
        note(wants, of: queue)
        queue.want(wants)
    }

    private var isMemoryShort: Bool {
        _ = shortage.finish(at: environment.clock())
        return shortage.end != nil
    }

    /// Notes the thumbnails of a frame, and which of them are to come.
    private func note(_ wants: [ThumbnailWant], of queue: ThumbnailQueue) {
        let keys = Set(wants.map(\.key))
        queue.forgetFailures(thatMayBeOver: keys.subtracting(visible))
        visible = keys
        awaited = [:]
        for want in wants where !queue.isSettled(want) { awaited[want.key] = want.side }
    }

    /// The most cells whose files are compared.
    private static let mostFollowed = 256

    /// Has the files of the visible cells compared.
    func follow() {
        let keys = visible.filter { $0.picture >= 0 }.sorted { $0.picture < $1.picture }.prefix(
            Self.mostFollowed)
        let damaged = keys.filter { key in
            queue.map { $0.isDamaged(key) || $0.brokenReason(key) != nil } ?? false
        }
        album.follow(
            FollowedPictures(
                keys.map(\.picture),
                damaged: Dictionary(
                    damaged.map { ($0.picture, $0.revision) }, uniquingKeysWith: max)),
            in: .cells)
    }

    /// Requests no thumbnails, because the grid is not visible.
    func dropRequests() {
        (awaited, visible) = ([:], [])
        queue?.want([])
    }

    /// How many times the side of its cell the longest side of a long picture has, which fills the cell by its shorter
    /// side; 1 for usual pictures, whose pixels suffice.
    ///
    /// Where the size of the picture is not known, that of its first thumbnail tells.
    private func stretch(_ cell: GridFrame.Cell) -> Double {
        var aspect = Double(cell.aspect)
        if aspect <= 0, let size = queue?.bitmap(key(cell.index))?.size, !size.isEmpty {
            aspect = Double(size.width) / Double(size.height)
        }
        guard aspect > 0 else { return 1 }
        let ratio = max(aspect, 1 / aspect)
        return ratio > Self.longRatio ? min(ratio, Self.mostStretch) : 1
    }

    private static let mostStretch = 4.0
    /// Pictures with a larger ratio of their sides are long.
    private static let longRatio = 2.0

    private func want(
        _ index: Int, _ rect: Rect, scale: Double, stretch: Double = 1
    ) -> ThumbnailWant {
        let (longer, shorter) = (max(rect.width, rect.height), min(rect.width, rect.height))
        return ThumbnailWant(
            index: index, key: key(index),
            side: min(Int(clamping: (longer * stretch * scale).rounded(.up)), largest),
            proportion: largest == .max && longer > 0 ? shorter / longer : 1)
    }

    private func key(_ index: Int) -> ThumbnailKey {
        let entry = album.listing.entries[index]
        return ThumbnailKey(picture: entry.id, revision: entry.revision)
    }

    private func handleOutcomes(of queue: ThumbnailQueue) {
        for outcome in queue.handleReadable() {
            switch outcome {
            case .ready(let index, let key, _):
                revisions[key.picture, default: 0] += 1
                onPixels()
                settle(index, key, in: queue)
            case .broken(let index, let key, _): settle(index, key, in: queue)
            }
        }
    }

    private func settle(_ index: Int, _ key: ThumbnailKey, in queue: ThumbnailQueue) {
        guard let side = awaited[key] else { return }
        let want = ThumbnailWant(index: index, key: key, side: side)
        guard queue.isSettled(want) else { return }
        awaited[key] = nil
        if key.picture >= 0, let size = queue.unscaledSize(want) {
            onSmallPicture(key.picture, size)
        }
    }

    /// The content of a cell.
    func content(_ index: Int) -> CellContent {
        guard index < album.count else { return CellContent() }
        var content = content(key(index))
        if Self.isGIF(album.listing.entries[index].name) { content.badge = "GIF" }
        return content
    }

    private static func isGIF(_ name: [UInt8]) -> Bool {
        name.suffix(4).elementsEqual(".gif".utf8) { $0 | 0x20 == $1 }
    }

    /// The content of a part of a cover, by its number.
    func content(cover number: Int) -> CellContent {
        content(ThumbnailKey(picture: number, revision: 0))
    }

    private func content(_ key: ThumbnailKey) -> CellContent {
        guard let queue else { return CellContent() }
        var content = CellContent()
        if let bitmap = queue.bitmap(key) {
            content.thumbnail = (source(key), bitmap.size)
            content.isDamaged = queue.isDamaged(key)
        } else if let reason = queue.brokenReason(key) {
            content.failure = reason
        }
        content.color = queue.averageColor(picture: key.picture).map(Self.color)
        return content
    }

    /// The thumbnail of a picture, shown until its own pixels are decoded; nil if there is none yet.
    func preview(_ index: Int) -> PictureItem.Source? {
        let key = key(index)
        return queue?.bitmap(key) == nil ? nil : source(key)
    }

    private func source(_ key: ThumbnailKey) -> PictureItem.Source {
        PictureItem.Source(
            .thumbnail, picture: key.picture, revision: revisions[key.picture] ?? 0)
    }

    func bitmap(_ source: PictureItem.Source) -> Bitmap? {
        guard source.picture >= 0 else {
            return queue?.bitmap(ThumbnailKey(picture: source.picture, revision: 0))
        }
        guard let entry = album.entry(source.picture) else { return nil }
        return queue?.bitmap(ThumbnailKey(picture: entry.id, revision: entry.revision))
    }

    /// Converts a premultiplied 0xAARRGGBB pixel to straight components.
    private static func color(_ pixel: UInt32) -> Color {
        let alpha = Double(pixel >> 24)
        func component(_ shift: UInt32) -> Double {
            alpha > 0 ? min(Double(pixel >> shift & 255) / alpha, 1) : 0
        }
        return Color(
            red: component(16), green: component(8), blue: component(0), alpha: alpha / 255)
    }
}
