package import Commands
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

    /// Ends the messages that offer to end what has ended.
    package mutating func endMessages(offering command: Command, at moment: Moment) {
        toasts.end(command, at: moment)
    }

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
    var messageOverSheet: Widget? { showsSettings ? message(above: []) : nil }

    /// The area of the message if it has a button.
    func messageArea(above bars: [Rect]) -> [Rect] {
        guard let message = message(above: bars), message.children.count > 1 else { return [] }
        return [message.rect]
    }

    /// The message near the lower edge of the surface, above these bars.
    func message(above bars: [Rect]) -> Widget? {
        guard let toast = toasts.current else { return nil }
        let (width, height) = (layout.surface.width, layout.surface.height)
        let widget = MessageBox.widget(
            "toast", .notification, toast.text, about: Point(x: width / 2, y: height), lines: 2,
            layout, action: toast.button)
        let lower = bars.filter { $0.y > height / 2 }.map(\.y).min()
        let bottom = max(
            lower.map { $0 - Self.messageGap } ?? height - layout.target,
            min(height / 2 + widget.rect.height / 2, height))
        return widget.moved(by: Vector(dx: 0, dy: (bottom - widget.rect.maxY).rounded()))
    }

    /// The space between a message and the bars below, in logical pixels: the ring of the filmstrip
    /// reaches a little beyond the bar.
    private static let messageGap = Theme.Space.widget + Theme.Space.line
}
