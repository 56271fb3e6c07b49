import Commands
import CoreTestKit
import Geometry
import Gestures
import Grid
import Input
import SceneModel
import Testing

@testable import Browser
@testable import Interface

/// The menus over the grid.
@Suite struct GridMenuTests {
    private func menuButton(_ rig: BrowserRig) throws -> Point {
        try #require(rig.browser.gridBars.widgets.lazy.compactMap { $0.widget("menu") }.first)
            .rect.center
    }

    private func showsKeys(_ rig: BrowserRig) throws -> Bool {
        let widget = try #require(rig.browser.chrome.menu).widget
        return widget.children.contains {
            if case .row(let row) = $0.face { row.detailWidth > 0 } else { false }
        }
    }

    /// A menu without rows has no button: a page is printed of one picture only.
    @Test func theButtonOfAnEmptyMenuIsLeftOut() {
        var layout = BarLayout(surface: BrowserRig.surface, theme: Theme(), text: .fixed)
        layout.policy = CommandPolicy([.print, .rotateClockwise])
        for (mode, count) in [(CommandMode.viewer, 1), (.grid, 1), (.grid, 2)] {
            var menus = FileMenus(mode, on: layout, FileFacts())
            menus.count = count
            #expect(menus.send.isEmpty == (count > 1))
            #expect(menus.hasSend == !menus.send.isEmpty)
            #expect(menus.edit.isEmpty == (mode == .grid))
            #expect(menus.hasEdit == !menus.edit.isEmpty)
        }
    }

    /// At the end of the steps the button has nothing left to do, and says so.
    @Test(arguments: [("minus", "zoom-out", "zoom-in"), ("plus", "zoom-in", "zoom-out")])
    func theLastStepDimsItsButton(key: String, ended: String, other: String) throws {
        var rig = BrowserRig()
        func isDimmed(_ id: String) throws -> Bool {
            try #require(rig.browser.gridBars.widgets.lazy.compactMap { $0.widget(id) }.first)
                .states.contains(.disabled)
        }
        rig.key("plus")
        rig.rest()
        #expect(try !isDimmed(ended) && !isDimmed(other))
        for _ in 0..<40 { rig.key(key) }
        rig.rest()
        #expect(try isDimmed(ended) && !isDimmed(other))
    }

    @Test func theMenuKeyOpensAndClosesTheMenu() {
        var rig = BrowserRig()
        rig.rest()
        rig.key("Menu")
        #expect(rig.browser.chrome.showsMenu)
        rig.key("Menu")
        #expect(!rig.browser.chrome.showsMenu)
        rig.key("question")
        rig.key("Menu")
        #expect(!rig.browser.chrome.showsHelp && !rig.browser.chrome.showsMenu)
    }

    /// The button that had the focus has gone with the selection; Space is no press of a button then.
    @Test func spaceDoesNotOpenAPictureAfterItsButtonHasGone() {
        var rig = BrowserRig()
        rig.rest()
        rig.hands.target.grid.setSelecting(true)
        while rig.browser.chrome.focusedWidget != "selection-end" { rig.key("Tab") }
        rig.key("Return")
        #expect(!rig.browser.grid.isSelecting)
        rig.key("space")
        rig.rest()
        #expect(rig.browser.mode == .grid)
    }

    /// A finger, the mouse, and the focus with Return open the same menu; only a finger's has no keys.
    @Test func theMenuShowsKeysUnlessItWasOpenedByTouch() throws {
        var rig = BrowserRig()
        rig.rest()
        let button = try menuButton(rig)
        rig.tap(button)
        #expect(try !showsKeys(rig))
        rig.key("Escape")
        rig.send(.pointer(.move(to: button)))
        rig.send(.pointer(.button(.left, isDown: true)))
        rig.send(.pointer(.button(.left, isDown: false)))
        #expect(try showsKeys(rig))
        rig.key("Escape")
        rig.tap(button)
        #expect(try !showsKeys(rig))
        rig.key("Escape")
        rig.send(.pointer(.leave))
        // The menu's button is the last of the header.
        rig.key("ISO_Left_Tab")
        rig.key("Return")
        #expect(try showsKeys(rig))
    }
}
