import Geometry
import Gestures
import Motion
import SceneModel
import Testing

@testable import Viewer

@Suite struct ZoomPanTests {
    private let geometry = ViewGeometry(
        picture: Size(width: 4000, height: 3000),
        viewport: Viewport(size: Size(width: 1000, height: 750)), enlarge: false,
        hasRubberBand: true, pagerRange: 0...0)
    private let center = Point(x: 500, y: 375)
    private var fit: Placement { geometry.fit(rotation: 0) }
    private var zoomed: Placement { geometry.rest(zoom: 0.5, rotation: 0, near: center) }

    private func at(_ milliseconds: Double) -> Moment { Moment(milliseconds: milliseconds) }

    private func zoomPan(reducesMotion: Bool = false) -> ZoomPan {
        ZoomPan(at: fit, reducesMotion: reducesMotion)
    }

    private func fingers(by translation: Vector = .zero, count: Int = 1) -> Manipulation {
        Manipulation(
            source: .touch, fingers: count, base: center, centroid: center + translation)
    }

    private func manipulation(_ kind: ActiveManipulation.Kind) -> ActiveManipulation {
        ActiveManipulation(
            .init(kind: kind, start: zoomed, origin: zoomed), fingers(), on: geometry)
    }

    // MARK: Motions

    @Test func aMotionEndsAtItsGoal() {
        var zoomPan = zoomPan()
        zoomPan.move(by: PlacementMotion(from: fit, to: zoomed, pivot: center, at: .zero))
        #expect(zoomPan.goal == zoomed && zoomPan.isMoving(at: at(50)))
        zoomPan.advance(to: at(3000))
        #expect(zoomPan.state == .resting(zoomed))
    }

    @Test func reducedMotionMovesAtOnce() {
        var zoomPan = zoomPan(reducesMotion: true)
        zoomPan.move(by: PlacementMotion(from: fit, to: zoomed, pivot: center, at: .zero))
        #expect(zoomPan.state == .resting(zoomed))
    }

    /// A new motion continues with the velocity of the last one.
    @Test func motionsContinueWithoutAJump() {
        var zoomPan = zoomPan()
        zoomPan.travel(from: fit, to: zoomed, pivot: .zero, at: .zero)
        let (now, velocity) = (
            zoomPan.computedPlacement(at: at(60)), zoomPan.centerVelocity(at: at(60))
        )
        zoomPan.travel(from: now, to: fit, pivot: .zero, at: at(60))
        let moved = zoomPan.computedPlacement(at: at(60))
        #expect((moved.center - now.center).length < 1e-9 && abs(moved.zoom - now.zoom) < 1e-12)
        #expect((zoomPan.centerVelocity(at: at(60)) - velocity).length < 1e-6)
    }

    // MARK: Prediction

    /// The prediction is drawn, and disappears together with the manipulation that it belongs to.
    @Test func aPredictionAffectsOnlyTheDrawnState() {
        var zoomPan = zoomPan()
        zoomPan.hold(manipulation(.pan))
        zoomPan.follow(fingers(by: Vector(dx: 20, dy: 0)), on: geometry)
        zoomPan.predict(fingers(by: Vector(dx: 30, dy: 0)), on: geometry)
        #expect(zoomPan.held?.placement.center.x == zoomed.center.x + 20)
        #expect(zoomPan.computedPlacement(at: .zero).center.x == zoomed.center.x + 30)
        zoomPan.discardPrediction()
        #expect(zoomPan.computedPlacement(at: .zero).center.x == zoomed.center.x + 20)
        zoomPan.predict(fingers(by: Vector(dx: 30, dy: 0)), on: geometry)
        zoomPan.rest(at: fit)
        #expect(zoomPan.drawn == nil && zoomPan.computedPlacement(at: .zero) == fit)
    }

    @Test func withoutAManipulationNothingIsPredicted() {
        var zoomPan = zoomPan()
        zoomPan.predict(fingers(by: Vector(dx: 30, dy: 0)), on: geometry)
        #expect(zoomPan.state == .resting(fit))
    }

    @Test func aCorrectionIsDrawnAndDecays() {
        var zoomPan = zoomPan()
        var drawn = fit
        drawn.center.x += 8
        zoomPan.correct(by: PredictionCorrection(from: drawn, to: fit, shift: 0, at: .zero))
        #expect(zoomPan.drawnPlacement(at: .zero).center.x == drawn.center.x)
        #expect(zoomPan.computedPlacement(at: .zero) == fit)
        zoomPan.advance(to: at(1000))
        #expect(zoomPan.correction == .none)
    }

    // MARK: Interruptions

    @Test func aTouchStopsAMotion() {
        var zoomPan = zoomPan()
        zoomPan.travel(from: fit, to: zoomed, pivot: .zero, at: .zero)
        let now = zoomPan.computedPlacement(at: at(60))
        zoomPan.stop(at: at(60), pagerMoves: false, on: geometry)
        #expect(zoomPan.state == .resting(now) && zoomPan.goal == zoomed)
        #expect(zoomPan.consumeInterruption() == .motion(isFling: false))
        #expect(zoomPan.consumeInterruption() == nil)
    }

