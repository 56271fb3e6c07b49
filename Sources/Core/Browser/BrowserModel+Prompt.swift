package import Input
package import Interface
package import Motion
import Grid
import Viewer

/// Prompts, text fields and messages, over the grid and the viewer alike.
extension BrowserModel {
    /// The prompt that is shown; nil while none is.
    package var prompt: Prompt? { chrome.prompt }

    /// Shows a prompt; nil hides the prompt.
    ///
    /// A prompt that continues the shown prompt keeps focus, scroll offset and text; see
    /// `Chrome.setPrompt`.
    package mutating func setPrompt(_ prompt: Prompt?, at moment: Moment) {
        chrome.setPrompt(prompt, at: moment)
    }

    /// Goes on showing the prompt of the browser of the album before, or its settings page.
    package mutating func receivePrompt(from former: BrowserModel) {
        var former = former
        chrome.receivePrompt(from: &former.chrome)
        chrome.receiveSettings(from: &former.chrome)
    }

    /// Shows a message for a limited time.
    package mutating func show(_ toast: Toast, at moment: Moment) { chrome.show(toast, at: moment) }

    /// Goes on showing the messages of the browser of the album before.
    package mutating func receiveMessages(from former: BrowserModel, at moment: Moment) {
        var former = former
        chrome.receiveMessages(from: &former.chrome, at: moment)
    }

    /// Ends the message with an Undo button for a change that is undone already.
    package mutating func endUndoMessage(at moment: Moment) { chrome.endUndoMessage(at: moment) }

    // MARK: Text input

    package mutating func handle(
        _ input: TextInputEvent, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        if !handleInSearch(input, effects: &effects) {
            viewer.handle(input, at: moment, effects: &effects)
        }
    }

    /// The text field for the input method; nil while no field is edited.
    package func textInput(at moment: Moment) -> TextInputState? {
        searchInput ?? viewer.textInput(at: moment)
    }
}
