import CLinux
import Folders
import Geometry
import Browser
import ImageTypes
import SceneModel
import Thumbnails
import Grid

/// The thumbnails of the cells in sight.
final class CellPictures {
    private let album: Album
    private let queue: ThumbnailQueue
    /// Counts the states of each thumbnail, so that a better one is painted anew.
    private var revisions: [Int: Int] = [:]
    /// What the last frame wanted and has not got for good yet, by picture.
    private var awaited: [ThumbnailKey: Int] = [:]
    /// Whether cells that are about to come into sight get their thumbnails beforehand.
    private let looksAhead: Bool
    /// The longest side that thumbnails are wanted with, in device pixels.
    private var largest = 1024

    /// Of pixels with their reductions, in bytes.
    private static let budget = 96 << 20

    init(
        _ album: Album, decoderPath: String, limits: DecodeLimits, screen: ScreenProfile?,
        looksAhead: Bool
    ) {
        self.album = album
        self.looksAhead = looksAhead
        queue = ThumbnailQueue(
            decoderPath: decoderPath, cache: ThumbnailCache(program: "vitrine-\(Help.version)"),
            budget: Self.budget, limits: limits, screen: screen
        ) { [album] key in
            guard let entry = album.entry(key.picture) else { return nil }
            if let descriptor = entry.descriptor { return .memory(descriptor) }
            return album.path(key.picture).map { .file($0.bytes) }
        }
    }

    /// What the budget allows for each of `count` cells in sight, in device pixels: all of them get
    /// a thumbnail, if need be a coarser one.
    private static func largestSide(for count: Int) -> Int {
        let sides = [1024, 512, 256, 128]
        return sides.first { side in
            // With its reductions a bitmap takes a third more.
            count * side * side * 16 / 3 <= budget * 9 / 10
        } ?? 128
    }

    /// Pictures were renamed, or are there again: what could not be read is tried anew.
    func retry() { queue.forgetPassingFailures() }

    var pollDescriptor: Int32 { queue.pollDescriptor }

    /// Whether cells that were in the last frame still wait for their thumbnail.
    var isBusy: Bool { !awaited.isEmpty }

    /// Wants what a frame shows, the middle of the surface first.
    func want(_ frame: GridFrame, scale: Double) {
        let rects = Dictionary(
            frame.cells.map { ($0.index, $0.rect) }, uniquingKeysWith: { first, _ in first })
        let order = frame.nearestCells(of: album.count)
        largest = Self.largestSide(for: rects.count)
        // What comes into sight next will be about as large as what is there.
        guard let usual = order.first.flatMap({ rects[$0] }) else { return queue.want([]) }
        var wants = order.filter { rects[$0] != nil }.map {
            want($0, rects[$0] ?? usual, scale: scale)
        }
        if let lifted = frame.lifted, lifted.index < album.count {
            wants.insert(want(lifted.index, lifted.rect, scale: scale), at: 0)
        }
        awaited = [:]
        for want in wants where !queue.isSettled(want) { awaited[want.key] = want.side }
        let ahead = looksAhead ? order.filter { rects[$0] == nil } : []
        queue.want(wants + ahead.map { want($0, usual, scale: scale) })
    }

    /// No thumbnails are wanted: the grid is not seen.
    func rest() {
        awaited = [:]
        queue.want([])
    }

    private func want(_ index: Int, _ rect: Rect, scale: Double) -> ThumbnailWant {
        ThumbnailWant(
            index: index, key: key(index),
            side: min(Int((max(rect.width, rect.height) * scale).rounded(.up)), largest))
    }

    private func key(_ index: Int) -> ThumbnailKey {
        let entry = album.listing.entries[index]
        return ThumbnailKey(picture: entry.id, revision: entry.revision)
    }

    /// Takes what has come; tells whether anything has.
    func handleReadable() -> Bool {
        let outcomes = queue.handleReadable()
        var hasPixels = false
        for outcome in outcomes {
            switch outcome {
            case .ready(let index, let key, _):
                revisions[key.picture, default: 0] += 1
                hasPixels = true
                settle(index, key)
            case .broken(let index, let key, _): settle(index, key)
            }
        }
        return hasPixels
    }

    private func settle(_ index: Int, _ key: ThumbnailKey) {
        guard let side = awaited[key],
            queue.isSettled(ThumbnailWant(index: index, key: key, side: side))
        else { return }
        awaited[key] = nil
    }

    /// What a cell shows.
    func content(_ index: Int) -> CellContent {
        guard index < album.count else { return CellContent() }
        let key = key(index)
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

    /// The thumbnail of a picture, to stand for it until its own pixels are there.
    func preview(_ index: Int) -> PictureItem.Source? {
        let key = key(index)
        return queue.bitmap(key) == nil ? nil : source(key)
    }

    private func source(_ key: ThumbnailKey) -> PictureItem.Source {
        PictureItem.Source(
            .thumbnail, picture: key.picture, revision: revisions[key.picture] ?? 0)
    }

    func bitmap(_ source: PictureItem.Source) -> Bitmap? {
        guard let entry = album.entry(source.picture) else { return nil }
        return queue.bitmap(ThumbnailKey(picture: entry.id, revision: entry.revision))
    }

    /// Of 0xAARRGGBB, premultiplied.
    private static func color(_ pixel: UInt32) -> FillItem.Color {
        let alpha = Double(pixel >> 24)
        func part(_ shift: UInt32) -> Double {
            alpha > 0 ? min(Double(pixel >> shift & 255) / alpha, 1) : 0
        }
        return FillItem.Color(
            red: part(16), green: part(8), blue: part(0), alpha: alpha / 255)
    }
}
