import Localization
import SceneModel
import Commands
package import Geometry

/// The bars over a picture: name and place at the top left, commands at the top right and at the
/// bottom, and for the pointer a zoom control and arrows at the sides.
package struct ViewerBars: Hashable, Sendable {
    package let layout: BarLayout
    package let facts: ViewerFacts

    /// The width of the percentage, in logical pixels.
    var percentWidth: Double {
        let widest = layout.text("1600 %", layout.theme.number).width + 16
        return max(76 * target / Theme.target, widest).rounded(.up)
    }
    static let padding = Theme.Space.text
    /// The space around the text of the percentage while it is edited, in logical pixels.
    static let fieldInset = Theme.Space.part
    /// Below these heights of the surface, in logical pixels, the bar at the bottom and the filmstrip
    /// are left out.
    static let lowest = 180.0
    static let lowestForFilmstrip = 420.0
    static let lowestForArrows = 260.0
    /// On surfaces of this width, in logical pixels, the zoom control fits beside the bar at the bottom
    /// with all its buttons.
    static let narrowestForOneRow = 880.0
    /// Narrower surfaces have no button for the list of zoom steps, in logical pixels.
    static let narrowestForSteps = 1040.0
    /// Narrower surfaces have no arrows, in logical pixels.
    static let narrowestForArrows = 320.0

    package init(_ layout: BarLayout, _ facts: ViewerFacts) {
        self.layout = layout
        self.facts = facts
    }

    var surface: Size { layout.surface }
    /// The width beside the information panel for the bars at the bottom, in logical pixels.
    var freeWidth: Double { max(surface.width - facts.panelWidthAtBottom, 0) }

    /// The height that the bars at the bottom take with the filmstrip, in logical pixels.
    ///
    /// Nil on a narrow surface, where there are more rows of bars with a pointer, and on a low one.
    static func bottomHeight(on layout: BarLayout) -> Double? {
        let narrowest = narrowestForOneRow * layout.target / Theme.target
        guard layout.surface.width >= narrowest, layout.surface.height >= lowestForFilmstrip else {
            return nil
        }
        return 2 * margin + layout.target + FilmstripLayout.height + margin
    }
    static let margin = BarLayout.margin
    var target: Double { layout.target }

    /// All bars, from the bottom to the top.
    package var widgets: [Widget] {
        let (window, left, right) = layout.windowBars()
        let commands = commandBar(from: left, to: right)
        let widgets =
            [nameBar(from: left, to: (commands?.rect.x ?? right) - Self.margin), commands]
            + window + [actionBar, zoomBar, zoomField, filmstripWidget, filmstripMark]
        return layout.oriented(widgets.compactMap(\.self) + arrows)
    }

    /// The areas of the surface that belong to the bars.
    package var areas: [Rect] {
        var areas = layout.windowControls == nil ? topAreas : [topStrip]
        areas += [actionBar?.rect, zoomBar?.rect, straightFilmstrip?.rect].compactMap(\.self)
        return (areas + arrows.map(\.rect)).map(layout.oriented)
    }

    /// The strip at the top that moves the window.
    package var topStrip: Rect {
        Rect(x: 0, y: 0, width: surface.width, height: min(layout.top, surface.height))
    }

    private var topAreas: [Rect] {
        let (_, left, right) = layout.windowBars()
        let commands = commandBar(from: left, to: right)
        let end = (commands?.rect.x ?? right) - Self.margin
        // The name's bar at its largest, because the name is not known here.
        var name = nameBar(from: left, to: end)?.rect
        name?.size.width = min(end - left, target + layout.nameWidth + Self.padding)
        return [name, commands?.rect].compactMap(\.self)
    }

    // MARK: Top

    /// The place of the picture; the zoom only where no control shows it.
    private var place: String { facts.place(withZoom: zoomBar == nil) }

    /// The place with the date and the zoom; the zoom is left out first where the text is wider than `most`,
    /// then the date.
    private func place(upTo most: Double) -> String {
        let texts = [(true, zoomBar == nil), (true, false), (false, zoomBar == nil)].map {
            facts.place(withDate: $0, withZoom: $1)
        }
        return texts.first { layout.text($0, layout.theme.small).width <= most }
            ?? facts.place(withZoom: false)
    }

    private func nameBar(from start: Double, to right: Double) -> Widget? {
        let available = right - start
        guard available >= target else { return nil }
        let theme = layout.theme
        let back = layout.button(
            "back", facts.returnsToGrid ? .back : .close,
            facts.returnsToGrid ? localized("Back to the grid") : localized("Close"), .back,
            at: start,
            y: Self.margin)
        let hasBack = facts.returnsToGrid || layout.policy.allowsLeaving
        let left = hasBack ? back.rect.maxX : start + Self.padding
        let most = min(right - left - Self.padding, layout.nameWidth)
        let place = place(upTo: most)
        let wish = max(
            layout.text(facts.name, theme.style(.name)).width,
            layout.isLarge ? 0 : layout.text(place, theme.small).width)
        // Fewer than two characters say nothing.
        guard most >= theme.title.size * 3 else {
            return hasBack ? layout.bar("top", localized("Picture"), back.rect, [back]) : nil
        }
        let width = min(wish.rounded(.up) + 1, most)
        let half = target / 2
        let name = Widget(
            "name", .heading, facts.name,
            rect: layout.isLarge || place.isEmpty
                ? Rect(x: left, y: Self.margin, width: width, height: target)
                : Rect(x: left, y: Self.margin + 3, width: width, height: half - 2),
            face: .text(facts.name, .name, .leading))
        let placeLabel = Widget(
            "place", .label, place,
            rect: Rect(x: left, y: Self.margin + half, width: width, height: half - 3),
            face: .text(place, .small, .leading))
        let rect = Rect(
            x: start, y: Self.margin, width: left + width + Self.padding - start,
            height: target)
        return layout.bar(
            "top", localized("Picture"), rect,
            (hasBack ? [back] : [])
                + (layout.isLarge || place.isEmpty ? [name] : [name, placeLabel]))
    }

    private func commandBar(from left: Double, to right: Double) -> Widget? {
        row(
            "commands", localized("Commands"),
            [
                .init(.information, .information, isChecked: facts.showsInformation),
                .init(.menu, .menu, localized("Menu"), .openMenu(.picture)),
            ].filter { $0.command.map(layout.policy.allows) ?? true }, from: left, to: right,
            y: Self.margin)
    }

    // MARK: Bottom

    /// A button before its place is known.
    struct Button {
        let id: String
        /// The command that has to be allowed; nil for a menu.
        let command: Command?
        var icon: Icon
        var name: String
        var action: Widget.Action
        var states: Widget.States = []
        /// Whether the icon itself shows that the button is checked.
        var isMark = false
        /// The share of a time that is left, 0…1; nil where no time passes.
        var countdown: Double?

        init(
            _ command: Command, _ icon: Icon, _ name: String? = nil, _ action: Widget.Action? = nil
        ) {
            (id, self.command, self.icon) = (command.rawValue, command, icon)
            self.name = name ?? CommandTable.entry(of: command).title
            self.action = action ?? .command(command)
        }

        /// A button that opens a menu.
        init(_ menu: Widget.MenuKind, _ id: String, _ icon: Icon, _ name: String) {
            (self.id, command, self.icon, self.name) = (id, nil, icon, name)
            action = .openMenu(menu)
        }

        /// A button for a command that shows or hides something.
        init(_ command: Command, _ icon: Icon, isChecked: Bool) {
            self.init(command, icon)
            states = isChecked ? [.checkable, .checked] : .checkable
        }
    }

    /// A bar of buttons that ends at `right`; fewer buttons where there is too little room.
    func row(
        _ id: String, _ name: String, _ buttons: [Button], from left: Double, to right: Double,
        y: Double
    ) -> Widget? {
        // The button that goes back has priority.
        let most = Int(
            clamping: ((right - left - Self.margin - target) / target).rounded(.down))
        let shown = buttons.suffix(max(most, 0))
        guard !shown.isEmpty else { return nil }
        let width = Double(shown.count) * target
        return row(id, name, Array(shown), at: Point(x: right - width, y: y))
    }

    func row(
        _ id: String, _ name: String, _ buttons: [Button], at corner: Point
    ) -> Widget {
        let rect = Rect(
            x: corner.x, y: corner.y, width: Double(buttons.count) * target,
            height: target)
        return layout.bar(
            id, name, rect,
            buttons.enumerated().map { number, button in
                var widget = layout.button(
                    button.id, button.icon, button.name, button.action,
                    at: rect.x + Double(number) * target, y: rect.y, states: button.states)
                if button.isMark { widget.face = .mark(button.icon) }
                if let share = button.countdown {
                    widget.face = .countdown(button.icon, share)
                }
                return widget
            })
    }

    // MARK: Filmstrip

    /// The filmstrip above the bar at the bottom; nil where there is no room, or nothing to choose.
    package var filmstrip: FilmstripLayout? {
        let isMirrored = layout.theme.isRightToLeft
        return filmstrip(about: isMirrored ? surface.width - freeWidth / 2 : freeWidth / 2)
    }

    /// The filmstrip before it is mirrored for right-to-left languages.
    private var straightFilmstrip: FilmstripLayout? { filmstrip(about: freeWidth / 2) }

    private func filmstrip(about center: Double) -> FilmstripLayout? {
        guard facts.count > 1, surface.height >= Self.lowestForFilmstrip, !facts.coversBottom
        else { return nil }
        let hasZoomAbove = zoomBar.map { $0.rect.y < bottom } ?? false
        let lower = hasZoomAbove ? bottom - target - Self.margin : bottom
        return FilmstripLayout(
            bottom: lower - Self.margin, width: freeWidth - 2 * Self.margin,
            center: center, count: facts.count,
            isMirrored: layout.theme.isRightToLeft)
    }

    /// The area of the filmstrip on the surface, in logical pixels.
    package var filmstripArea: Rect? { filmstrip?.rect }

    /// The frame around the cell in the middle, which is the selected picture.
    private var filmstripMark: Widget? {
        straightFilmstrip.map {
            Widget(
                "filmstrip-mark", .panel,
                rect: Rect(
                    center: $0.rect.center,
                    size: Size(width: $0.rect.height + 4, height: $0.rect.height + 4)),
                face: .outline(radius: 5))
        }
    }

    private var filmstripWidget: Widget? {
        straightFilmstrip.map {
            Widget(
                Chrome.filmstrip, .list, localized("Pictures"), description: place, rect: $0.rect,
                states: .focusable)
        }
    }
}
