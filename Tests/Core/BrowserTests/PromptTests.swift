import Commands
import CoreTestKit
import Geometry
import Gestures
import Grid
import Input
import Interface
import Motion
import Testing

@testable import Browser
@testable import Viewer

/// Prompts over the grid and over a picture.
@Suite struct PromptTests {
    private static let rename: Prompt = {
        var prompt = Prompt(.rename, "Rename “a.jpg”")
        (prompt.field, prompt.selected, prompt.confirm) = ("a.jpg", 1, "Rename")
        return prompt
    }()

    private func rig(_ mode: BrowserModel.Mode, _ prompt: Prompt) -> BrowserRig {
        var rig = BrowserRig(mode)
        rig.rest()
        rig.effects = []
        rig.hands.target.setPrompt(prompt, at: rig.moment)
        rig.pass(to: rig.now + 1000)
        return rig
    }

    private func widget(_ id: String, _ rig: BrowserRig) -> Widget? {
        rig.browser.interface(title: "", name: { "\($0)" }, at: rig.moment).widget(id)
    }

    @Test(arguments: [BrowserModel.Mode.grid, .viewer])
    func keysAreForThePrompt(mode: BrowserModel.Mode) {
        var rig = rig(mode, Self.rename)
        #expect(rig.browser.prompt == Self.rename && rig.frame.focus == "prompt-field")
        for key in ["b", "q", "s", "space", "Delete"] { rig.key(key) }
        #expect(rig.effects.isEmpty && rig.browser.mode == mode)
        rig.key("Return")
        #expect(rig.effects == [.answered(.rename, .text("bqs jpg"))])
        #expect(rig.browser.prompt == nil)
    }

    @Test(arguments: [BrowserModel.Mode.grid, .viewer])
    func fingersAreForThePrompt(mode: BrowserModel.Mode) throws {
        var prompt = Prompt(.openWith, "Open with")
        prompt.choices = (0..<40).map { .init("Program \($0)") }
        var rig = rig(mode, prompt)
        let row = try #require(widget("prompt/3", rig)).rect.center
        let before = rig.frame.grid?.scroll
        // A drag scrolls the choices, and nothing below.
        rig.touch([.down(id: 0, at: row)], after: 100)
        for step in 1...10 {
            rig.touch([.move(id: 0, to: row - Vector(dx: 0, dy: Double(step) * 10))], after: 8)
        }
        rig.pass(to: rig.now + 100)
        rig.touch([.up(id: 0)])
        #expect(rig.frame.grid?.scroll == before && rig.effects.isEmpty)
        rig.pass(to: rig.now + 1000)
        let moved = try #require(widget("prompt/3", rig)).rect.center
        #expect(abs(moved.y - row.y + 100) < 40)
        rig.tap(moved)
        rig.pass(to: rig.now + 500)
        #expect(rig.effects == [.answered(.openWith, .choice(3))])
        rig.effects = []
        rig.hands.target.setPrompt(prompt, at: rig.moment)
        rig.tap(Point(x: 10, y: 400))
        rig.pass(to: rig.now + 500)
        #expect(rig.effects == [.answered(.openWith, .cancelled)] && rig.browser.mode == mode)
    }

    @Test(arguments: [BrowserModel.Mode.grid, .viewer])
    func buttonsShowThatTheyArePressed(mode: BrowserModel.Mode) throws {
        var rig = rig(mode, Self.rename)
        let confirm = try #require(widget("prompt-confirm", rig)).rect.center
        rig.touch([.down(id: 0, at: confirm)], after: 100)
        let chrome = rig.browser.chrome
        #expect(chrome.focus.pressed == "prompt-confirm")
        rig.touch([.up(id: 0)], after: 900)
        #expect(rig.effects == [.answered(.rename, .text("a.jpg"))])
    }

    @Test(arguments: [BrowserModel.Mode.grid, .viewer])
    func aKeyboardOnTheScreenTypes(mode: BrowserModel.Mode) throws {
        var rig = rig(mode, Self.rename)
        let state = try #require(rig.browser.textInput(at: rig.moment))
        #expect(state.text == "a.jpg" && state.cursorRect.height > 0)
        var input = TextInputEvent()
        input.commit = "été"
        rig.send(.textInput(input))
        #expect(rig.browser.textInput(at: rig.moment)?.text == "été.jpg")
        rig.key("Escape")
        #expect(rig.browser.textInput(at: rig.moment) == nil)
    }

    /// The prompt goes where the input goes, with its text and its focus.
    @Test func thePromptMovesAlong() throws {
        var rig = rig(.viewer, Self.rename)
        rig.key("b")
        let number = try #require(rig.browser.textInput(at: rig.moment)).field
        var effects: [ViewerEffect] = []
        // All pictures have gone: the grid handles input.
        rig.hands.target.update(
            to: .empty, mapping: { _ in nil }, nearest: { _ in nil }, at: rig.moment,
            effects: &effects)
        #expect(rig.browser.mode == .grid)
        #expect(rig.browser.prompt == Self.rename)
        let state = try #require(rig.browser.textInput(at: rig.moment))
        #expect(state.text == "b.jpg" && state.field == number)
        rig.key("Return")
        #expect(rig.effects == [.answered(.rename, .text("b.jpg"))])
    }

    /// A slideshow waits for the answer.
    @Test func aSlideshowWaits() {
        var rig = rig(.viewer, Self.rename)
        rig.hands.target.viewer.startSlideshow(at: rig.moment)
        #expect(!rig.browser.viewer.playsAlone(at: rig.moment))
        rig.hands.target.setPrompt(nil, at: rig.moment)
        rig.pass(to: rig.now + 60_000)
        #expect(rig.browser.viewer.playsAlone(at: rig.moment))
    }

    /// A program that asks for commands meets the prompt as a person does.
    @Test(arguments: [BrowserModel.Mode.grid, .viewer])
    func commandsOfAProgramAnswer(mode: BrowserModel.Mode) {
        var prompt = Prompt(.deleteForGood, "Delete?")
        (prompt.confirm, prompt.isDestructive) = ("Delete", true)
        var rig = rig(mode, prompt)
        for command in [Command.focusNext, .open] {
            rig.hands.target.perform(command, at: rig.moment, effects: &rig.effects)
        }
        #expect(rig.effects == [.answered(.deleteForGood, .confirmed)])
        rig.hands.target.setPrompt(prompt, at: rig.moment)
        rig.effects = []
        rig.hands.target.perform(.leave, at: rig.moment, effects: &rig.effects)
        #expect(rig.effects == [.answered(.deleteForGood, .cancelled)])
    }
}
