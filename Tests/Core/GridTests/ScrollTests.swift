import Geometry
import Gestures
import Motion
import Testing

@testable import Grid

/// Scrolling of the grid by finger, wheel and mouse.
@Suite struct ScrollTests {
    private static let middle = Point(x: 960, y: 540)

    @Test func theContentFollowsTheFinger() {
        var hand = Hand()
        hand.drag(from: Self.middle, by: Vector(dx: 30, dy: -300))
        #expect(hand.frame.scroll == Point(x: 0, y: 300))
        hand.settle()
        #expect(hand.frame.scroll == Point(x: 0, y: 300))
        #expect(hand.requests.isEmpty)
    }

    @Test(arguments: [500, 3])
    func theGridBouncesAtItsStartEvenIfItIsShort(count: Int) {
        var hand = Hand(count: count)
        hand.send(.caught(at: Self.middle))
        let base = Hand.fingers(1, base: Self.middle)
        hand.send(.manipulationBegan(base))
        let pulled = Hand.fingers(
            1, base: Self.middle, centroid: Self.middle + Vector(dx: 0, dy: 200))
        hand.send(.manipulationChanged(pulled))
        let shown = RubberBand.displayed(200, extent: 1080)
        #expect(abs(hand.frame.scroll.y + shown) < 1e-9)
        hand.send(.manipulationEnded(Release(centroid: pulled.centroid)))
        #expect(abs(hand.frame.scroll.y + shown) < 1e-9)
        hand.settle()
        #expect(hand.frame.scroll == .zero)
        // The other direction: a grid of three cells cannot scroll and bounces back.
        hand.drag(from: Self.middle, by: Vector(dx: 0, dy: -200))
        #expect(hand.frame.scroll.y > 80)
        hand.settle()
        #expect(hand.frame.scroll.y == (count == 3 ? 0 : 200))
    }

    @Test func aFlingBouncesAtTheEnd() {
        var hand = Hand(count: 60)
        let end = hand.frame.content.height - 1080
        hand.drag(from: Self.middle, by: Vector(dx: 0, dy: -100), velocity: .init(dx: 0, dy: -8000))
        var farthest = 0.0
        for _ in 0..<200 {
            hand.wait(1000 / 60)
            farthest = max(farthest, hand.frame.scroll.y)
        }
        #expect(farthest > end + 20)
        #expect(hand.frame.scroll.y == end)
    }

    @Test func everyRefreshRateEndsInTheSamePlace() {
        var ends: Set<Point> = []
        for hertz in [30.0, 60, 144] {
            var hand = Hand()
            hand.drag(
                from: Self.middle, by: Vector(dx: 0, dy: -100), velocity: .init(dx: 40, dy: -3000))
            hand.settle(hertz: hertz)
            ends.insert(hand.frame.scroll)
        }
        #expect(ends.count == 1)
    }

    /// Resting places depend on the samples alone, whatever the last frame predicted.
    @Test(arguments: [0.0, 17, -9]) func aPredictionDoesNotMoveTheRestOfAFling(_ ahead: Double) {
        func rest(predicting: Bool) -> Double {
            var hand = Hand()
            let end = Self.middle + Vector(dx: 0, dy: -100)
            hand.send(.manipulationBegan(Hand.fingers(1, base: Self.middle)))
            hand.wait(8)
            hand.send(.manipulationChanged(Hand.fingers(1, base: Self.middle, centroid: end)))
            if predicting {
                let place = end + Vector(dx: 0, dy: -ahead)
                hand.send(
                    .manipulationPredicted(
                        Hand.fingers(1, base: Self.middle, centroid: place)))
            }
            hand.send(
                .manipulationEnded(
                    Release(centroid: end, velocity: .init(dx: 0, dy: -1700))))
            hand.settle()
            return hand.frame.scroll.y
        }
        #expect(abs(rest(predicting: true) - rest(predicting: false)) < 0.01)
    }

    @Test func aTapOpensTheCellUnderIt() {
        var hand = Hand()
        hand.send(.caught(at: Self.middle))
        hand.send(.tap(at: Self.middle, source: .touch))
        #expect(hand.requests == [.open(index: 7)])
        hand.send(.caught(at: Point(x: 382.5, y: 20)))
        hand.send(.tap(at: Point(x: 382.5, y: 20), source: .mouse))
        #expect(hand.requests.count == 2, "a gap opens a neighbour, see GapTests")
    }

