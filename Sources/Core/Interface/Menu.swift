package import Commands
package import Geometry
import SceneModel

/// A context menu: a list of commands at a point of the surface.
package struct Menu: Hashable, Sendable {
    package struct Item: Hashable, Sendable {
        package var title: String
        package var command: Command

        package init(title: String, command: Command) {
            self.title = title
            self.command = command
        }
    }

    package let items: [Item]

    /// The height of a row, in logical pixels: the width of a finger.
    private static let rowHeight = 48.0
    private static let width = 240.0
    /// The distance between the menu and the surface's edge, in logical pixels.
    private static let margin = 8.0

    /// The visible rectangle of the menu on the surface, in logical pixels.
    package let rect: Rect
    /// How far the rows are scrolled up, in logical pixels.
    private var scroll = 0.0
    /// The index of the item that has the keyboard focus.
    private(set) var focus: Int?

    /// A menu at `point`, moved so that it lies on the surface; sizes in logical pixels.
    ///
    /// The rows scroll where the surface is too low for all of them.
    package init(_ items: [Item], at point: Point, on surface: Size) {
        self.items = items
        let size = Size(
            width: max(min(Self.width, surface.width - 2 * Self.margin), 1),
            height: max(
                min(Self.rowHeight * Double(items.count), surface.height - 2 * Self.margin), 1))
        let origin = Point(
            x: max(min(point.x, surface.width - size.width - Self.margin), Self.margin),
            y: max(min(point.y, surface.height - size.height - Self.margin), Self.margin))
        rect = Rect(origin: origin, size: size)
    }

    /// The rectangle of a row on the surface, in logical pixels.
    package func row(_ number: Int) -> Rect {
        Rect(
            x: rect.x, y: rect.y + Double(number) * Self.rowHeight - scroll, width: rect.width,
            height: Self.rowHeight)
    }

    /// The command of the item at `point`; nil where there is none.
    func command(at point: Point) -> Command? {
        guard rect.contains(point) else { return nil }
        return items.indices.first { row($0).contains(point) }.map { items[$0].command }
    }

    /// Scrolls the rows with a finger, `distance` logical pixels down.
    mutating func drag(by distance: Double) {
        let longest = Self.rowHeight * Double(items.count) - rect.height
        scroll = min(max(scroll - distance, 0), max(longest, 0))
    }

    /// Moves the keyboard focus by `step` rows, positive down, and wraps around at the ends.
    mutating func moveFocus(by step: Int) {
        let count = items.count
        let start = focus ?? (step > 0 ? -1 : count)
        let new = ((start + step) % count + count) % count
        focus = new
        drag(by: max(rect.y - row(new).y, 0) - max(row(new).maxY - rect.maxY, 0))
    }

    package var focusedCommand: Command? { focus.map { items[$0].command } }

    /// The rows that are visible at least in part, from top to bottom.
    var rows: [PanelItem] {
        items.indices.filter { row($0).y < rect.maxY && row($0).maxY > rect.y }.map { number in
            PanelItem(
                rect: row(number), labels: [.init(items[number].title)],
                ground: focus == number ? .highlighted : .dark, clip: rect)
        }
    }
}
