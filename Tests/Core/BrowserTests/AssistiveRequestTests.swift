import Commands
import CoreTestKit
import Geometry
import Gestures
import Grid
import Input
import Interface
import Motion
import Testing
import Viewer

@testable import Browser

/// What assistive technology asks for, beyond presses.
@Suite struct AssistiveRequestTests {
    @Test func cellsAreSelectedAndDeselected() {
        var rig = BrowserRig()
        rig.rest()
        var effects: [ViewerEffect] = []
        rig.hands.target.setSelected(true, "picture/3", at: rig.moment, effects: &effects)
        rig.hands.target.setSelected(true, "picture/3", at: rig.moment, effects: &effects)
        rig.hands.target.setSelected(true, "picture/99999", at: rig.moment, effects: &effects)
        rig.hands.target.setSelected(true, "menu", at: rig.moment, effects: &effects)
        #expect(rig.browser.grid.selection == [3])
        rig.hands.target.setAllSelected(true, at: rig.moment, effects: &effects)
        #expect(rig.browser.grid.selection.count == 60)
        rig.hands.target.setSelected(false, "picture/3", at: rig.moment, effects: &effects)
        #expect(rig.browser.grid.selection.count == 59)
        rig.hands.target.setAllSelected(false, at: rig.moment, effects: &effects)
        #expect(rig.browser.grid.selection.isEmpty && !rig.browser.grid.isSelecting)
    }

    /// The help hides what lies below from it, too.
    @Test func coveredCellsAreNotSelected() {
        var rig = BrowserRig()
        rig.rest()
        rig.key("question")
        var effects: [ViewerEffect] = []
        rig.hands.target.setSelected(true, "picture/3", at: rig.moment, effects: &effects)
        rig.hands.target.setAllSelected(true, at: rig.moment, effects: &effects)
        #expect(rig.browser.grid.selection.isEmpty)
    }

    @Test func whatThePolicyForbidsIsNotSelected() {
        var rig = BrowserRig()
        rig.hands.target.setPolicy(.looking)
        rig.rest()
        var effects: [ViewerEffect] = []
        rig.hands.target.setSelected(true, "picture/3", at: rig.moment, effects: &effects)
        rig.hands.target.setAllSelected(true, at: rig.moment, effects: &effects)
        #expect(rig.browser.grid.selection.isEmpty && !rig.browser.grid.isSelecting)
    }

    /// As keys, requests are for the grid while a picture flies to its cell.
    @Test func cellsArePressedAndSelectedDuringTheReturn() {
        var rig = BrowserRig(.viewer)
        rig.rest()
        rig.key("g")
        rig.pass(to: rig.now + 40)
        #expect(rig.browser.viewer.isReturningToCell && rig.browser.mode == .viewer)
        let flying = rig
        rig.hands.target.setSelected(true, "picture/7", at: rig.moment, effects: &rig.effects)
        #expect(rig.browser.mode == .grid && rig.browser.grid.selection == [7])
        rig = flying
        rig.hands.target.press("picture/7", at: rig.moment, effects: &rig.effects)
        rig.load()
        rig.rest()
        #expect(rig.browser.mode == .viewer && rig.browser.viewer.index == 7)
    }

    /// A press of the field of a prompt is for the prompt, and not for the zoom of the picture below.
    @Test func theFieldOfAPromptGetsTheFocus() {
        var rig = BrowserRig(.viewer)
        rig.rest()
        var prompt = Prompt(.rename, "Name")
        (prompt.field, prompt.confirm) = ("a.jpg", "Rename")
        rig.hands.target.setPrompt(prompt, at: rig.moment)
        rig.rest()
        rig.key("Tab")
        #expect(rig.browser.textInput(at: rig.moment) == nil)
        rig.hands.target.press("prompt-field", at: rig.moment, effects: &rig.effects)
        #expect(rig.browser.textInput(at: rig.moment)?.text == "a.jpg")
        rig.hands.target.setPrompt(nil, at: rig.moment)
        rig.rest()
        #expect(rig.browser.textInput(at: rig.moment) == nil)
    }

    /// Of 100,000 pictures only the cells that are shown are in the tree.
    @Test func aLargeFolderHasASmallTree() throws {
        let model = BrowserModel(
            .grid, viewport: Viewport(size: BrowserRig.surface),
            contents: GridContents(count: 100_000), text: .fixed)
        let tree = AccessibleTree(
            model.interface(title: "", name: { "\($0)" }, at: .zero))
        #expect(tree.nodes.count < 200)
        let cell = try #require(tree.number(of: "picture/0").flatMap { tree.node($0) })
        #expect(cell.setPlace == Widget.Place(0, of: 100_000))
    }

    /// The text that stands for the picture describes its widget, until another one is shown.
    @Test func theAlternativeTextDescribesThePicture() {
        var rig = BrowserRig(.viewer)
        rig.rest()
        func description() -> String? {
            rig.browser.interface(title: "", name: { "\($0)" }, at: rig.moment)
                .widget("picture")?.description
        }
        #expect(description() == "3000 × 2000")
        rig.hands.target.viewer.setAlternativeText("A boat\u{7}", of: 0)
        #expect(description() == "A boat\u{FFFD}")
        rig.key("space")
        rig.rest()
        #expect(description() == "3000 × 2000")
    }

    /// Also without bars, and not while it changes.
    @Test func theZoomIsAnnouncedAtRest() {
        var rig = BrowserRig(.viewer)
        rig.rest()
        func announced() -> String? {
            rig.browser.interface(title: "", name: { "\($0)" }, at: rig.moment)
                .widget("picture")?.announced
        }
        #expect(announced() == "40 %")
        rig.key("1")
        rig.pass(to: rig.now + 16)
        #expect(announced() == nil)
        rig.rest()
        #expect(announced() == "100 %")
    }
}
