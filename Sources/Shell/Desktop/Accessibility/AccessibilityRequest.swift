/// What assistive technology asks of a widget, by the identifier of the widget.
package enum AccessibilityRequest: Hashable, Sendable {
    case press(String)
    case focus(String)
    /// Replace the text of a field.
    case setText(String, String)
    /// Set the number of a widget.
    case setValue(Double, String)
    /// Move the caret of a field, and the other end of its selection; both count code points.
    case setSelection(anchor: Int, caret: Int, String)
    /// Select a part of a widget, or deselect it.
    case setSelected(Bool, String)
    /// Select all parts of the grid, or none; also those that are not shown.
    case setAllSelected(Bool)
}
