import Commands
import Geometry
import Grid
import Input
import Interface
import Motion
import Viewer

/// Finding pictures by a text in the header of the grid.
extension BrowserModel {
    /// Does a command that the browser itself has for the grid; returns whether it was one.
    mutating func performOwn(
        _ command: Command, at moment: Moment, effects: inout [ViewerEffect]
    ) -> Bool {
        switch command {
        case .find: beginSearch(at: moment)
        case .parentFolder: if !facts.above.isEmpty { effects.append(.folder(.up(1))) }
        case .previousFolder: if facts.canGoBack { effects.append(.folder(.back)) }
        default: return false
        }
        return true
    }

    /// Shows the field; until a text is typed, all pictures stay.
    mutating func beginSearch(at moment: Moment) {
        guard mode == .grid, grid.settings.header else { return }
        grid.setSelecting(false)
        chrome.editSearch(at: moment)
    }

    /// Hides the field and shows all pictures again.
    mutating func endSearch(at moment: Moment, effects: inout [ViewerEffect]) {
        if chrome.endSearch() { effects.append(.search(nil)) }
    }

    /// Handles a key while the field is edited; returns whether the key was for the field.
    mutating func handleInSearch(
        _ key: KeyEvent, at moment: Moment, effects: inout [ViewerEffect]
    ) -> Bool {
        guard chrome.editsSearch else { return false }
        let before = chrome.search?.field.text
        switch chrome.handleInSearch(key) {
        case .ignored:
            // The arrow leads out of the field to the pictures.
            if key.action == .down, ["Down", "KP_Down"].contains(key.name) {
                focusFirstFound()
                return true
            }
            return false
        case .consumed: noteSearch(after: before, effects: &effects)
        case .committed:
            noteSearch(after: before, effects: &effects)
            focusFirstFound()
        case .cancelled: endSearch(at: moment, effects: &effects)
        }
        return true
    }

    private mutating func focusFirstFound() {
        chrome.endSearchEditing()
        if grid.contents.count > 0 { grid.setMarkedFocus(0) }
    }

    private func noteSearch(after before: String?, effects: inout [ViewerEffect]) {
        guard let text = chrome.search?.field.text, text != before else { return }
        effects.append(.search(text))
    }

    /// Handles what an input method sends while the field is edited; returns whether that was for the field.
    mutating func handleInSearch(_ input: TextInputEvent, effects: inout [ViewerEffect]) -> Bool {
        guard mode == .grid, chrome.editsSearch else { return false }
        let before = chrome.search?.field.text
        chrome.handleInSearch(input)
        noteSearch(after: before, effects: &effects)
        return true
    }

    /// Replaces the text, as assistive technology asks.
    mutating func setSearch(
        _ text: String, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        let before = chrome.search?.field.text
        chrome.setSearch(text)
        noteSearch(after: before, effects: &effects)
    }

    /// The field for the input method; nil while the field is not edited.
    var searchInput: TextInputState? {
        guard mode == .grid, chrome.editsSearch, let field = chrome.search?.field else {
            return nil
        }
        let caret = gridBars.searchCaret ?? Rect(origin: viewer.viewport.center, size: .zero)
        return field.inputState(field: chrome.fieldNumber, purpose: .normal, cursorRect: caret)
    }
}
