import Geometry
import Gestures
import Grid
import Input
import Interface
import Motion
import Testing
import Viewer

@testable import Browser

/// Exploring by touch, as a person does who uses a screen reader.
@Suite struct ReadingTests {
    private func rig(_ mode: BrowserModel.Mode, isOn: Bool = true) -> BrowserRig {
        var rig = BrowserRig(mode)
        var effects: [ViewerEffect] = []
        rig.hands.setExploresByTouch(isOn, at: rig.moment, effects: &effects)
        rig.rest()
        return rig
    }

    /// The widget that a screen reader says.
    private func focused(_ rig: BrowserRig) -> AccessibleTree.Node? {
        let tree = AccessibleTree(
            rig.browser.interface(title: "", name: { "\($0)" }, at: rig.moment))
        return tree.node(tree.focus)
    }

    private func center(_ id: String, _ rig: BrowserRig) throws -> Point {
        let widget = rig.browser.interface(title: "", name: { "\($0)" }, at: rig.moment).widget(id)
        return try #require(widget).rect.center
    }

    private func swipe(_ fingers: Int, _ rig: inout BrowserRig) {
        rig.touch(
            (0..<fingers).map { .down(id: $0, at: Point(x: 900 + Double($0) * 80, y: 400)) },
            after: 500)
        for step in 1...10 {
            let dx = Double(step) * -50
            rig.touch(
                (0..<fingers).map {
                    .move(id: $0, to: Point(x: 900 + Double($0) * 80 + dx, y: 400))
                },
                after: 8)
        }
        rig.touch((0..<fingers).map { .up(id: $0) }, after: 4)
        rig.rest()
    }

    @Test func aFingerOnTheGridReadsCells() throws {
        var rig = rig(.grid)
        rig.touch([.down(id: 0, at: try center("picture/7", rig))])
        rig.pass(to: rig.now + 200)
        #expect(focused(rig)?.id == "picture/7")
        rig.touch([.move(id: 0, to: try center("picture/8", rig))], after: 50)
        #expect(focused(rig)?.id == "picture/8")
        rig.touch([.move(id: 0, to: try center("count", rig))], after: 50)
        #expect(focused(rig)?.id == "count")
        rig.touch([.up(id: 0)], after: 50)
        rig.rest()
        #expect(rig.browser.mode == .grid)
        #expect(rig.browser.grid.frame(at: rig.moment).cells.first?.index == 0)
    }

    @Test func aDoubleTapOpensWhatWasRead() throws {
        var rig = rig(.grid)
        rig.tap(try center("picture/7", rig))
        rig.pass(to: rig.now + 400)
        #expect(rig.browser.mode == .grid)
        // Two taps anywhere.
        rig.tap(Point(x: 600, y: 700))
        rig.tap(Point(x: 600, y: 700))
        rig.rest()
        #expect(rig.browser.mode == .viewer && rig.browser.viewer.index == 7)
        #expect(focused(rig)?.id == "picture")
    }

    @Test func oneFingerTurnsNoPageAndTwoDo() {
        var rig = rig(.viewer)
        swipe(1, &rig)
        #expect(rig.browser.viewer.index == 0)
        swipe(2, &rig)
        #expect(rig.browser.viewer.index == 1)
    }

    /// Without a screen reader a finger acts as ever.
    @Test func withoutAReaderOneFingerTurnsThePage() {
        var rig = rig(.viewer, isOn: false)
        swipe(1, &rig)
        #expect(rig.browser.viewer.index == 1)
        #expect(rig.browser.touched == nil)
    }

    @Test func aButtonIsReadAndPressed() throws {
        var rig = rig(.viewer)
        // The bars come with the finger.
        rig.tap(Point(x: 640, y: 400))
        rig.pass(to: rig.now + 400)
        #expect(focused(rig)?.id == "picture")
        rig.tap(try center("information", rig))
        rig.pass(to: rig.now + 400)
        #expect(focused(rig)?.id == "information")
        #expect(!rig.browser.viewer.showsInformation)
        rig.tap(Point(x: 300, y: 300))
        rig.tap(Point(x: 300, y: 300))
        rig.pass(to: rig.now + 400)
        #expect(rig.browser.viewer.showsInformation)
    }

    /// A menu has the focus when it opens, and hides what lies below.
    @Test func aMenuIsReadAlone() throws {
        var rig = rig(.viewer)
        rig.tap(Point(x: 640, y: 400))
        rig.pass(to: rig.now + 400)
        rig.tap(try center("menu", rig))
        rig.pass(to: rig.now + 400)
        rig.tap(Point(x: 100, y: 600))
        rig.tap(Point(x: 100, y: 600))
        rig.pass(to: rig.now + 400)
        #expect(focused(rig)?.role == .menu)
        rig.tap(try center("information", rig))
        rig.pass(to: rig.now + 400)
        #expect(focused(rig)?.id != "information")
    }

    /// Fingers of any seat lose their hold when a screen reader starts.
    @Test func theReaderMayStartUnderAFingerOfAnotherSeat() {
        var rig = BrowserRig(.viewer)
        rig.rest()
        var effects: [ViewerEffect] = []
        rig.hands.handle(
            .touch(.down(id: 0, at: Point(x: 900, y: 400))), of: 3, at: rig.moment,
            effects: &effects)
        rig.hands.setExploresByTouch(true, at: rig.moment, effects: &effects)
        rig.hands.handle(.touch(.up(id: 0)), of: 3, at: rig.moment, effects: &effects)
        rig.hands.setExploresByTouch(false, at: rig.moment, effects: &effects)
        swipe(1, &rig)
        #expect(rig.browser.viewer.index == 1)
    }

    @Test func keysTakeTheFocusBack() throws {
        var rig = rig(.grid)
        rig.tap(try center("count", rig))
        rig.pass(to: rig.now + 400)
        #expect(focused(rig)?.id == "count")
        rig.key("Right")
        #expect(focused(rig)?.id != "count")
    }

    /// A finger that is down when a screen reader starts does nothing more.
    @Test func theReaderMayStartAndEndUnderAFinger() {
        var rig = BrowserRig(.viewer)
        rig.rest()
        var effects: [ViewerEffect] = []
        for isOn in [true, false, true] {
            rig.touch([.down(id: 0, at: Point(x: 900, y: 400))], after: 300)
            rig.hands.setExploresByTouch(isOn, at: rig.moment, effects: &effects)
            for step in 1...10 {
                rig.touch([.move(id: 0, to: Point(x: 900 - Double(step) * 50, y: 400))], after: 8)
            }
            rig.touch([.up(id: 0)], after: 4)
            rig.rest()
            #expect(rig.browser.viewer.index == 0)
        }
    }
}
