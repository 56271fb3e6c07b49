import Commands
import Geometry

/// The context menu of the picture, opened by a long press or the right mouse button.
struct Menu: Hashable, Sendable {
    struct Item: Hashable, Sendable {
        var title: String
        var command: Command
    }

    /// The items; each command has a key, too.
    let items: [Item]

    private static let commands: [Command] = [
        .fit, .oneToOne, .rotateClockwise, .rotateAnticlockwise, .playPause, .nextFrame,
        .information, .checkerboard, .fullscreen, .leave,
    ]

    private static func items(for animation: Playback.Phase?) -> [Item] {
        commands.map(CommandTable.entry(of:))
            .filter { $0.condition != .animation || animation != nil }
            .map { entry in
                let isPlay = entry.command == .playPause && animation != .playing
                return Item(title: isPlay ? "Play" : entry.title, command: entry.command)
            }
    }

    /// The height of a row, in logical pixels: the width of a finger.
    private static let rowHeight = 48.0
    private static let width = 240.0
    /// The distance between the menu and the surface's edge, in logical pixels.
    private static let margin = 8.0

    /// The visible rectangle of the menu on the surface, in logical pixels.
    let rect: Rect
    /// How far the rows are scrolled up, in logical pixels.
    private var scroll = 0.0
    /// The index of the item that has the keyboard focus.
    private(set) var focus: Int?

    /// A menu at `point`, moved so that it lies on the surface.
    ///
    /// The rows scroll where the surface is too low for all of them. `animation` is the playback
    /// phase of an animated picture, nil for a still picture.
    init(at point: Point, on surface: Size, animation: Playback.Phase?) {
        items = Self.items(for: animation)
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
    func row(_ number: Int) -> Rect {
        Rect(
            x: rect.x, y: rect.y + Double(number) * Self.rowHeight - scroll, width: rect.width,
            height: Self.rowHeight)
    }

    /// The rows that are visible at least in part.
    var visibleRows: [Int] {
        items.indices.filter { row($0).y < rect.maxY && row($0).maxY > rect.y }
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

    var focusedCommand: Command? { focus.map { items[$0].command } }
}
