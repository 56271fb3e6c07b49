import Commands
import Localization

/// The menus of the header, and of a selection.
extension GridBars {
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
        case .edit: menus.edit
        case .send: menus.send
        case .file: menus.file
        case .view: viewItems
        case .pictures: openItems
        case .folders: folderItems
        case .zoom, .cropSave, .cropRatio: []
        case .grid, .picture: FileMenus.items(of: facts.isInSelection ? selectionParts : parts)
        }
    }

    /// The menus of commands for the selected pictures.
    var menus: FileMenus {
        var menus = FileMenus(.grid, on: layout, facts.files)
        menus.count = facts.selected
        menus.isFavourite = facts.areFavourites
        return menus
    }

    /// Other pictures, and another window.
    private var openItems: [Menu.Item] {
        [
            item(.openFiles, .picture), item(.openFolder, .open), item(.paste, .paste),
            item(.newWindow, .window),
        ].compactMap(\.self)
    }

    private var viewItems: [Menu.Item] {
        Menu.Item.sections([
            [
                item(
                    .zoomOut, .smallerCells, localized("Smaller pictures"),
                    isEnabled: facts.canShrink),
                item(
                    .zoomIn, .largerCells, localized("Larger pictures"),
                    isEnabled: facts.canGrow),
                item(.defaultColumns, .columns),
            ].compactMap(\.self), [item(.fullscreen, .fullscreen)].compactMap(\.self),
        ])
    }

    /// The parts of the grid's menu by section.
    private var parts: [[FileMenus.Part]] {
        let favourites = menus.item(
            .favouritesOnly, .filter, nil, facts.files.showsFavouritesOnly)
        return [
            [
                .rows(
                    [
                        showsButton(for: .command(.find)) ? nil : item(.find, .search),
                        item(.selectAll, .select),
                        item(.slideshow, .slideshow), favourites,
                    ]
                    .compactMap(
                        \.self)), .nested(.view, localized("View"), .largerCells, viewItems),
                .nested(.sort, localized("Sort"), .sort, sortItems),
            ],
            [.rows(menus.history)], [.nested(.pictures, localized("Open"), .open, openItems)],
            [
                .rows(
                    [item(.settings, .settings), item(.help, .help)].compactMap(\.self) + quit)
            ],
        ]
    }

    /// The parts of the menu of a selection by section.
    private var selectionParts: [[FileMenus.Part]] {
        guard facts.selected > 0 else {
            return [
                [.rows([item(.selectAll, .select)].compactMap(\.self))], [.rows(menus.history)],
            ]
        }
        return [
            [
                .nested(.send, localized("Share and open"), .send, menus.send),
                .nested(.file, localized("File"), .file, menus.file),
            ], [.rows(menus.marks)], [.rows(menus.history)],
            [
                .rows(
                    [item(.selectAll, .select), item(.slideshow, .slideshow)].compactMap(\.self)),
                .nested(.view, localized("View"), .largerCells, viewItems),
            ],
        ]
    }

    /// Whether the header has a button for an action; a narrow one lacks some.
    private func showsButton(for action: Widget.Action) -> Bool {
        widgets.contains { $0.children.contains { $0.action == action } }
    }

    private var sortItems: [Menu.Item] {
        let isNeeded =
            facts.count > 0 && layout.policy.allowsSorting
            && !showsButton(for: .openMenu(.sort))
        return isNeeded ? items(of: .sort) : []
    }

    private var quit: [Menu.Item] {
        guard layout.policy.allowsLeaving else { return [] }
        return [
            Menu.Item(
                title: localized("Quit"), action: .window(.close), icon: .close,
                detail: layout.keys.keys(of: CommandTable.entry(of: .leave), in: .grid)
                    .first { $0 == "Ctrl+q" }?.label ?? "")
        ]
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
    private func item(
        _ command: Command, _ icon: Icon, _ title: String? = nil, isEnabled: Bool = true
    ) -> Menu.Item? {
        guard layout.policy.allows(command) else { return nil }
        let entry = CommandTable.entry(of: command)
        var item = Menu.Item(
            title: title ?? entry.title, action: .command(command), icon: icon,
            detail: layout.keys.label(of: command, in: .grid))
        item.isEnabled = isEnabled
        return item
    }
}
