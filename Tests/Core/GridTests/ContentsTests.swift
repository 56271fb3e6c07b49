import Geometry
import Gestures
import Input
import Motion
import Testing

@testable import Grid

/// Changes of the listing and of the surface size, and the source cells of transitions.
@Suite struct ContentsTests {
    private func scrolled(_ settings: GridSettings = GridSettings()) -> Hand {
        var hand = Hand(settings: settings)
        hand.drag(from: Point(x: 900, y: 900), by: Vector(dx: 0, dy: -800))
        hand.settle()
        return hand
    }

    /// Narrow surfaces begin with fewer columns, unless a person has set the number.
    @Test(arguments: [
        (1280.0, 5, 5), (500, 5, 5), (400, 5, 4), (390, 5, 3), (90, 5, 1), (400, 8, 8), (400, 2, 2),
    ])
    func cellsAreWideEnoughForAFinger(width: Double, set: Int, columns: Int) {
        var settings = GridSettings()
        settings.columns = set
        let hand = Hand(count: 50, width: width, height: 780, settings: settings)
        #expect(hand.frame.columns == columns)
        let narrowest = hand.frame.cells.map(\.rect.width).min() ?? 0
        #expect(set != 5 || width < 100 || narrowest >= 96)
    }

    @Test(arguments: GridSettings.Layout.allCases)
    func aNewOrderBeginsAtTheTop(layout: GridSettings.Layout) {
        var settings = GridSettings()
        settings.layout = layout
        var hand = scrolled(settings)
        #expect(hand.frame.scroll.y > 0)
        hand.grid.showTop()
        #expect(hand.frame.scroll.y == 0 && hand.frame.phase == .idle)
    }

    @Test(arguments: GridSettings.Layout.allCases)
    func thePictureAtTheTopStaysWhenOthersCome(layout: GridSettings.Layout) throws {
        var settings = GridSettings()
        settings.layout = layout
        var hand = scrolled(settings)
        let index = hand.grid.projection(at: hand.now).anchor(at: .zero).index
        let before = try #require(hand.grid.cellRect(of: index, at: hand.now))
        hand.grid.update(to: GridContents(count: 507), mapping: { $0 + 7 }, at: hand.now)
        let after = try #require(hand.grid.cellRect(of: index + 7, at: hand.now))
        #expect(abs(after.y - before.y) < 1e-6 || layout == .justified)
        #expect(hand.frame.scroll.x == 0)
    }

    @Test func theNextPictureReplacesARemovedAnchor() throws {
        var hand = scrolled()
        let index = hand.grid.projection(at: hand.now).anchor(at: .zero).index
        let y = try #require(hand.grid.cellRect(of: index, at: hand.now)).y
        // All five pictures of the top row are removed.
        hand.grid.update(
            to: GridContents(count: 495),
            mapping: { $0 < index ? $0 : ($0 < index + 5 ? nil : $0 - 5) }, at: hand.now)
        #expect(hand.grid.cellRect(of: index, at: hand.now)?.y == y)
    }

    @Test func aGridAtItsTopStaysThere() {
        var hand = Hand()
        hand.grid.update(to: GridContents(count: 600), mapping: { $0 + 100 }, at: hand.now)
        #expect(hand.frame.scroll == .zero)
    }

    @Test func marksFollowTheirPictures() {
        var hand = Hand()
        hand.press("Right")
        hand.press("Right")
        hand.press("space", .control)
        hand.grid.hide(3)
        hand.grid.update(to: GridContents(count: 510), mapping: { $0 + 10 }, at: hand.now)
        #expect(hand.grid.focus == 12 && hand.grid.selection == [12] && hand.grid.hidden == 13)
        hand.grid.update(to: .empty, mapping: { _ in nil }, at: hand.now)
        #expect(hand.grid.focus == nil && hand.grid.selection.isEmpty && hand.grid.hidden == nil)
        #expect(hand.frame.cells.isEmpty && hand.frame.scroll == .zero)
    }

