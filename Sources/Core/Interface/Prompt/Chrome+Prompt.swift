import Commands
import Geometry
package import Gestures
package import Input
package import Motion
import SceneModel

/// The prompt over the content: while it is shown, all input belongs to it.
///
/// The settings page is a sheet like that of a prompt, so it gets the same input.
extension Chrome {
    /// The prompt that is shown; nil while none is, or while it leaves.
    package var prompt: Prompt? { shownSheet?.prompt }

    /// The sheet that takes input.
    var shownSheet: PromptSheet? { isPromptShown ? sheet : nil }

    /// Whether a prompt is shown that takes input.
    var isPromptShown: Bool { !$sheet.isNil && sheet?.isShown == true }

    /// Whether a progress was asked to stop.
    package var isStopping: Bool { shownSheet?.isStopping ?? false }

    /// Shows a prompt, or none.
    ///
    /// A prompt that continues the one that is shown (with the same purpose, and of a field the same
    /// first text or the text that was typed) keeps focus, scroll offset and text. So does one that
    /// follows an answer at once, as where an answer cannot be accepted.
    package mutating func setPrompt(_ prompt: Prompt?, at moment: Moment) {
        guard let prompt else {
            if sheet?.isShown == true { sheet?.leave(at: moment) }
            return
        }
        if let sheet, sheet.continues(with: prompt) {
            self.sheet?.update(prompt, at: moment)
            return
        }
        endEditing(at: moment)
        (overlay, settings, touch) = (nil, nil, nil)
        (focus.pressed, focus.hovered) = (nil, nil)
        fieldNumber += 1
        sheet = PromptSheet(
            prompt, on: layout, fieldNumber: fieldNumber, at: moment)
    }

    /// Goes on showing the prompt of another chrome, which has none then.
    package mutating func receivePrompt(from other: inout Chrome) {
        guard var received = other.sheet else { return }
        (other.sheet, other.touch) = (nil, nil)
        received.resize(to: layout)
        fieldNumber = max(fieldNumber, received.fieldNumber)
        usesKeys = other.usesKeys
        (overlay, touch) = (nil, nil)
        sheet = received
    }

    /// Takes the answer of a widget; returns what the owner reports, nil where no answer is expected.
    package mutating func answerPrompt(
        _ answer: Prompt.Answer, at moment: Moment
    ) -> (purpose: Prompt.Purpose, answer: Prompt.Answer)? {
        guard let purpose = prompt?.purpose, let answer = sheet?.answer(answer, at: moment) else {
            return nil
        }
        bars.use(at: moment)
        return (purpose, answer)
    }

    // MARK: Input

    /// Handles a key while a prompt is shown; nil where none is.
    package mutating func handleInPrompt(_ key: KeyEvent, at moment: Moment) -> Response? {
        guard isPromptShown else { return handleInSettings(key, at: moment) }
        if key.action != .up { usesKeys = true }
        return sheet?.handle(key, at: moment).map { .act(.answer($0)) } ?? .consumed
    }

    /// Handles a command that comes without a key; nil where it is not for a prompt.
    mutating func handleInPrompt(_ command: Command, at moment: Moment) -> Response? {
        guard isPromptShown else { return nil }
        return sheet?.handle(command, at: moment).response { .answer($0) }
    }

    /// Handles what an input method sends; returns whether it was for the field of a prompt.
    package mutating func handleInPrompt(_ input: TextInputEvent) -> Bool {
        guard let shownSheet, shownSheet.focus == .field else { return false }
        _ = sheet?.field?.handle(input)
        return true
    }

    /// The field of the prompt for an input method; nil while no field is edited.
    package func promptInput(at moment: Moment) -> TextInputState? {
        guard let sheet = shownSheet, sheet.focus == .field, let field = sheet.field else {
            return nil
        }
        return field.inputState(
            field: sheet.fieldNumber,
            cursorRect: sheet.caret(at: moment)
                ?? Rect(origin: sheet.widget(at: moment).rect.center, size: .zero))
    }

    /// Handles a gesture while a prompt is shown; nil for gestures on buttons, and for the rest of
    /// gestures that began before.
    package mutating func handleInPrompt(_ gesture: Gesture, at moment: Moment) -> Response? {
        guard var sheet = shownSheet else { return handleInSettings(gesture, at: moment) }
        defer { if self.sheet?.isShown == true { self.sheet = sheet } }
        switch sheet.area.handleOnSheet(gesture, at: moment, isStill: reducesMotion) {
        case .tap(let point): return tap(at: point, on: sheet, moment)
        case .consumed: return .consumed
        case .passed: return nil
        }
    }

    /// A tap beside the buttons: on a choice, or beside the sheet.
    private func tap(at point: Point, on sheet: PromptSheet, _ moment: Moment) -> Response {
        let widget = sheet.widget(at: moment)
        guard widget.rect.contains(point) else {
            return sheet.isDismissible ? .act(.answer(.cancelled)) : .consumed
        }
        guard let action = widget.target(at: point)?.action, action != .edit else {
            return .consumed
        }
        return .act(action)
    }

    /// Puts the cursor of the field at a point of the surface.
    mutating func pressField(at point: Point, extendsSelection: Bool, _ moment: Moment) {
        guard let position = sheet?.fieldPosition(at: point, moment) else { return }
        sheet?.focus = .field
        sheet?.field?.moveCursor(to: position, extendsSelection: extendsSelection)
    }

    // MARK: Looks

    /// The dimmed surface and the sheet.
    func promptItems(at moment: Moment) -> [SceneItem] {
        guard let sheet else { return [] }
        var shown = focus
        // The ring is for keys; a field shows its caret.
        shown.focused = usesKeys && sheet.focus != .field ? sheet.focusedWidget : nil
        return sheet.reveal.items(of: sheet.widget(at: moment), on: layout, shown, at: moment)
    }
}
