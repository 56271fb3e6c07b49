import Commands
import Geometry
import Gestures
import Input
import Motion
import SceneModel
import Testing

@testable import Interface
@testable import Viewer

@Suite struct MenuTests {
    private func open() -> Rig {
        var rig = Rig()
        rig.touch([.down(id: 0, at: Point(x: 900, y: 300))], after: 50)
        rig.pass(to: rig.now + 600)
        return rig
    }

    @Test func aLongPressOpensTheMenuAtTheFinger() throws {
        var rig = open()
        #expect(rig.frame.showsMenu)
        #expect(rig.viewer.chrome.menu?.rect.x == 900)
        rig.touch([.up(id: 0)], after: 300)
        #expect(rig.frame.showsMenu)
        try rig.choose("View", "Actual size")
        #expect(!rig.frame.showsMenu)
        rig.rest()
        #expect(rig.placement.zoom == 1)
    }

    @Test func aTapBesideTheMenuOnlyClosesIt() {
        var rig = open()
        rig.touch([.up(id: 0)], after: 100)
        rig.tap(Point(x: 200, y: 900))
        rig.pass(to: rig.now + 500)
        #expect(!rig.frame.showsMenu)
        #expect(!rig.frame.showsChrome)
    }

    @Test func aDragOnTheMenuDoesNotMoveThePicture() throws {
        var rig = open()
        rig.touch([.up(id: 0)], after: 100)
        let before = rig.placement
        let row = try #require(rig.viewer.chrome.menu).row(0).center
        rig.drag(from: row, by: Vector(dx: 0, dy: 90), speed: 400)
        #expect(rig.placement == before)
        #expect(rig.frame.showsMenu)
    }

    @Test func keysControlTheMenu() {
        var rig = Rig()
        rig.key("Menu")
        while rig.viewer.chrome.menu?.focusedAction != .openMenu(.view) { rig.key("Down") }
        rig.key("Return")
        // The row that leads back comes before the first row of the part.
        #expect(rig.viewer.chrome.menu?.focusedAction == .command(.fit))
        rig.key("Down")
        #expect(rig.viewer.chrome.menu?.focusedAction == .command(.oneToOne))
        rig.key("Return")
        rig.rest()
        #expect(rig.placement.zoom == 1)
        rig.key("Menu")
        rig.key("Escape")
        #expect(!rig.frame.showsMenu)
        #expect(rig.effects.isEmpty)
    }

    /// The list of zoom steps has the whole picture and the percentages that are possible, one of them checked.
    @Test func theZoomIsChosenFromAList() throws {
        var rig = Rig()
        rig.key("Menu")
        while rig.viewer.chrome.menu?.focusedAction != .openMenu(.view) { rig.key("Down") }
        rig.key("Return")
        while rig.viewer.chrome.menu?.focusedAction != .openMenu(.zoom) { rig.key("Down") }
        rig.key("Return")
        let menu = try #require(rig.viewer.chrome.menu)
        #expect(menu.items[0].action == .openMenu(.view) && menu.items[1].isChecked == true)
        let percentages = menu.items.compactMap {
            if case .zoom(let percent) = $0.action { percent } else { nil }
        }
        #expect(percentages.contains(100) && percentages.contains(200))
        let range = rig.viewer.goalLimits.range
        #expect(percentages.allSatisfy { range.contains(Double($0) / 100) })
        #expect(!percentages.contains(3200))
        while rig.viewer.chrome.menu?.focusedAction != .zoom(percent: 200) { rig.key("Down") }
        rig.key("Return")
        rig.rest()
        #expect(abs(rig.placement.zoom - 2) < 1e-6)
        rig.key("Menu")
        let items = rig.viewer.items(of: .zoom)
        #expect(items.filter { $0.isChecked == true }.map(\.action) == [.zoom(percent: 200)])
    }

    private func showsKeys(_ rig: Rig) throws -> Bool {
        let widget = try #require(rig.viewer.chrome.menu).widget
        return widget.children.contains {
            if case .row(let row) = $0.face { row.detailWidth > 0 } else { false }
        }
    }

    /// A long press by a finger opens a menu without keys, also after the mouse was used.
    @Test func theMenuShowsKeysUnlessItWasOpenedByTouch() throws {
        var rig = open()
        #expect(try !showsKeys(rig))
        rig.touch([.up(id: 0)], after: 100)
        rig.key("Escape")
        rig.key("Menu")
        #expect(try showsKeys(rig))
        rig.key("Escape")
        rig.send(.pointer(.move(to: Point(x: 600, y: 300))))
        rig.send(.pointer(.button(.right, isDown: true)), at: rig.now + 20)
        #expect(try showsKeys(rig))
        rig.send(.pointer(.button(.right, isDown: false)), at: rig.now + 20)
        rig.key("Escape")
        rig.touch([.down(id: 0, at: Point(x: 900, y: 300))], after: 500)
        rig.pass(to: rig.now + 600)
        #expect(try !showsKeys(rig))
    }

