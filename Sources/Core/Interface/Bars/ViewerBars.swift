import SceneModel
import Commands
package import Geometry

/// The bars over a picture: name and place at the top left, commands at the top right and at the
/// bottom, and for the pointer a zoom control and arrows at the sides.
package struct ViewerBars: Hashable, Sendable {
    package let layout: BarLayout
    package let facts: ViewerFacts

    /// The width of the percentage, in logical pixels.
    private static let percentWidth = 76.0
    /// The largest width of the name, in logical pixels.
    private static let nameWidth = 420.0
    private static let padding = 14.0
    /// The space around the text of the percentage while it is edited, in logical pixels.
    private static let fieldInset = 12.0
    /// Below these heights of the surface, in logical pixels, the bar at the bottom and the filmstrip
    /// are left out.
    private static let lowest = 180.0
    private static let lowestForFilmstrip = 420.0
    private static let lowestForArrows = 260.0
    /// On surfaces of this width, in logical pixels, the zoom control fits beside the bar at the bottom
    /// with all its buttons.
    private static let narrowestForOneRow = 880.0
    /// Narrower surfaces have no arrows, in logical pixels.
    private static let narrowestForArrows = 320.0

    package init(_ layout: BarLayout, _ facts: ViewerFacts) {
        self.layout = layout
        self.facts = facts
    }

    private var surface: Size { layout.surface }
    /// The width beside the information panel for the bars at the bottom, in logical pixels.
    private var freeWidth: Double { max(surface.width - facts.panelWidthAtBottom, 0) }

    /// The height that the bars at the bottom take with the filmstrip, in logical pixels.
    ///
    /// Nil on a narrow surface, where there are more rows of bars with a pointer, and on a low one.
    static func bottomHeight(on surface: Size) -> Double? {
        guard surface.width >= narrowestForOneRow, surface.height >= lowestForFilmstrip else {
            return nil
        }
        return 2 * margin + target + FilmstripLayout.height + margin
    }
    private static let margin = BarLayout.margin
    private static let target = Theme.target

    /// All bars, from the bottom to the top.
    package var widgets: [Widget] {
        let (window, left, right) = layout.windowBars()
        let commands = commandBar(from: left, to: right)
        let widgets =
            [nameBar(from: left, to: (commands?.rect.x ?? right) - Self.margin), commands]
            + window + [actionBar, zoomBar, zoomField, filmstripWidget, filmstripMark]
        // The pages do not change sides, so the arrows do not either.
        return layout.oriented(widgets.compactMap(\.self)) + arrows
    }

    /// The areas of the surface that belong to the bars.
    package var areas: [Rect] {
        var areas = layout.windowControls == nil ? topAreas : [topStrip]
        areas += [actionBar?.rect, zoomBar?.rect, straightFilmstrip?.rect].compactMap(\.self)
        return areas.map(layout.oriented) + arrows.map(\.rect)
    }

    /// The strip at the top that moves the window.
    package var topStrip: Rect {
        Rect(x: 0, y: 0, width: surface.width, height: min(BarLayout.top, surface.height))
    }

    private var topAreas: [Rect] {
        let (_, left, right) = layout.windowBars()
        let commands = commandBar(from: left, to: right)
        let end = (commands?.rect.x ?? right) - Self.margin
        // The name's bar at its largest, because the name is not known here.
        var name = nameBar(from: left, to: end)?.rect
        name?.size.width = min(end - left, Self.target + Self.nameWidth + Self.padding)
        return [name, commands?.rect].compactMap(\.self)
    }

    // MARK: Top

    /// The place of the picture; the zoom only where no control shows it.
    private var place: String { facts.place(withZoom: zoomBar == nil) }

    /// The place with the date; without the date where the text is wider than `most`.
    private func place(upTo most: Double) -> String {
        let whole = facts.place(withDate: true, withZoom: zoomBar == nil)
        return layout.text(whole, layout.theme.small).width <= most ? whole : place
    }

    private func nameBar(from start: Double, to right: Double) -> Widget? {
        let available = right - start
        guard available >= Self.target else { return nil }
        let theme = layout.theme
        let back = layout.button(
            "back", facts.returnsToGrid ? .back : .close,
            facts.returnsToGrid ? "Back to the grid" : "Close", .back, at: start,
            y: Self.margin)
        let hasBack = facts.returnsToGrid || layout.policy.allowsLeaving
        let left = hasBack ? back.rect.maxX : start + Self.padding
        let most = min(right - left - Self.padding, Self.nameWidth)
        let place = place(upTo: most)
        let wish = max(
            layout.text(facts.name, theme.title).width,
            theme.isLarge ? 0 : layout.text(place, theme.small).width)
        // Fewer than two characters say nothing.
        guard most >= theme.title.size * 3 else {
            return hasBack ? layout.bar("top", "Picture", back.rect, [back]) : nil
        }
        let width = min(wish.rounded(.up) + 1, most)
        let half = Self.target / 2
        let name = Widget(
            "name", .heading, facts.name,
            rect: theme.isLarge
                ? Rect(x: left, y: Self.margin, width: width, height: Self.target)
                : Rect(x: left, y: Self.margin + 3, width: width, height: half - 2),
            face: .text(facts.name, .title, .leading))
        let placeLabel = Widget(
            "place", .label, place,
            rect: Rect(x: left, y: Self.margin + half, width: width, height: half - 3),
            face: .text(place, .small, .leading))
        let rect = Rect(
            x: start, y: Self.margin, width: left + width + Self.padding - start,
            height: Self.target)
        return layout.bar(
            "top", "Picture", rect,
            (hasBack ? [back] : []) + (theme.isLarge ? [name] : [name, placeLabel]))
    }

    private func commandBar(from left: Double, to right: Double) -> Widget? {
        row(
            "commands", "Commands",
            [
                .init(.information, .information, isChecked: facts.showsInformation),
                .init(.menu, .menu, "Menu", .openMenu(.picture)),
            ].filter { layout.policy.allows($0.command) }, from: left, to: right, y: Self.margin)
    }

    // MARK: Bottom

    /// A button before its place is known.
    private struct Button {
        let command: Command
        var icon: Icon
        var name: String
        var action: Widget.Action
        var states: Widget.States = []
        var id: String { command.rawValue }

        init(
            _ command: Command, _ icon: Icon, _ name: String? = nil, _ action: Widget.Action? = nil
        ) {
            (self.command, self.icon) = (command, icon)
            self.name = name ?? CommandTable.entry(of: command).title
            self.action = action ?? .command(command)
        }

        /// A button for a command that shows or hides something.
        init(_ command: Command, _ icon: Icon, isChecked: Bool) {
            self.init(command, icon)
            states = isChecked ? [.checkable, .checked] : .checkable
        }
    }

    /// A bar of buttons that ends at `right`; fewer buttons where there is too little room.
    private func row(
        _ id: String, _ name: String, _ buttons: [Button], from left: Double, to right: Double,
        y: Double
    ) -> Widget? {
        // The button that goes back has priority.
        let most = Int(
            clamping: ((right - left - Self.margin - Self.target) / Self.target).rounded(.down))
        let shown = buttons.suffix(max(most, 0))
        guard !shown.isEmpty else { return nil }
        let width = Double(shown.count) * Self.target
        return row(id, name, Array(shown), at: Point(x: right - width, y: y))
    }

    private func row(
        _ id: String, _ name: String, _ buttons: [Button], at corner: Point
    ) -> Widget {
        let rect = Rect(
            x: corner.x, y: corner.y, width: Double(buttons.count) * Self.target,
            height: Self.target)
        return layout.bar(
            id, name, rect,
            buttons.enumerated().map { number, button in
                layout.button(
                    button.id, button.icon, button.name, button.action,
                    at: rect.x + Double(number) * Self.target, y: rect.y, states: button.states)
            })
    }

    private var actions: [Button] {
        var buttons: [Button] = []
        // The arrow at the top leads back to the grid that the viewer was opened from.
        if facts.count > 1, !facts.returnsToGrid { buttons.append(Button(.grid, .grid)) }
        buttons += [
            Button(.rotateAnticlockwise, .rotateAnticlockwise),
            Button(.rotateClockwise, .rotateClockwise),
        ]
        if facts.isAnimation {
            buttons.append(
                Button(
                    .playPause, facts.isPlaying ? .pause : .play,
                    facts.isPlaying ? "Pause" : "Play"))
        }
        if facts.count > 1 { buttons.append(Button(.slideshow, .slideshow)) }
        buttons += [Button(.fullscreen, .fullscreen), Button(.help, .help)]
        return buttons.filter { layout.policy.allows($0.command) }
    }

    private var bottom: Double { surface.height - Self.margin - Self.target }

    private var actionBar: Widget? {
        guard surface.height >= Self.lowest, !facts.coversBottom else { return nil }
        let most = Int(clamping: (freeWidth - 2 * Self.margin) / Self.target)
        let buttons = Array(actions.prefix(max(most, 0)))
        guard !buttons.isEmpty else { return nil }
        let width = Double(buttons.count) * Self.target
        return row(
            "actions", "Actions", buttons,
            at: Point(x: ((freeWidth - width) / 2).rounded(), y: bottom))
    }

    private static let zoomWidth = 4 * target + percentWidth

    /// The zoom control beside the action bar, or above where the surface is too narrow.
    private var zoomBar: Widget? {
        guard facts.percent != nil, surface.height >= Self.lowest, !facts.coversBottom,
            freeWidth >= Self.zoomWidth + 2 * Self.margin
        else { return nil }
        let x = freeWidth - Self.margin - Self.zoomWidth
        let isBeside = actionBar.map { $0.rect.maxX + Self.margin <= x } ?? true
        guard isBeside || layout.usesPointer else { return nil }
        let y = isBeside ? bottom : bottom - Self.target - Self.margin
        let rect = Rect(x: x, y: y, width: Self.zoomWidth, height: Self.target)
        let after = x + Self.target + Self.percentWidth
        return layout.bar(
            "zoom-bar", "Zoom", rect,
            [
                layout.button(.zoomOut, .zoomOut, at: x, y: y),
                layout.button(.zoomIn, .zoomIn, at: after, y: y),
                layout.button(.fit, .fit, at: after + Self.target, y: y),
                layout.button(.oneToOne, .oneToOne, at: after + 2 * Self.target, y: y),
            ])
    }

    /// The percentage over the zoom control: a widget of its own, because it changes with every frame
    /// of a pinch, and the control does not.
    private var zoomField: Widget? {
        guard let percent = facts.percent, let bar = zoomBar else { return nil }
        let rect = Rect(
            x: bar.rect.x + Self.target, y: bar.rect.y, width: Self.percentWidth,
            height: Self.target)
        return Widget(
            "zoom", .entry, "Zoom", description: "\(percent) %", rect: rect,
            states: [.focusable, .editable], action: .edit,
            face: fieldFace(in: rect) ?? .text("\(percent) %", .number, .center))
    }

    private func fieldFace(in rect: Rect) -> Widget.Face? {
        guard let field = facts.zoomField else { return nil }
        let laidOut = TextFieldLayout(
            field, in: rect.inset(by: Self.fieldInset), layout.theme.number, measure: layout.text)
        return .field(
            .init(
                text: laidOut.text,
                textRect: Rect(
                    x: laidOut.origin.x, y: rect.y, width: max(laidOut.size.width + 1, 1),
                    height: rect.height), caret: laidOut.cursor, selection: laidOut.selection))
    }

    /// The caret of the percentage that is being edited, on the surface in logical pixels.
    package var caret: Rect? {
        guard let widget = zoomField, case .field(let field) = layout.oriented([widget])[0].face
        else { return nil }
        return field.caret
    }

    /// The arrows at the sides that turn the page.
    private var arrows: [Widget] {
        guard layout.usesPointer, facts.count > 1, surface.height >= Self.lowestForArrows,
            surface.width - facts.panelWidth >= Self.narrowestForArrows, !facts.coversBottom
        else { return [] }
        let free = layout.oriented(
            Rect(
                x: 0, y: 0, width: surface.width - facts.panelWidth, height: surface.height))
        let y = ((surface.height - Self.target) / 2).rounded()
        var arrows: [Widget] = []
        if facts.index > 0 {
            arrows.append(
                row(
                    "page-back", "Page", [Button(.previous, .previous)],
                    at: Point(x: free.x + Self.margin, y: y)))
        }
        if facts.index + 1 < facts.count {
            let x = free.maxX - Self.margin - Self.target
            arrows.append(row("page-on", "Page", [Button(.next, .next)], at: Point(x: x, y: y)))
        }
        return arrows
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
        let lower = hasZoomAbove ? bottom - Self.target - Self.margin : bottom
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
                Chrome.filmstrip, .list, "Pictures", description: place, rect: $0.rect,
                states: .focusable)
        }
    }
}
