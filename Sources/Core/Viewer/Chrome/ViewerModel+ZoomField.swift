import Geometry
package import Input
package import Interface
package import Motion

/// The percentage of the zoom control, which a person can edit.
extension ViewerModel {
    /// Handles a key while the percentage is edited; returns whether the key was for the field.
    mutating func handleInField(_ key: KeyEvent, at moment: Moment) -> Bool {
        switch chrome.handleInField(key, at: moment) {
        case nil: return false
        case .consumed: break
        case .zoom(let percent):
            let zoom = percent / 100 / viewport.scale
            chosenZoom = zoom
            self.zoom(to: zoom, about: viewport.center, at: moment)
        }
        return true
    }

    package mutating func handle(
        _ input: TextInputEvent, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        if !chrome.handleInPrompt(input) { chrome.handleInField(input) }
    }

    /// The text field for the input method; nil while no field is edited.
    package func textInput(at moment: Moment) -> TextInputState? {
        if let prompt = chrome.promptInput(at: moment) { return prompt }
        guard let field = chrome.zoomField else { return nil }
        let caret = bars(at: moment).caret ?? Rect(origin: viewport.center, size: .zero)
        return field.inputState(
            field: chrome.fieldNumber, purpose: .number, cursorRect: caret)
    }
}