    @Test func aTapOnAMovingGridOnlyStopsIt() {
        var hand = Hand()
        hand.drag(from: Self.middle, by: Vector(dx: 0, dy: -100), velocity: .init(dx: 0, dy: -3000))
        hand.wait(200)
        #expect(hand.grid.isMoving(at: hand.now))
        let place = hand.frame.scroll
        hand.send(.caught(at: Self.middle))
        #expect(hand.frame.scroll == place)
        #expect(!hand.grid.isMoving(at: hand.now))
        hand.send(.tap(at: Self.middle, source: .touch))
        hand.settle()
        #expect(hand.frame.scroll == place)
        #expect(hand.requests.isEmpty)
    }

    @Test func wheelDetentsAddUp() {
        var hand = Hand()
        for _ in 0..<3 {
            hand.send(.wheel(Vector(dx: 0, dy: 120), at: Self.middle, zooms: false))
            hand.wait(10)
        }
        hand.settle()
        #expect(hand.frame.scroll.y == 300)
        hand.send(.wheel(Vector(dx: 0, dy: -1200), at: Self.middle, zooms: false))
        hand.settle()
        #expect(hand.frame.scroll.y == 0)
    }

    @Test func theCanvasScrollsOnBothAxes() {
        var settings = GridSettings()
        settings.layout = .canvas
        var hand = Hand(settings: settings)
        hand.pinch(at: Self.middle, to: 2)
        hand.settle()
        #expect(hand.frame.columns == 5)
        #expect(hand.frame.scale == 2)
        let before = hand.frame.scroll
        hand.drag(from: Self.middle, by: Vector(dx: -100, dy: -50))
        hand.settle()
        let delta = hand.frame.scroll - before
        #expect(abs(delta.dx - 100) < 1e-6 && abs(delta.dy - 50) < 1e-6)
    }

    // MARK: The handle

    @Test func theHandleShowsWhileScrollingAndFades() {
        var hand = Hand()
        #expect(hand.frame.handle == nil)
        hand.drag(from: Self.middle, by: Vector(dx: 0, dy: -400))
        hand.wait(16)
        #expect(hand.frame.handle?.opacity == 1)
        hand.wait(800)
        #expect(hand.frame.handle?.opacity == 1)
        #expect(!hand.grid.isAnimating(at: hand.now))
        let deadline = hand.grid.deadline
        #expect(deadline != nil)
        hand.time = deadline?.milliseconds ?? 0
        hand.wait(100)
        #expect(hand.grid.isAnimating(at: hand.now))
        #expect((hand.frame.handle?.opacity ?? 0) < 1)
        hand.wait(200)
        #expect(hand.frame.handle == nil)
        #expect(hand.grid.deadline == nil && !hand.grid.isAnimating(at: hand.now))
    }

    @Test func theHandleScrollsThroughTheWholeGrid() throws {
        let sections = (0..<50).map { GridSection(title: "s\($0)", first: $0 * 200) }
        var hand = Hand(count: 10_000, sections: sections)
        hand.drag(from: Self.middle, by: Vector(dx: 0, dy: -400))
        hand.settle(hertz: 500)
        hand.drag(from: Self.middle, by: Vector(dx: 0, dy: -400))
        let handle = try #require(hand.frame.handle)
        let grip = handle.rect.center
        hand.send(.caught(at: grip))
        hand.send(.manipulationBegan(Hand.fingers(1, base: grip)))
        let before = hand.frame.scroll.y
        hand.send(
            .manipulationChanged(
                Hand.fingers(1, base: grip, centroid: grip + Vector(dx: 0, dy: 512))))
        let half = try #require(hand.frame.handle)
        #expect(abs(half.rect.center.y - grip.y - 512) < 1e-6)
        #expect(hand.frame.scroll.y - before > hand.frame.content.height * 0.45)
        #expect(half.title == "s\(half.index / 200)")
        #expect(half.isHeld)
        hand.send(
            .manipulationChanged(
                Hand.fingers(1, base: grip, centroid: grip + Vector(dx: -300, dy: 5000))))
        #expect(hand.frame.scroll.y == hand.frame.content.height - 1080)
        hand.send(.manipulationEnded(Release(centroid: grip, velocity: .init(dx: 0, dy: 900))))
        hand.settle()
        #expect(hand.frame.scroll.y == hand.frame.content.height - 1080)
    }

    @Test func reducedMotionHasNoBounceAndNoAnimation() {
        var settings = GridSettings()
        settings.reducedMotion = true
        var hand = Hand(settings: settings)
        hand.drag(from: Self.middle, by: Vector(dx: 0, dy: 300))
        #expect(hand.frame.scroll == .zero)
        hand.pinch(at: Self.middle, to: 0.3)
        #expect(hand.frame.scale == 1)
        hand.pinch(at: Self.middle, to: 2)
        #expect(hand.frame.columns == 2 || hand.frame.columns == 3)
        #expect(!hand.grid.isMoving(at: hand.now))
    }
}
