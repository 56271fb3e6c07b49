import Commands
package import Geometry
import Localization
import SceneModel

/// The header over the grid, or the bar of a selection.
package struct GridBars: Hashable, Sendable {
    package let layout: BarLayout
    package let facts: GridFacts

    static let padding = Theme.Space.text
    /// As much of the name of the folder is shown before the names of folders above, in logical pixels.
    private static let wishedName = 120.0
    /// Wider surfaces have buttons for the columns, in logical pixels.
    private static let columnsLimit = 600.0

    package init(_ layout: BarLayout, _ facts: GridFacts) {
        self.layout = layout
        self.facts = facts
    }

    private static let margin = BarLayout.margin
    private var target: Double { layout.target }

    package var widgets: [Widget] {
        let (window, left, right) = layout.windowBars()
        let commands = commandBar(from: left, to: right)
        let end = (commands?.rect.x ?? right) - Self.margin
        let name = searchBar(from: left, to: end) ?? nameBar(from: left, to: end)
        return layout.oriented([name, commands].compactMap(\.self) + window)
    }

    /// The areas of the surface that belong to the header.
    package var areas: [Rect] {
        guard layout.windowControls == nil else {
            return [
                Rect(
                    x: 0, y: 0, width: layout.surface.width,
                    height: min(layout.top, layout.surface.height))
            ]
        }
        return widgets.map(\.rect)
    }

    private func nameBar(from start: Double, to right: Double) -> Widget? {
        let theme = layout.theme
        let name = facts.isInSelection ? facts.selection : facts.name
        var left = start
        var children: [Widget] = []
        if facts.isInSelection {
            children.append(
                layout.button(
                    "selection-end", .close, localized("End the selection"), .endSelection,
                    at: left,
                    y: Self.margin))
            left += target
        } else {
            // Whole words of the line below the name count more than folders above.
            let count =
                layout.isLarge
                ? 0 : layout.text(facts.places.last ?? "", theme.small).width.rounded(.up) + 1
            let wish = layout.text(name, theme.title).width.rounded(.up) + 1
            let least = min(wish, leastNameWidth)
            children = pathButtons(
                from: left, room: right - left - 2 * Self.padding - least,
                keeping: max(max(count, min(wish, Self.wishedName)) - least, 0))
            left = (children.last?.rect.maxX ?? left) + Self.padding
        }
        guard right >= start + target else { return nil }
        let whole = min(right - left - Self.padding, layout.nameWidth)
        // Apart from the buttons that change files.
        let offersAll =
            facts.isInSelection && layout.policy.allows(.selectAll)
            && whole - target >= shortWidth
        let most = whole - (offersAll ? target : 0)
        let isShort =
            facts.isInSelection && layout.text(name, theme.title).width.rounded(.up) + 1 > most
        let title = isShort ? facts.shortSelection : name
        let detail = facts.isInSelection ? facts.name.isolated : place(upTo: most)
        // Fewer than three characters of a longer name say nothing.
        let least = min(
            theme.title.size * 3, layout.text(title, theme.title).width.rounded(.up) + 1)
        guard most >= (isShort ? shortWidth : least) else {
            let buttons = children.filter { $0.action != nil }
            guard let last = buttons.last else { return nil }
            let rect = Rect(
                x: start, y: Self.margin, width: last.rect.maxX - start, height: target)
            return layout.bar("header", localized("Header"), rect, buttons)
        }
        let wish = max(
            layout.text(title, theme.title).width,
            layout.isLarge || isShort ? 0 : layout.text(detail, theme.small).width)
        let width = min(wish.rounded(.up) + 1, most)
        let half = target / 2
        // The name leads to the folders above.
        if !facts.isInSelection, !facts.above.isEmpty, layout.policy.allows(.openFolder) {
            children.append(
                Widget(
                    "folders", .pushButton, localized("Folders above"),
                    rect: Rect(
                        x: left - Self.padding / 2, y: Self.margin, width: width + Self.padding,
                        height: target), states: .focusable, action: .openMenu(.folders)))
        }
        children.append(
            Widget(
                "folder", .heading, name,
                rect: layout.isLarge || isShort
                    ? Rect(x: left, y: Self.margin, width: width, height: target)
                    : Rect(x: left, y: Self.margin + 3, width: width, height: half - 2),
                face: .text(title, facts.isInSelection ? .title : .name, .leading)))
        if !layout.isLarge, !isShort {
            children.append(
                Widget(
                    "count", .label, detail,
                    rect: Rect(x: left, y: Self.margin + half, width: width, height: half - 3),
                    face: .text(detail, .small, .leading)))
        }
        var end = left + width + Self.padding
        if offersAll {
            children.append(
                layout.button(
                    "select-all", .select, localized("Select all"), .command(.selectAll),
                    at: end - Self.padding / 2, y: Self.margin))
            end += target - Self.padding / 2
        }
        let rect = Rect(
            x: start, y: Self.margin, width: end - start, height: target)
        return layout.bar("header", localized("Header"), rect, children)
    }

    /// The number of pictures with as much of their order as fits into `most`.
    private func place(upTo most: Double) -> String {
        let places = facts.places
        return places.first { layout.text($0, layout.theme.small).width <= most }
            ?? places[places.count - 1]
    }

    /// The width of the number of selected pictures, in logical pixels; the same for all numbers of up to
    /// three digits, so that no button moves while pictures are selected.
    private var shortWidth: Double {
        let digits = String(repeating: "0", count: max(facts.shortSelection.count, 3))
        return layout.text(digits, layout.theme.title).width.rounded(.up) + 1
    }

    /// A button of the header before its place is known.
    private struct Button {
        let id: String
        let icon: Icon
        let name: String
        let action: Widget.Action
        /// Buttons of low ranks are shown where there is too little room for all.
        let rank: Int
        var states: Widget.States = []
        /// Whether the icon itself shows that the button is checked.
        var isMark = false
    }

    /// The buttons in their order on the surface.
    private var buttons: [Button] {
        let policy = layout.policy
        var buttons: [Button] = []
        func add(
            _ rank: Int, _ command: Command, _ icon: Icon, _ name: String? = nil,
            _ states: Widget.States = []
        ) {
            guard policy.allows(command) else { return }
            buttons.append(
                Button(
                    id: command.rawValue, icon: icon,
                    name: name ?? CommandTable.entry(of: command).title,
                    action: .command(command), rank: rank, states: states,
                    isMark: [.favourite, .favouritesOnly].contains(command)))
        }
        let usual = facts.isInSelection ? 20 : 5
        if facts.count > 0, layout.surface.width >= Self.columnsLimit {
            add(
                usual + 1, .zoomOut, .smallerCells, localized("Smaller pictures"),
                facts.canShrink ? [] : .disabled)
            add(
                usual, .zoomIn, .largerCells, localized("Larger pictures"),
                facts.canGrow ? [] : .disabled)
        }
        if facts.isInSelection {
            let nothing: Widget.States = facts.selected == 0 ? .disabled : []
            add(
                3, .favourite, facts.areFavourites ? .heartFilled : .heart, nil,
                nothing.union(facts.areFavourites ? [.checkable, .checked] : .checkable))
            if menus.hasSend {
                buttons.append(
                    Button(
                        id: "send", icon: .send, name: localized("Share and open"),
                        action: .openMenu(.send),
                        rank: 2, states: nothing))
            }
            add(5, .copyTo, .folderCopy, nil, nothing)
            add(6, .moveTo, .folderMove, nil, nothing)
            add(1, .delete, .trash, nil, nothing)
        } else if facts.count > 0 || facts.files.showsFavouritesOnly {
            if facts.files.showsFavouritesOnly {
                // The way back to all pictures.
                add(1, .favouritesOnly, .heartFilled, localized("Show all pictures"), .checked)
            }
            if facts.search == nil { add(3, .find, .search, localized("Find")) }
            if policy.allowsSorting {
                buttons.append(
                    Button(
                        id: "sort", icon: .sort, name: localized("Sort"), action: .openMenu(.sort),
                        rank: 4))
            }
            if policy.allows(.select) {
                buttons.append(
                    Button(
                        id: "select-mode", icon: .select, name: localized("Select pictures"),
                        action: .beginSelection, rank: 2))
            }
        }
        if policy.allows(.menu) {
            buttons.append(
                Button(
                    id: "menu", icon: .menu, name: localized("Menu"), action: .openMenu(.grid),
                    rank: 0))
        }
        return buttons
    }

    private func commandBar(from left: Double, to right: Double) -> Widget? {
        // The button that ends the selection has priority, and so has the number that is selected.
        let reserved =
            facts.isInSelection
            ? target + Self.margin
            : facts.search == nil ? leastPathWidth : searchWidth(in: right - left)
        let number = facts.isInSelection ? shortWidth + Self.padding : 0
        let room = (right - left - reserved) / target
        let withNumber = Int(clamping: (room - number / target).rounded(.down))
        let most = max(withNumber > 0 ? withNumber : Int(clamping: room.rounded(.down)), 0)
        let ranks = Set(buttons.map(\.rank).sorted().prefix(most))
        let shown = buttons.filter { ranks.contains($0.rank) }
        guard !shown.isEmpty else { return nil }
        let width = Double(shown.count) * target
        let rect = Rect(
            x: right - width, y: Self.margin, width: width, height: target)
        return layout.bar(
            "commands", localized("Commands"), rect,
            shown.enumerated().map { number, button in
                var widget = layout.button(
                    button.id, button.icon, button.name, button.action,
                    at: rect.x + Double(number) * target, y: rect.y, states: button.states)
                if button.isMark { widget.face = .mark(button.icon) }
                return widget
            })
    }

    /// The button of the header with an action, apart from those whose menus are at the end of the
    /// surface; nil where there is none.
    package func button(for action: Widget.Action) -> Widget? {
        let isOfHeader = action == .openMenu(.folders) || action == .openMenu(.sort)
        guard facts.isInSelection && action != .openMenu(.grid) || isOfHeader else { return nil }
        return widgets.lazy.flatMap(\.children).first { $0.action == action }
    }

    // MARK: Empty pages

    /// The page that stands in for an empty grid; nil where there are pictures.
    package var page: Widget? {
        guard facts.count == 0, facts.folders == 0 else { return nil }
        if let search = facts.search, facts.total > 0 {
            return StatusPage.widget(
                localized("Nothing found"),
                localized("No picture here matches “\(search.field.text.isolated)”.")
                    + " "
                    + localized(
                        "Try a part of a name, a date such as 14 July 2025, ★3 or >4 MP."),
                icon: .search, layout, button: (localized("Show all pictures"), .endSearch))
        }
        let (title, text): (String, String) =
            switch facts.state {
            case .reading: (localized("Reading…"), facts.name.isolated)
            case .complete:
                (
                    localized("No pictures here"),
                    localized("The folder has no pictures that can be shown.")
                )
            case .failed(let reason, isFolder: true):
                (localized("The folder cannot be read"), reason)
            case .failed(let reason, isFolder: false): (localized("No pictures here"), reason)
            case .nothing:
                (
                    localized("No pictures yet"),
                    localized("Choose the pictures or the folder that Vitrine shows.")
                )
            }
        let button: (String, Widget.Action)? =
            facts.state == .reading || !layout.policy.allows(.openFolder)
            ? nil : (localized("Open…"), .command(.openFolder))
        return StatusPage.widget(title, text, icon: .picture, layout, button: button)
    }
}
