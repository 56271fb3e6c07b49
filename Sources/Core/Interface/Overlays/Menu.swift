package import Commands
package import Geometry
import Localization
import SceneModel

/// A menu: a list of actions at a point of the surface.
package struct Menu: Hashable, Sendable {
    package struct Item: Hashable, Sendable {
        package var title: String
        package var action: Widget.Action
        package var icon: Icon?
        /// A text at the end of the row, such as a key.
        package var detail: String
        /// Whether the item is chosen; nil for an item that cannot be chosen.
        package var isChecked: Bool?
        /// Whether the item can be chosen now.
        package var isEnabled = true
        /// Whether a line separates the item from the one above it.
        package var beginsSection = false

        package init(
            title: String, action: Widget.Action, icon: Icon? = nil, detail: String = "",
            isChecked: Bool? = nil
        ) {
            self.title = title
            self.action = action
            self.icon = icon
            self.detail = detail
            self.isChecked = isChecked
        }

        package init(title: String, command: Command) {
            self.init(title: title, action: .command(command))
        }

        package var command: Command? {
            if case .command(let command) = action { command } else { nil }
        }

        /// The menu that the item opens in place of its own; nil for none.
        var nestedMenu: Widget.MenuKind? {
            if case .openMenu(let kind) = action { kind } else { nil }
        }

        /// The items of all groups; the first of each group begins a section.
        package static func sections(_ groups: [[Item]]) -> [Item] {
            groups.flatMap { group in
                group.enumerated().map { number, item in
                    var item = item
                    item.beginsSection = number == 0
                    return item
                }
            }
        }
    }

    package let items: [Item]

    /// The least and the largest width, in logical pixels.
    private static let narrowest = 240.0
    private static let widest = 360.0
    /// The distance between the menu and the surface's edge, in logical pixels.
    private static let margin = Theme.Space.widget
    /// The thickness of the line above a section, in logical pixels.
    private static let lineWidth = 1.0

    /// The height of a row, in logical pixels: the width of a finger, or of a large text.
    private let rowHeight: Double
    /// The visible rectangle of the menu on the surface, in logical pixels.
    package private(set) var rect: Rect
    /// Where the menu was opened, before it was moved onto the surface.
    let place: Place
    /// Where a menu is opened.
    enum Place: Hashable, Sendable {
        /// With its corner at a point of the surface.
        case point(Point)
        /// Below a button, or above one in the lower half of the surface.
        case button(Rect)
    }

    /// The titles of the rows; long ones without their middles.
    private let titles: [String]
    /// The width of the texts at the ends of the rows; 0 where the rows are too narrow for them.
    private let detailWidth: Double
    /// How far the rows are scrolled up, in logical pixels.
    private var scroll = 0.0
    /// The index of the item that has the keyboard focus.
    private(set) var focus: Int?

    /// A menu at `place`, moved so that it lies on the surface of `layout`.
    ///
    /// The menu is as wide as its texts, within limits. Where there is no room, the details at the ends of
    /// the rows are left out first, and without `showsDetails` always; they still describe the rows for screen
    /// readers. The rows scroll where the surface is too low for all of them.
    init(_ items: [Item], at place: Place, on layout: BarLayout, showsDetails: Bool = true) {
        self.items = items
        self.place = place
        let (theme, surface) = (layout.theme, layout.surface)
        rowHeight = theme.row
        func widest(_ texts: [String], _ style: TextStyle) -> Double {
            texts.map { layout.text($0, style).width.rounded(.up) }.max() ?? 0
        }
        let atEnd = items.contains {
            $0.nestedMenu != nil || $0.isChecked != nil && $0.icon != nil
        }
        let chevron = atEnd ? Widget.Row.gap + Widget.Row.iconSide(theme) : 0
        let margins = Widget.Row.titleMargins(theme) + chevron
        let titleWidth = widest(items.map(\.title), theme.body) + margins
        let details = showsDetails ? widest(items.map(\.detail), theme.small) : 0
        let most = max(
            min(surface.width - 2 * Self.margin, Self.widest * max(theme.textScale, 1)), 1)
        let whole = titleWidth + (details > 0 ? details + Widget.Row.gap : 0)
        detailWidth = whole <= most ? details : 0
        let size = Size(
            width: min(max(whole <= most ? whole : titleWidth, Self.narrowest), most),
            height: max(
                min(rowHeight * Double(items.count), surface.height - 2 * Self.margin), 1))
        titles = items.map { layout.shortened($0.title, theme.body, to: size.width - margins) }
        let origin = Self.origin(
            size, at: place, on: surface, isMirrored: theme.isRightToLeft)
        rect = Rect(
            x: max(min(origin.x, surface.width - size.width - Self.margin), Self.margin),
            y: max(min(origin.y, surface.height - size.height - Self.margin), Self.margin),
            width: size.width, height: size.height)
    }

    package init(
        _ items: [Item], at point: Point, on layout: BarLayout, showsDetails: Bool = true
    ) {
        self.init(items, at: .point(point), on: layout, showsDetails: showsDetails)
    }

    private static func origin(
        _ size: Size, at place: Place, on surface: Size, isMirrored: Bool
    ) -> Point {
        switch place {
        case .point(let point):
            return isMirrored ? Point(x: point.x - size.width, y: point.y) : point
        case .button(let button):
            let isAbove = button.center.y > surface.height / 2
            return Point(
                x: (button.center.x - size.width / 2).rounded(),
                y: isAbove ? button.y - size.height - margin : button.maxY + margin)
        }
    }

    /// The rectangle of a row on the surface, in logical pixels.
    package func row(_ number: Int) -> Rect {
        Rect(
            x: rect.x, y: rect.y + Double(number) * rowHeight - scroll, width: rect.width,
            height: rowHeight)
    }

    /// Scrolls the rows with a finger, `distance` logical pixels down.
    mutating func drag(by distance: Double) {
        let longest = rowHeight * Double(items.count) - rect.height
        scroll = min(max(scroll - distance, 0), max(longest, 0))
    }

    /// Moves the keyboard focus by `step` rows, positive down, and wraps around at the ends; rows
    /// that cannot be chosen are passed over.
    mutating func moveFocus(by step: Int) {
        let count = items.count
        guard items.contains(where: \.isEnabled) else { return }
        var new = focus ?? (step > 0 ? -1 : count)
        repeat { new = ((new + step) % count + count) % count } while !items[new].isEnabled
        focus = new
        drag(by: max(rect.y - row(new).y, 0) - max(row(new).maxY - rect.maxY, 0))
    }

    /// The action of the row that leads back to the menu before; nil without such a row.
    var backAction: Widget.Action? {
        items.first.flatMap { $0.icon == .back && $0.nestedMenu != nil ? $0.action : nil }
    }

    /// The action of the row with the focus if the row opens another menu; nil for other rows.
    var nestingAction: Widget.Action? {
        focus.flatMap { items[$0].nestedMenu == nil ? nil : items[$0].action }
    }

    package var focusedAction: Widget.Action? { focus.map { items[$0].action } }

    /// The menu with the rows that are visible at least in part.
    package var widget: Widget {
        let rows = items.indices.filter { row($0).y < rect.maxY && row($0).maxY > rect.y }
        return Widget(
            "menu", .menu, localized("Menu"), rect: rect, states: .modal,
            face: .ground(radius: Theme.largeRadius, isDense: true),
            children: rows.flatMap { [line(above: $0), widget(of: $0)].compactMap(\.self) })
    }

    /// The line above a row that begins a section; nil above other rows, and at the menu's edge.
    private func line(above number: Int) -> Widget? {
        let row = row(number)
        guard number > 0, items[number].beginsSection, row.y > rect.y else { return nil }
        return Widget(
            "menu/line/\(number)", .separator,
            rect: Rect(
                x: row.x + Widget.Row.indent, y: row.y,
                width: max(row.width - 2 * Widget.Row.indent, 0), height: Self.lineWidth),
            face: .separator)
    }

    private func widget(of number: Int) -> Widget {
        let item = items[number]
        var states: Widget.States = .focusable
        if let isChecked = item.isChecked {
            states.insert(.checkable)
            if isChecked { states.insert(.checked) }
        }
        if number == focus { states.formUnion([.selected, .focused]) }
        if !item.isEnabled { states.insert(.disabled) }
        var face = Widget.Row(
            titles[number], detail: item.detail, detailWidth: detailWidth, icon: item.icon)
        face.opensMenu = item.nestedMenu != nil && item.icon != .back
        return Widget(
            "menu/\(number)", item.isChecked == nil ? .menuItem : .checkMenuItem,
            item.title, description: item.detail, rect: row(number), states: states,
            action: item.action, face: .row(face))
    }
}
