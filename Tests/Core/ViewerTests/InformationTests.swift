import Geometry
import Gestures
import ImageTypes
import Input
import Motion
import SceneModel
import Testing

@testable import Interface
@testable import Viewer

/// The information panel, driven by input events.
@Suite struct InformationTests {
    /// Panel contents with `count` rows of metadata.
    static func information(_ count: Int) -> Information {
        var facts = Information.Facts(name: "photo.jpg", folder: "/home/ann")
        facts.metadata.entries = (0..<count).map { .init(.camera, "Label \($0)", "Value \($0)") }
        return Information(facts)
    }

    private func open(
        rows: Int = 5, on size: Size = Size(width: 1280, height: 800), count: Int = 1,
        settings: ViewerSettings = ViewerSettings()
    ) -> Rig {
        var rig = Rig(
            Array(repeating: Rig.photo, count: count), on: size, settings: settings)
        rig.key("i")
        rig.interaction.target.setInformation(Self.information(rows), isOther: true)
        rig.rest()
        return rig
    }

    private func rect(_ rig: Rig) -> Rect? {
        rig.viewer.chrome.panel.rect(at: Moment(milliseconds: rig.now))
    }

    private func offset(_ rig: Rig) -> Double {
        rig.viewer.chrome.panel.offset(at: Moment(milliseconds: rig.now))
    }

    /// The visible headings and rows.
    private func rows(_ rig: Rig) throws -> [Widget] {
        let moment = Moment(milliseconds: rig.now)
        let panel = try #require(rig.viewer.chrome.panel.widget(at: moment))
        let list = try #require(panel.widget("information-list"))
        return list.children.filter { $0.role != .scrollBar }
    }

