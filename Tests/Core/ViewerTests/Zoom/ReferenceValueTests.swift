import Geometry
import Glibc
import Motion
import SceneModel
import Testing

@testable import Viewer

/// Reference values of zoom, paging and dismissal; failures name their ids.
@Suite struct ReferenceValueTests {
    private func expect(_ value: Double, _ expected: Double, _ id: String) {
        #expect(abs(value - expected) < 6e-5, "\(id): \(value), expected \(expected)")
    }

    /// The top left corner of an unrotated placement, in logical pixels of the surface.
    private func corner(_ placement: Placement, of size: Size) -> Point {
        Point(
            x: placement.center.x - size.width * placement.zoom / 2,
            y: placement.center.y - size.height * placement.zoom / 2)
    }

    private func placement(zoom: Double, corner: Point, of size: Size) -> Placement {
        Placement(
            center: Point(
                x: corner.x + size.width * zoom / 2, y: corner.y + size.height * zoom / 2),
            zoom: zoom)
    }

    @Test(arguments: [0.05, 0.3, 1, 2.9])
    func zoomAnimationKeepsItsEffectiveFixedPoint(seconds: Double) {
        // Z2 to Z4: about (100, 700), where the clamp moves the fixed point to (100, 680).
        let size = Size(width: 4000, height: 2000)
        let start = placement(zoom: 0.32, corner: Point(x: 0, y: 80), of: size)
        let view = Size(width: 1280, height: 800)
        let aimed = placement(
            zoom: 0.96, corner: Point(x: 100 - 3 * 100, y: 700 - 3 * (700 - 80)), of: size)
        let range = RestRange(content: size * 0.96, viewport: view)
        let target = Placement(center: range.clamp(aimed.center), zoom: 0.96)
        let end = corner(target, of: size)
        expect(end.x, -200, "Z2")
        expect(end.y, -1120, "Z2")
        let motion = PlacementMotion(
            from: start, to: target, pivot: Point(x: 100, y: 700), at: .zero)
        let now = motion.placement(at: Moment(milliseconds: seconds * 1000))
        let origin = corner(now, of: size)
        // The picture point that was under (100, 680) has not moved.
        expect(origin.x + (100 / 0.32) * now.zoom, 100, "Z4 x")
        expect(origin.y + ((680 - 80) / 0.32) * now.zoom, 680, "Z4 y")
    }

