import SeededRandom
import Geometry
import Motion
import SceneModel
import Testing

@testable import Viewer

/// The slow pan and zoom of a slideshow, for any picture on any surface.
@Suite struct PanZoomTests {
    private static func geometry(
        _ picture: Size, _ surface: Size, scale: Double = 1
    ) -> ViewGeometry {
        ViewGeometry(
            picture: picture, viewport: Viewport(size: surface, scale: scale), enlarge: false,
            hasRubberBand: true, pagerRange: 0...0)
    }

    private static func course(
        _ geometry: ViewGeometry, seconds: Double = 6.6, regions: [Rect] = [], seed: UInt64 = 1,
        rotation: Double = 0
    ) -> PanZoomCourse {
        PanZoomCourse(
            on: geometry, rotation: rotation, seconds: seconds, regions: regions, seed: seed)
    }

    private static let shares = (0...50).map { Double($0) / 50 }

    /// For 4,000 random pictures and surfaces: no placement leaves the resting range or the limits, the
    /// surface is covered where the picture may be enlarged so far, and nothing is fast.
    @Test func everyPictureStaysWithinItsLimits() {
        var random = SeededGenerator(seed: 5)
        var covered = 0
        for _ in 0..<4000 {
            let picture = Size(
                width: .random(in: 20...9000, using: &random).rounded(),
                height: .random(in: 20...9000, using: &random).rounded())
            let surface = Size(
                width: .random(in: 200...4000, using: &random).rounded(),
                height: .random(in: 200...4000, using: &random).rounded())
            let geometry = Self.geometry(
                picture, surface, scale: [1, 1.5, 2].randomElement(using: &random) ?? 1)
            let rotation = Double(Int.random(in: -2...3, using: &random)) * .pi / 2
            let seconds = Double.random(in: 0.1...60, using: &random)
            let course = Self.course(
                geometry, seconds: seconds, seed: .random(in: 0...999, using: &random),
                rotation: rotation)
            let limits = geometry.limits(rotation: rotation)
            let covers = limits.fill <= max(2 * limits.oneToOne, limits.fit)
            if covers { covered += 1 }
            var last: Placement?
            for share in Self.shares {
                let placement = course.placement(at: share)
                #expect(
                    placement.zoom >= limits.min * 0.9999 && placement.zoom <= limits.max * 1.0001)
                #expect(placement.zoom <= max(2.4 * limits.oneToOne, limits.fit * 1.2))
                let rest = geometry.rest(
                    zoom: placement.zoom, rotation: rotation, near: placement.center)
                #expect((rest.center - placement.center).length < 1e-6)
                if covers {
                    let rect = placement.boundingRect(of: picture)
                    #expect(rect.x < 0.01 && rect.y < 0.01)
                    #expect(rect.maxX > surface.width - 0.01)
                    #expect(rect.maxY > surface.height - 0.01)
                }
                if let last {
                    let step = (placement.center - last.center).length
                    let speed = step / (seconds / 50) / max(surface.width, surface.height)
                    // The zoom moves the centre of a large picture, too.
                    #expect(speed < 0.12, "\(picture) on \(surface) in \(seconds) s: \(speed)")
                }
                last = placement
            }
        }
        #expect(covered > 1000)
    }

    @Test func longPicturesMoveAlongTheirLongSide() {
        let surface = Size(width: 1920, height: 1080)
        for seed in 0..<20 {
            for (picture, isTall) in [
                (Size(width: 12_000, height: 2000), false), (Size(width: 3000, height: 2900), true),
                (Size(width: 2000, height: 3000), true), (Size(width: 10_000, height: 900), false),
            ] {
                let course = Self.course(Self.geometry(picture, surface), seed: UInt64(seed))
                let way = course.end.offset - course.start.offset
                let (along, across) = isTall ? (way.dy, way.dx) : (way.dx, way.dy)
                #expect(abs(along) > 2 * abs(across), "\(picture): \(way)")
                #expect(abs(along) * course.start.zoom > 300)
            }
        }
    }

    @Test func smallPicturesAreNotEnlargedToFill() {
        let geometry = Self.geometry(
            Size(width: 400, height: 300), Size(width: 1920, height: 1080))
        for seed in 0..<8 {
            let course = Self.course(geometry, seed: UInt64(seed))
            #expect(max(course.start.zoom, course.end.zoom) <= 1.2)
        }
    }

    /// Regions that fit on the surface stay on it, wherever they are in the picture: one at the edge of
    /// the picture may leave it by two pixels between both ends.
    @Test func regionsStayInView() {
        var random = SeededGenerator(seed: 9)
        for round in 0..<3000 {
            let picture = Size(
                width: .random(in: 1500...9000, using: &random),
                height: .random(in: 1500...9000, using: &random))
            let surface = Size(width: 1920, height: 1080)
            let geometry = Self.geometry(picture, surface)
            let rotation = Double(round % 4) * .pi / 2
            let zoom = Self.course(geometry, rotation: rotation)
            let base = min(zoom.start.zoom, zoom.end.zoom)
            // Half of the surface at most.
            let side = Double.random(in: 40...500, using: &random) / base
            let size = Size(width: side / picture.width, height: side / picture.height)
            let region = Rect(
                x: .random(in: 0...(max(1 - size.width, 0)), using: &random),
                y: .random(in: 0...(max(1 - size.height, 0)), using: &random),
                width: min(size.width, 1), height: min(size.height, 1))
            let course = Self.course(
                geometry, regions: [region], seed: UInt64(round), rotation: rotation)
            for share in Self.shares {
                let placement = course.placement(at: share)
                for (x, y) in [
                    (region.x, region.y), (region.maxX, region.maxY), (region.x, region.maxY),
                ] {
                    let fromCenter = Vector(
                        dx: (x - 0.5) * picture.width, dy: (y - 0.5) * picture.height)
                    let point =
                        placement.center + fromCenter.rotated(by: rotation) * placement.zoom
                    #expect(point.x > -3 && point.x < surface.width + 3, "\(round)")
                    #expect(point.y > -3 && point.y < surface.height + 3, "\(round)")
                }
            }
        }
    }

    /// Two faces that do not fit together: the larger one is kept.
    @Test func theLargestRegionWinsWhereAllDoNotFit() {
        let geometry = Self.geometry(
            Size(width: 12_000, height: 2000), Size(width: 1920, height: 1080))
        let (small, large) = (
            Rect(x: 0.05, y: 0.4, width: 0.02, height: 0.1),
            Rect(x: 0.9, y: 0.4, width: 0.04, height: 0.2)
        )
        let course = Self.course(geometry, regions: [small, large])
        for view in [course.start, course.end] { #expect(view.offset.dx > 3000) }
    }

    @Test func nonsensicalRegionsDoNotMatter() {
        let geometry = Self.geometry(
            Size(width: 3000, height: 2000), Size(width: 1920, height: 1080))
        let course = Self.course(
            geometry,
            regions: [
                Rect(x: 2, y: 2, width: 1, height: 1), Rect(x: 0.5, y: 0.5, width: 0, height: 1),
                Rect(x: .nan, y: 0, width: 1, height: 1),
            ])
        let placement = course.placement(at: 0.5)
        #expect(placement.center.x.isFinite && placement.center.y.isFinite)
        #expect(course == Self.course(geometry))
    }

    @Test func theSeedDecides() {
        let geometry = Self.geometry(
            Size(width: 3000, height: 2000), Size(width: 1920, height: 1080))
        #expect(Self.course(geometry, seed: 3) == Self.course(geometry, seed: 3))
        let courses = (0..<32).map { Self.course(geometry, seed: $0) }
        #expect(Set(courses).count > 4)
    }

    // MARK: Time

    @Test func aMotionFromRestBeginsAndEndsGently() {
        let geometry = Self.geometry(
            Size(width: 3000, height: 2000), Size(width: 1920, height: 1080))
        let fit = geometry.fit(rotation: 0)
        let motion = PanZoom(
            Self.course(geometry), from: Moment(milliseconds: 1000), at: fit, duration: 6000)
        #expect(motion.placement(at: Moment(milliseconds: 1000)) == fit)
        var steps: [Double] = []
        var last = fit
        for time in stride(from: 1010.0, through: 9000, by: 10) {
            let placement = motion.placement(at: Moment(milliseconds: time))
            steps.append((placement.center - last.center).length + abs(placement.zoom - last.zoom))
            last = placement
        }
        #expect(motion.isAtRest(at: Moment(milliseconds: 8500)))
        #expect(last == motion.target)
        // No step differs from the one before by more than a hundredth of the fastest one.
        let largest = steps.max() ?? 0
        for (step, next) in zip(steps, steps.dropFirst()) {
            #expect(abs(step - next) < largest / 50)
        }
        #expect((steps.first ?? 1) < largest / 50 && (steps.last ?? 1) < largest / 50)
    }
}
