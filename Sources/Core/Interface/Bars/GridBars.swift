import Commands
package import Geometry
import SceneModel

/// The header over the grid, or the bar of a selection.
package struct GridBars: Hashable, Sendable {
    package let layout: BarLayout
    package let facts: GridFacts

    /// The largest width of the folder's name, in logical pixels.
    private static let nameWidth = 420.0
    private static let padding = 14.0
    /// Wider surfaces have buttons for the columns, in logical pixels.
    private static let columnsLimit = 600.0

    package init(_ layout: BarLayout, _ facts: GridFacts) {
        self.layout = layout
        self.facts = facts
    }

    private static let margin = BarLayout.margin
    private static let target = Theme.target

    package var widgets: [Widget] {
        let (window, left, right) = layout.windowBars()
        let commands = commandBar(from: left, to: right)
        let name = nameBar(from: left, to: (commands?.rect.x ?? right) - Self.margin)
        return layout.oriented([name, commands].compactMap(\.self) + window)
    }

    /// The areas of the surface that belong to the header.
    package var areas: [Rect] {
        guard layout.windowControls == nil else {
            return [
                Rect(
                    x: 0, y: 0, width: layout.surface.width,
                    height: min(BarLayout.top, layout.surface.height))
            ]
        }
        return widgets.map(\.rect)
    }

    private func nameBar(from start: Double, to right: Double) -> Widget? {
        let theme = layout.theme
        let title = facts.isInSelection ? facts.selection : facts.name
        var left = start
        var children: [Widget] = []
        if facts.isInSelection {
            children.append(
                layout.button(
                    "selection-end", .close, "End the selection", .endSelection, at: left,
                    y: Self.margin))
            left += Self.target
        } else {
            left += Self.padding
        }
        guard right >= start + Self.target else { return nil }
        let most = min(right - left - Self.padding, Self.nameWidth)
        let detail = facts.isInSelection ? facts.name : place(upTo: most)
        guard most >= theme.title.size * 3 else {
            guard let button = children.first else { return nil }
            return layout.bar("header", "Header", button.rect, children)
        }
        let wish = max(
            layout.text(title, theme.title).width,
            theme.isLarge ? 0 : layout.text(detail, theme.small).width)
        let width = min(wish.rounded(.up) + 1, most)
        let half = Self.target / 2
        children.append(
            Widget(
                "folder", .heading, title,
                rect: theme.isLarge
                    ? Rect(x: left, y: Self.margin, width: width, height: Self.target)
                    : Rect(x: left, y: Self.margin + 3, width: width, height: half - 2),
                face: .text(title, .title, .leading)))
        if !theme.isLarge {
            children.append(
                Widget(
                    "count", .label, detail,
                    rect: Rect(x: left, y: Self.margin + half, width: width, height: half - 3),
                    face: .text(detail, .small, .leading)))
        }
        let rect = Rect(
            x: start, y: Self.margin, width: left + width + Self.padding - start,
            height: Self.target)
        return layout.bar("header", "Header", rect, children)
    }

    /// The number of pictures with as much of their order as fits into `most`.
    private func place(upTo most: Double) -> String {
        let places = facts.places
        return places.first { layout.text($0, layout.theme.small).width <= most }
            ?? places[places.count - 1]
    }

    private func commandBar(from left: Double, to right: Double) -> Widget? {
        let policy = layout.policy
        var buttons: [(id: String, icon: Icon, name: String, action: Widget.Action)] = []
        func add(_ command: Command, _ icon: Icon, _ name: String) {
            guard policy.allows(command) else { return }
            buttons.append((command.rawValue, icon, name, .command(command)))
        }
        if facts.count > 0, layout.surface.width >= Self.columnsLimit {
            add(.zoomOut, .smallerCells, "Smaller pictures")
            add(.zoomIn, .largerCells, "Larger pictures")
        }
        if facts.isInSelection {
            add(.selectAll, .check, "Select all")
        } else if facts.count > 0 {
            if policy.allowsSorting { buttons.append(("sort", .sort, "Sort", .openMenu(.sort))) }
            if policy.allows(.select) {
                buttons.append(("select-mode", .select, "Select pictures", .beginSelection))
            }
        }
        if policy.allows(.menu) { buttons.append(("menu", .menu, "Menu", .openMenu(.grid))) }
        // The button that ends the selection has priority.
        let reserved = facts.isInSelection ? Self.target + Self.margin : 0
        let most = Int(
            clamping: ((right - left - reserved) / Self.target).rounded(.down))
        let shown = buttons.suffix(max(most, 0))
        guard !shown.isEmpty else { return nil }
        let width = Double(shown.count) * Self.target
        let rect = Rect(
            x: right - width, y: Self.margin, width: width, height: Self.target)
        return layout.bar(
            "commands", "Commands", rect,
            shown.enumerated().map { number, button in
                layout.button(
                    button.id, button.icon, button.name, button.action,
                    at: rect.x + Double(number) * Self.target, y: rect.y)
            })
    }

    // MARK: Menus

    /// The items of a menu of the header.
    package func items(of kind: Widget.MenuKind) -> [Menu.Item] {
        switch kind {
        case .sort:
            Menu.Item.sections([
                SortChoice.Key.allCases.map {
                    Menu.Item(
                        title: $0.title, action: .sort(.key($0)), isChecked: $0 == facts.sortKey)
                }, directions,
            ])
        case .grid, .picture:
            Menu.Item.sections([
                [
                    item(.zoomOut, .smallerCells, "Smaller pictures"),
                    item(.zoomIn, .largerCells, "Larger pictures"),
                ].compactMap(\.self),
                [
                    item(.selectAll, .check), item(.slideshow, .slideshow),
                    item(.fullscreen, .fullscreen),
                ].compactMap(\.self),
                [item(.openFiles, .picture), item(.openFolder, .open)].compactMap(\.self),
                [item(.help, .help)].compactMap(\.self),
                layout.policy.allowsLeaving
                    ? [
                        Menu.Item(
                            title: "Quit", action: .window(.close), icon: .close,
                            detail: "Ctrl+Q")
                    ] : [],
            ])
        }
    }

    /// The directions of the order, the natural one first; none for an order without directions.
    private var directions: [Menu.Item] {
        let natural = facts.sortKey.isNaturallyReversed
        return [natural, !natural].compactMap { isReversed in
            facts.sortKey.title(isReversed: isReversed).map {
                Menu.Item(
                    title: $0, action: .sort(.direction(isReversed: isReversed)),
                    isChecked: isReversed == facts.isReversed)
            }
        }
    }

    /// The item of a command; nil where the command is not allowed.
    private func item(_ command: Command, _ icon: Icon, _ title: String? = nil) -> Menu.Item? {
        guard layout.policy.allows(command) else { return nil }
        let entry = CommandTable.entry(of: command)
        return Menu.Item(
            title: title ?? entry.title, action: .command(command), icon: icon,
            detail: entry.keys[.grid]?.first?.label ?? "")
    }

    // MARK: Empty pages

    /// The page that stands in for an empty grid; nil where there are pictures.
    package var page: Widget? {
        guard facts.count == 0 else { return nil }
        let (title, text): (String, String) =
            switch facts.state {
            case .reading: ("Reading…", facts.name)
            case .complete:
                ("No pictures here", "The folder has no pictures that can be shown.")
            case .failed(let reason): ("The folder cannot be read", reason)
            case .nothing:
                ("No pictures yet", "Choose the pictures or the folder that Vitrine shows.")
            }
        let button: (String, Widget.Action)? =
            facts.state == .reading || !layout.policy.allows(.openFolder)
            ? nil : ("Open…", .command(.openFolder))
        return StatusPage.widget(title, text, icon: .picture, layout, button: button)
    }
}
