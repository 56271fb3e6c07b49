import CoreTestKit
import Edits
import Geometry
import Gestures
import Interface
import Motion
import SceneModel
import Testing

@testable import Viewer

/// The crop as a pure model: what a person sees is what is written.
@Suite struct CropModelTests {
    private static let area = Rect(x: 28, y: 92, width: 1224, height: 560)

    private func model(_ size: PixelSize = PixelSize(width: 6000, height: 4000)) -> CropModel {
        CropModel(picture: size, area: Self.area)
    }

    private func touch(
        _ base: Point, to point: Point, fingers: Int = 1, scale: Double = 1, rotation: Double = 0
    ) -> Manipulation {
        Manipulation(
            source: .touch, fingers: fingers, base: base, centroid: point, scale: scale,
            rotation: rotation)
    }

    /// The largest distance of a corner of the edit outside of the rotated picture, in pixels.
    private func excess(_ model: CropModel) -> Double {
        guard let crop = model.edit.crop else { return 0 }
        let size = model.edit.turn.upright(model.picture).size
        let middle = Point(x: size.width / 2, y: size.height / 2)
        let (rect, angle) = (crop.rect, crop.angle * .pi / 180)
        return [
            rect.origin, Point(x: rect.maxX, y: rect.y), Point(x: rect.x, y: rect.maxY),
            Point(x: rect.maxX, y: rect.maxY),
        ].map { corner in
            let arm = (corner - middle).rotated(by: -angle)
            return max(abs(arm.dx) - size.width / 2, abs(arm.dy) - size.height / 2)
        }.max() ?? 0
    }

    @Test func theWholePictureIsNoEdit() {
        #expect(model().edit.isIdentity)
        #expect(!model().isChanged)
    }

    @Test func straighteningKeepsTheLargestPartInside() throws {
        var model = model()
        model.straighten(by: 10, at: .zero)
        let crop = try #require(model.edit.crop)
        #expect(abs(crop.angle - 10) < 1e-9)
        #expect(excess(model) < 1e-6)
        // As large as the frame's proportions allow, up to the rounding.
        #expect(crop.rect.width > 4500 && crop.rect.width < 4900)
        model.straighten(by: -10, at: .zero)
        #expect(model.edit.isIdentity)
    }

    @Test func theDialReturnsToTheZoomWhereItBegan() {
        var model = model()
        model.zoom(by: 1.2, about: Self.area.center, at: .zero)
        let zoom = model.target.zoom
        model.turnDial(by: -200, at: .zero)
        #expect(model.target.zoom > zoom)
        model.turnDial(by: 0, at: .zero)
        #expect(abs(model.target.zoom - zoom) < 1e-9)
        model.endDial(at: .zero)
        #expect(model.target.angle == 0)
    }

    @Test func aQuarterTurnAndBackKeepsTheEdit() {
        var model = model()
        model.zoom(by: 2, about: Self.area.center + Vector(dx: 100, dy: 50), at: .zero)
        let edit = model.edit
        for _ in 0..<4 { model.rotate(quarters: 1, at: .zero) }
        #expect(model.edit == edit)
        for _ in 0..<2 { model.flip(vertically: false, at: .zero) }
        #expect(model.edit == edit)
    }

    @Test func aMotionThatIsCaughtDoesNotJump() {
        var model = model()
        model.zoom(by: 3, about: Self.area.center, at: .zero)
        let caught = Moment(milliseconds: 60)
        let before = model.view(at: caught)
        model.handle(.caught(at: Self.area.center), at: caught)
        #expect(model.view(at: caught) == before)
        model.handle(
            .manipulationBegan(touch(Self.area.center, to: Self.area.center, fingers: 2)),
            at: caught)
        #expect(distance(model.view(at: caught), before) < 0.5)
    }

    @Test func aTwistTurnsWithTheFingersAndResistsBeyondTheLimit() {
        var model = model()
        let center = Self.area.center
        model.handle(.manipulationBegan(touch(center, to: center, fingers: 2)), at: .zero)
        model.handle(
            .manipulationChanged(touch(center, to: center, fingers: 2, rotation: 0.3)), at: .zero)
        #expect(abs(model.view(at: .zero).angle - 0.3) < 1e-12)
        #expect(model.limits.covers(model.view(at: .zero)))
        model.handle(
            .manipulationChanged(touch(center, to: center, fingers: 2, rotation: 1)), at: .zero)
        let angle = model.view(at: .zero).angle
        #expect(angle > CropLimits.largestAngle && angle < 1)
        model.handle(.manipulationEnded(Release(centroid: center)), at: .zero)
        #expect(abs(model.edit.crop?.angle ?? 0) == 45)
    }

