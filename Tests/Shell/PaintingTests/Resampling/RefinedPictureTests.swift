import Geometry
import Painting
import ImageTypes
import SceneModel
import Testing

/// The refined picture lies where the picture in motion lies.
@Suite struct RefinedPictureTests {
    private static let size = PixelSize(width: 400, height: 300)
    private static let surface = PixelSize(width: 260, height: 220)

    /// A different colour in each corner, with a smooth gradient between them.
    private static let bitmap = Bitmap(size) { x, y in
        let (u, v) = (x * 255 / size.width, y * 255 / size.height)
        return 0xFF00_0000 | UInt32(u) << 16 | UInt32(v) << 8 | UInt32((510 - u - v) / 2)
    }

    private static func oneByOne(_ count: Int, _ band: @Sendable (Int) -> Void) {
        for number in 0..<count { band(number) }
    }

    /// Clipped, off-center, rotated, reduced and enlarged: as in motion, but sharper.
    @Test(arguments: 0...3, [0.4, 0.7, 1.0, 1.3])
    func aRefinedPictureMatchesTheOneInMotion(turns: Int, zoom: Double) throws {
        var item = PictureItem(
            source: .init(picture: 1, revision: 1), size: Self.size,
            placement: Placement(
                center: Point(x: 117.3, y: 121.6), zoom: zoom, rotation: Double(turns) * .pi / 2))
        item.clip = Rect(x: 30, y: 20, width: 190, height: 170)
        let plan = try #require(RefinementPlan(item, on: Self.surface, scale: 1))
        let picture = RefinedPicture(plan, of: .bitmap(Self.bitmap), filterSpace: .encoded)
        // Upright at zoom 1, refinement has nothing to improve.
        guard zoom != 1 || turns != 0 else {
            #expect(picture == nil)
            return
        }
        let made = picture?.make(concurrently: Self.oneByOne, until: PaintingCancellation())
        let rest = try #require(made)
        #expect(rest.size == plan.rect.size)
        let scene = Scene(
            size: Self.surface.size, scale: 1, backdrop: 1, items: [.picture(item)])
        let pixels = scene.painted(with: Self.bitmap)
        let words = rest.words
        var worst = 0
        // The borders of a rotated picture are antialiased.
        for y in 2..<plan.rect.height - 2 {
            for x in 2..<plan.rect.width - 2 {
                let word = words[y * rest.size.width + x]
                let seen = pixels[(plan.rect.y + y) * Self.surface.width + plan.rect.x + x]
                for shift: UInt32 in [0, 8, 16] {
                    worst = max(worst, abs(Int(word >> shift & 255) - Int(seen >> shift & 255)))
                }
            }
        }
        #expect(worst <= 4, "\(worst)")
    }

    /// The given rows and columns of the picture as a bitmap of their own.
    private static func band(
        _ rows: ClosedRange<Int>, _ columns: ClosedRange<Int>, _ format: PixelFormat = .rgb24
    ) -> (rect: PixelRect, bitmap: Bitmap) {
        let words = bitmap.words
        let rect = PixelRect(
            x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
        return (
            rect,
            Bitmap(rect.size, format: format) { x, y in
                words[(rect.y + y) * size.width + rect.x + x]
            }
        )
    }

    /// Overlapping bands, in any order, give the same pixels as one bitmap.
    @Test(arguments: 0...3) func bandsEqualOneBitmap(turns: Int) throws {
        let mosaic = try #require(
            TiledPicture([
                Self.band(138...279, 40...370), Self.band(10...80, 0...359),
                Self.band(79...140, 5...399),
            ]))
        #expect(mosaic.rect == PixelRect(x: 40, y: 10, width: 320, height: 270))
        func make(_ size: PixelSize, _ pixels: RefinedPicture.Pixels) throws -> [UInt32] {
            let item = PictureItem(
                source: .init(picture: 1, revision: 1), size: size,
                placement: Placement(
                    center: Point(x: 130, y: 110), zoom: 0.7, rotation: Double(turns) * .pi / 2))
            let plan = try #require(RefinementPlan(item, on: Self.surface, scale: 1))
            let picture = try #require(RefinedPicture(plan, of: pixels, filterSpace: .linear))
            let made = picture.make(concurrently: Self.oneByOne, until: PaintingCancellation())
            return try #require(made).words
        }
        let size = mosaic.rect.size
        let whole = Self.band(10...279, 40...359).bitmap
        #expect(try make(size, .mosaic(mosaic)) == make(size, .bitmap(whole)))
    }

    /// Bands need common columns, contiguous rows, one format and sizes that match.
    @Test func bandsThatDoNotFitTogetherAreRefused() {
        let upper = Self.band(0...49, 0...299)
        #expect(TiledPicture([upper, Self.band(50...99, 299...399)])?.rect.width == 1)
        #expect(TiledPicture([upper, Self.band(50...99, 300...399)]) == nil)
        #expect(TiledPicture([upper, Self.band(51...99, 0...299)]) == nil)
        #expect(TiledPicture([upper, Self.band(50...99, 0...299, .argb32)]) == nil)
        let small = (rect: PixelRect(x: 0, y: 50, width: 300, height: 51), bitmap: upper.bitmap)
        #expect(TiledPicture([upper, small]) == nil)
        #expect(TiledPicture([]) == nil)
    }

    @Test(arguments: 0...3) func aCancelledRefinementReturnsNil(turns: Int) throws {
        let item = PictureItem(
            source: .init(picture: 1, revision: 1), size: Self.size,
            placement: Placement(
                center: Point(x: 117.3, y: 121.6), zoom: 0.4, rotation: Double(turns) * .pi / 2))
        let plan = try #require(RefinementPlan(item, on: Self.surface, scale: 1))
        let picture = RefinedPicture(plan, of: .bitmap(Self.bitmap), filterSpace: .linear)
        let cancellation = PaintingCancellation()
        let made = picture?.make(
            concurrently: { count, band in
                Self.oneByOne(count, band)
                cancellation.cancel()
            }, until: cancellation)
        #expect(picture != nil && made == nil)
    }
}
