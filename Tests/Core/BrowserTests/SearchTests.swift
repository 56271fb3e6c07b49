import Grid
import Input
import Interface
import Testing
import Viewer

@testable import Browser

/// The field of a search in the header of the grid.
@Suite struct SearchTests {
    private func searched(_ rig: BrowserRig) -> [String?] {
        rig.effects.compactMap { if case .search(let text) = $0 { .some(text) } else { nil } }
    }

    private func field(_ rig: BrowserRig) -> Widget? {
        rig.browser.interface(title: "", name: { "\($0)" }, at: rig.moment)
            .widget(SearchBar.field)
    }

    @Test func keysTypeIntoTheField() {
        var rig = BrowserRig(.grid)
        rig.key("slash", text: "/")
        for letter in ["a", "b", "q"] { rig.key(letter, text: letter) }
        #expect(searched(rig) == ["a", "ab", "abq"])
        #expect(field(rig)?.description == "abq")
        rig.key("BackSpace")
        #expect(searched(rig).last == "ab")
        // Keys are commands again after Return, and the text stays.
        rig.key("Return")
        #expect(field(rig)?.description == "ab")
        #expect(rig.browser.grid.focus == 0)
        rig.key("Right")
        #expect(rig.browser.grid.focus == 1)
        rig.key("Escape")
        #expect(searched(rig).last == .some(nil))
        #expect(field(rig) == nil)
        #expect(!rig.effects.contains(.quit))
    }

    @Test func escapeInTheFieldShowsAllAgain() {
        var rig = BrowserRig(.grid)
        rig.key("f", modifiers: .control)
        rig.key("x", text: "x")
        rig.key("Escape")
        #expect(searched(rig) == ["x", nil])
        #expect(field(rig) == nil)
    }
}
