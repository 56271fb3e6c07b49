package import Commands
package import Geometry
import Localization
import Motion
import SceneModel

/// A short message at the bottom of the surface.
package struct Toast: Hashable, Sendable {
    package var text: String
    /// The command that takes back what the message reports; nil where nothing can be taken back.
    package var undo: Command?
    /// The id of the original of a copy that is shown; nil without one.
    package var original: Int?
    /// The command that ends what the message announces; nil for other messages.
    package var ends: Command?
    /// Whether the message is about the picture that is shown, and ends with it.
    var isAboutPicture = false

    package init(
        _ text: String, undo: Command? = nil, original: Int? = nil, ends: Command? = nil
    ) {
        (self.text, self.undo, self.original, self.ends) = (text, undo, original, ends)
    }

    /// The button of the message; the original of a copy comes before undo, which the menu has, too.
    var button: (title: String, action: Widget.Action)? {
        if let original { return (localized("Show original"), .present(id: original)) }
        if let ends { return (localized("End", context: "slideshow"), .command(ends)) }
        return undo.map { (localized("Undo"), .command($0)) }
    }
}

/// The messages that are shown for a limited time, one after the other.
struct Toasts: Hashable, Sendable {
    private var queue: [Toast] = []
    /// When the first message disappears by itself.
    private(set) var end: Moment?

    /// How long a message is shown, in milliseconds, without and with something to take back.
    private static let duration = 5000.0
    private static let undoDuration = 10_000.0
    /// More messages than a person reads are dropped.
    private static let longest = 8

    /// The message that is shown.
    var current: Toast? { queue.first }

    /// Shows a message after those that are waiting; one that can be undone comes in place of an
    /// earlier one, because the command takes back the last change only.
    mutating func add(_ toast: Toast, at moment: Moment) {
        if let undo = toast.undo, queue.contains(where: { $0.undo == undo }) {
            queue.removeAll { $0.undo == undo }
            queue.insert(toast, at: 0)
            return start(at: moment)
        }
        guard queue.count < Self.longest, queue.last != toast else { return }
        queue.append(toast)
        if queue.count == 1 { start(at: moment) }
    }

    /// Shows a message about the picture instead of the last one; nil shows none.
    mutating func setPictureMessage(_ text: String?, at moment: Moment) {
        let former = current
        queue.removeAll { $0.isAboutPicture }
        if let text {
            var toast = Toast(text)
            toast.isAboutPicture = true
            queue.insert(toast, at: 0)
        }
        if current != former || text != nil { start(at: moment) }
    }

    /// Ends the messages that offer a command.
    mutating func end(_ undo: Command, at moment: Moment) {
        let former = current
        queue.removeAll { $0.undo == undo || $0.ends == undo }
        if current != former { start(at: moment) }
    }

    /// Ends the message that is shown.
    mutating func endCurrent(at moment: Moment) {
        guard !queue.isEmpty else { return }
        queue.removeFirst()
        start(at: moment)
    }

    /// Shows the messages of `other`, which has none then, after the own ones.
    ///
    /// The first message keeps its remaining time. Messages about a picture end.
    mutating func receive(from other: inout Toasts, at moment: Moment) {
        other.setPictureMessage(nil, at: moment)
        if queue.isEmpty { end = other.end }
        queue = Array((queue + other.queue).prefix(Self.longest))
        other = Toasts()
    }

    /// Ends the messages whose time is over; the time of a message that is in use begins anew.
    mutating func advance(to moment: Moment, isInUse: Bool) {
        if isInUse { return start(at: moment) }
        while let end, moment >= end { endCurrent(at: end) }
    }

    private mutating func start(at moment: Moment) {
        end = current.map {
            moment.advanced(
                byMilliseconds: $0.undo == nil ? Self.duration : Self.undoDuration)
        }
    }
}

/// Boxes with a message: toasts, and messages in place of a picture.
package enum MessageBox {
    /// The largest width, in logical pixels.
    private static let width = 560.0
    private static let padding = Theme.Space.text

    /// A box with a centred text of up to `lines` lines about `center`, a point in logical pixels.
    package static func widget(
        _ id: String, _ role: Widget.Role, _ text: String, about center: Point, lines: Int = 4,
        _ layout: BarLayout, action: (title: String, action: Widget.Action)? = nil
    ) -> Widget {
        let (theme, text) = (layout.theme, text.asSentence)
        var style = theme.body
        style.lines = lines
        let button =
            action.map {
                layout.text($0.title, theme.title).width + 2 * padding
            } ?? 0
        let most = max(
            min(width, layout.surface.width - 2 * Theme.Space.widget) - 2 * padding - button, 1)
        let extents = layout.text(text, style, width: most)
        let inner = Size(width: min(extents.width.rounded(.up) + 1, most), height: extents.height)
        let size = Size(
            width: inner.width + button + 2 * padding,
            height: max(inner.height + padding, layout.target))
        var rect = Rect(center: center, size: size)
        rect = Rect(
            x: rect.x.rounded(), y: rect.y.rounded(), width: rect.width, height: rect.height)
        let label = Widget(
            id + "-text", .label, text,
            rect: Rect(
                x: rect.x + padding, y: rect.y + (rect.height - inner.height) / 2,
                width: inner.width, height: inner.height),
            face: .paragraph(text, lines: lines, .center))
        var children = [label]
        if let action {
            children.append(
                Widget(
                    id + "-action", .pushButton, action.title,
                    rect: Rect(
                        x: rect.maxX - button - 2, y: rect.y + (rect.height - layout.target) / 2,
                        width: button, height: layout.target), states: .focusable,
                    action: action.action, face: .button(action.title, isProminent: false)))
        }
        return Widget(
            id, role, text, rect: rect, face: .ground(radius: Theme.largeRadius, isDense: true),
            children: children)
    }
}
