import SeededRandom
import Geometry
import Gestures
import Glibc
import Motion
import Testing

@testable import Grid

/// Pinches in the grid.
@Suite struct PinchTests {
    /// The distance of the held point from the fingers' centroid, in logical pixels.
    private func slip(_ hand: Hand) -> Double {
        guard let held = hand.frame.held,
            let rect = hand.grid.cellRect(of: held.index, at: hand.now)
        else { return .infinity }
        let point = Point(
            x: rect.x + held.fraction.dx * rect.width, y: rect.y + held.fraction.dy * rect.height)
        return (point - held.point).length
    }

    @Test(arguments: GridSettings.Layout.allCases)
    func theHeldPointStaysUnderTheMidpointThroughEveryReflow(layout: GridSettings.Layout) {
        var settings = GridSettings()
        settings.layout = layout
        var numbers = SeededGenerator(seed: 7)
        var checked = 0
        for _ in 0..<20 {
            var hand = Hand(settings: settings)
            hand.drag(
                from: Point(x: 900, y: 900),
                by: Vector(dx: 0, dy: -.random(in: 0...800, using: &numbers)))
            hand.settle()
            for _ in 0..<3 {
                let base = Point(
                    x: .random(in: 0...1920, using: &numbers),
                    y: .random(in: 0...1080, using: &numbers))
                var farthest = 0.0
                hand.pinch(
                    at: base, to: exp(.random(in: -1.5...2, using: &numbers)),
                    by: Vector(
                        dx: .random(in: -300...300, using: &numbers),
                        dy: .random(in: -300...300, using: &numbers)),
                    zoomRate: .random(in: -4...4, using: &numbers)
                ) { hand in
                    // In the feed a pinch lifts the picture and does not scale the grid.
                    guard hand.frame.held != nil else { return }
                    farthest = max(farthest, slip(hand))
                    checked += 1
                }
                #expect(farthest < 1e-6)
                // The next pinch catches the grid while the cells still animate.
                hand.wait(.random(in: 0...250, using: &numbers))
            }
        }
        #expect(checked > 1000)
    }

    @Test func theHeldPointStaysInEveryFrameUntilTheFeed() {
        var hand = Hand()
        var seen: Set<Int> = []
        hand.pinch(at: Point(x: 1700, y: 800), to: 4.5, by: Vector(dx: -500, dy: -300), steps: 90) {
            seen.insert($0.frame.columns)
            #expect(slip($0) < 1e-6)
        }
        #expect(seen == [5, 4, 3, 2, 1])
        hand.settle()
        #expect(hand.frame.columns == 1)
        #expect(hand.frame.scale == 5)
        #expect(hand.frame.scroll.x == 0)
    }

    @Test func theHeldCellStaysNearItsColumnAfterEachReflow() {
        // The grid is at most three quarters of a cell away from its horizontal centre.
        var hand = Hand()
        hand.pinch(at: Point(x: 1850, y: 700), to: 3, steps: 60) { hand in
            let frame = hand.frame
            let free = 1920 - frame.content.width
            let cell = frame.content.width / Double(frame.columns)
            #expect(abs(-frame.scroll.x - free / 2) < cell * 0.75)
        }
    }

    @Test(arguments: [0.7, 0.95, 1.1, 1.3, 1.9, 2.2, 3.0, 4.4, 9.0])
    func theScaleSettlesOnWholeColumns(scale: Double) {
        var hand = Hand()
        hand.drag(from: Point(x: 900, y: 900), by: Vector(dx: 0, dy: -700))
        hand.pinch(at: Point(x: 300, y: 200), to: scale)
        hand.settle()
        let frame = hand.frame
        let rest = hand.grid.layout.restScale(near: frame.scale)
        #expect(frame.scale == rest)
        #expect(frame.scroll.x == 0)
        #expect(abs(frame.content.width - 1920) < 1e-6)
        #expect(frame.scroll.y >= 0 && frame.scroll.y <= max(0, frame.content.height - 1080))
        #expect(frame.phase == .idle)
    }

