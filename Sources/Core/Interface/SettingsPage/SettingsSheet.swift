import Commands
import Geometry
import Gestures
import Motion

/// The settings page: a list of rows in the middle of the surface.
///
/// While it is shown, all input belongs to it. The owner keeps the settings: a change leaves as an
/// action, and comes back as a page with other values.
package struct SettingsSheet: Hashable, Sendable {
    private(set) var page: SettingsPage
    private(set) var layout: BarLayout
    /// The rows, relative to the corner of the scrolling content.
    private(set) var rows: [Widget] = []
    var area = ScrollArea()
    /// The identifier of the widget that receives keys.
    var focus = ""
    /// The setting with open choices; nil for none.
    var expanded: String?
    /// Whether the button that resets all settings asks first.
    var asksReset = false
    var part = SettingsPage.Part.settings
    /// The command that waits for its new key; nil for none.
    var capture: KeyCapture?
    private(set) var reveal = SheetReveal()

    /// The largest size, in logical pixels.
    private static let largest = Size(width: 720, height: 760)
    /// The space beside the rows, in logical pixels.
    static let padding = Theme.Space.row

    init(_ page: SettingsPage, on layout: BarLayout, at moment: Moment) {
        self.page = page.limited(to: layout.policy)
        self.layout = layout
        layOut()
        focus = stops.first { $0 != Self.close } ?? Self.close
        reveal.show(at: moment, isStill: layout.reducesMotion)
    }

    /// Whether the sheet takes input; a sheet that leaves does not.
    var isShown: Bool { reveal.isShown }

    // MARK: Content

    /// Shows other values of the settings.
    mutating func update(_ page: SettingsPage) {
        let page = page.limited(to: layout.policy)
        guard page != self.page else { return }
        self.page = page
        if let capture, page.row(of: capture.command)?.obstacle != nil { self.capture = nil }
        layOut()
    }

    mutating func resize(to layout: BarLayout) {
        let former = self.layout
        self.layout = layout
        guard layout.surface != former.surface || layout.theme != former.theme else {
            if layout.keys != former.keys { layOut() }
            return
        }
        layOut()
        revealFocus(at: nil)
    }

    mutating func layOut() {
        rows =
            SettingsLayout(
                page: page, part: part, layout: layout,
                width: max(rect.width - 2 * Self.padding, 1), expanded: expanded,
                capture: capture, asksReset: asksReset
            ).widgets
        area.resize(height: list.height, content: (rows.last?.rect.maxY ?? 0) + Self.padding)
        if !focus.isEmpty, !stops.contains(focus) {
            // The button or the choice with the focus has gone: its row has the focus.
            let row = page.rows(of: part).map { Self.identifier(of: $0.entry.name) }.first {
                focus.hasPrefix($0 + "/")
            }
            focus = row ?? stops.first { ![Self.close, Self.back].contains($0) } ?? Self.close
        }
    }

    /// The rectangle of the sheet on the surface, in logical pixels.
    var rect: Rect {
        let surface = layout.surface
        return Rect(
            center: Point(x: (surface.width / 2).rounded(), y: (surface.height / 2).rounded()),
            size: Size(
                width: max(
                    min(
                        Self.largest.width * max(layout.theme.textScale, 1),
                        surface.width - 2 * Theme.Space.widget), 1),
                height: max(min(Self.largest.height, surface.height - 2 * Theme.Space.widget), 1)))
    }

    /// The part of the sheet that scrolls.
    var list: Rect {
        var list = rect
        list.y += layout.target + Theme.Space.widget
        list.height = max(rect.maxY - list.y - Theme.Space.widget, 1)
        return list
    }

    // MARK: Time

    mutating func leave(at moment: Moment) {
        capture = nil
        area.end(velocity: 0, at: moment)
        reveal.leave(at: moment, isStill: layout.reducesMotion)
    }

    func isAnimating(at moment: Moment) -> Bool {
        area.isScrolling(at: moment) || reveal.isMoving(at: moment)
    }

    mutating func advance(to moment: Moment) {
        area.advance(to: moment)
        reveal.advance(to: moment)
    }

    // MARK: Focus

    /// The identifiers of the widgets that can have the focus, in their order.
    ///
    /// A setting that cannot be changed can have the focus: its reason is read then.
    var stops: [String] {
        (part == .keys ? [Self.back, Self.close] : [Self.close])
            + rows.flatMap { row in
                [row] + row.children
            }.filter { widget in
                widget.states.contains(.focusable)
                    && (widget.id != Self.resetAll || !widget.states.contains(.disabled))
            }.map(\.id)
    }

    /// The stops of the keys up and down: rows and choices.
    private var rowStops: [String] {
        let rows = Set(rows.map(\.id))
        return stops.filter { rows.contains($0) }
    }

    /// Gives the focus to a widget, if it can have the focus.
    mutating func setFocus(_ id: String, at moment: Moment) {
        guard stops.contains(id) else { return }
        focus = id
        revealFocus(at: moment)
    }

    /// Moves the focus by Tab: `step` is 1 or −1.
    mutating func moveFocus(by step: Int, at moment: Moment) {
        let stops = stops
        let place = stops.firstIndex(of: focus) ?? 0
        setFocus(stops[((place + step) % stops.count + stops.count) % stops.count], at: moment)
    }

    /// Moves the focus by rows, and stops at the ends.
    mutating func moveRow(by step: Int, at moment: Moment) {
        let stops = rowStops
        guard !stops.isEmpty else { return }
        let own = stops.lastIndex { focus == $0 || focus.hasPrefix($0 + "/") } ?? -1
        setFocus(stops[min(max(own + step, 0), stops.count - 1)], at: moment)
    }

    /// Scrolls until the widget with the focus is visible, at once without a moment; the heading above
    /// the first row of a section becomes visible, too.
    private mutating func revealFocus(at moment: Moment?) {
        guard let place = rows.firstIndex(where: { $0.widget(focus) != nil }) else { return }
        let isFirst = place > 0 && rows[place - 1].role == .heading
        let isVeryFirst = !rows[..<place].contains { $0.states.contains(.focusable) }
        let row = rows[place].rect
        let top = isVeryFirst ? 0 : isFirst ? rows[place - 1].rect.y : row.y
        area.reveal(
            (row.maxY - top <= area.height ? top : row.y)...row.maxY, at: moment,
            isStill: layout.reducesMotion)
    }

    /// The row of a setting that has the focus; nil if another widget has it.
    var focusedRow: SettingsPage.Row? {
        page.rows(of: part).first { Self.identifier(of: $0.entry.name) == focus }
    }
}
