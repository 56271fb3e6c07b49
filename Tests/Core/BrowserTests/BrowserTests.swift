import Commands
import CoreTestKit
import Geometry
import Gestures
import Input
import Interface
import Motion
import SceneModel
import Testing
import Viewer
import Grid

@testable import Browser

/// The transitions between the grid and the viewer, driven by input events.
@Suite struct BrowserTests {
    private static let surface = Size(width: 1280, height: 800)

    private typealias Rig = BrowserRig

    private let second = Point(x: 384, y: 128)

    @Test(arguments: [BrowserModel.Mode.grid, .viewer])
    func theMenuNamesWhereLeavingLeads(_ mode: BrowserModel.Mode) {
        var rig = Rig(mode)
        if mode == .grid { rig.tap(second) }
        rig.rest()
        rig.key("Menu")
        let names = rig.browser.interface(title: "", name: { "\($0)" }, at: rig.moment).children
            .first { $0.role == .menu }?.children.map(\.name)
        #expect(names?.last == (mode == .grid ? "Back to the grid" : "Close"))
    }

    /// A cell of the feed shows the whole picture: the flight begins and ends without a crop.
    @Test func aPictureFliesOutOfTheFeedWhole() throws {
        var rig = Rig()
        for _ in 0..<4 { rig.key("plus") }
        rig.rest()
        let index = try #require(rig.frame.grid?.cells.first).index
        rig.hands.target.setSizes([(index, PixelSize(width: 3000, height: 2000))], at: rig.moment)
        rig.rest()
        let cell = try #require(rig.cell(index))
        #expect(abs(cell.width / cell.height - 1.5) < 1e-6)
        rig.tap(Point(x: cell.center.x, y: max(cell.center.y, 60)))
        let start = try #require(rig.flying)
        #expect(start.clip == nil && abs(start.rect.x - cell.x) < 1e-6)
        #expect(abs(start.rect.maxY - cell.maxY) < 1e-6)
        rig.rest()
        #expect(rig.browser.mode == .viewer && rig.pictures.allSatisfy { $0.crop == nil })
        rig.key("Escape")
        rig.rest()
        #expect(rig.browser.mode == .grid && rig.frame.grid?.columns == 1)
    }

    /// The size of the picture is not known yet when the key is pressed.
    @Test(arguments: [false, true]) func aKeyOpensThePictureThatIsBeingOpened(byTap: Bool) {
        var rig = Rig()
        rig.isWithheld = true
        if byTap {
            rig.tap(second)
        } else {
            var effects: [ViewerEffect] = []
            rig.hands.target.show(1, at: rig.moment, effects: &effects)
        }
        rig.key("Return")
        #expect(rig.browser.mode == .grid)
        rig.isWithheld = false
        rig.load()
        #expect(rig.browser.mode == .viewer && rig.browser.viewer.index == 1)
    }

    @Test func aTapAnimatesThePictureOutOfItsCell() throws {
        var rig = Rig()
        let cell = try #require(rig.cell(1))
        rig.tap(second)
        #expect(rig.browser.mode == .viewer)
        #expect(rig.browser.viewer.index == 1)
        // In the first frame the picture has the place and the crop of its cell.
        let start = try #require(rig.flying)
        let clip = try #require(start.clip)
        #expect(abs(clip.x - cell.x) < 1e-6 && abs(clip.width - cell.width) < 1e-6)
        #expect(abs(clip.y - cell.y) < 1e-6 && abs(clip.height - cell.height) < 1e-6)
        #expect(abs(start.rect.height - cell.height) < 1e-6)
        #expect(rig.browser.grid.hidden == 1)
        #expect(rig.frame.grid != nil)
        rig.rest()
        #expect(rig.frame.grid == nil)
        let end = try #require(rig.flying)
        #expect(end.clip == nil)
        #expect(end.rect.width == 1200)
        #expect(rig.frame.scene.backdrop == 1)
    }

