import Commands
import CoreTestKit
import Geometry
import Gestures
import Grid
import Input
import Interface
import Motion
import TOML
import Testing

@testable import Browser
@testable import Viewer

/// The settings page over the grid and over a picture.
@Suite struct SettingsPageTests {
    private static let flag = "setting/viewer.enlarge"

    private static let page = SettingsPage.sample()

    /// A browser whose settings page was opened by its key.
    private func rig(_ mode: BrowserModel.Mode) -> BrowserRig {
        var rig = BrowserRig(mode)
        rig.rest()
        rig.effects = []
        rig.send(.key(KeyEvent(name: "comma", modifiers: .control)))
        #expect(rig.effects == [.openSettings])
        rig.effects = []
        rig.hands.target.showSettings(Self.page, at: rig.moment)
        rig.pass(to: rig.now + 1000)
        return rig
    }

    private func widget(_ id: String, _ rig: BrowserRig) -> Widget? {
        rig.browser.interface(title: "", name: { "\($0)" }, at: rig.moment).widget(id)
    }

    @Test(arguments: [BrowserModel.Mode.grid, .viewer])
    func theMenuHasThePage(mode: BrowserModel.Mode) {
        let rig = BrowserRig(mode)
        let items =
            mode == .grid
            ? rig.browser.gridBars.items(of: .grid) : rig.browser.viewer.items(of: .picture)
        #expect(items.contains { $0.command == .settings && $0.detail == "Ctrl+," })
    }

    /// Keys of a person's own work over grid and picture, and menus name them.
    @Test(arguments: [BrowserModel.Mode.grid, .viewer])
    func ownKeysOpenThePage(mode: BrowserModel.Mode) throws {
        var rig = BrowserRig(mode)
        rig.rest()
        var keys = KeyMap()
        try keys.set(["F7"], of: .settings)
        rig.hands.target.setKeys(keys)
        rig.effects = []
        rig.send(.key(KeyEvent(name: "comma", modifiers: .control)))
        #expect(rig.effects.isEmpty)
        rig.key("F7")
        #expect(rig.effects == [.openSettings])
        let items =
            mode == .grid
            ? rig.browser.gridBars.items(of: .grid) : rig.browser.viewer.items(of: .picture)
        #expect(items.first { $0.command == .settings }?.detail == "F7")
        rig.hands.target.showSettings(Self.page, at: rig.moment)
        rig.key("F7")
        #expect(!rig.browser.showsSettings)
    }

    @Test(arguments: [BrowserModel.Mode.grid, .viewer])
    func keysAreForThePage(mode: BrowserModel.Mode) {
        var rig = rig(mode)
        #expect(rig.frame.showsSettings && rig.frame.focus == "setting/interface.colors")
        for key in ["b", "q", "s", "Delete", "g"] { rig.key(key) }
        #expect(rig.effects.isEmpty && rig.browser.mode == mode)
        for _ in 0..<4 { rig.key("Down") }
        rig.key("space")
        #expect(rig.effects == [.changeSettings(.set("viewer.enlarge", .flag(true)))])
        rig.key("Escape")
        #expect(!rig.browser.showsSettings && rig.browser.mode == mode)
    }

    @Test(arguments: [BrowserModel.Mode.grid, .viewer])
    func fingersAreForThePage(mode: BrowserModel.Mode) throws {
        var rig = rig(mode)
        let row = try #require(widget(Self.flag, rig)).rect.center
        let before = rig.frame.grid?.scroll
        rig.touch([.down(id: 0, at: row)], after: 100)
        for step in 1...10 {
            rig.touch([.move(id: 0, to: row - Vector(dx: 0, dy: Double(step) * 10))], after: 8)
        }
        rig.pass(to: rig.now + 100)
        rig.touch([.up(id: 0)])
        rig.pass(to: rig.now + 1000)
        #expect(rig.frame.grid?.scroll == before && rig.effects.isEmpty)
        let moved = try #require(widget(Self.flag, rig)).rect.center
        #expect(abs(moved.y - row.y + 100) < 40)
        rig.tap(moved)
        rig.pass(to: rig.now + 50)
        #expect(rig.effects == [.changeSettings(.set("viewer.enlarge", .flag(true)))])
        rig.effects = []
        rig.tap(Point(x: 10, y: 400))
        rig.pass(to: rig.now + 500)
        #expect(!rig.browser.showsSettings && rig.effects.isEmpty && rig.browser.mode == mode)
    }

