import Commands
import CoreTestKit
import Geometry
import Gestures
import Grid
import Input
import Interface
import Motion
import SceneModel
import Testing
import Viewer

@testable import Browser

/// Messages for a limited time, in the grid, in the viewer and between the two.
@Suite struct MessageTests {
    private static let undoable = Toast("Sorted", undo: .help)

    private func rig(_ mode: BrowserModel.Mode) -> BrowserRig {
        var rig = BrowserRig(mode)
        rig.rest()
        return rig
    }

    /// The bars of a frame are dim below a sheet, in both modes.
    @Test(arguments: [BrowserModel.Mode.grid, .viewer]) func theHelpDimsTheBars(
        mode: BrowserModel.Mode
    ) {
        var rig = rig(mode)
        if mode == .viewer { rig.show(Toast("Saved")) }
        func brightest() -> Double {
            var layers: [LayerItem] = []
            for case .layer(let layer) in rig.frame.scene.items { layers.append(layer) }
            // The last layer is the help, while the help is shown.
            if rig.browser.chrome.showsHelp { layers.removeLast() }
            var most = 0.0
            for layer in layers {
                for case .text(let label) in layer.elements { most = max(most, label.color.red) }
            }
            return most
        }
        let before = brightest()
        rig.key("question")
        #expect(before > 0.9 && abs(brightest() - 0.55 * before) < 1e-6)
    }

    @Test func aMessageGoesOnInTheGrid() {
        var rig = rig(.viewer)
        let start = rig.now
        rig.show(Toast("Saved"))
        rig.pass(to: start + 2000)
        rig.key("g")
        // The message is also visible on the way.
        while rig.browser.mode == .viewer, rig.now < start + 4000 {
            #expect(rig.frame.toast == "Saved")
            rig.pass(to: rig.now + 8)
        }
        #expect(rig.browser.mode == .grid)
        rig.pass(to: start + 4990)
        #expect(rig.frame.toast == "Saved")
        #expect(rig.browser.deadline == Moment(milliseconds: start + 5000))
        rig.pass(to: start + 5000)
        #expect(rig.frame.toast == nil)
    }

    @Test func aMessageGoesOnInTheViewer() {
        var rig = rig(.grid)
        let start = rig.now
        rig.show(Toast("Saved"))
        rig.show(Toast("Sorted"))
        rig.pass(to: start + 1000)
        rig.key("Return")
        #expect(rig.browser.mode == .viewer && rig.frame.toast == "Saved")
        rig.pass(to: start + 4990)
        #expect(rig.frame.toast == "Saved")
        rig.pass(to: start + 5000)
        #expect(rig.frame.toast == "Sorted")
    }

    /// What `viewer.keep_zoom` says concerns the pictures of the viewer.
    @Test func aMessageAboutThePictureEndsWithIt() {
        var rig = rig(.viewer)
        rig.key("k")
        rig.show(Toast("Saved"))
        #expect(rig.frame.toast == "The next picture keeps zoom and place")
        rig.key("g")
        #expect(rig.frame.toast == "Saved")
    }

    @Test func aMessageGoesOnWhenTheListingIsEmpty() {
        var rig = rig(.viewer)
        rig.show(Toast("Moved to the trash"))
        var effects: [ViewerEffect] = []
        rig.hands.target.update(
            to: GridContents(count: 0), mapping: { _ in nil }, nearest: { _ in nil },
            at: rig.moment, effects: &effects)
        #expect(rig.browser.mode == .grid && rig.frame.toast == "Moved to the trash")
    }

    @Test(arguments: [BrowserModel.Mode.grid, .viewer], [BrowserModel.Mode.grid, .viewer])
    func aMessageGoesOnInANewAlbum(_ former: BrowserModel.Mode, _ mode: BrowserModel.Mode) {
        var old = rig(former)
        old.show(Toast("Not a file"))
        old.show(Toast("Not a file, either"))
        old.pass(to: old.now + 1000)
        var new = BrowserRig(mode)
        new.pass(to: old.now)
        new.hands.target.receiveMessages(from: old.browser, at: new.moment)
        #expect(new.frame.toast == "Not a file")
        #expect(
            new.browser.deadline.map { $0 <= new.moment.advanced(byMilliseconds: 4000) } == true)
        new.pass(to: new.now + 4000)
        #expect(new.frame.toast == "Not a file, either")
    }

    // MARK: The button

    @Test(arguments: [BrowserModel.Mode.grid, .viewer], ["Return", "space"])
    func theButtonIsPressedByKeys(_ mode: BrowserModel.Mode, _ key: String) {
        var rig = rig(mode)
        rig.show(Self.undoable)
        rig.show(Toast("next", undo: .fullscreen))
        rig.key("Tab")
        rig.key(key)
        // The command has been performed once, and the focus is not on the button of the next one.
        #expect(rig.showsHelp && rig.frame.toast == "next")
        rig.key("Escape")
        rig.key(key)
        #expect(!rig.effects.contains(.window(.toggleFullscreen)))
    }

    @Test(arguments: [BrowserModel.Mode.grid, .viewer])
    func aMessageWithTheFocusStays(_ mode: BrowserModel.Mode) {
        var rig = rig(mode)
        rig.show(Self.undoable)
        rig.key("Tab")
        rig.pass(to: rig.now + 60_000)
        #expect(rig.frame.toast == "Sorted")
        rig.key("Tab")
        rig.pass(to: rig.now + 9900)
        #expect(rig.frame.toast == "Sorted")
        rig.pass(to: rig.now + 200)
        #expect(rig.frame.toast == nil)
    }

    /// A message lies over the settings page, which it may be about.
    @Test(arguments: [BrowserModel.Mode.grid, .viewer], [true, false])
    func theButtonOverThePageOfSettingsIsPressed(_ mode: BrowserModel.Mode, byFinger: Bool) throws {
        var rig = rig(mode)
        rig.hands.target.showSettings(SettingsPage([]), at: rig.moment)
        rig.show(Toast("Changed", undo: .fullscreen))
        rig.pass(to: rig.now + 1000)
        let widget = rig.browser.interface(title: "", name: { "\($0)" }, at: rig.moment)
        let button = try #require(widget.widget("toast-action")).rect.center
        #expect(widget.readable(at: button)?.id == "toast-action")
        rig.effects = []
        if byFinger {
            rig.tap(button)
        } else {
            rig.hands.target.press("toast-action", at: rig.moment, effects: &rig.effects)
        }
        #expect(rig.effects.contains(.window(.toggleFullscreen)))
        #expect(rig.frame.toast == nil && rig.browser.showsSettings)
    }

    /// The button is above the grid while the picture is still on its way.
    @Test func theButtonIsPressedDuringTheReturn() throws {
        var rig = rig(.viewer)
        rig.show(Self.undoable)
        rig.key("g")
        rig.pass(to: rig.now + 40)
        let widget = rig.browser.interface(title: "", name: { "\($0)" }, at: rig.moment)
        let button = try #require(widget.widget("toast-action")).rect
        #expect(rig.browser.viewer.isReturningToCell)
        rig.touch([.down(id: 0, at: button.center)])
        rig.touch([.up(id: 0)], after: 8)
        #expect(rig.frame.toast == nil && rig.showsHelp)
        #expect(rig.browser.mode == .grid && rig.frame.grid?.cells.isEmpty == false)
    }
}
