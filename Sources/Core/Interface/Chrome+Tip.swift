import Commands
import Geometry
import Motion
import SceneModel

/// The name of a button that has only an icon, beside the button: after a long press for a while, and as long as the
/// pointer rests on the button.
struct ButtonTip: Hashable, Sendable {
    /// The identifier of the button.
    var id: String
    /// The button on the surface, in logical pixels.
    var rect: Rect
    var text: String
    /// When the pointer has rested for long enough; nil from then on, and for a finger.
    var start: Moment?
    /// From when on a finger that lifts has read the name, and does not press the button; nil for the pointer.
    var reading: Moment?
    /// When the tip of a finger leaves; nil for the pointer.
    var end: Moment?

    func wasRead(at moment: Moment) -> Bool { reading.map { moment >= $0 } ?? false }

    func isShown(at moment: Moment) -> Bool {
        start.map { moment >= $0 } ?? true && end.map { moment < $0 } ?? true
    }
}

extension Chrome {
    /// The pointer rests on a button for this time before the name appears, in milliseconds.
    private static let tipDelay = 600.0
    /// A finger that stays for this time after the name has appeared reads the name, in milliseconds: a slow finger, or
    /// one that a busy compositor reports late, presses the button.
    private static let readingTime = 500.0
    /// How long the name is shown after a long press, in milliseconds.
    private static let tipDuration = 2500.0
    /// The distance of the name from the button, and the space around the text, in logical pixels.
    private static let tipGap = Theme.Space.widget
    private static let tipPadding = Theme.Space.part

    /// The name of a widget as a tip; nil for a widget with a text.
    private func tip(of widget: Widget?, from start: Moment?) -> ButtonTip? {
        guard let widget, !widget.name.isEmpty, case .icon = widget.face else { return nil }
        var text = widget.name
        if start != nil, case .command(let command)? = widget.action {
            let key = layout.keys.label(of: command, in: mode)
            if !key.isEmpty { text += "  " + key.isolated }
        }
        return ButtonTip(id: widget.id, rect: widget.rect, text: text, start: start)
    }

    /// A finger rests on a button.
    mutating func showTip(of widget: Widget?, _ moment: Moment) {
        tip = tip(of: widget, from: nil)
        tip?.reading = moment.advanced(byMilliseconds: Self.readingTime)
        tip?.end = moment.advanced(byMilliseconds: Self.tipDuration)
    }

    /// The pointer is over a widget, or over none.
    mutating func pointTip(at widget: Widget?, _ moment: Moment) {
        guard widget?.id != tip?.id || widget == nil else { return }
        tip = tip(of: widget, from: moment.advanced(byMilliseconds: Self.tipDelay))
    }

    /// The tip of the button that a finger has rested on, or that the pointer is over.
    var currentTip: ButtonTip? {
        tip.flatMap { $0.end != nil || focus.hovered == $0.id ? $0 : nil }
    }

    /// The tip as it is shown: below a button in the upper half of the surface, else above.
    func tipWidget(at moment: Moment) -> Widget? {
        guard let tip = currentTip, tip.isShown(at: moment), menu == nil else { return nil }
        let (surface, theme) = (layout.surface, layout.theme)
        let most = max(surface.width - 2 * BarLayout.margin, 1)
        let width = min(
            layout.text(tip.text, theme.small).width.rounded(.up) + 1 + 2 * Self.tipPadding, most)
        let height = (theme.small.size * 2.4).rounded(.up)
        let isBelow = tip.rect.center.y < surface.height / 2
        let x = min(
            max(tip.rect.center.x - width / 2, BarLayout.margin),
            surface.width - BarLayout.margin - width)
        let rect = Rect(
            x: x.rounded(),
            y: isBelow ? tip.rect.maxY + Self.tipGap : tip.rect.y - Self.tipGap - height,
            width: width, height: height)
        let label = Widget(
            "tip-text", .label, tip.text, rect: rect, face: .text(tip.text, .small, .center))
        return Widget(
            "tip", .panel, rect: rect,
            face: .ground(radius: min(height / 2, Theme.radius), isDense: true), children: [label])
    }
}