    @Test func aReleasedFrameGrowsToItsPlaceWithTheSamePart() {
        var model = model()
        let corner = Point(
            x: model.target.frame.maxX, y: model.target.frame.maxY)
        let goal = corner - Vector(dx: 200, dy: 150)
        model.handle(.manipulationBegan(touch(corner, to: goal)), at: .zero)
        let held = model.view(at: .zero)
        #expect(abs(held.frame.maxX - goal.x) < 1e-9)
        #expect(abs(held.frame.maxY - goal.y) < 1e-9)
        model.handle(.manipulationEnded(Release(centroid: goal)), at: .zero)
        for time in [40.0, 200, 2000] {
            let view = model.view(at: Moment(milliseconds: time))
            #expect(abs(view.width - held.width) < 1e-6)
            #expect(
                abs(view.frame.width / view.frame.height - held.frame.width / held.frame.height)
                    < 1e-6)
        }
        let rest = model.view(at: Moment(milliseconds: 2000)).frame
        #expect(
            abs(rest.width - Self.area.width) < 1e-6 || abs(rest.height - Self.area.height) < 1e-6)
    }

    @Test func proportionsDoNotMakeThePartSmallerAndSmaller() {
        var model = model()
        for _ in 0..<3 { for ratio in CropRatio.allCases { model.choose(ratio, at: .zero) } }
        model.choose(.original, at: .zero)
        #expect(model.edit.isIdentity)
    }

    /// The farthest that a corner of the picture or of the frame moves between two views, in pixels.
    private func distance(_ one: CropView, _ other: CropView) -> Double {
        let size = PixelSize(width: 6000, height: 4000)
        func corners(_ view: CropView) -> [Point] {
            [Point.zero, Point(x: 6000, y: 0), Point(x: 0, y: 4000)].map {
                view.placement.surfacePoint(of: $0, in: size)
            } + [view.frame.origin, Point(x: view.frame.maxX, y: view.frame.maxY)]
        }
        return zip(corners(one), corners(other)).map { ($0 - $1).length }.max() ?? 0
    }

    // MARK: Properties

    @Test(arguments: 0..<60) func anyGestureLeavesAnEditInsideThePicture(_ seed: Int) {
        var random = SystemlessRandom(seed: UInt64(seed) &+ 1)
        let size = PixelSize(
            width: Int(random.number(16...7000)), height: Int(random.number(16...5000)))
        var model = model(size)
        var now = 0.0
        for _ in 0..<40 {
            now += random.number(1...400)
            let moment = Moment(milliseconds: now)
            perform(&model, &random, at: moment)
            if model.isHeld { model.settle(at: moment) }
            #expect(excess(model) < 1e-6)
            #expect(model.limits.covers(model.target), "\(seed)")
            guard let rect = model.edit.crop?.rect else { continue }
            #expect(rect.x == rect.x.rounded() && rect.width == rect.width.rounded())
            #expect(rect.width >= 1 && rect.height >= 1)
            if let proportions = model.fixedProportions {
                #expect(
                    abs(rect.width - rect.height * proportions) <= 1
                        || abs(rect.height - rect.width / proportions) <= 1)
            }
        }
        model.reset(at: Moment(milliseconds: now))
        #expect(model.edit.isIdentity)
    }

    private func perform(
        _ model: inout CropModel, _ random: inout SystemlessRandom, at moment: Moment
    ) {
        func point() -> Point {
            Point(x: random.number(0...1280), y: random.number(0...720))
        }
        let (base, goal) = (point(), point())
        switch Int(random.number(0...9)) {
        case 0: model.choose(CropRatio.allCases[Int(random.number(0...5.99))], at: moment)
        case 1: model.rotate(quarters: 1, at: moment)
        case 2: model.flip(vertically: random.number(0...1) > 0.5, at: moment)
        case 3: model.swapSides(at: moment)
        case 4: model.straighten(by: random.number(-9...9).rounded(), at: moment)
        case 5: model.zoom(by: random.number(0.3...4), about: base, at: moment)
        case 6:
            model.turnDial(by: random.number(-300...300), at: moment)
            model.endDial(at: moment)
        default:
            let fingers = random.number(0...1) > 0.5 ? 1 : 2
            model.handle(.caught(at: base), at: moment)
            model.handle(
                .manipulationBegan(touch(base, to: base, fingers: fingers)), at: moment)
            model.handle(
                .manipulationChanged(
                    touch(
                        base, to: goal, fingers: fingers, scale: random.number(0.2...5),
                        rotation: random.number(-1.2...1.2))), at: moment)
            model.handle(
                .manipulationEnded(
                    Release(
                        centroid: goal,
                        velocity: Vector(
                            dx: random.number(-3000...3000), dy: random.number(-3000...3000)),
                        zoomRate: random.number(-3...3))), at: moment)
        }
    }

    // MARK: The block grid

    @Test func aCropWithoutLossBeginsOnTheBlockGrid() throws {
        let blocks = CropBlocks(
            size: PixelSize(width: 16, height: 8), stored: PixelSize(width: 640, height: 480))
        let edit = PictureEdit(crop: .init(rect: Rect(x: 37, y: 21, width: 100, height: 50)))
        let rect = try #require(blocks.aligned(edit)?.crop?.rect)
        #expect(rect == Rect(x: 32, y: 16, width: 105, height: 55))
        let turned = CropBlocks(
            size: PixelSize(width: 16, height: 8), stored: PixelSize(width: 640, height: 480),
            orientation: .rotatedLeft)
        let upright = PictureEdit(crop: .init(rect: Rect(x: 10, y: 20, width: 100, height: 50)))
        let other = try #require(turned.aligned(upright)?.crop?.rect)
        // Stored rows run from right to left of the upright picture.
        #expect(other == Rect(x: 10, y: 16, width: 102, height: 54))
        #expect(
            blocks.aligned(PictureEdit(crop: .init(angle: 3, rect: edit.crop?.rect ?? rect))) == nil
        )
    }
}

/// A generator of numbers that are the same in every run.
struct SystemlessRandom {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func number(_ range: ClosedRange<Double>) -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return range.lowerBound
            + Double(state >> 11) / Double(1 << 53) * (range.upperBound - range.lowerBound)
    }
}
