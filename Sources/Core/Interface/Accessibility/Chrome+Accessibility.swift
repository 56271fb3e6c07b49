import Input
package import Motion

/// What assistive technology asks of widgets.
extension Chrome {
    /// What a press of a widget does.
    package mutating func press(_ widget: Widget, at moment: Moment) -> Response {
        guard let action = widget.action, !widget.states.contains(.disabled),
            isReachable(widget.id, at: moment)
        else { return .consumed }
        bars.use(at: moment)
        guard widget.id != PromptSheet.fieldIdentifier else {
            sheet?.focus = .field
            return .consumed
        }
        chosenFrom = menu.flatMap { $0.widget.widget(widget.id) == nil ? nil : $0.place }
        menu = nil
        if widget.id == Self.messageAction { endMessage(at: moment) }
        return .act(action)
    }

    /// Gives the focus to a widget.
    package mutating func setFocus(_ widget: Widget, at moment: Moment) {
        guard widget.states.contains(.focusable), !widget.states.contains(.disabled),
            isReachable(widget.id, at: moment)
        else { return }
        if let shownSheet {
            if widget.id == PromptSheet.fieldIdentifier, shownSheet.field != nil {
                sheet?.focus = .field
            }
            return
        }
        if showsSettings {
            settings?.setFocus(widget.id, at: moment)
            return
        }
        bars.show(at: moment, isStill: reducesMotion)
        focus.focused = widget.id
    }

    /// Replaces the text of a field that is being edited.
    package mutating func setText(_ text: String, of widget: Widget) {
        let input = TextInputEvent(commit: text)
        if shownSheet != nil {
            guard widget.id == PromptSheet.fieldIdentifier else { return }
            sheet?.field?.selectAll()
            _ = sheet?.field?.handle(input)
        } else if widget.id == "zoom" {
            zoomField?.selectAll()
            handleInField(input)
        }
    }

    /// Sets the number of a setting, to the nearest of its steps.
    package mutating func setValue(
        _ value: Double, of widget: Widget, at moment: Moment
    ) -> Response {
        guard isReachable(widget.id, at: moment), showsSettings,
            let change = settings?.change(of: widget.id, to: value)
        else { return .consumed }
        return .act(.setting(.change(change)))
    }

    /// Moves the caret and the other end of the selection of a field that is being edited; both count
    /// code points.
    package mutating func setSelection(anchor: Int, caret: Int, of widget: Widget) {
        if shownSheet != nil {
            guard widget.id == PromptSheet.fieldIdentifier else { return }
            sheet?.field?.select(fromScalar: anchor, toScalar: caret)
        } else if widget.id == SearchBar.field {
            search?.field.select(fromScalar: anchor, toScalar: caret)
        } else if widget.id == "zoom" {
            zoomField?.select(fromScalar: anchor, toScalar: caret)
        }
    }

    /// Whether no sheet covers a widget.
    package func isReachable(_ id: String, at moment: Moment) -> Bool {
        if messageOverSheet?.widget(id) != nil { return true }
        if let modal = modalWidget(at: moment) { return modal.widget(id) != nil }
        if let help { return help.widget(at: moment).widget(id) != nil }
        return true
    }
}
