import Geometry
import Gestures
import Motion
import Testing

@testable import Grid

/// The cost of a frame depends on the visible cells, not on the number of pictures.
@Suite struct LargeGridTests {
    private static let count = 100_000
    /// The maximum of visible cells: 35 in the base columns, and a margin for partly visible ones.
    private static let maximumVisible = 60

    private func grid(_ layout: GridSettings.Layout) -> (hand: Hand, tally: CountingLayout.Tally) {
        var settings = GridSettings()
        settings.layout = layout
        let sections = (0..<1000).map { GridSection(title: "\($0)", first: $0 * 100) }
        var hand = Hand(count: Self.count, sections: sections, settings: settings)
        let tally = CountingLayout.Tally()
        hand.grid.layout = CountingLayout(layout: hand.grid.layout, tally: tally)
        return (hand, tally)
    }

    @Test(arguments: GridSettings.Layout.allCases)
    func aFrameRequestsOnlyVisibleCells(layout: GridSettings.Layout) {
        var (hand, tally) = grid(layout)
        hand.grid.bringIntoView(54_321, at: hand.now)
        func spent(_ body: () -> Void) -> Int {
            _ = tally.drain()
            body()
            return tally.drain()
        }
        #expect(spent { _ = hand.frame } < Self.maximumVisible)
        hand.drag(
            from: Point(x: 900, y: 900), by: Vector(dx: 0, dy: -400),
            velocity: .init(dx: 0, dy: -8000))
        for _ in 0..<60 {
            hand.wait(1000 / 60)
            #expect(spent { _ = hand.frame } < Self.maximumVisible)
        }
        hand.settle()
        var most = 0
        hand.pinch(at: Point(x: 1200, y: 500), to: 4, steps: 60) { hand in
            most = max(most, spent { _ = hand.frame })
        }
        // While cells animate between layouts, each cell is requested from every layout involved.
        #expect(most < Self.maximumVisible * 8)
    }

    @Test func homeAndEndReachBothEnds() throws {
        var (hand, _) = grid(.reflow)
        hand.press("End")
        hand.settle()
        let last = try #require(hand.frame.cell(Self.count - 1))
        #expect(last.rect.maxY <= 1080 + 1e-6)
        #expect(hand.frame.content.height > 1000 * 20 * 385)
        hand.press("Home")
        hand.settle()
        #expect(hand.frame.scroll == .zero)
    }

    @Test func aNewSizeChangesOneBlock() {
        var settings = GridSettings()
        settings.layout = .justified
        var hand = Hand(count: Self.count, settings: settings)
        hand.grid.bringIntoView(50_000, at: hand.now)
        let before = hand.grid.layout.rect(of: 99_000)
        let row = hand.grid.layout.rect(of: 50_000)
        hand.grid.setSizes([(98_990, PixelSize(width: 9, height: 16))], at: hand.now)
        #expect(hand.grid.layout.rect(of: 50_000) == row)
        #expect(hand.grid.layout.rect(of: 99_000) != before)
    }
}