    /// Lines separate work on the file, its marks, what is shown, and the rest.
    @Test func theMenuHasSections() throws {
        var rig = Rig()
        rig.key("Menu")
        let items = try #require(rig.viewer.chrome.menu).items
        #expect(
            items.map(\.title) == [
                "Edit", "Share and open", "File", "Favourite", "Rate…", "View", "Pictures",
                "Undo", "Redo", "Settings…", "Help", "Close",
            ])
        #expect(
            items.filter(\.beginsSection).map(\.title) == [
                "Edit", "Favourite", "View", "Undo", "Settings…",
            ])
    }

    /// Undo and Redo name what they concern, and are dim where there is nothing.
    @Test func theMenuOffersToUndo() throws {
        var rig = Rig()
        var files = FileFacts()
        files.undoTitle = "deletion"
        rig.interaction.target.setFiles(files)
        rig.key("Menu")
        let items = try #require(rig.viewer.chrome.menu).items
        #expect(items.first { $0.command == .undo }?.title == "Undo deletion")
        #expect(items.first { $0.command == .redo }?.isEnabled == false)
        try rig.choose("Undo deletion")
        #expect(rig.effects == [.files(.undo)])
    }

    /// A kiosk that allows a few commands has them in one menu.
    @Test func aShortMenuHasNoParts() throws {
        var rig = Rig()
        rig.interaction.target.setPolicy(
            CommandPolicy([.menu, .fit, .oneToOne, .favourite, .copy]))
        rig.key("Menu")
        let items = try #require(rig.viewer.chrome.menu).items
        #expect(items.map(\.title) == ["Copy", "Favourite", "Fit to window", "Actual size"])
    }

    /// A button at the bottom opens its menu above itself, and closes it again.
    @Test func buttonsOpenTheirMenus() throws {
        var rig = Rig()
        rig.key("Return")
        rig.pass(to: rig.now + 500)
        let moment = Moment(milliseconds: rig.now)
        let button = try #require(rig.viewer.bars(at: moment).bottomButton(for: .openMenu(.edit)))
        rig.tap(button.rect.center)
        let menu = try #require(rig.viewer.chrome.menu)
        #expect(menu.rect.maxY <= button.rect.y && menu.items.first?.title == "Rotate left")
        #expect(menu.items.allSatisfy { $0.icon != .back })
        rig.tap(button.rect.center)
        #expect(!rig.frame.showsMenu)
    }

    /// The menu of an animated picture has items to pause and to step.
    @Test func anAnimationHasItsItems() throws {
        var rig = Rig()
        rig.interaction.target.setPlayback(.playing)
        rig.touch([.down(id: 0, at: Point(x: 900, y: 300))], after: 50)
        rig.pass(to: rig.now + 600)
        rig.touch([.up(id: 0)], after: 100)
        try rig.choose("View", "Pause")
        #expect(rig.effects.contains(.playPause))
        #expect(!rig.frame.showsMenu)
        rig.interaction.target.setPlayback(.paused)
        rig.key("Menu")
        try rig.choose("View")
        #expect(rig.viewer.chrome.menu?.items.contains { $0.title == "Play" } == true)
        try rig.choose("Next frame")
        #expect(rig.effects.contains(.nextFrame))
        // A still picture has no animation items.
        rig.interaction.target.setPlayback(nil)
        let effectCount = rig.effects.count
        rig.key("p")
        rig.key("Menu")
        try rig.choose("View")
        let titles = try #require(rig.viewer.chrome.menu).items.map(\.title)
        #expect(rig.effects.count == effectCount && !titles.contains("Next frame"))
    }

    @Test(arguments: [0.2, 0.5])
    func aTapOnTheFilmstripOnlyClosesTheMenu(place: Double) throws {
        let sizes = Array(repeating: PixelSize(width: 3000, height: 2000), count: 10)
        var rig = Rig(sizes, on: Size(width: 1280, height: 800), index: 4)
        rig.tap(Point(x: 640, y: 300))
        rig.pass(to: rig.now + 400)
        rig.touch([.down(id: 0, at: Point(x: 640, y: 300))], after: 50)
        rig.pass(to: rig.now + 600)
        rig.touch([.up(id: 0)], after: 50)
        #expect(rig.frame.showsMenu && rig.frame.showsChrome)
        let strip = try #require(
            rig.viewer.bars(at: Moment(milliseconds: rig.now)).filmstrip?.rect)
        rig.tap(Point(x: strip.x + strip.width * place + 60, y: strip.center.y))
        rig.pass(to: rig.now + 500)
        #expect(!rig.frame.showsMenu && rig.viewer.index == 4)
    }

    /// A tap that was meant to hide the bars does not show them again.
    @Test func barsDoNotLeaveBetweenATapAndItsEffect() {
        for early in [700.0, 400, 300, 200, 100] {
            var rig = Rig()
            rig.tap(Point(x: 960, y: 540))
            rig.pass(to: rig.now + 400)
            while rig.frame.showsChrome { rig.pass(to: rig.now + 5) }
            let life = rig.now
            rig = Rig()
            rig.tap(Point(x: 960, y: 540))
            rig.pass(to: life - early)
            #expect(rig.frame.showsChrome)
            rig.tap(Point(x: 960, y: 540))
            rig.pass(to: rig.now + 800)
            let isShown = rig.frame.showsChrome
            #expect(!isShown, "\(early) ms before the bars leave")
        }
    }

    /// A drag that follows another within a second keeps no bars.
    @Test func barsLeaveWhileAPersonPans() {
        var rig = Rig()
        for _ in 0..<6 { rig.key("plus") }
        rig.rest()
        rig.tap(Point(x: 960, y: 540))
        rig.pass(to: rig.now + 400)
        let isShown = rig.frame.showsChrome
        #expect(isShown)
        let end = rig.now + 3100
        var side = 1.0
        while rig.now < end {
            rig.drag(from: Point(x: 960, y: 540), by: Vector(dx: 120 * side, dy: 0), rest: 200)
            rig.pass(to: rig.now + 300)
            side = -side
        }
        let remains = rig.frame.showsChrome
        #expect(!remains)
    }

    @Test func aTouchThatStartsOnTheBarLeavesThePictureAlone() {
        var rig = Rig()
        rig.tap(Point(x: 960, y: 540))
        rig.pass(to: rig.now + 400)
        #expect(rig.frame.showsChrome)
        let before = rig.placement
        rig.drag(from: Point(x: 30, y: 30), by: Vector(dx: 0, dy: 600), speed: 3000)
        #expect(rig.placement == before)
        #expect(rig.effects.isEmpty)
        // A second finger controls the picture at the same time.
        rig.touch([.down(id: 5, at: Point(x: 30, y: 30))], after: 50)
        rig.drag(from: Point(x: 960, y: 500), by: Vector(dx: 0, dy: 200), rest: 100, lifts: false)
        #expect(rig.frame.activity == .dismiss)
        rig.touch([.up(id: 0)], after: 100)
        rig.touch([.up(id: 5)], after: 10)
        rig.rest()
        rig.tap(Point(x: 30, y: 30))
        #expect(rig.effects == [.quit])
    }
}

