import Geometry
import SceneModel
import Testing

/// The part of a picture at rest that is resampled for the device pixels.
@Suite struct RefinementPlanTests {
    private static let size = PixelSize(width: 600, height: 400)
    private static let surface = PixelSize(width: 300, height: 300)

    private static func item(
        _ center: Point, zoom: Double = 0.4, turns: Double = 0,
        _ change: (inout PictureItem) -> Void = { _ in }
    ) -> PictureItem {
        var item = PictureItem(
            source: .init(picture: 1, revision: 1), size: size,
            placement: Placement(center: center, zoom: zoom, rotation: turns * .pi / 2))
        change(&item)
        return item
    }

    private static let middle = Point(x: 150, y: 150)

    @Test func onlyWholePixelsAreCoveredAndTheirPartIsExact() throws {
        // The picture covers 240 × 160 pixels from (30.3, 70.6) on.
        let item = Self.item(Point(x: 150.3, y: 150.6))
        let plan = try #require(RefinementPlan(item, on: Self.surface, scale: 1))
        #expect(plan.rect == PixelRect(x: 31, y: 71, width: 239, height: 159))
        #expect(abs(plan.part.x - 0.7 / 0.4) < 1e-9 && abs(plan.part.y - 0.4 / 0.4) < 1e-9)
        #expect(abs(plan.part.width - 239 / 0.4) < 1e-9)
        #expect(plan.quarterTurns == 0 && plan.size == PixelSize(width: 239, height: 159))
    }

    @Test(arguments: [(1.0, 1), (2, 2), (3, 3), (-1, 3), (5, 1)])
    func turnsAreCounted(turns: Double, quarterTurns: Int) throws {
        let plan = try #require(
            RefinementPlan(Self.item(Self.middle, turns: turns), on: Self.surface, scale: 1))
        #expect(plan.quarterTurns == quarterTurns)
        let upright = PixelSize(width: 240, height: 160)
        #expect(plan.size == upright)
        #expect(plan.rect.width == (quarterTurns.isMultiple(of: 2) ? 240 : 160))
        #expect(abs(plan.part.x) < 1e-6 && abs(plan.part.width - 600) < 1e-6)
    }

    @Test func onlyTheVisiblePartIsPlanned() throws {
        let item = Self.item(Point(x: 0, y: 150), zoom: 0.5)
        let plan = try #require(RefinementPlan(item, on: Self.surface, scale: 1))
        #expect(plan.rect == PixelRect(x: 0, y: 50, width: 150, height: 200))
        #expect(abs(plan.part.x - 300) < 1e-9 && abs(plan.part.maxX - 600) < 1e-9)
        let clipped = Self.item(Self.middle) {
            $0.clip = Rect(x: 100, y: 100, width: 50, height: 20)
        }
        let part = try #require(RefinementPlan(clipped, on: Self.surface, scale: 1))
        #expect(part.rect == PixelRect(x: 100, y: 100, width: 50, height: 20))
    }

    /// The item of the refined picture covers exactly the plan's pixels, at any scale.
    @Test(arguments: [1.0, 1.25, 1.5, 1.75, 2]) func theItemLiesOnItsPixels(scale: Double) throws {
        let item = Self.item(Point(x: 100.1, y: 90.7), zoom: 0.3)
        let plan = try #require(RefinementPlan(item, on: Self.surface, scale: scale))
        let bounds = plan.item(.init(.rest, picture: 1, revision: 1)).bounds * scale
        let rect = Rect(plan.rect)
        #expect(abs(bounds.x - rect.x) < 1e-9 && abs(bounds.maxX - rect.maxX) < 1e-9)
        #expect(abs(bounds.y - rect.y) < 1e-9 && abs(bounds.maxY - rect.maxY) < 1e-9)
    }

    @Test func picturesInFlightOrAtOddAnglesHaveNoPlan() {
        let surface = Self.surface
        #expect(RefinementPlan(Self.item(Self.middle, turns: 0.1), on: surface, scale: 1) == nil)
        #expect(RefinementPlan(Self.item(Point(x: 900, y: 0)), on: surface, scale: 1) == nil)
        #expect(
            RefinementPlan(Self.item(Self.middle, zoom: .infinity), on: surface, scale: 1) == nil)
        #expect(RefinementPlan(Self.item(Self.middle, zoom: .nan), on: surface, scale: 1) == nil)
        #expect(
            RefinementPlan(Self.item(Point(x: .nan, y: 0)), on: surface, scale: 1) == nil)
        for change: (inout PictureItem) -> Void in [
            { $0.opacity = 0.9 }, { $0.crop = Size(width: 10, height: 10) },
        ] {
            #expect(RefinementPlan(Self.item(Self.middle, change), on: surface, scale: 1) == nil)
        }
    }

    @Test func onlyPictureIsTheOnlyVisibleOne() {
        func scene(_ items: [PictureItem]) -> Scene {
            Scene(
                size: Size(width: 300, height: 300), scale: 1, backdrop: 1,
                items: [
                    .fill(FillItem(rect: Rect(x: 0, y: 0, width: 9, height: 9), color: .black(1)))
                ] + items.map { .picture($0) }
            )
        }
        let beside = Self.item(Point(x: 800, y: 150))
        #expect(scene([Self.item(Self.middle), beside]).onlyPicture?.index == 1)
        #expect(scene([beside, Self.item(Self.middle)]).onlyPicture?.index == 2)
        #expect(scene([Self.item(Self.middle), Self.item(Self.middle)]).onlyPicture == nil)
        #expect(scene([beside]).onlyPicture == nil)
    }
}
