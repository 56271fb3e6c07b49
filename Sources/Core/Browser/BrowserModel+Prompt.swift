package import Input
package import Interface
package import Motion
import Grid
import Viewer

/// Prompts and text fields, in the grid and in the viewer alike.
extension BrowserModel {
    /// The prompt that is shown; nil while none is.
    package var prompt: Prompt? { mode == .grid ? gridChrome.prompt : viewer.prompt }

    /// Shows a prompt over the grid or the viewer, whichever handles input; nil hides the prompt.
    ///
    /// When the other one begins to handle input, the prompt moves there. A prompt that continues the
    /// shown prompt keeps focus, scroll offset and text; see `Chrome.setPrompt`.
    package mutating func setPrompt(_ prompt: Prompt?, at moment: Moment) {
        switch mode {
        case .grid: gridChrome.setPrompt(prompt, at: moment)
        case .viewer: viewer.setPrompt(prompt, at: moment)
        }
    }

    /// Hands over the prompt to the grid or the viewer, whichever handles input now.
    mutating func movePrompt() {
        switch mode {
        case .grid: viewer.givePrompt(to: &gridChrome)
        case .viewer: viewer.receivePrompt(from: &gridChrome)
        }
    }

    /// Goes on showing the prompt of the browser of the album before.
    package mutating func receivePrompt(from former: BrowserModel) {
        var former = former
        former.viewer.givePrompt(to: &former.gridChrome)
        gridChrome.receivePrompt(from: &former.gridChrome)
        gridChrome.receiveSettings(from: &former.gridChrome)
        movePrompt()
    }

    // MARK: Text input

    package mutating func handle(
        _ input: TextInputEvent, at moment: Moment, effects: inout [Effect]
    ) {
        switch mode {
        case .grid: _ = gridChrome.handleInPrompt(input)
        case .viewer:
            withViewer(at: moment, effects: &effects) { viewer, requests in
                viewer.handle(input, at: moment, effects: &requests)
            }
        }
    }

    /// The text field for the input method; nil while no field is edited.
    package func textInput(at moment: Moment) -> TextInputState? {
        mode == .viewer
            ? viewer.textInput(at: moment) : gridChrome.promptInput(at: moment)
    }
}
