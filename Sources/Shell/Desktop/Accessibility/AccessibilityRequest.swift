/// What assistive technology asks of a widget, by the identifier of the widget.
package enum AccessibilityRequest: Hashable, Sendable {
    case press(String)
    case focus(String)
    /// Replace the text of a field.
    case setText(String, String)
}