    @Test func aFlingContinuesWhenPicturesAreAdded() {
        var hand = scrolled()
        hand.drag(
            from: Point(x: 900, y: 900), by: Vector(dx: 0, dy: -100),
            velocity: .init(dx: 0, dy: -2000))
        hand.wait(100)
        let speed = hand.frame.velocity.dy
        hand.grid.update(to: GridContents(count: 505), mapping: { $0 + 5 }, at: hand.now)
        #expect(abs(hand.frame.velocity.dy - speed) < 1)
        #expect(hand.grid.isMoving(at: hand.now))
    }

    @Test func aDragStaysUnderTheFingerWhenPicturesAreAdded() throws {
        var hand = scrolled()
        let base = Point(x: 900, y: 900)
        hand.send(.caught(at: base))
        hand.send(.manipulationBegan(Hand.fingers(1, base: base)))
        hand.send(
            .manipulationChanged(Hand.fingers(1, base: base, centroid: Point(x: 900, y: 800))))
        let y = try #require(hand.grid.cellRect(of: 30, at: hand.now)).y
        hand.grid.update(to: GridContents(count: 505), mapping: { $0 + 5 }, at: hand.now)
        #expect(abs((hand.grid.cellRect(of: 35, at: hand.now)?.y ?? 0) - y) < 1e-6)
        hand.send(
            .manipulationChanged(Hand.fingers(1, base: base, centroid: Point(x: 900, y: 700))))
        #expect(abs((hand.grid.cellRect(of: 35, at: hand.now)?.y ?? 0) - y + 100) < 1e-6)
        #expect(hand.frame.scroll.x == 0)
    }

    @Test func newSizesMoveNoVisibleCell() throws {
        var settings = GridSettings()
        settings.layout = .justified
        var hand = Hand(count: 2000, settings: settings)
        hand.drag(from: Point(x: 900, y: 900), by: Vector(dx: 0, dy: -9000))
        hand.settle()
        let index = hand.grid.projection(at: hand.now).anchor(at: .zero).index
        let before = try #require(hand.grid.cellRect(of: index, at: hand.now))
        hand.grid.setSizes(
            (0..<20).map { ($0, PixelSize(width: 100, height: 300)) }, at: hand.now)
        let after = try #require(hand.grid.cellRect(of: index, at: hand.now))
        #expect(abs(before.y - after.y) < 1e-6)
        hand.pinch(at: Point(x: 900, y: 500), to: 1.7, lets: false)
        let held = try #require(hand.frame.held)
        hand.grid.setSizes([(9, PixelSize(width: 500, height: 100))], at: hand.now)
        #expect(hand.frame.held == held, "a pinch keeps its held point")
    }

    @Test func aResizeKeepsTheTopRow() throws {
        var hand = scrolled()
        let index = hand.grid.projection(at: hand.now).anchor(at: .zero).index
        let before = try #require(hand.grid.cellRect(of: index, at: hand.now))
        hand.grid.resize(to: Size(width: 1200, height: 1900), at: hand.now)
        let after = try #require(hand.grid.cellRect(of: index, at: hand.now))
        #expect(abs(after.y / after.height - before.y / before.height) < 1e-6)
        #expect(hand.frame.columns == 5 && hand.frame.scroll.x == 0)
        hand.grid.resize(to: Size(width: .nan, height: -4), at: hand.now)
        #expect(hand.frame.cells.allSatisfy { $0.rect.center.isFinite })
    }

    @Test func bringIntoViewShowsTheCellOfATransition() throws {
        var hand = Hand()
        let far = try #require(hand.grid.cellRect(of: 400, at: hand.now))
        #expect(far.y > 1080)
        hand.grid.bringIntoView(400, at: hand.now)
        let near = try #require(hand.grid.cellRect(of: 400, at: hand.now))
        #expect(near.y >= 0 && near.maxY <= 1080)
        hand.grid.hide(400)
        #expect(hand.frame.cell(400)?.isHidden == true)
        hand.grid.hide(nil)
        #expect(hand.frame.cell(400)?.isHidden == false)
        let place = hand.frame.scroll
        hand.grid.bringIntoView(401, at: hand.now)
        #expect(hand.frame.scroll == place, "a visible cell does not scroll")
        hand.grid.bringIntoView(9999, at: hand.now)
        #expect(hand.grid.cellRect(of: 9999, at: hand.now) == nil)
    }
}
