import CoreTestKit
import Geometry
import Gestures
import Grid
import Input
import Interface
import SceneModel
import Testing
import Viewer

@testable import Browser

/// The interface while the album below it is huge, or changes.
@Suite struct InterfaceOverChangesTests {
    private static let count = 100_000

    /// With any number of pictures, a frame has only the visible cells, and every picture
    /// can be reached.
    @Test func aFilmstripOfManyPicturesIsScrubbed() throws {
        var rig = BrowserRig(.viewer, count: Self.count)
        rig.tap(Point(x: 640, y: 300))
        rig.pass(to: rig.now + 600)
        let strip = try #require(rig.frame.viewer.filmstrip.clip)
        #expect(rig.frame.viewer.filmstrip.cells.count < 30)
        rig.touch([.down(id: 1, at: strip.center)])
        for step in 1...200 {
            let x = strip.center.x - Double(step % 2 == 0 ? 0 : 600)
            rig.touch([.move(id: 1, to: Point(x: x, y: strip.center.y))], after: 8)
            #expect(rig.frame.viewer.filmstrip.cells.count < 30)
            #expect(rig.browser.wanted.count <= 5)
        }
        rig.touch([.up(id: 1)], after: 8)
        rig.pass(to: rig.now + 1000)
        let index = rig.browser.viewer.index
        #expect((0..<20).contains(index))
        rig.key("Tab")
        while rig.frame.focus != "filmstrip" { rig.key("Tab") }
        rig.key("End")
        rig.pass(to: rig.now + 1000)
        #expect(rig.browser.viewer.index == Self.count - 1)
        #expect(rig.frame.viewer.filmstrip.cells.last?.index == Self.count - 1)
    }

    /// The pictures of the filmstrip, and the mark of a broken one, lie above the bars and below all else.
    @Test(arguments: ["menu", "help", "prompt"])
    func theFilmstripLiesBelow(_ overlay: String) throws {
        var rig = BrowserRig(.viewer, count: 12)
        rig.tap(Point(x: 640, y: 300))
        rig.pass(to: rig.now + 600)
        func items() -> [SceneItem] {
            rig.browser.frame(
                at: rig.moment, content: { _ in CellContent(failure: "broken") }, name: { "\($0)" }
            ).scene.items
        }
        func strip(_ items: [SceneItem]) throws -> Int {
            let clip = try #require(rig.frame.viewer.filmstrip.clip)
            return try #require(
                items.lastIndex {
                    if case .layer(let layer) = $0 { layer.clip == clip } else { false }
                })
        }
        #expect(try strip(items()) == items().count - 1)
        switch overlay {
        case "menu": rig.key("Menu")
        case "help": rig.key("question")
        default: rig.hands.target.setPrompt(Prompt(.delete, "Delete?"), at: rig.moment)
        }
        rig.pass(to: rig.now + 800)
        #expect(try strip(items()) < items().count - 1)
    }

    /// A message begins with a capital letter, but not with the changed name of a file.
    @Test(
        arguments: [
            ("choose a picture first", "Choose a picture first"), ("a.jpg: gone", "a.jpg: gone"),
            ("été: 2 pictures", "été: 2 pictures"), ("été passé", "Été passé"), ("", ""),
            ("3 pictures", "3 pictures"), ("“a” copied", "“a” copied"), ("ab/c is", "ab/c is"),
        ])
    func messagesBeginAsSentences(text: String, sentence: String) {
        #expect(text.asSentence == sentence)
    }

    /// The picture below a menu is deleted: the menu goes on with the picture that takes its place,
    /// and with none left there is no menu of a picture.
    @Test func thePictureBelowAMenuDisappears() throws {
        var rig = BrowserRig(.viewer, count: 3)
        rig.key("Right")
        rig.pass(to: rig.now + 1000)
        rig.key("Menu")
        rig.pass(to: rig.now + 100)
        #expect(rig.frame.showsMenu)
        var effects: [ViewerEffect] = []
        rig.hands.target.update(
            to: GridContents(count: 2), mapping: { $0 == 1 ? nil : min($0, 1) },
            nearest: { min($0, 1) }, at: rig.moment, effects: &effects)
        rig.load()
        rig.pass(to: rig.now + 1000)
        #expect(rig.browser.viewer.count == 2)
        rig.key("Down")
        rig.key("Return")
        rig.pass(to: rig.now + 1000)
        #expect(!rig.frame.showsMenu)
        rig.key("Menu")
        rig.hands.target.update(
            to: GridContents(count: 0), mapping: { _ in nil }, nearest: { _ in nil },
            at: rig.moment, effects: &effects)
        rig.pass(to: rig.now + 1000)
        _ = rig.frame
        for key in ["Down", "Return", "Escape"] { rig.key(key) }
        rig.pass(to: rig.now + 1000)
        #expect(rig.browser.viewer.count == 0 && !rig.frame.showsMenu)
    }

    /// A crop ends with its picture, and the header of the grid stays.
    @Test func theHeaderStaysWhenACroppedPictureDisappears() {
        var rig = BrowserRig(.viewer, count: 1)
        rig.rest()
        rig.key("c")
        rig.rest()
        var effects: [ViewerEffect] = []
        rig.hands.target.update(
            to: .empty, mapping: { _ in nil }, nearest: { _ in nil }, at: rig.moment,
            effects: &effects)
        rig.rest()
        rig.rest()
        #expect(rig.browser.mode == .grid && rig.browser.chrome.showsBars)
    }
}
