import Commands
import Grid
package import Interface
package import Motion
import Viewer

/// What assistive technology asks of the interface: the identifiers are those of widgets.
extension BrowserModel {
    /// Presses a widget, as a tap does; does nothing if it is not shown.
    package mutating func press(_ id: String, at moment: Moment, effects: inout [ViewerEffect]) {
        prepareForKey(at: moment)
        guard let widget = shownWidget(id, at: moment) else { return }
        press(widget, at: moment, effects: &effects)
    }

    /// Presses a widget of the grid or the viewer, whichever handles input.
    mutating func press(_ widget: Widget, at moment: Moment, effects: inout [ViewerEffect]) {
        touched = nil
        switch mode {
        case .viewer:
            alignGrid(at: moment)
            viewer.press(widget, at: moment, effects: &effects)
        case .grid:
            let response = chrome.press(widget, at: moment)
            if case .act(.show(let index)) = response {
                return show(index, at: moment, effects: &effects)
            }
            performOnGrid(response, at: moment, effects: &effects)
        }
    }

    /// Gives the focus to a widget, if it is shown and can have the focus.
    package mutating func setFocus(_ id: String, at moment: Moment) {
        guard let widget = shownWidget(id, at: moment) else { return }
        setFocus(widget, at: moment)
    }

    /// Gives the focus to a widget of the grid or the viewer, whichever handles input.
    mutating func setFocus(_ widget: Widget, at moment: Moment) {
        switch mode {
        case .viewer: viewer.setFocus(widget, at: moment)
        case .grid:
            if case .show(let index) = widget.action {
                chrome.forgetFocus()
                grid.setMarkedFocus(index)
            } else if case .folder(.into(let index)) = widget.action {
                chrome.forgetFocus()
                grid.setFolderFocus(index, at: moment)
            } else {
                chrome.setFocus(widget, at: moment)
            }
        }
    }

    /// Replaces the text of a field.
    package mutating func setText(
        _ text: String, of id: String, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        guard let widget = shownWidget(id, at: moment) else { return }
        if widget.id == SearchBar.field {
            return setSearch(text, at: moment, effects: &effects)
        }
        viewer.setText(text, of: widget, at: moment, effects: &effects)
    }

    /// Sets the number of a widget, such as the angle of the dial.
    package mutating func setValue(
        _ value: Double, of id: String, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        prepareForKey(at: moment)
        guard value.isFinite, let widget = shownWidget(id, at: moment),
            !widget.states.contains(.disabled)
        else { return }
        switch mode {
        case .viewer:
            viewer.setValue(value, of: widget, at: moment, effects: &effects)
        case .grid:
            let response = chrome.setValue(value, of: widget, at: moment)
            performOnGrid(response, at: moment, effects: &effects)
        }
    }

    /// Moves the caret and the other end of the selection of a field; both count code points.
    package mutating func setSelection(anchor: Int, caret: Int, of id: String, at moment: Moment) {
        guard let widget = shownWidget(id, at: moment) else { return }
        chrome.setSelection(anchor: anchor, caret: caret, of: widget)
    }

    /// Selects or deselects the picture of a cell.
    package mutating func setSelected(
        _ isSelected: Bool, _ id: String, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        prepareForKey(at: moment)
        guard mode == .grid, policy.allows(.select), chrome.isReachable(id, at: moment),
            case .show(let index)? = shownWidget(id, at: moment)?.action
        else { return }
        grid.setSelected(isSelected, index)
    }

    /// Selects all pictures of the grid, or none.
    package mutating func setAllSelected(
        _ isSelected: Bool, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        prepareForKey(at: moment)
        guard mode == .grid, chrome.isReachable("grid", at: moment) else { return }
        if isSelected {
            performOnGrid(.selectAll, at: moment, effects: &effects)
        } else {
            grid.setSelecting(false)
        }
    }

    private func shownWidget(_ id: String, at moment: Moment) -> Widget? {
        interface(title: "", name: { _ in "" }, at: moment).widget(id)
    }
}