    @Test func aTouchAtRestStopsOnlyAMovingPager() {
        var zoomPan = zoomPan()
        zoomPan.stop(at: .zero, pagerMoves: false, on: geometry)
        #expect(zoomPan.interruption == nil)
        zoomPan.stop(at: .zero, pagerMoves: true, on: geometry)
        #expect(zoomPan.interruption == .motion(isFling: false))
    }

    @Test func aPictureThatIsCaughtOnItsWayOutStaysThere() {
        var zoomPan = zoomPan()
        let velocity = Vector(dx: 0, dy: 2000)
        zoomPan.leave(
            by: LeavingMotion(
                from: fit, velocity: velocity, about: center, since: .zero, at: .zero,
                reducesMotion: false))
        #expect(!zoomPan.isShown && zoomPan.isMoving(at: at(50)))
        zoomPan.stop(at: at(50), pagerMoves: false, on: geometry)
        #expect(zoomPan.isShown && zoomPan.goal == fit)
        guard case .leaving(let left)? = zoomPan.consumeInterruption() else {
            Issue.record("no interruption")
            return
        }
        #expect(left.dy > 1500 && left.dy < 2000)
    }

    /// A picture that is caught on its way to its cell returns to fit, unless it is pinched.
    @Test func aPinchEndsTheReturnToFit() {
        for (kind, returns) in [(ActiveManipulation.Kind.pan, true), (.pinch, false)] {
            var zoomPan = zoomPan()
            zoomPan.returnToCell(
                by: PlacementMotion(from: fit, to: zoomed, pivot: center, at: .zero))
            zoomPan.stop(at: at(20), pagerMoves: false, on: geometry)
            #expect(zoomPan.interruption == .returnToCell)
            zoomPan.hold(manipulation(kind))
            #expect(zoomPan.endCatch() == returns)
            #expect(zoomPan.interruption == nil)
            #expect(zoomPan.endCatch() == false)
        }
    }

    // MARK: Steps

    @Test func stepsAccumulateFromTheGoal() {
        var zoomPan = zoomPan()
        zoomPan.rest(at: zoomed)
        let panned = zoomPan.panned(by: Vector(dx: -100, dy: 0), on: geometry)
        #expect(panned.center == zoomed.center + Vector(dx: -100, dy: 0))
        zoomPan.travel(from: zoomed, to: panned, pivot: center, at: .zero)
        let again = zoomPan.panned(by: Vector(dx: -100, dy: 0), on: geometry)
        #expect(again.center == zoomed.center + Vector(dx: -200, dy: 0))
        // At most to the edge of the picture.
        #expect(zoomPan.panned(by: Vector(dx: -9999, dy: 0), on: geometry).center.x == 0)
    }

    @Test func aRotationAtFitStaysAtFit() {
        var zoomPan = zoomPan()
        #expect(
            zoomPan.rotated(by: .pi / 2, on: geometry) == geometry.fit(rotation: .pi / 2))
        zoomPan.rest(at: zoomed)
        #expect(zoomPan.rotated(by: .pi / 2, on: geometry).zoom == 0.5)
    }

    /// The steps of a series keep the aim of the first step; a pause or a key ends the series.
    @Test func aSeriesKeepsItsAim() {
        var zoomPan = zoomPan()
        let size = PixelSize(width: 4000, height: 3000)
        let (first, second) = (Point(x: 200, y: 200), Point(x: 300, y: 300))
        #expect(zoomPan.continueSeries(about: first, of: size, at: .zero).point == first)
        #expect(zoomPan.continueSeries(about: second, of: size, at: at(400)).point == first)
        #expect(zoomPan.continueSeries(about: second, of: size, at: at(1000)).point == second)
        zoomPan.endSeries()
        #expect(zoomPan.continueSeries(about: first, of: size, at: at(1000)).point == first)
        #expect(zoomPan.newAim(about: Point(x: -50, y: 100), of: size, at: .zero).point.x == 0)
    }

    // MARK: The surface

    @Test func aResizeKeepsTheCentreAndTheRelativeZoom() {
        var large = geometry
        large.viewport = Viewport(size: Size(width: 2000, height: 1500))
        var zoomPan = zoomPan()
        zoomPan.rest(at: zoomed)
        zoomPan.resize(from: geometry, to: large, at: .zero)
        #expect(
            zoomPan.state == .resting(Placement(center: Point(x: 1000, y: 750), zoom: 1)))
    }

    @Test func aResizeEndsAQuickZoomAndNoOtherManipulation() {
        var large = geometry
        large.viewport = Viewport(size: Size(width: 2000, height: 1500))
        for (kind, stays) in [
            (ActiveManipulation.Kind.quickZoom(focal: center), false), (.pan, true),
        ] {
            var zoomPan = zoomPan()
            zoomPan.hold(manipulation(kind))
            zoomPan.resize(from: geometry, to: large, at: .zero)
            #expect((zoomPan.held != nil) == stays)
            #expect(zoomPan.computedPlacement(at: .zero).zoom == 1)
        }
    }
}