    /// Each of several quick taps counts, and a finger that flings the list leaves it moving.
    @Test(arguments: [BrowserModel.Mode.grid, .viewer])
    func quickTapsAndFlings(mode: BrowserModel.Mode) throws {
        var rig = rig(mode)
        for _ in 0..<40 where widget("setting/slideshow.interval/more", rig) == nil {
            rig.key("Down")
            rig.pass(to: rig.now + 1000)
        }
        let more = try #require(widget("setting/slideshow.interval/more", rig)).rect.center
        for _ in 0..<3 { rig.tap(more) }
        #expect(rig.effects.count == 3)
        let middle = Point(x: 500, y: 600)
        rig.touch([.down(id: 0, at: middle)], after: 100)
        for step in 1...6 {
            rig.touch([.move(id: 0, to: middle + Vector(dx: 0, dy: Double(step) * 30))], after: 8)
        }
        rig.touch([.up(id: 0)], after: 4)
        #expect(rig.browser.isAnimating(at: rig.moment))
        rig.rest()
        #expect(!rig.browser.isAnimating(at: rig.moment), "nothing moves at rest")
    }

    /// While a command waits for a key, all keys are for it, also those that close the page or quit.
    @Test(arguments: [BrowserModel.Mode.grid, .viewer])
    func aCommandWaitsForAKey(mode: BrowserModel.Mode) {
        var rig = rig(mode)
        rig.key("End")
        rig.key("Return")
        #expect(rig.frame.focus == "setting/keys.left")
        rig.key("Return")
        rig.send(.key(KeyEvent(name: "Shift_L")))
        rig.send(.key(KeyEvent(name: "q", modifiers: .control)))
        rig.send(.key(KeyEvent(name: "comma", modifiers: .control)))
        #expect(rig.effects.isEmpty && rig.browser.showsSettings && rig.browser.mode == mode)
        rig.key("F7")
        #expect(rig.effects == [.changeSettings(.set("keys.left", .string("F7")))])
    }

    /// A command that waits for a key waits no more once its page has gone.
    @Test(arguments: [BrowserModel.Mode.grid, .viewer])
    func aPageThatGoesWaitsForNothing(mode: BrowserModel.Mode) {
        var rig = rig(mode)
        for key in ["End", "Return", "Return"] { rig.key(key) }
        rig.hands.target.hideSettings(at: rig.moment)
        rig.key("F7")
        rig.hands.target.showSettings(Self.page, at: rig.moment)
        rig.key("F7")
        #expect(rig.effects.isEmpty && rig.browser.showsSettings)
    }

    /// The waiting command moves along with the page.
    @Test func aWaitingCommandMovesAlongToTheGrid() {
        var rig = rig(.viewer)
        for key in ["End", "Return", "Return"] { rig.key(key) }
        var effects: [ViewerEffect] = []
        rig.hands.target.update(
            to: GridContents(count: 0), mapping: { _ in nil }, nearest: { _ in nil },
            at: rig.moment, effects: &effects)
        rig.key("F7")
        #expect(rig.effects == [.changeSettings(.set("keys.left", .string("F7")))])
    }

    @Test func thePageMovesAlongToTheGrid() {
        var rig = rig(.viewer)
        var effects: [ViewerEffect] = []
        rig.hands.target.update(
            to: GridContents(count: 0), mapping: { _ in nil }, nearest: { _ in nil },
            at: rig.moment, effects: &effects)
        #expect(rig.browser.mode == .grid && rig.browser.showsSettings)
        #expect(widget(Self.flag, rig) != nil)
    }

    /// What assistive technology presses changes a setting; what lies below cannot be pressed.
    @Test(arguments: [BrowserModel.Mode.grid, .viewer])
    func assistiveTechnologyPressesSwitches(mode: BrowserModel.Mode) {
        var rig = rig(mode)
        var effects: [ViewerEffect] = []
        rig.hands.target.setFocus(Self.flag, at: rig.moment)
        #expect(rig.frame.focus == Self.flag)
        rig.hands.target.press(Self.flag, at: rig.moment, effects: &effects)
        rig.hands.target.press("picture/3", at: rig.moment, effects: &effects)
        #expect(effects == [.changeSettings(.set("viewer.enlarge", .flag(true)))])
    }

    @Test(arguments: [BrowserModel.Mode.grid, .viewer])
    func thePageIsClosedFromOutside(mode: BrowserModel.Mode) {
        var rig = rig(mode)
        rig.hands.target.hideSettings(at: rig.moment)
        #expect(!rig.browser.showsSettings)
        rig.rest()
        #expect(widget("settings", rig) == nil && rig.effects.isEmpty)
    }

    @Test func aQuestionTakesThePlaceOfThePage() {
        var rig = rig(.grid)
        rig.hands.target.setPrompt(Prompt(.deleteForGood, "Delete?"), at: rig.moment)
        #expect(!rig.browser.showsSettings && rig.browser.prompt != nil)
    }
}
