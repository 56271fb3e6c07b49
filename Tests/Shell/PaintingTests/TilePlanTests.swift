import Geometry
import ImageTypes
import SceneModel
import Testing

/// The tiles of a huge picture that a frame needs.
@Suite struct TilePlanTests {
    private static let surface = Size(width: 1920, height: 1080)
    private static let picture = PixelSize(width: 32768, height: 20000)

    private func item(
        zoom: Double, center: Point = Point(x: 960, y: 540), rotation: Double = 0
    ) -> PictureItem {
        PictureItem(
            source: .init(picture: 1, revision: 1), size: Self.picture,
            placement: Placement(center: center, zoom: zoom, rotation: rotation))
    }

    private func makePlan(_ item: PictureItem, scale: Double = 1) -> TilePlan? {
        TilePlan(item, on: Self.surface, scale: scale, coarsest: 3)
    }

    /// The level is the coarsest one that is not coarser than the device pixels.
    @Test(
        arguments: [
            (0.125, 1.0, nil), (0.126, 1, 2), (0.25, 1, 2), (0.26, 1, 1), (0.5, 1, 1), (0.51, 1, 0),
            (1, 1, 0), (4, 1, 0), (0.125, 2, 2), (0.25, 2, 1), (0.01, 1, nil),
        ] as [(Double, Double, Int?)])
    func theLevelFollowsTheZoom(zoom: Double, scale: Double, mipLevel: Int?) {
        #expect(makePlan(item(zoom: zoom), scale: scale)?.mipLevel == mipLevel)
    }

    /// A drawing's only tile is the visible area with a margin, clipped to the picture's edges.
    @Test func aDrawingHasASingleTile() throws {
        for center in [Point(x: 960, y: 540), Point(x: 9000, y: 6000), Point(x: -7000, y: -4000)] {
            let plan = try #require(
                TilePlan(
                    item(zoom: 0.9, center: center), on: Self.surface, scale: 1, coarsest: 3,
                    isSingleTile: true))
            #expect(plan.bands == [0] && plan.neighbours.isEmpty)
            #expect(plan.needed(of: 0) == plan.visible)
            let (rect, level) = (plan.part(of: 0).rect, PixelRect(plan.level))
            #expect(
                rect.intersection(level) == rect && rect.intersection(plan.visible) == plan.visible)
            #expect(rect.x == 0 || plan.visible.x - rect.x >= 512)
            #expect(rect.maxY == level.maxY || rect.maxY - plan.visible.maxY >= 512)
            #expect(rect.width <= plan.visible.width + 2048)
        }
    }

    /// In flight, when it is cropped, and while it fades, a picture shows the overview alone.
    @Test func croppedAndFadingPicturesHaveNoTiles() {
        var cropped = item(zoom: 1)
        #expect(makePlan(cropped) != nil)
        cropped.crop = Size(width: 20000, height: 20000)
        #expect(makePlan(cropped) == nil)
        var faded = item(zoom: 1)
        faded.opacity = 0.5
        #expect(makePlan(faded) == nil)
    }

    @Test func tilesCoverTheVisiblePixels() throws {
        for center in [
            Point(x: 960, y: 540), Point(x: 9000, y: 6000), Point(x: -7000, y: -4000),
            Point(x: 3000.7, y: -2000.2),
        ] {
            for rotation in [0, 0.3, Double.pi / 2] {
                let item = item(zoom: 1, center: center, rotation: rotation)
                let plan = try #require(makePlan(item))
                let level = PixelRect(plan.level)
                for x in [0.5, 700, 1919.5] {
                    for y in [0.5, 300, 1079.5] {
                        let point = item.placement.picturePoint(
                            at: Point(x: x, y: y), in: Self.picture)
                        let pixel = PixelRect(
                            x: Int(point.x.rounded(.down)), y: Int(point.y.rounded(.down)),
                            width: 1, height: 1)
                        guard level.intersection(pixel) == pixel else { continue }
                        let isCovered = plan.bands.contains { band in
                            plan.part(of: band).rect.intersection(pixel) == pixel
                                && plan.needed(of: band).intersection(pixel) == pixel
                        }
                        #expect(isCovered, "\(center) \(rotation) \(x) \(y)")
                    }
                }
                for band in plan.bands + plan.neighbours {
                    let part = plan.part(of: band)
                    #expect(part.rect.intersection(level) == part.rect && !part.rect.isEmpty)
                }
                #expect(plan.bands.allSatisfy { plan.part(of: $0).covers(plan.needed(of: $0)) })
            }
        }
    }

    @Test func invisiblePicturesNeedNoTiles() {
        #expect(makePlan(item(zoom: 1, center: Point(x: 60000, y: 0))) == nil)
        #expect(makePlan(item(zoom: 0)) == nil)
        #expect(makePlan(item(zoom: .nan)) == nil)
    }

    /// Tiles lie where they belong and overlap, so that no seam shows.
    @Test func tilesLieInPlaceAndOverlap() throws {
        let whole = item(zoom: 1.5, center: Point(x: 500.5, y: 200.25))
        let plan = try #require(makePlan(whole))
        let tops = plan.bands.sorted().map { band in
            let part = whole.part(
                plan.part(of: band), source: .init(.tile, picture: 1, revision: 1))
            return part.placement.unrotatedRect(of: part.size)
        }
        for (above, below) in zip(tops, tops.dropFirst()) {
            #expect(abs(above.maxY - below.y - 3) < 1e-6)
        }
        let first = plan.part(of: plan.bands[0])
        let corner = whole.placement.surfacePoint(
            of: Point(x: Double(first.rect.x), y: Double(first.rect.y)), in: Self.picture)
        let lies = whole.part(first, source: whole.source)
        let rect = lies.placement.unrotatedRect(of: lies.size)
        #expect(abs(rect.x - corner.x) < 1e-6 && abs(rect.y - corner.y) < 1e-6)
    }
}
