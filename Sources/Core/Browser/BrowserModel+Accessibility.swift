import Commands
import Grid
import Interface
package import Motion
import Viewer

/// What assistive technology asks of the interface: the identifiers are those of widgets.
extension BrowserModel {
    /// Presses a widget, as a tap does; does nothing if it is not shown.
    package mutating func press(_ id: String, at moment: Moment, effects: inout [Effect]) {
        prepareForKey(at: moment)
        guard let widget = shownWidget(id, at: moment) else { return }
        press(widget, at: moment, effects: &effects)
    }

    /// Presses a widget of the grid or the viewer, whichever handles input.
    mutating func press(_ widget: Widget, at moment: Moment, effects: inout [Effect]) {
        touched = nil
        switch mode {
        case .viewer:
            alignGrid(at: moment)
            withViewer(at: moment, effects: &effects) { viewer, requests in
                viewer.press(widget, at: moment, effects: &requests)
            }
        case .grid:
            let response = gridChrome.press(widget, at: moment)
            if case .act(.show(let index)) = response {
                return show(index, at: moment, effects: &effects)
            }
            perform(response, at: moment, effects: &effects)
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
                gridChrome.forgetFocus()
                grid.setMarkedFocus(index)
            } else {
                gridChrome.setFocus(widget, at: moment)
            }
        }
    }

    /// Replaces the text of a field.
    package mutating func setText(
        _ text: String, of id: String, at moment: Moment, effects: inout [Effect]
    ) {
        guard let widget = shownWidget(id, at: moment) else { return }
        switch mode {
        case .viewer:
            withViewer(at: moment, effects: &effects) { viewer, requests in
                viewer.setText(text, of: widget, at: moment, effects: &requests)
            }
        case .grid: gridChrome.setText(text, of: widget)
        }
    }

    /// Sets the number of a widget, such as the angle of the dial.
    package mutating func setValue(
        _ value: Double, of id: String, at moment: Moment, effects: inout [Effect]
    ) {
        prepareForKey(at: moment)
        guard value.isFinite, let widget = shownWidget(id, at: moment),
            !widget.states.contains(.disabled)
        else { return }
        switch mode {
        case .viewer:
            withViewer(at: moment, effects: &effects) { viewer, requests in
                viewer.setValue(value, of: widget, at: moment, effects: &requests)
            }
        case .grid:
            let response = gridChrome.setValue(value, of: widget, at: moment)
            perform(response, at: moment, effects: &effects)
        }
    }

    /// Moves the caret and the other end of the selection of a field; both count code points.
    package mutating func setSelection(anchor: Int, caret: Int, of id: String, at moment: Moment) {
        guard let widget = shownWidget(id, at: moment) else { return }
        switch mode {
        case .viewer: viewer.setSelection(anchor: anchor, caret: caret, of: widget)
        case .grid: gridChrome.setSelection(anchor: anchor, caret: caret, of: widget)
        }
    }

    /// Selects or deselects the picture of a cell.
    package mutating func setSelected(
        _ isSelected: Bool, _ id: String, at moment: Moment, effects: inout [Effect]
    ) {
        prepareForKey(at: moment)
        guard mode == .grid, policy.allows(.select), gridChrome.isReachable(id, at: moment),
            case .show(let index)? = shownWidget(id, at: moment)?.action
        else { return }
        withGrid(at: moment, effects: &effects) { grid, requests in
            grid.setSelected(isSelected, index, effects: &requests)
        }
    }

    /// Selects all pictures of the grid, or none.
    package mutating func setAllSelected(
        _ isSelected: Bool, at moment: Moment, effects: inout [Effect]
    ) {
        prepareForKey(at: moment)
        guard mode == .grid, gridChrome.isReachable("grid", at: moment) else { return }
        if isSelected {
            performOnGrid(.selectAll, at: moment, effects: &effects)
        } else {
            setSelecting(false, at: moment, effects: &effects)
        }
    }

    private func shownWidget(_ id: String, at moment: Moment) -> Widget? {
        interface(title: "", name: { _ in "" }, at: moment).widget(id)
    }
}
