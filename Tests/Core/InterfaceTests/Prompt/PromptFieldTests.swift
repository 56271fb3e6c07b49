import Commands
import CoreTestKit
import Geometry
import Gestures
import Input
import Motion
import SceneModel
import Testing

@testable import Interface

/// The text field of a prompt: typing, input methods, fingers, and answers that are refused.
@Suite struct PromptFieldTests {
    private let desk = PromptDesk()

    @Test func typingReplacesTheNameAndKeepsTheExtension() {
        desk.show(SamplePrompts.rename)
        desk.type("Sea")
        #expect(desk.fieldText == "Sea.jpg")
        #expect(desk.key("Return") == .text("Sea.jpg") && desk.chrome.prompt == nil)
    }

    /// Without a text the button at the end does nothing, and says so.
    @Test func anEmptyTextIsNoAnswer() throws {
        desk.show(SamplePrompts.rename)
        desk.key("a", .control)
        desk.key("BackSpace")
        desk.type("  ")
        #expect(desk.key("Return") == nil && desk.chrome.prompt != nil)
        let sheet = try #require(desk.chrome.shownSheet).widget(at: .zero)
        #expect(try #require(sheet.widget("prompt-confirm")).states.contains(.disabled))
        #expect(try desk.tap("prompt-confirm") == nil)
        #expect(desk.key("Escape") == .cancelled)
    }

    @Test func anInputMethodComposesInTheField() throws {
        desk.show(SamplePrompts.rename)
        let first = try #require(desk.chrome.promptInput(at: .zero))
        #expect(first.text == "Beach at noon.jpg" && first.anchor == 0 && first.cursor == 13)
        var input = TextInputEvent()
        input.preedit = .init("うみ", cursorBegin: 6, cursorEnd: 6)
        #expect(desk.compose(input))
        let widget = try #require(
            desk.chrome.shownSheet?.widget(at: .zero).widget("prompt-field"))
        guard case .field(let field) = widget.face else {
            Issue.record("no field")
            return
        }
        #expect(field.text == "うみ.jpg" && field.preedit != nil && field.caret != nil)
        input = TextInputEvent()
        input.commit = "海"
        #expect(desk.compose(input) && desk.fieldText == "海.jpg")
        #expect(try #require(desk.chrome.promptInput(at: .zero)).field == first.field)
        desk.key("Tab")
        #expect(desk.chrome.promptInput(at: .zero) == nil && !desk.compose(input))
    }

    @Test func aFingerPlacesTheCursorAndSelects() throws {
        desk.show(SamplePrompts.rename)
        desk.key("Tab")
        let rect = try #require(desk.chrome.shownSheet?.widget(at: .zero).widget("prompt-field"))
            .rect
        func touch(_ gesture: ChromeGesture) {
            _ = desk.chrome.handle(.chrome(gesture), bars: [], filmstrip: nil, at: .zero)
        }
        // Every character is half as wide as the text is high.
        let start = Point(x: rect.x + 14 + 5 * 7.5, y: rect.center.y)
        touch(.down(at: start, isPointer: false))
        #expect(desk.chrome.focusedWidget == "prompt-field")
        #expect(desk.chrome.shownSheet?.field?.cursor == 5)
        touch(.dragged(by: Vector(dx: 3 * 7.5, dy: 0)))
        touch(.dragEnded)
        #expect(desk.chrome.shownSheet?.field?.selectedText == " at")
    }

    /// An answer that cannot be accepted comes back with the text that was typed.
    @Test func aRefusedAnswerKeepsTheText() {
        desk.show(SamplePrompts.rename)
        desk.type("Sea")
        let number = desk.chrome.shownSheet?.fieldNumber
        #expect(desk.key("Return") == .text("Sea.jpg"))
        desk.show(SamplePrompts.refusedName)
        #expect(desk.fieldText == "Sea.jpg" && desk.chrome.focusedWidget == "prompt-field")
        #expect(desk.chrome.shownSheet?.fieldNumber == number)
        let text = desk.chrome.shownSheet?.widget(at: .zero).widget("prompt-text")
        #expect(text?.name == "a file with this name exists already")
        // The name of another file is another question.
        var other = SamplePrompts.rename
        other.field = "other.png"
        desk.show(other)
        #expect(desk.fieldText == "other.png" && desk.chrome.shownSheet?.fieldNumber != number)
    }
}
