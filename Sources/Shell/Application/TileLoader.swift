import DecodeClient
import Geometry
import Motion
import Painting
import ImageTypes
import SceneModel

/// The parts of a picture that is too large to be held: those that are seen, got one after another
/// from the decoder that has its index.
final class TileLoader {
    private struct Tile {
        var part: PicturePart
        var bitmap: Bitmap
        var number: Int
        /// The turn in which it was last needed.
        var use: Int
    }

    /// In bytes of pixels.
    private static let budget = 160 << 20

    private let picture: Int
    private let client: DecodeClient
    /// The decoder's number for the picture.
    private let request: Int
    /// As `PictureInfo.detail`.
    private let detail: Int
    /// The finest level that is there, as often as it is halved, from the finest that there can be.
    private let coarsest: Int
    private let clock: () -> Moment
    private var tiles: [Tile] = []
    private var lastNumber = 0
    private var turn = 0
    private var plan: TilePlan?
    /// The item of the last frame in the pixels of the finest level, and its parts, where they are all
    /// that is seen.
    private var shown: (fine: PictureItem, parts: [Tile])?
    private var pending: PicturePart?
    /// Why no more comes.
    private(set) var failure: DecodeFailure?

    /// Takes over the decoder that has decoded the overview, in which the picture is halved `overview`
    /// times.
    init(
        _ picture: Int, _ client: DecodeClient, request: Int, overview: Int, detail: Int,
        clock: @escaping () -> Moment
    ) {
        self.picture = picture
        self.client = client
        self.request = request
        self.detail = detail
        coarsest = overview + detail
        self.clock = clock
    }

    var descriptors: [Int32] { client.pollDescriptors }

    /// On the real clock.
    var deadline: Moment? { client.deadline }

    /// Whether something that was seen in the last frame is still to come.
    var isBusy: Bool {
        guard failure == nil, let plan else { return false }
        return plan.bands.contains { !isThere($0, plan) }
    }

    /// What is painted for a picture in a frame: the overview with the parts that there are on top, or
    /// those alone where they are all that is seen; and what is missing is asked for.
    func items(for item: PictureItem, on surface: Size, scale: Double) -> [PictureItem] {
        turn += 1
        let fine = item.refined(by: detail)
        // Of a drawing each part is a pass over all of it, and gradients are not quite alike in two.
        plan = TilePlan(
            fine, on: surface, scale: scale, coarsest: coarsest, isOnePiece: detail > 0)
        shown = nil
        guard let plan else { return [item] }
        var parts: [Tile] = []
        for index in tiles.indices where tiles[index].part.exponent >= plan.exponent {
            guard isSeen(tiles[index].part, plan) else { continue }
            tiles[index].use = turn
            parts.append(tiles[index])
        }
        askForNext()
        // Finer ones lie on coarser ones.
        parts.sort { ($0.part.exponent, $1.number) > ($1.part.exponent, $0.number) }
        let covers = plan.bands.allSatisfy { isThere($0, plan) }
        let needed = covers ? parts.filter { $0.part.exponent == plan.exponent } : parts
        if covers { shown = (fine, needed) }
        return (covers ? [] : [item])
            + needed.map {
                fine.part(
                    $0.part, source: .init(.tile, picture: picture, revision: $0.number))
            }
    }

    /// What is seen as a picture of its own, of just the pixels that there are; nil until all of it is
    /// there, and where its parts make no mosaic.
    var mosaic: (item: PictureItem, TiledPicture)? {
        guard let (fine, parts) = shown, let exponent = parts.first?.part.exponent,
            let mosaic = TiledPicture(parts.map { ($0.part.rect, $0.bitmap) })
        else { return nil }
        var item = fine.part(
            PicturePart(exponent: exponent, rect: mosaic.rect),
            source: .init(
                .tile, picture: picture, revision: parts.map(\.number).max() ?? lastNumber))
        item.size = mosaic.rect.size
        item.placement.zoom *= Double(1 << exponent)
        return (item, mosaic)
    }

    /// It is not on the surface: only its decoder, which has the index, is kept.
    func rest() {
        (plan, shown) = (nil, nil)
        tiles = []
    }

    func bitmap(_ source: PictureItem.Source) -> Bitmap? {
        tiles.first { $0.number == source.revision }?.bitmap
    }

    private func isSeen(_ part: PicturePart, _ plan: TilePlan) -> Bool {
        let shift = part.exponent - plan.exponent
        let rect = PixelRect(
            x: part.rect.x << shift, y: part.rect.y << shift, width: part.rect.width << shift,
            height: part.rect.height << shift)
        return !rect.intersection(plan.visible).isEmpty
    }

    private func isThere(_ band: Int, _ plan: TilePlan) -> Bool {
        let needed = plan.needed(of: band)
        return tiles.contains { $0.part.exponent == plan.exponent && $0.part.covers(needed) }
    }

    /// One part at a time: what is wanted next may be another by then.
    private func askForNext() {
        guard pending == nil, failure == nil, let plan,
            let band = (plan.bands + plan.neighbours).first(where: { !isThere($0, plan) })
        else { return }
        let part = plan.part(of: band)
        pending = part
        client.part(request, part, now: clock())
    }

    /// Takes what has come.
    func handleReadable(_ descriptor: Int32) {
        for event in client.handleReadable(descriptor, now: clock()) { take(event) }
    }

    func handleDeadline() {
        for event in client.handleDeadline(now: clock()) { take(event) }
    }

    private func take(_ event: DecodeEvent) {
        guard event.id == request else { return }
        switch event {
        case .info, .pixels, .frame, .metadata, .finished: break
        case .failed(_, let reason):
            pending = nil
            failure = reason
        case .part(_, let part, let bitmap):
            pending = nil
            // It is not on the surface any more.
            guard plan != nil else { return }
            // What it has, too, goes.
            tiles.removeAll { $0.part.exponent == part.exponent && part.covers($0.part.rect) }
            lastNumber += 1
            tiles.append(Tile(part: part, bitmap: bitmap, number: lastNumber, use: turn))
            makeRoom()
            askForNext()
        }
    }

    private func makeRoom() {
        var bytes = tiles.reduce(0) { $0 + $1.bitmap.memory.bytes.count }
        while bytes > Self.budget, tiles.count > 1,
            let oldest = tiles.indices.min(by: { tiles[$0].use < tiles[$1].use }),
            // What is seen stays, however much that is.
            tiles[oldest].use < turn
        {
            bytes -= tiles[oldest].bitmap.memory.bytes.count
            tiles.remove(at: oldest)
        }
    }
}
