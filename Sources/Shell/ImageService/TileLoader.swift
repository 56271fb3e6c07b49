import DecodeClient
import Geometry
import ImageTypes
import Painting
import SceneModel

/// Loads the visible tiles of a picture that is too large for memory, one at a time.
///
/// It owns the decoder process that has opened the picture and holds its index.
final class TileLoader {
    private struct LoadedTile {
        var tile: PictureTile
        var bitmap: Bitmap
        var number: Int
        /// The frame that last needed this tile, as `frameNumber`.
        var lastUse: Int
    }

    /// The most memory for tiles, in bytes, with `memory` bytes for all pixels.
    static func budget(in memory: Int) -> Int { min(160 << 20, memory / 4) }

    private let budget: Int
    private let picture: Int
    private let session: DecodeSession
    /// See `PictureInfo.detail`.
    private let detail: Int
    /// The mip level of the overview, counted from the finest level that the decoder can make.
    private let overviewLevel: Int
    private var tiles: [LoadedTile] = []
    private var lastNumber = 0
    /// Counts the frames.
    private var frameNumber = 0
    private var plan: TilePlan?
    /// The item of the last frame, in pixels of the finest mip level, and its tiles; nil if the tiles do
    /// not cover the visible part.
    private var shown: (fine: PictureItem, tiles: [LoadedTile])?
    /// Whether a requested tile has not arrived.
    private var isPending = false
    /// Whether the decoder sends no more tiles.
    private var hasFailed = false

    /// Called when the decoder has failed and sends no more tiles; the callee may drop this object.
    var onFailure: (DecodeFailure) -> Void = { _ in }

    /// Takes over the decoder that has decoded the overview, which is the picture halved `overview`
    /// times.
    ///
    /// `picture` is the id of the entry, whose request is the current one of `session`. `budget` is the
    /// most memory for tiles, in bytes.
    init(_ picture: Int, _ session: DecodeSession, overview: Int, detail: Int, budget: Int) {
        self.budget = budget
        self.picture = picture
        self.session = session
        self.detail = detail
        overviewLevel = overview + detail
        session.onEvent = { [unowned self] in handle($0) }
    }

    /// Whether visible tiles of the last frame are still missing.
    var isBusy: Bool {
        guard !hasFailed, let plan else { return false }
        return plan.bands.contains { !isLoaded($0, plan) }
    }

    /// The items that show the picture in a frame, and a request for the next missing tile.
    ///
    /// The items are the overview with the loaded tiles on top, or only the tiles if they cover the
    /// visible part. `surface` is the size in logical pixels, `scale` device pixels per logical pixel.
    func items(for item: PictureItem, on surface: Size, scale: Double) -> [PictureItem] {
        frameNumber += 1
        // Tiles are placed by rotation and zoom alone.
        guard !item.isMirrored else {
            (plan, shown) = (nil, nil)
            return [item]
        }
        let fine = item.refined(by: detail)
        // Each tile of a vector drawing is a pass over the whole drawing, and gradients differ slightly
        // between two passes: use one tile.
        plan = TilePlan(
            fine, on: surface, scale: scale, coarsest: overviewLevel, isSingleTile: detail > 0)
        shown = nil
        guard let plan else { return [item] }
        var visible: [LoadedTile] = []
        for index in tiles.indices where tiles[index].tile.mipLevel >= plan.mipLevel {
            guard isVisible(tiles[index].tile, plan) else { continue }
            tiles[index].lastUse = frameNumber
            visible.append(tiles[index])
        }
        requestNext()
        // Finer tiles are painted over coarser ones.
        visible.sort { ($0.tile.mipLevel, $1.number) > ($1.tile.mipLevel, $0.number) }
        let covers = plan.bands.allSatisfy { isLoaded($0, plan) }
        let needed = covers ? visible.filter { $0.tile.mipLevel == plan.mipLevel } : visible
        if covers { shown = (fine, needed) }
        return (covers ? [] : [item])
            + needed.map {
                fine.part(
                    $0.tile, source: .init(.tile, picture: picture, revision: $0.number))
            }
    }

    /// The visible tiles joined to one picture, and the item that places it.
    ///
    /// Nil until all visible tiles are loaded, and if the tiles do not form a rectangle.
    var mosaic: (item: PictureItem, TiledPicture)? {
        guard let (fine, tiles) = shown, let mipLevel = tiles.first?.tile.mipLevel,
            let mosaic = TiledPicture(tiles.map { ($0.tile.rect, $0.bitmap) })
        else { return nil }
        var item = fine.part(
            PictureTile(mipLevel: mipLevel, rect: mosaic.rect),
            source: .init(
                .tile, picture: picture, revision: tiles.map(\.number).max() ?? lastNumber))
        item.size = mosaic.rect.size
        item.placement.zoom *= Double(1 << mipLevel)
        return (item, mosaic)
    }

    /// Drops the tiles because the picture is not on the surface; keeps the decoder with the index.
    func dropTiles() {
        (plan, shown) = (nil, nil)
        tiles = []
    }

    func bitmap(_ source: PictureItem.Source) -> Bitmap? {
        tiles.first { $0.number == source.revision }?.bitmap
    }

    private func isVisible(_ tile: PictureTile, _ plan: TilePlan) -> Bool {
        let shift = tile.mipLevel - plan.mipLevel
        let rect = PixelRect(
            x: tile.rect.x << shift, y: tile.rect.y << shift, width: tile.rect.width << shift,
            height: tile.rect.height << shift)
        return !rect.intersection(plan.visible).isEmpty
    }

    private func isLoaded(_ band: Int, _ plan: TilePlan) -> Bool {
        let needed = plan.needed(of: band)
        return tiles.contains { $0.tile.mipLevel == plan.mipLevel && $0.tile.covers(needed) }
    }

    /// Requests one tile at a time, because the next frame may need other tiles.
    private func requestNext() {
        guard !isPending, !hasFailed, let plan,
            let band = (plan.bands + plan.neighbours).first(where: { !isLoaded($0, plan) })
        else { return }
        isPending = true
        session.requestTile(plan.part(of: band))
    }

    private func handle(_ event: DecodeEvent) {
        switch event {
        case .opened, .waiting, .info, .pixels, .gain, .frame, .metadata, .edited, .finished: break
        case .failed(_, let failure):
            (isPending, hasFailed) = (false, true)
            onFailure(failure)
        case .tile(_, let tile, let bitmap):
            isPending = false
            // The picture is not on the surface any more.
            guard plan != nil else { return }
            insert(tile, bitmap)
            requestNext()
        }
    }

    private func insert(_ tile: PictureTile, _ bitmap: Bitmap) {
        // Remove tiles that the new tile covers completely.
        tiles.removeAll { $0.tile.mipLevel == tile.mipLevel && tile.covers($0.tile.rect) }
        lastNumber += 1
        tiles.append(
            LoadedTile(tile: tile, bitmap: bitmap, number: lastNumber, lastUse: frameNumber))
        evictOldest()
    }

    /// Evicts the least recently used tiles until the rest fits in the budget.
    private func evictOldest() {
        var bytes = tiles.reduce(0) { $0 + $1.bitmap.memory.bytes.count }
        while bytes > budget, tiles.count > 1,
            let oldest = tiles.indices.min(by: { tiles[$0].lastUse < tiles[$1].lastUse }),
            // Keep all visible tiles, even above the budget.
            tiles[oldest].lastUse < frameNumber
        {
            bytes -= tiles[oldest].bitmap.memory.bytes.count
            tiles.remove(at: oldest)
        }
    }
}
