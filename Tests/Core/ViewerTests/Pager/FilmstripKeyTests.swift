import CoreTestKit
import Geometry
import Gestures
import Input
import Interface
import Motion
import SceneModel
import Testing

@testable import Viewer

/// The filmstrip by keys, once it has the focus.
@Suite struct FilmstripKeyTests {
    private static let view = Size(width: 1280, height: 800)

    /// A viewer of ten pictures at the fifth, whose filmstrip has the focus.
    private func rig(isRightToLeft: Bool = false, on size: Size = view) -> Rig {
        let sizes = Array(repeating: PixelSize(width: 3000, height: 2000), count: 10)
        var rig = Rig(sizes, on: size, index: 4)
        if isRightToLeft {
            rig.interaction.target.setLooks(Theme(isRightToLeft: true), windowControls: nil)
        }
        for _ in 0..<30 where focus(rig) != "filmstrip" { rig.key("Tab") }
        return rig
    }

    private func focus(_ rig: Rig) -> String? { rig.viewer.chrome.focusedWidget }

    @Test func keysSelectAndTheFocusStays() {
        var rig = rig()
        for (key, index) in [
            ("Right", 5), ("Right", 6), ("Left", 5), ("Home", 0), ("Left", 0), ("End", 9),
            ("Right", 9),
        ] {
            rig.key(key)
            #expect(rig.viewer.index == index && focus(rig) == "filmstrip", "\(key)")
            rig.load()
            rig.rest()
        }
        // The bars stay as long as the filmstrip has the focus.
        #expect(rig.frame.showsChrome)
    }

    /// A picture that is zoomed is panned by the keys, but not while the filmstrip has the focus.
    @Test func keysTurnThePageOfAZoomedPicture() {
        var rig = rig()
        rig.key("1")
        rig.rest()
        for _ in 0..<30 where focus(rig) != "filmstrip" { rig.key("Tab") }
        rig.key("Right")
        #expect(rig.viewer.index == 5)
    }

    /// The next picture is at the left.
    @Test func theKeysAreMirroredWithTheStrip() {
        var rig = rig(isRightToLeft: true)
        rig.key("Left")
        #expect(rig.viewer.index == 5)
        rig.key("Right")
        rig.key("Right")
        #expect(rig.viewer.index == 3)
        rig.key("Home")
        #expect(rig.viewer.index == 0)
    }

    /// On the buttons of the bars, Left and Right move the focus to the button on that side.
    @Test(arguments: [false, true]) func theKeysMoveTheFocusToTheirSides(
        isRightToLeft: Bool
    ) {
        var rig = rig(isRightToLeft: isRightToLeft)
        for _ in 0..<30 where focus(rig) != "information" { rig.key("Tab") }
        rig.key("Right")
        #expect((focus(rig) == "menu") != isRightToLeft)
        for _ in 0..<30 where focus(rig) != "information" { rig.key("Tab") }
        rig.key("Left")
        #expect((focus(rig) == "menu") == isRightToLeft)
    }

    /// In right-to-left languages a click beside an edge and the arrow there turn the same page.
    @Test(arguments: [false, true]) func clicksBesideTheArrowsTurnTheSamePage(
        isRightToLeft: Bool
    ) {
        for isLeft in [true, false] {
            var pages: [Int] = []
            for y in [400.0, 200] {
                var rig = rig(isRightToLeft: isRightToLeft)
                rig.key("Escape")
                rig.send(.pointer(.move(to: Point(x: 640, y: 300))))
                rig.pass(to: rig.now + 500)
                let point = Point(x: isLeft ? 36 : 1244, y: y)
                rig.send(.pointer(.move(to: point)))
                rig.send(.pointer(.button(.left, isDown: true)))
                rig.send(.pointer(.button(.left, isDown: false)))
                pages.append(rig.viewer.index)
            }
            #expect(pages == Array(repeating: isLeft == isRightToLeft ? 5 : 3, count: 2))
        }
    }

    @Test(arguments: ["Return", "space", "Escape"])
    func theFocusEnds(_ key: String) {
        var rig = rig()
        rig.key(key)
        #expect(focus(rig) == nil && rig.viewer.index == 4 && rig.frame.showsChrome)
        rig.key("Right")
        #expect(rig.viewer.index == 5)
    }

    @Test func tabLeaves() {
        var rig = rig()
        rig.key("ISO_Left_Tab")
        let former = focus(rig)
        #expect(former != nil && former != "filmstrip")
        rig.key("Right")
        // On a button the keys move the focus.
        #expect(focus(rig) == "filmstrip" && rig.viewer.index == 4)
    }

    /// A surface that shrinks takes the filmstrip away, and the keys are for the picture again.
    @Test func aStripThatIsNotShownHasNoKeys() {
        var rig = rig()
        rig.send(.resize(Size(width: 1280, height: 300)))
        rig.key("Home")
        #expect(rig.viewer.index == 0 && focus(rig) == nil)
    }

    @Test func theFocusIsVisible() {
        var rig = rig()
        func layers(_ rig: Rig) -> Int {
            rig.frame.scene.items.count { if case .layer = $0 { true } else { false } }
        }
        // The bars fade in.
        rig.pass(to: rig.now + 1000)
        let shown = layers(rig)
        rig.key("Escape")
        #expect(layers(rig) == shown - 1)
    }
}