    @Test func theScaleIsRubberBandedAndBouncesBack() {
        var settings = GridSettings()
        settings.layout = .canvas
        var hand = Hand(settings: settings)
        hand.pinch(at: Point(x: 900, y: 500), to: 5, lets: false)
        // L4: unlimited scale 5, limits 1…4.
        #expect(abs(hand.frame.scale - 4.4396) < 6e-5)
        hand.send(.manipulationEnded(Release(centroid: Point(x: 900, y: 500))))
        #expect(abs(hand.frame.scale - 4.4396) < 6e-5)
        hand.settle()
        #expect(hand.frame.scale == 4)
        hand.pinch(at: Point(x: 900, y: 500), to: 0.1, lets: false)
        #expect(hand.frame.scale > 0.5 && hand.frame.scale < 1)
        hand.send(.manipulationEnded(Release(centroid: Point(x: 900, y: 500))))
        hand.settle()
        #expect(hand.frame.scale == 1)
        #expect(hand.frame.scroll.x == 0)
    }

    @Test func theReleaseVelocityOfAPinchDecidesTheColumns() {
        func columns(_ rate: Double) -> Int {
            var hand = Hand()
            hand.pinch(at: Point(x: 900, y: 500), to: 1.3, zoomRate: rate)
            hand.settle()
            return hand.frame.columns
        }
        #expect(columns(0) == 4)
        #expect(columns(3) == 3)
        #expect(columns(-3) == 5)
    }

    @Test func columnsDoNotFlickerAtTheirLimit() {
        var hand = Hand()
        let base = Point(x: 900, y: 500)
        let limit = 1.25.squareRoot()
        hand.pinch(at: base, to: limit * 1.02, lets: false)
        #expect(hand.frame.columns == 5)
        for factor in [1.04, 0.98, 1.02, 0.99, 1.04, 0.96] {
            hand.send(.manipulationChanged(Hand.fingers(2, base: base, scale: limit * factor)))
            #expect(hand.frame.columns == (factor == 0.96 ? 5 : 4))
        }
    }

