import CompositorKit
import Geometry
import Input
import TestKit
import Testing

/// The flight between a cell and the viewer.
extension HeadlessGridTests {
    /// A picture of 480 × 320 in the viewer: a little above the middle.
    private static let fit = Rect(x: 80, y: 32, width: 480, height: 320)
    /// The same picture when it covers the cell of picture 1.
    private static let home = Rect(
        center: HeadlessGrid.cell(1).center, size: Size(width: 186, height: 124))

    private func tapSecond(_ hand: inout Hand) {
        hand.rest(104)
        hand.tap(191, 62)
    }

    private func distance(_ rect: Rect?, _ other: Rect) -> Double {
        guard let rect else { return .infinity }
        return [
            rect.x - other.x, rect.y - other.y, rect.maxX - other.maxX, rect.maxY - other.maxY,
        ].map(abs).max() ?? 0
    }

    @Test func aTappedPictureGrowsOutOfItsCell() throws {
        let run = HeadlessGrid(HeadlessGrid.cards).play(shotTimes: [170], tapSecond)
        let flight = run.frames.filter { !$0.showsGrid }
        let first = try #require(flight.first)
        // The finger lifted at most a frame ago.
        #expect(distance(first.rect, Self.home) < 25)
        #expect(first.path.hasSuffix("/01.png"))
        let widths = flight.compactMap { $0.rect?.width }
        #expect(widths == widths.sorted())
        #expect(flight.count { $0.phase == "animating" } > 5)
        #expect(try distance(run.last.rect, Self.fit) == 0)
        #expect(try run.last.phase == "idle" && run.last.dim == 1)
        // The other pictures are still visible below.
        let shot = try #require(run.shots.first)
        #expect(shot.color(600, 240).r > 40)
    }

    @Test func aThrownPictureFliesBackToItsCell() throws {
        let run = HeadlessGrid(HeadlessGrid.cards).play { hand in
            tapSecond(&hand)
            hand.rest(1000)
            hand.touch([1: (320, 150)])
            hand.move([1: (330, 330)], in: 120)
            hand.lift(1)
        }
        #expect(run.frames.count { $0.isDismissed } == 1)
        let thrown = try #require(run.frames.firstIndex { $0.isDismissed })
        let flight = run.frames[(thrown - 1)...].prefix { !$0.showsGrid }
        #expect(flight.count > 5)
        // The flight continues from the fingers, and no frame jumps.
        let centers = flight.compactMap { $0.rect?.center }
        for (one, next) in zip(centers, centers.dropFirst()) {
            #expect((next - one).length < 90)
        }
        #expect(distance(flight.last?.rect, Self.home) < 3)
        let last = try run.last
        #expect(last.showsGrid && last.phase == "idle")
        #expect(last.scroll == Point(x: 0, y: 0))
        // The picture is in its cell again.
        let shot = try #require(run.shots.last)
        #expect(shot.color(160, 30).r > 190)
    }

    /// A picture that is caught on its flight back stays in place, and returns once it is moved.
    @Test func aFingerCatchesAPictureThatFliesBack() throws {
        let run = HeadlessGrid(HeadlessGrid.cards).play { hand in
            tapSecond(&hand)
            hand.rest(900)
            hand.key("Escape")
            hand.rest(60)
            hand.touch([1: (300, 150)])
            hand.rest(300)
            hand.move([1: (340, 160)], in: 100)
            hand.rest(100)
            hand.lift(1)
        }
        // 104 + 60 ms of the tap, 900 ms of rest, and 100 ms until the catch.
        let caught = run.frames.filter { $0.time > 1164 + 17 && $0.time < 1464 }
        let rect = try #require(caught.first?.rect)
        #expect(distance(rect, Self.fit) > 10 && distance(rect, Self.home) > 3)
        #expect(caught.allSatisfy { distance($0.rect, rect) < 0.5 })
        #expect(try !run.last.showsGrid)
        #expect(try distance(run.last.rect, Self.fit) == 0)
    }

    /// A picture that is smaller than its cell grows on its flight back; caught, it returns to fit.
    @Test func aSmallPictureThatIsCaughtComesBackToFit() throws {
        let run = HeadlessGrid(Array(repeating: TestPicture.card(90, 60).png(), count: 6)).play {
            hand in
            hand.rest(104)
            hand.tap(191, 62)
            hand.rest(900)
            hand.key("Escape")
            hand.rest(30)
            hand.touch([1: (276, 153)])
            hand.rest(300)
            hand.move([1: (296, 158)], in: 100)
            hand.rest(100)
            hand.lift(1)
        }
        let last = try run.last
        #expect(!last.showsGrid && last.phase == "idle")
        #expect(last.zoom == 1)
    }

    @Test func aFingerCatchesAPictureThatGrows() throws {
        let run = HeadlessGrid(HeadlessGrid.cards).play { hand in
            tapSecond(&hand)
            hand.rest(60)
            hand.touch([1: (250, 120)])
            hand.rest(200)
            hand.lift(1)
            hand.rest(1000)
            hand.key("Escape")
        }
        let caught = run.frames.filter { $0.time > 224 + 17 && $0.time < 424 }
        let rect = try #require(caught.first?.rect)
        #expect(distance(rect, Self.fit) > 10)
        #expect(caught.allSatisfy { distance($0.rect, rect) < 0.5 })
        // When it is released it goes on growing; Escape then leads back to the grid.
        let open = try #require(run.frames.last { $0.time < 1420 })
        #expect(distance(open.rect, Self.fit) < 0.01)
        #expect(try run.last.showsGrid)
    }

    /// The grid scrolls to the picture to which the viewer has turned.
    @Test func theGridScrollsToThePictureThatFliesBack() throws {
        let grid = HeadlessGrid(HeadlessGrid.marked)
        let run = grid.play { hand in
            tapSecond(&hand)
            hand.rest(800)
            hand.key("End")
            hand.rest(600)
            hand.key("Escape")
        }
        let flight = try #require(run.frames.last { !$0.showsGrid })
        #expect(flight.path.hasSuffix("/29.png"))
        let last = try run.last
        #expect(last.showsGrid && last.scroll.y == last.content.height - 400)
        let cell = HeadlessGrid.cell(29)
        let home = Rect(
            x: cell.x, y: cell.y - last.scroll.y, width: cell.width, height: cell.height)
        #expect(distance(flight.rect, home) < 3)
        let shot = try #require(run.shots.last)
        let color = shot.color(Int(home.center.x), Int(home.center.y))
        #expect(abs(color.b - 29 * 8) <= 1)
    }
}
