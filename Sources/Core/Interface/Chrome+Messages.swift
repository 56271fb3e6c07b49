import Commands
import Geometry
import Localization
package import Motion
import SceneModel

/// Messages for a limited time.
extension Chrome {
    /// Shows a message about the picture for a limited time instead of the last one; nil shows none.
    ///
    /// The message about a picture that is not shown is dropped.
    package mutating func show(message text: String?, at moment: Moment) {
        guard mode == .viewer else { return }
        toasts.setPictureMessage(text, at: moment)
    }

    /// Shows a message after those that are shown.
    package mutating func show(_ toast: Toast, at moment: Moment) { toasts.add(toast, at: moment) }

    /// Shows the messages of another chrome, apart from those about a picture; the other chrome has
    /// none then.
    package mutating func receiveMessages(from other: inout Chrome, at moment: Moment) {
        toasts.receive(from: &other.toasts, at: moment)
    }

    /// Ends the messages that offer to undo a change which was undone already.
    package mutating func endUndoMessage(at moment: Moment) { toasts.end(.undo, at: moment) }

    /// The text of the message; nil while none is shown.
    package var messageText: String? { toasts.current?.text }

    /// Whether the message has the focus or is about to be pressed: it stays then.
    var usesMessage: Bool {
        [focus.focused, focus.hovered, focus.pressed].contains(Self.messageAction)
    }

    /// The identifier of the button in a message.
    static let messageAction = "toast-action"

    /// Ends the message that is shown, because its button was pressed.
    mutating func endMessage(at moment: Moment) {
        toasts.endCurrent(at: moment)
        // The button of the next message does not inherit the focus.
        focus = WidgetFocus()
    }

    /// The message over the settings page, which may be about a setting; nil without one.
    var messageOverSheet: Widget? { showsSettings ? toastWidget : nil }

    /// The area of the message if it has a button.
    var messageArea: [Rect] {
        guard let toast = toastWidget, toast.children.count > 1 else { return [] }
        return [toast.rect]
    }

    var toastWidget: Widget? {
        guard let toast = toasts.current else { return nil }
        let offset = bars.isShown && mode == .viewer ? 2 * Theme.target : Theme.target / 2
        let center = Point(
            x: layout.surface.width / 2,
            y: max(layout.surface.height - offset - Theme.target, layout.surface.height / 2))
        return MessageBox.widget(
            "toast", .notification, toast.text, about: center, layout,
            action: toast.undo.map { (localized("Undo"), .command($0)) })
    }
}