    /// A cell that changes its row fades in at its new place and does not move across the surface.
    @Test func cellsThatChangeRowsFadeInPlace() throws {
        var hand = Hand()
        let base = Point(x: 960, y: 500)
        hand.pinch(at: base, to: 1.01, steps: 4, lets: false)
        hand.wait(500)
        let before = try #require(hand.frame.cell(12)).rect
        hand.send(.manipulationChanged(Hand.fingers(2, base: base, scale: 0.8)))
        let first = hand.frame
        let left = try #require(first.fading.first { $0.index == 12 })
        #expect(left.opacity == 1 && (left.rect.center - before.center).length < 120)
        let new = try #require(first.cell(12))
        #expect(new.opacity == 0 && (new.rect.center - left.rect.center).length > 200)
        hand.wait(60)
        let later = try #require(hand.frame.cell(12))
        #expect(later.rect == new.rect && later.opacity > 0 && later.opacity < 1)
        // The held row does not change.
        for index in 6...8 { #expect(hand.frame.cell(index)?.opacity == 1) }
        hand.wait(500)
        #expect(hand.frame.cell(12)?.opacity == 1 && hand.frame.fading.isEmpty)
    }

    /// A hand over a grid that is scrolled to its middle.
    private static func handInTheMiddle() -> Hand {
        var hand = Hand(count: 5000)
        hand.grid.setFocus(2500)
        hand.press("Right")
        hand.settle()
        return hand
    }

    /// The largest width at the left or right edge that no cell covers, in logical pixels.
    private func uncovered(_ frame: GridFrame) -> Double {
        var uncovered = 0.0
        for y in stride(from: 100.0, to: 1000, by: 75) {
            let row = frame.cells.filter { $0.rect.y <= y && $0.rect.maxY > y }
            // This line lies in a gap between rows.
            guard !row.isEmpty else { continue }
            let left = row.map(\.rect.x).min() ?? 0
            let right = row.map(\.rect.maxX).max() ?? 0
            uncovered = max(uncovered, left, 1920 - right)
        }
        return uncovered
    }

    /// At every scale, and while the fingers move, cells reach from edge to edge.
    @Test func noPartOfTheSurfaceIsEmptyWhileHeld() {
        var numbers = SeededGenerator(seed: 3)
        for _ in 0..<30 {
            var hand = Self.handInTheMiddle()
            let base = Point(
                x: .random(in: 100...1800, using: &numbers),
                y: .random(in: 100...1000, using: &numbers))
            hand.pinch(
                at: base, to: exp(.random(in: -0.6...0.9, using: &numbers)),
                by: Vector(dx: .random(in: -400...400, using: &numbers), dy: 0), lets: false
            ) { hand in
                #expect(uncovered(hand.frame) <= 2 * ScaleStages.spacing)
            }
        }
    }

    /// After a release between two columns, the held picture goes to a column near the fingers.
    @Test func theHeldPictureKeepsItsColumn() throws {
        var numbers = SeededGenerator(seed: 5)
        for _ in 0..<60 {
            var hand = Self.handInTheMiddle()
            let base = Point(
                x: .random(in: 20...1900, using: &numbers),
                y: .random(in: 20...1060, using: &numbers))
            hand.pinch(
                at: base, to: exp(.random(in: -0.4...1.2, using: &numbers)),
                by: Vector(
                    dx: .random(in: -100...100, using: &numbers),
                    dy: .random(in: -100...100, using: &numbers)), lets: false)
            let held = try #require(hand.frame.held)
            hand.send(.manipulationEnded(Release(centroid: held.point)))
            let start = try #require(hand.frame.cell(held.index)).rect.center.x
            hand.settle()
            let end = try #require(hand.frame.cell(held.index)).rect.center.x
            let pitch = (1920 + ScaleStages.spacing) / Double(hand.frame.columns)
            let centers = (0..<hand.frame.columns).map {
                (Double($0) + 0.5) * pitch - ScaleStages.spacing / 2
            }
            // No other column is much nearer.
            let nearest = centers.map { abs($0 - start) }.min() ?? 0
            #expect(abs(end - start) < max(nearest * 1.3, nearest + 60), "\(base)")
        }
    }

    /// When the start of the grid is visible, its first row is full.
    @Test func theVisibleFirstRowIsFull() throws {
        // A zoom to three columns about a picture in the middle of the grid.
        var hand = Self.handInTheMiddle()
        hand.pinch(at: Point(x: 1000, y: 500), to: 1.7)
        hand.settle()
        #expect(hand.frame.columns == 3)
        hand.press("Home")
        hand.settle()
        let first = try #require(hand.frame.cell(0)).rect
        #expect(first.x == 0 && first.y == 0)
        // A zoom about a picture in the first rows.
        var other = Hand(count: 5000)
        other.pinch(at: Point(x: 1500, y: 200), to: 1.3)
        other.settle()
        let top = other.frame.cells.filter { $0.rect.y < 1 && $0.rect.maxY > 1 }
        #expect(top.map(\.rect.x).min() == 0)
        #expect(other.frame.cells.allSatisfy { $0.opacity == 1 })
    }

    @Test func aRevertedPinchRestoresTheScrollPosition() {
        var hand = Hand()
        hand.drag(from: Point(x: 900, y: 900), by: Vector(dx: 0, dy: -777))
        hand.settle()
        let before = hand.frame.scroll
        hand.pinch(at: Point(x: 1500, y: 300), to: 2, by: Vector(dx: 50, dy: 90), lets: false)
        hand.send(.manipulationReverted)
        hand.settle()
        #expect(hand.frame.columns == 5)
        #expect(abs(hand.frame.scroll.y - before.y) < 1e-6)
    }

    @Test func aFingerThatJoinsOrLeavesMovesNothing() {
        var hand = Hand()
        let base = Point(x: 800, y: 500)
        hand.pinch(at: base, to: 1.5, lets: false)
        for count in [3, 2, 1, 2] {
            let before = hand.frame.cells.map(\.rect)
            hand.rebase(Hand.fingers(count, base: Point(x: 700, y: 480)))
            for (old, new) in zip(before, hand.frame.cells.map(\.rect)) {
                #expect((old.center - new.center).length < 1e-6)
            }
        }
    }

    @Test func zoomKeysAndCtrlWheelStepByColumns() {
        var hand = Hand()
        hand.press("plus")
        hand.press("plus")
        hand.settle()
        #expect(hand.frame.columns == 3)
        hand.send(.wheel(Vector(dx: 0, dy: 120), at: Point(x: 9, y: 9), zooms: true))
        hand.settle()
        #expect(hand.frame.columns == 4)
        for _ in 0..<4 {
            hand.send(.wheel(Vector(dx: 0, dy: -30), at: Point(x: 9, y: 9), zooms: true))
        }
        hand.settle()
        #expect(hand.frame.columns == 3)
        hand.press("0")
        hand.settle()
        #expect(hand.frame.columns == 5)
        hand.send(.scrollZoom(distance: -80, at: Point(x: 500, y: 500)))
        hand.settle()
        #expect(hand.frame.columns == 3)
        hand.send(.twoFingerTap(at: Point(x: 500, y: 500)))
        hand.settle()
        #expect(hand.frame.columns == 4)
    }
}
