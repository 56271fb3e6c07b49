package import Input

extension Window {
    /// Sets the text field that has the focus, for input methods and for composed keys; nil if none
    /// has.
    ///
    /// Call this after each change of the field; a call without a change sends nothing. With a field,
    /// tablets show an on-screen keyboard, whose changes arrive as `InputEvent.textInput`.
    package func setTextInput(_ state: TextInputState?) {
        guard textInput != state else { return }
        textInput = state
        for seat in connection.seats { seat.textInput?.update() }
    }

    /// Whether keys are typed into a text field, so that dead keys compose characters.
    package var wantsText: Bool { textInput != nil }
}