    /// A rotated picture rotates back during the transition, and its crop approaches the cell's.
    @Test func aRotatedPictureIsCroppedDuringTheTransition() throws {
        var rig = Rig()
        rig.tap(second)
        rig.rest()
        rig.key("r")
        rig.rest()
        let rotated = try #require(rig.pictures.first)
        #expect(abs(rotated.placement.rotation - .pi / 2) < 1e-9 && rotated.crop == nil)
        rig.key("Escape")
        var widths: [Double] = []
        var last = rotated
        while rig.browser.mode == .viewer, let item = rig.pictures.first, rig.now < 20_000 {
            widths.append(item.crop?.width ?? 3000)
            last = item
            rig.pass(to: rig.now + 4)
        }
        #expect(widths == widths.sorted { $0 > $1 } && widths.contains { $0 < 2900 && $0 > 2100 })
        #expect(abs(last.placement.rotation) < 0.01)
        #expect(abs((last.crop?.width ?? 0) - 2000) < 10)
        // The picture also leaves the cell unrotated.
        rig.tap(second)
        let start = try #require(rig.pictures.first)
        #expect(start.placement.rotation == 0 && abs((start.crop?.width ?? 0) - 2000) < 1e-6)
    }

    /// After a page turn during the transition, the old picture keeps its crop.
    ///
    /// The new picture is not cropped.
    @Test func aPageTurnDuringTheTransitionKeepsTheCrop() throws {
        var rig = Rig()
        rig.tap(second)
        rig.pass(to: rig.now + 40)
        let before = try #require(rig.pictures.first { $0.source.picture == 1 }?.crop)
        rig.key("Right")
        let after = try #require(rig.pictures.first { $0.source.picture == 1 }?.crop)
        #expect(after == before && before.width < 2900)
        rig.pass(to: rig.now + 40)
        let new = try #require(rig.pictures.first { $0.source.picture == 2 })
        #expect(new.crop == nil)
        rig.rest()
        #expect(rig.pictures.count == 1 && rig.pictures.first?.crop == nil)
    }

    @Test func aFlingReturnsThePictureToItsCell() throws {
        var rig = Rig()
        rig.tap(second)
        rig.rest()
        rig.throwAway(from: Point(x: 640, y: 200), by: Vector(dx: 20, dy: 300))
        #expect(rig.browser.mode == .viewer)
        #expect(rig.frame.viewer.dismissProgress == 1)
        rig.rest()
        #expect(rig.browser.mode == .grid)
        #expect(rig.browser.grid.hidden == nil)
        #expect(!rig.effects.contains(.quit))
        rig.key("Escape")
        #expect(rig.effects.contains(.quit))
    }

    @Test(arguments: [BrowserModel.Mode.grid, .viewer])
    func keysOpenOtherPictures(mode: BrowserModel.Mode) {
        var rig = Rig(mode)
        rig.send(.key(KeyEvent(name: "o", modifiers: .control)))
        #expect(rig.effects == [.openFiles])
        rig.send(.key(KeyEvent(name: "O", modifiers: [.control, .shift])))
        rig.send(.key(KeyEvent(name: "n", modifiers: .control)))
        #expect(rig.effects == [.openFiles, .openFolder, .newWindow])
        #expect(rig.browser.mode == mode)
    }