/// States of the chrome that must not get stuck.
@Suite struct ChromeStateTests {
    private func rig(count: Int = 3) -> Rig { Rig(Array(repeating: Rig.photo, count: count)) }

    /// Help that opens while a finger drags the information panel does not keep the panel held.
    @Test func helpDoesNotKeepAPanelHeld() {
        var rig = rig()
        rig.interaction.target.setInformation(InformationTests.information(80), isOther: true)
        rig.key("i")
        rig.rest()
        rig.drag(from: Point(x: 1700, y: 500), by: Vector(dx: 0, dy: -100), lifts: false)
        rig.key("question")
        rig.touch([.up(id: 0)], after: 50)
        rig.key("Escape")
        rig.key("i")
        rig.rest()
        rig.drag(from: Point(x: 900, y: 500), by: Vector(dx: 20, dy: 20), rest: 100)
        rig.rest()
        #expect(rig.frame.phase == .idle)
    }

    /// A filmstrip that is held while the picture leaves is not held for ever.
    @Test func theFilmstripIsReleasedWhenThePictureChanges() throws {
        var rig = rig(count: 12)
        rig.key("Return")
        rig.pass(to: rig.now + 500)
        let y = try #require(rig.frame.filmstrip.cells.first).rect.center.y
        rig.drag(from: Point(x: 960, y: y), by: Vector(dx: -200, dy: 0), lifts: false)
        #expect(rig.viewer.filmstrip.isHeld)
        rig.interaction.target.hideChrome(at: Moment(milliseconds: rig.now))
        #expect(!rig.viewer.filmstrip.isHeld)
    }

    /// The percentage is not edited any more once another picture is shown.
    @Test func aPageTurnEndsTheEditing() {
        var rig = rig()
        rig.send(.pointer(.move(to: Point(x: 1920 - 8 - 316 + 80, y: 1080 - 32))))
        rig.send(.pointer(.button(.left, isDown: true)), at: rig.now + 20)
        rig.send(.pointer(.button(.left, isDown: false)), at: rig.now + 50)
        let moment = Moment(milliseconds: rig.now)
        #expect(rig.viewer.textInput(at: moment) != nil)
        rig.drag(from: Point(x: 1200, y: 500), by: Vector(dx: -600, dy: 0), speed: 3000)
        rig.rest()
        #expect(rig.viewer.textInput(at: Moment(milliseconds: rig.now)) == nil)
        #expect(rig.viewer.index == 1)
    }
}
