package import Commands
import Localization
import SceneModel

/// The menus of commands for the picture in the viewer, or for selected pictures.
///
/// Commands that the policy does not allow have no rows.
package struct FileMenus: Hashable, Sendable {
    package let mode: CommandMode
    package let policy: CommandPolicy
    private let keys: KeyMap
    package let facts: FileFacts
    /// The number of pictures that the commands work on.
    package var count = 1
    package var isFavourite = false

    /// A menu with more rows opens parts of it as menus of their own.
    package static let mostRows = 9

    package init(_ mode: CommandMode, on layout: BarLayout, _ facts: FileFacts) {
        (self.mode, self.facts) = (mode, facts)
        (policy, keys) = (layout.policy, layout.keys)
    }

    // MARK: Menus

    /// A row before the policy decides.
    private struct Row {
        let command: Command
        let icon: Icon
        /// Whether the command works on one picture only.
        var isForOne = false
        /// Whether only the menus of the viewer have the row.
        var isForViewer = false
    }

    private static let editRows = [
        [
            Row(command: .rotateAnticlockwise, icon: .rotateAnticlockwise),
            Row(command: .rotateClockwise, icon: .rotateClockwise),
            Row(command: .flipHorizontally, icon: .flipHorizontally),
            Row(command: .flipVertically, icon: .flipVertically),
        ], [Row(command: .crop, icon: .crop)],
    ]
    private static let sendRows = [
        [Row(command: .openWith, icon: .openWith), Row(command: .showInFiles, icon: .open)],
        [
            Row(command: .share, icon: .send), Row(command: .copy, icon: .copy),
            Row(command: .paste, icon: .paste, isForViewer: true),
            Row(command: .print, icon: .print, isForOne: true),
            Row(command: .setBackground, icon: .background, isForOne: true),
        ],
    ]

    private func isShown(_ row: Row) -> Bool {
        (count == 1 || !row.isForOne) && (mode == .viewer || !row.isForViewer)
            && policy.allows(row.command)
    }

    private func items(of rows: [[Row]]) -> [Menu.Item] {
        Menu.Item.sections(
            rows.map { $0.filter(isShown).compactMap { item($0.command, $0.icon) } })
    }

    /// Whether the menu `edit` has rows: cheaper than to make them.
    var hasEdit: Bool { mode == .viewer && Self.editRows.joined().contains(where: isShown) }

    /// Whether the menu `send` has rows: cheaper than to make them.
    var hasSend: Bool { Self.sendRows.joined().contains(where: isShown) }

    /// Turns, flips and crop; empty on the grid.
    package var edit: [Menu.Item] { mode == .viewer ? items(of: Self.editRows) : [] }

    /// Names, folders and the trash.
    package var file: [Menu.Item] {
        Menu.Item.sections([
            [
                item(.rename, .rename, isEnabled: count == 1),
                item(.copyTo, .folderCopy), item(.moveTo, .folderMove),
            ].compactMap(\.self),
            [
                item(.delete, .trash),
                item(.deleteForGood, .deleteForGood),
            ].compactMap(\.self),
            facts.hasCommands ? [item(.runCommand, .run)].compactMap(\.self) : [],
        ])
    }

    /// Other programs, the clipboard, paper and the desktop.
    package var send: [Menu.Item] { items(of: Self.sendRows) }

    package var marks: [Menu.Item] {
        [
            item(.favourite, .heart, nil, isFavourite),
            item(.rate, .star),
        ].compactMap(\.self)
    }

    /// Undo and Redo, each with what it undoes; dim where there is nothing, so that no row changes its place.
    package var history: [Menu.Item] {
        let undo = facts.undoTitle.map { localized("Undo \($0)") }
        let redo = facts.redoTitle.map { localized("Redo \($0)") }
        return [
            item(.undo, .undo, undo, isEnabled: undo != nil),
            item(.redo, .redo, redo, isEnabled: redo != nil),
        ].compactMap(\.self)
    }

    /// The item of a command; nil where the command is not allowed.
    package func item(
        _ command: Command, _ icon: Icon?, _ title: String? = nil, _ isChecked: Bool? = nil,
        isEnabled: Bool = true
    ) -> Menu.Item? {
        guard policy.allows(command) else { return nil }
        let entry = CommandTable.entry(of: command)
        var item = Menu.Item(
            title: title ?? entry.title, action: .command(command), icon: icon,
            detail: keys.label(of: command, in: mode), isChecked: isChecked)
        item.isEnabled = isEnabled
        return item
    }

    // MARK: Nesting

    /// A part of a menu: rows, or a menu of its own.
    package enum Part {
        case rows([Menu.Item])
        /// A part that a row opens where the whole menu would be too long.
        case nested(Widget.MenuKind, String, Icon, [Menu.Item])

        var items: [Menu.Item] {
            switch self {
            case .rows(let items), .nested(_, _, _, let items): items
            }
        }
    }

    /// The items of a menu with these parts by section.
    ///
    /// Short menus have all rows in one place, such as those of a kiosk.
    package static func items(of sections: [[Part]]) -> [Menu.Item] {
        let isShort = sections.joined().reduce(0) { $0 + $1.items.count } <= mostRows
        return Menu.Item.sections(
            sections.flatMap { parts -> [[Menu.Item]] in
                guard !isShort else { return parts.map(\.items) }
                return [
                    parts.flatMap { part -> [Menu.Item] in
                        guard case .nested(let kind, let title, let icon, let items) = part,
                            items.count > 1
                        else { return part.items }
                        return [Menu.Item(title: title, action: .openMenu(kind), icon: icon)]
                    }
                ]
            })
    }

    /// The items of a menu that a row of the menu `parent` has opened: the first row leads back.
    package static func items(
        _ items: [Menu.Item], below parent: Widget.MenuKind
    ) -> [Menu.Item] {
        guard !items.isEmpty else { return [] }
        return [Menu.Item(title: localized("Back"), action: .openMenu(parent), icon: .back)] + items
    }
}