    /// Z3: the placement at a quarter of the zoom animation, in log space.
    @Test func aClampedZoomKeepsItsFixedPoint() {
        let size = Size(width: 4000, height: 2000)
        let start = placement(zoom: 0.32, corner: Point(x: 0, y: 80), of: size)
        let target = placement(zoom: 0.96, corner: Point(x: -200, y: -1120), of: size)
        let motion = PlacementMotion(
            from: start, to: target, pivot: Point(x: 100, y: 700), at: .zero)
        let zoom = 0.32 * exp(0.25 * log(3.0))
        var (low, high) = (0.0, 1000.0)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if motion.placement(at: Moment(milliseconds: middle)).zoom < zoom {
                low = middle
            } else {
                high = middle
            }
        }
        let now = motion.placement(at: Moment(milliseconds: low))
        let origin = corner(now, of: size)
        expect(now.zoom, 0.4211, "Z3 zoom")
        #expect(abs(origin.x - -31.6074) < 1e-3)
        #expect(abs(origin.y - -109.6444) < 1e-3)
    }

    /// C1 and C2: after a release beyond a zoom limit, the picture settles about the fingers.
    ///
    /// The edges of the picture limit how exactly the focal point is kept.
    @Test func settlingKeepsTheFocalPoint() {
        let view = Viewport(size: Size(width: 1280, height: 800))
        func geometry(_ picture: Size) -> ViewGeometry {
            ViewGeometry(
                picture: picture, viewport: view, enlarge: false, hasRubberBand: true,
                pagerRange: 0...0)
        }
        // C1 has the limit 1 and this viewer has 4, so `rest` is called directly.
        let large = Size(width: 2000, height: 1500)
        let focal = Point(x: 640, y: 400)
        let over = placement(zoom: 1.2, corner: Point(x: -900, y: -500), of: large)
        let center = focal + (over.center - focal) * (1 / 1.2)
        let end = geometry(large).rest(zoom: 1, rotation: 0, near: center)
        let origin = corner(end, of: large)
        expect(origin.x, -643.3333, "C1 x")
        expect(origin.y, -350, "C1 y")
        // C2 has the lower limit 0.3; fit is 0.4 here. Both axes are centred. The viewer shifts the
        // picture up by 2 % of the height, at most by a tenth of the free height.
        let photo = Size(width: 3000, height: 2000)
        let under = placement(zoom: 0.2, corner: Point(x: 400, y: 250), of: photo)
        let rest = geometry(photo).rest(
            zoom: 0.3, rotation: 0, near: focal + (under.center - focal) * 1.5)
        let corner = corner(rest, of: photo)
        expect(corner.x, 190, "C2 x")
        expect(corner.y, 100 - min(0.02 * 800, 0.1 * 200), "C2 y")
    }

    @Test func zoomAnimationIsEvenInLogSpace() {
        // Z1: halfway in log space from 0.32 to 0.96 about (900, 300).
        let size = Size(width: 4000, height: 2000)
        let start = placement(zoom: 0.32, corner: Point(x: 0, y: 80), of: size)
        let target = placement(
            zoom: 0.96, corner: Point(x: 900 - 3 * 900, y: 300 - 3 * 220), of: size)
        let motion = PlacementMotion(
            from: start, to: target, pivot: Point(x: 900, y: 300), at: .zero)
        var (low, high) = (0.0, 1000.0)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            let zoom = motion.placement(at: Moment(milliseconds: middle)).zoom
            if zoom < (0.32 * 0.96).squareRoot() { low = middle } else { high = middle }
        }
        let half = motion.placement(at: Moment(milliseconds: low))
        let origin = corner(half, of: size)
        expect(half.zoom, 0.5543, "Z1 zoom")
        #expect(abs(origin.x - -658.8457) < 1e-3)
        #expect(abs(origin.y - -81.0512) < 1e-3)
    }

    struct PagingCase: Sendable {
        var id: String
        var base: Int
        var start, position, velocity: Double
        var page: Int
    }

    @Test(arguments: [
        PagingCase(id: "A1", base: 1, start: 1330, position: 1630, velocity: 0, page: 1),
        PagingCase(id: "A2", base: 1, start: 1330, position: 1630, velocity: 800, page: 2),
        PagingCase(id: "A3", base: 1, start: 1330, position: 1410, velocity: 450, page: 2),
        PagingCase(id: "A4", base: 1, start: 1330, position: 1410, velocity: 350, page: 1),
        PagingCase(id: "A5", base: 1, start: 1330, position: 1530, velocity: -3500, page: 1),
        PagingCase(id: "A6", base: 0, start: 0, position: -22, velocity: -900, page: 0),
        PagingCase(id: "A7", base: 1, start: 1330, position: 2230, velocity: -100, page: 2),
        PagingCase(id: "A8", base: 2, start: 2250, position: 2400, velocity: 900, page: 3),
    ])
    func swipesLandOnTheirPage(_ row: PagingCase) {
        let page = Paging.page(
            position: row.position, velocity: row.velocity, base: row.base, start: row.start,
            pitch: 1330, count: 5)
        #expect(page == row.page, "\(row.id)")
    }

    struct DismissCase: Sendable {
        var id: String
        var overscroll, velocity: Vector
        var dismisses: Bool
    }

    /// Converts a reference case: there the sign is that of a content offset, the unit px/ms.
    private static func dismiss(
        _ id: String, _ over: (Double, Double), _ speed: (Double, Double), _ result: Bool
    ) -> DismissCase {
        DismissCase(
            id: id, overscroll: Vector(dx: -over.0, dy: -over.1),
            velocity: Vector(dx: -speed.0 * 1000, dy: -speed.1 * 1000), dismisses: result)
    }

    @Test(arguments: [
        dismiss("D1", (0, -30), (0.2, -1.4), true), dismiss("D2", (0, -30), (0.2, 1.4), false),
        dismiss("D3", (0, -30), (1.5, -1.4), false), dismiss("D4", (0, -30), (0, -1), false),
        dismiss("D5", (0, -30), (0, 0), false), dismiss("D6", (12, 0), (1.2, 0.3), true),
        dismiss("D7", (0, 0), (0, -3), false), dismiss("D8", (0, -30), (1.4, -1.4), false),
    ])
    func dismissalNeedsAllThreeConditions(_ row: DismissCase) {
        let direction = Dismissal.direction(overscroll: row.overscroll, velocity: row.velocity)
        #expect((direction != nil) == row.dismisses, "\(row.id)")
    }

    @Test(arguments: [
        ("D11", 120.0, 500.0, true), ("D12", 120, 400, false), ("D13", 150, -300, false),
        ("D14", 230, 0, true),
    ])
    func dismissalByDistanceProjects(
        _ id: String, _ distance: Double, _ velocity: Double, _ dismisses: Bool
    ) {
        #expect(
            Dismissal.isFarEnough(distance: distance, velocity: velocity, height: 844)
                == dismisses, "\(id)")
    }

    @Test func pinchDismissalHasTheReferenceValues() {
        expect(Dismissal.pinchBackdrop(ratio: 0.8), 0.76, "E1")
        #expect(Dismissal.isPinchedAway(ratio: 0.8, rate: -1), "E2")
        #expect(!Dismissal.isPinchedAway(ratio: 0.8, rate: 0))
    }
}