    /// A button that a finger presses marks no cell with the focus of keys; a key does.
    @Test func aFingerMarksNoFocus() throws {
        var rig = Rig(.grid)
        let button = try #require(
            rig.browser.interface(title: "", name: { "\($0)" }, at: rig.moment)
                .widget(Command.zoomOut.rawValue))
        rig.tap(button.rect.center)
        rig.pass(to: rig.now + 600)
        func focused() -> Int? { rig.frame.grid?.cells.first { $0.isFocused }?.index }
        #expect(focused() == nil)
        rig.key("Down")
        #expect(focused() != nil)
    }

    /// The transition starts at the release position with the release velocity, without a jump.
    @Test func theTransitionContinuesTheFingersMotion() throws {
        var rig = Rig()
        rig.tap(second)
        rig.rest()
        rig.throwAway(from: Point(x: 640, y: 200), by: Vector(dx: 0, dy: 300))
        var last = try #require(rig.flying).rect.center
        var first: Double?
        for _ in 0..<2000 {
            rig.pass(to: rig.now + 0.5)
            guard rig.browser.mode == .viewer, let now = rig.flying?.rect.center else { break }
            let delta = now - last
            first = first ?? delta.dy
            #expect(delta.length < 5)
            last = now
        }
        // Downwards first, although the cell lies above.
        #expect((first ?? 0) > 0)
        let cell = try #require(rig.cell(1))
        #expect((last - cell.center).length < 1.5)
    }

    @Test func aFingerCatchesThePictureInTransition() throws {
        var rig = Rig()
        rig.tap(second)
        rig.rest()
        rig.key("Escape")
        rig.pass(to: rig.now + 120)
        let before = try #require(rig.flying)
        let start = before.rect.center
        rig.touch([.down(id: 0, at: start)])
        let caught = try #require(rig.flying)
        #expect((caught.rect.center - before.rect.center).length < 1)
        #expect(rig.browser.mode == .viewer)
        let caughtItems = rig.frame.scene.items
        rig.pass(to: rig.now + 200)
        // Nothing changes while the finger does not move.
        #expect(rig.frame.scene.items == caughtItems)
        rig.touch([.move(id: 0, to: start + Vector(dx: 40, dy: 5))], after: 20)
        rig.touch([.up(id: 0)], after: 100)
        rig.rest()
        #expect(rig.browser.mode == .viewer)
        #expect(rig.flying?.rect.width == 1200)
        #expect(rig.flying?.clip == nil)
        #expect(rig.frame.grid == nil)
        // After the catch the picture can be dismissed again at once.
        rig.key("Escape")
        rig.rest()
        #expect(rig.browser.mode == .grid)
    }

    /// A tap on the picture in transition does not stop the transition.
    @Test func aTapDoesNotStopTheTransition() throws {
        var rig = Rig()
        rig.tap(second)
        rig.rest()
        rig.key("Escape")
        rig.pass(to: rig.now + 120)
        let start = try #require(rig.flying).rect.center
        rig.touch([.down(id: 0, at: start)])
        rig.touch([.up(id: 0)], after: 300)
        #expect(rig.browser.mode == .viewer)
        rig.rest()
        #expect(rig.browser.mode == .grid && rig.browser.grid.hidden == nil)
    }

    /// A touch beside the picture in transition goes to the grid, and the transition continues.
    @Test func aTouchBesideThePictureInTransitionGoesToTheGrid() throws {
        var rig = Rig()
        rig.tap(second)
        rig.rest()
        rig.throwAway(from: Point(x: 640, y: 200), by: Vector(dx: 0, dy: 300))
        rig.pass(to: rig.now + 250)
        let before = try #require(rig.flying).rect
        rig.touch([.down(id: 0, at: Point(x: 900, y: 650))])
        #expect(rig.browser.mode == .grid)
        let after = try #require(rig.flying).rect
        #expect((after.center - before.center).length < 1e-6)
        #expect(rig.browser.grid.hidden == 1)
        // A tap opens another picture while the transition of the first one still runs.
        rig.touch([.up(id: 0)], after: 60)
        #expect(rig.browser.mode == .viewer && rig.browser.viewer.index == 13)
        rig.rest()
        #expect(rig.pictures.count == 1 && rig.flying?.rect.width == 1200)
        rig.key("Escape")
        rig.rest()
        #expect(rig.browser.grid.hidden == nil)
    }

    /// A transition follows its cell while the grid scrolls.
    @Test func theTransitionFollowsItsCell() throws {
        var rig = Rig(count: 200)
        rig.tap(Point(x: 384, y: 600))
        rig.rest()
        let index = rig.browser.viewer.index
        rig.throwAway(from: Point(x: 640, y: 200), by: Vector(dx: 0, dy: 300))
        rig.pass(to: rig.now + 150)
        rig.touch([.down(id: 0, at: Point(x: 1200, y: 700))])
        guard rig.browser.mode == .grid else {
            Issue.record("the picture in transition received the touch")
            return
        }
        var last = try #require(rig.flying).rect
        for step in 1...30 {
            rig.touch([.move(id: 0, to: Point(x: 1200, y: 700 - 10 * Double(step)))], after: 8)
            guard let now = rig.flying?.rect else { break }
            #expect((now.center - last.center).length < 120)
            last = now
        }
        rig.pass(to: rig.now + 300)
        #expect(rig.flying == nil)
        let cell = try #require(rig.cell(index))
        #expect(abs(last.center.x - cell.center.x) < 2)
    }

    /// The viewer's picture requests are dropped when the transition to the grid has ended.
    @Test func theEndOfTheTransitionDropsTheViewersRequests() throws {
        var rig = Rig()
        rig.tap(second)
        rig.rest()
        rig.throwAway(from: Point(x: 640, y: 200), by: Vector(dx: 0, dy: 300))
        rig.pass(to: rig.now + 150)
        rig.touch([.down(id: 0, at: Point(x: 1200, y: 750))])
        #expect(rig.browser.mode == .grid && rig.browser.grid.hidden == 1)
        rig.effects = []
        rig.rest()
        #expect(rig.effects == [.want])
        #expect(rig.browser.grid.hidden == nil && rig.browser.wanted.isEmpty)
    }

    /// The transition ends when the picture is within a pixel of its cell.
    @Test func theTransitionEndsWithinAPixel() throws {
        var rig = Rig()
        rig.tap(second)
        rig.rest()
        rig.key("Escape")
        let start = rig.now
        var last = try #require(rig.flying)
        while rig.browser.mode == .viewer, rig.now < start + 2000 {
            last = rig.flying ?? last
            rig.pass(to: rig.now + 8)
        }
        #expect(rig.now - start < 480)
        let (cell, clip) = (try #require(rig.cell(1)), try #require(last.clip))
        #expect(abs(clip.x - cell.x) < 2 && abs(clip.maxY - cell.maxY) < 2)
    }

    /// During the transition to the grid, keys go to the grid and act on the picture seen last.
    @Test func keysFollowThePictureSeenLast() throws {
        var rig = Rig()
        rig.tap(second)
        rig.rest()
        rig.key("Right")
        rig.rest()
        rig.key("Escape")
        rig.pass(to: rig.now + 100)
        rig.key("Return")
        #expect(rig.browser.mode == .viewer && rig.browser.viewer.index == 2)
        rig.rest()
        rig.key("Escape")
        rig.rest()
        rig.key("Right")
        rig.key("Return")
        rig.rest()
        #expect(rig.browser.viewer.index == 3)
    }

    /// A catch in transition, followed by a zoom key under the finger, does not affect a later pan.
    @Test func aCatchDoesNotAffectALaterPan() throws {
        var rig = Rig()
        rig.tap(second)
        rig.rest()
        rig.key("Escape")
        rig.pass(to: rig.now + 120)
        let start = try #require(rig.flying).rect.center
        rig.touch([.down(id: 0, at: start)])
        rig.touch([.move(id: 0, to: start + Vector(dx: 40, dy: 30))], after: 20)
        rig.key("1")
        rig.touch([.up(id: 0)], after: 300)
        rig.rest()
        rig.key("1")
        rig.rest()
        let zoomed = try #require(rig.flying).rect
        #expect(rig.browser.mode == .viewer && zoomed.width > 1200)
        rig.throwAway(from: Point(x: 500, y: 300), by: Vector(dx: -30, dy: -20))
        rig.rest()
        #expect(try #require(rig.flying).rect.width == zoomed.width)
    }

    @Test func theGridScrollsToTheViewersPicture() throws {
        var rig = Rig()
        rig.tap(second)
        rig.rest()
        for _ in 0..<40 {
            rig.key("Right")
            rig.pass(to: rig.now + 300)
        }
        #expect(rig.browser.viewer.index == 41)
        rig.key("Escape")
        let cell = try #require(rig.cell(41))
        #expect(cell.y >= 0 && cell.maxY <= 800)
        rig.rest()
        #expect(rig.browser.mode == .grid)
    }

    @Test func dismissalQuitsWhenOpenedFromTheCommandLine() {
        var rig = Rig(.viewer)
        rig.throwAway(from: Point(x: 640, y: 200), by: Vector(dx: 0, dy: 300))
        rig.rest()
        #expect(rig.effects.contains(.quit))
    }

    @Test func theGridKeyLeadsToTheGridFromAnywhere() {
        var rig = Rig(.viewer)
        rig.key("g")
        #expect(rig.frame.grid != nil)
        rig.rest()
        #expect(rig.browser.mode == .grid)
        // From now on a dismissal leads to the grid.
        rig.tap(second)
        rig.rest()
        rig.key("Escape")
        rig.rest()
        #expect(rig.browser.mode == .grid)
        #expect(!rig.effects.contains(.quit))
    }

    @Test func settingsSayWhereADismissalLeads() throws {
        var settings = ViewerSettings()
        settings.dismiss = .quit
        var rig = Rig(settings: settings)
        rig.tap(second)
        rig.rest()
        rig.throwAway(from: Point(x: 640, y: 200), by: Vector(dx: 0, dy: 300))
        rig.rest()
        #expect(rig.effects.contains(.quit))
        settings.dismiss = .grid
        var other = Rig(.viewer, settings: settings)
        other.throwAway(from: Point(x: 640, y: 200), by: Vector(dx: 0, dy: 300))
        other.rest()
        #expect(other.browser.mode == .grid)
    }

    @Test func anUnloadedPictureOpensWhenItArrives() throws {
        var rig = Rig()
        rig.isWithheld = true
        rig.tap(second)
        rig.pass(to: rig.now + 200)
        #expect(rig.browser.mode == .grid)
        #expect(rig.browser.wanted == [1])
        rig.isWithheld = false
        rig.load()
        #expect(rig.browser.mode == .viewer)
        #expect(try #require(rig.flying).rect.height < 300)
    }

    @Test func reducedMotionHasNoTransition() {
        var settings = ViewerSettings()
        settings.reducedMotion = true
        var rig = Rig(settings: settings)
        rig.tap(second)
        #expect(rig.flying?.rect.width == 1200)
        rig.key("Escape")
        rig.pass(to: rig.now + 20)
        #expect(rig.browser.mode == .grid)
    }

    @Test func theSelectionStaysWhenPicturesAreRemoved() throws {
        var rig = Rig()
        rig.tap(second)
        rig.rest()
        // The first picture is removed: number 1 is now number 0.
        var effects: [ViewerEffect] = []
        rig.hands.target.update(
            to: GridContents(count: 59), mapping: { $0 == 0 ? nil : $0 - 1 },
            nearest: { max($0 - 1, 0) }, at: rig.moment, effects: &effects)
        #expect(rig.browser.viewer.index == 0)
        #expect(rig.flying?.rect.width == 1200)
        // The selected picture is removed: the next one takes its index.
        rig.hands.target.update(
            to: GridContents(count: 58), mapping: { $0 == 0 ? nil : $0 - 1 },
            nearest: { max($0 - 1, 0) }, at: rig.moment, effects: &effects)
        #expect(rig.browser.viewer.index == 0)
        #expect(effects.last == .want)
    }
}
