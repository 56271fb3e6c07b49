import Commands
import CoreTestKit
import Geometry
import Gestures
import Input
import Motion
import SceneModel
import Testing

@testable import Interface

/// A chrome with a prompt, and what a person does to it, without animations.
final class PromptDesk {
    var chrome = Chrome(
        .viewer,
        on: BarLayout(
            surface: Size(width: 1280, height: 800), theme: Theme(), text: .fixed,
            reducesMotion: true))

    func at(_ milliseconds: Double) -> Moment { Moment(milliseconds: milliseconds) }

    func show(_ prompt: Prompt) { chrome.setPrompt(prompt, at: .zero) }

    /// Presses a key; returns the answer of the prompt.
    @discardableResult
    func key(
        _ name: String, _ modifiers: KeyEvent.Modifiers = [], action: KeyEvent.Action = .click
    ) -> Prompt.Answer? {
        let event = KeyEvent(name: name, modifiers: modifiers, action: action)
        guard let response = chrome.handleInPrompt(event, at: .zero) else {
            Issue.record("\(name) is not for the prompt")
            return nil
        }
        return answer(response)
    }

    func answer(_ response: Chrome.Response?) -> Prompt.Answer? {
        guard case .act(.answer(let answer))? = response else { return nil }
        return chrome.answerPrompt(answer, at: .zero)?.answer
    }

    func type(_ text: String) {
        for character in text { key(character == " " ? "space" : String(character)) }
    }

    /// Presses and lifts a finger on a widget of the prompt, as the arena reports it.
    func tap(_ id: String) throws -> Prompt.Answer? {
        let sheet = try #require(chrome.shownSheet)
        let point = try #require(sheet.widget(at: .zero).widget(id)).rect.center
        guard chrome.area(bars: [], at: .zero).contains(point) else {
            return answer(chrome.handleInPrompt(.tap(at: point, source: .touch), at: .zero))
        }
        for gesture in [ChromeGesture.down(at: point, isPointer: false), .tap(at: point)] {
            #expect(handle(Gesture.chrome(gesture)) == nil)
            let response = chrome.handle(
                .chrome(gesture), bars: [], filmstrip: nil, at: .zero)
            if case .tap = gesture { return answer(response) }
        }
        return nil
    }

    func compose(_ input: TextInputEvent) -> Bool { chrome.handleInPrompt(input) }

    func handle(_ gesture: Gesture, _ milliseconds: Double = 0) -> Chrome.Response? {
        chrome.handleInPrompt(gesture, at: at(milliseconds))
    }

    var fieldText: String? { chrome.shownSheet?.field?.text }
}