    private func close(_ rig: Rig) throws -> Point {
        let widgets = rig.viewer.widgets(title: "", at: Moment(milliseconds: rig.now))
        return try #require(
            widgets.lazy.compactMap { $0.widget("information-close") }.first
        ).rect.center
    }

    // MARK: Shown and hidden

    @Test func aKeyShowsAndHidesThePanel() throws {
        var rig = open()
        let shown = try #require(rect(rig))
        #expect(rig.frame.showsInformation)
        #expect(shown.maxX == 1280 - 8 && shown.y == 64)
        rig.key("i")
        #expect(!rig.frame.showsInformation)
        var last = shown.x
        for _ in 0..<6 {
            rig.pass(to: rig.now + 30)
            guard let rect = rect(rig) else { break }
            #expect(rect.x > last)
            last = rect.x
        }
        #expect(last > shown.x)
        rig.rest()
        #expect(rect(rig) == nil && rig.isAtRest)
        #expect(!rig.frame.scene.items.contains { if case .layer = $0 { true } else { false } })
    }

    /// A key during the animation reverses it, with continuous position.
    @Test func thePanelsAnimationReversesWithoutAJump() throws {
        var rig = open()
        rig.key("i")
        rig.pass(to: rig.now + 60)
        let before = try #require(rect(rig))
        rig.key("i")
        let after = try #require(rect(rig))
        #expect(abs(before.x - after.x) < 1e-6)
        rig.rest()
        #expect(try abs(#require(rect(rig)).maxX - (1280 - 8)) < 1e-6)
    }

    @Test func escapeHidesThePanelFirst() {
        var rig = open()
        rig.key("Escape")
        #expect(!rig.frame.showsInformation)
        #expect(rig.effects.isEmpty)
        rig.key("Escape")
        #expect(rig.effects == [.quit])
    }

    @Test func theMenuOpensThePanel() throws {
        var rig = Rig()
        rig.touch([.down(id: 0, at: Point(x: 900, y: 300))], after: 50)
        rig.pass(to: rig.now + 600)
        rig.touch([.up(id: 0)], after: 100)
        try rig.choose("View", "Information")
        #expect(rig.frame.showsInformation && !rig.frame.showsMenu)
    }

    @Test func onlyATapBesideThePanelHidesIt() throws {
        var rig = open()
        rig.tap(try #require(rect(rig)).center)
        rig.pass(to: rig.now + 500)
        #expect(rig.frame.showsInformation && !rig.frame.showsChrome)
        rig.tap(Point(x: 300, y: 400))
        rig.pass(to: rig.now + 500)
        #expect(!rig.frame.showsInformation && !rig.frame.showsChrome)
    }

    /// The button is pressed by a finger, by a key with the focus, and not by a drag over it.
    @Test func theButtonClosesThePanel() throws {
        var rig = open(rows: 80)
        let button = try close(rig)
        rig.drag(from: button, by: Vector(dx: 0, dy: 120))
        rig.rest()
        #expect(rig.frame.showsInformation && offset(rig) == 0)
        rig.tap(button)
        #expect(!rig.frame.showsInformation)
        rig.rest()
        rig.key("i")
        rig.rest()
        rig.key("Tab")
        #expect(rig.frame.focus == "information-close")
        rig.key("Return")
        #expect(!rig.frame.showsInformation && rig.frame.focus == nil)
    }

    /// A drag that begins on the title scrolls like one on the rows.
    @Test func theTitleScrolls() throws {
        var rig = open(rows: 80)
        let place = try #require(rect(rig))
        rig.drag(
            from: Point(x: place.x + 60, y: place.y + 24), by: Vector(dx: 0, dy: -300), rest: 300)
        #expect(offset(rig) > 200)
    }

    @Test func thePanelStaysWhilePagesTurn() {
        var rig = open(count: 3)
        rig.key("Right")
        rig.rest()
        #expect(rig.viewer.index == 1 && rig.frame.showsInformation)
        rig.drag(from: Point(x: 600, y: 400), by: Vector(dx: -400, dy: 0), speed: 2000)
        rig.rest()
        #expect(rig.viewer.index == 2 && rig.frame.showsInformation)
    }

    @Test func aDismissalHidesThePanel() {
        var rig = open()
        rig.drag(from: Point(x: 400, y: 300), by: Vector(dx: 0, dy: 300), speed: 3000)
        #expect(!rig.frame.showsInformation)
        rig.rest()
        #expect(rig.effects == [.quit])
    }

    @Test func reducedMotionShowsThePanelAtOnce() throws {
        var settings = ViewerSettings()
        settings.reducedMotion = true
        var rig = open(rows: 80, settings: settings)
        rig.key("i")
        #expect(rect(rig) == nil && rig.isAtRest)
        rig.key("i")
        #expect(rect(rig)?.maxX == 1280 - 8 && rig.isAtRest)
        let place = try #require(rect(rig)).center
        rig.drag(from: place, by: Vector(dx: 0, dy: -200), speed: 3000)
        #expect(rig.isAtRest && offset(rig) > 100)
    }

    // MARK: Scrolling

    @Test func aDragScrollsOnlyThePanel() throws {
        var rig = open(rows: 80)
        let before = rig.placement
        let start = try #require(rect(rig)).center
        rig.drag(from: start, by: Vector(dx: -150, dy: -200), rest: 300, lifts: false)
        // The slop is subtracted.
        #expect(offset(rig) > 150 && offset(rig) <= 200)
        #expect(rig.placement == before)
        rig.touch([.up(id: 0)], after: 300)
        let left = offset(rig)
        rig.rest()
        #expect(abs(offset(rig) - left) < 1)
        #expect(rig.placement == before && rig.viewer.index == 0)
    }

    @Test func aFlingScrollsThePanelToItsEnd() throws {
        var rig = open(rows: 80)
        let place = try #require(rect(rig))
        for _ in 0..<8 {
            rig.drag(
                from: Point(x: place.center.x, y: place.maxY - 40), by: Vector(dx: 0, dy: -500),
                speed: 4000)
            rig.pass(to: rig.now + 200)
        }
        rig.rest()
        let rows = try rows(rig)
        #expect(rows.last?.description == "Value 79")
        #expect(rows.allSatisfy { $0.rect.maxY < place.maxY })
        // Past the end the scroll is rubber-banded and springs back.
        let end = offset(rig)
        rig.drag(from: place.center, by: Vector(dx: 0, dy: -300), lifts: false)
        #expect(offset(rig) > end + 50 && offset(rig) < end + 250)
        rig.touch([.up(id: 0)], after: 200)
        rig.rest()
        #expect(abs(offset(rig) - end) < 0.5)
    }

    /// A panel that a key hides during a drag receives no later touches.
    @Test func hidingThePanelEndsItsDrag() throws {
        var rig = open(rows: 80)
        let place = try #require(rect(rig)).center
        rig.drag(from: place, by: Vector(dx: 0, dy: -100), lifts: false)
        rig.key("i")
        rig.touch([.up(id: 0)], after: 50)
        rig.key("i")
        rig.rest()
        let before = rig.placement.center
        rig.drag(from: Point(x: 400, y: 300), by: Vector(dx: 0, dy: 100), lifts: false)
        #expect(rig.placement.center.y > before.y + 50)
        rig.touch([.up(id: 0)], after: 300)
        rig.rest()
        #expect(rig.placement.center == before)
    }

    /// A touch stops a scrolling panel.
    @Test func aTouchStopsThePanelsScroll() throws {
        var rig = open(rows: 200)
        let place = try #require(rect(rig)).center
        rig.drag(from: place, by: Vector(dx: 0, dy: -200), speed: 3000)
        rig.pass(to: rig.now + 100)
        rig.touch([.down(id: 0, at: place)])
        let caught = offset(rig)
        rig.pass(to: rig.now + 200)
        #expect(offset(rig) == caught)
        rig.touch([.up(id: 0)])
        rig.rest()
        #expect(offset(rig) == caught && rig.frame.showsInformation)
    }

    @Test func theWheelAndTheArrowKeysScrollThePanel() throws {
        var rig = open(rows: 80, count: 2)
        let place = try #require(rect(rig)).center
        rig.send(.pointer(.move(to: place)))
        for _ in 0..<3 {
            rig.send(.pointer(.axis(.vertical, value: 10, source: .wheel, value120: 120)))
        }
        rig.rest()
        #expect(abs(offset(rig) - 3 * 69) < 0.5)
        #expect(rig.viewer.index == 0)
        rig.key("Down")
        rig.key("Up")
        rig.key("Up")
        rig.rest()
        #expect(abs(offset(rig) - 2 * 69) < 0.5)
    }

    @Test func aNewPictureScrollsThePanelToTheTop() throws {
        var rig = open(rows: 80)
        rig.key("Down")
        rig.rest()
        rig.interaction.target.setInformation(Self.information(90), isOther: false)
        #expect(abs(offset(rig) - 69) < 0.5)
        rig.interaction.target.setInformation(Self.information(80), isOther: true)
        #expect(offset(rig) == 0)
    }

    // MARK: Narrow surfaces

    @Test func onANarrowSurfaceThePanelComesFromBelow() throws {
        var rig = open(rows: 80, on: Size(width: 400, height: 700))
        let shown = try #require(rect(rig))
        #expect(shown == Rect(x: 0, y: 280, width: 400, height: 420))
        rig.key("i")
        rig.pass(to: rig.now + 60)
        let leaving = try #require(rect(rig))
        #expect(leaving.x == 0 && leaving.y > 300)
    }

    @Test func aResizeKeepsThePanelInPlace() throws {
        var rig = open(rows: 80)
        for _ in 0..<20 { rig.key("Down") }
        rig.rest()
        rig.send(.resize(Size(width: 500, height: 2000)))
        let place = try #require(rect(rig))
        #expect(place.maxX == 500 && place.maxY == 2000)
        let list = try #require(
            rig.viewer.chrome.panel.list(at: Moment(milliseconds: rig.now)))
        #expect(try rows(rig).first.map { $0.rect.y <= list.y } == true)
        rig.send(.resize(Size(width: 20, height: 10)))
        rig.rest()
        #expect(rig.isAtRest)
    }
}
