import Geometry

/// The picture's menu: what a long press or the right button asks for.
struct Menu: Hashable, Sendable {
    struct Item: Hashable, Sendable {
        var title: String
        var command: KeyCommand
    }

    /// Everything in it has a key of its own as well.
    let items: [Item]

    private static func items(for animation: Playback.Phase?) -> [Item] {
        var items = [
            Item(title: "Fit to window", command: .fit),
            Item(title: "Actual size", command: .oneToOne),
            Item(title: "Turn right", command: .rotateClockwise),
            Item(title: "Turn left", command: .rotateAnticlockwise),
        ]
        if let animation {
            let isPlaying = animation == .playing
            items.append(Item(title: isPlaying ? "Pause" : "Play", command: .playPause))
            items.append(Item(title: "Next frame", command: .nextFrame))
        }
        return items + [
            Item(title: "Information", command: .information),
            Item(title: "Checkerboard", command: .checkerboard),
            Item(title: "Fullscreen", command: .fullscreen),
            Item(title: "Close", command: .leave),
        ]
    }

    /// Logical pixels: a row is as high as a finger is wide.
    private static let rowHeight = 48.0
    private static let width = 240.0
    /// Between the menu and the surface's edge, in logical pixels.
    private static let margin = 8.0

    /// What is seen of it.
    let rect: Rect
    /// How far its rows are scrolled up, in logical pixels.
    private var scroll = 0.0
    /// The item that the keyboard is at.
    private(set) var focus: Int?

    /// A menu at `point`, moved so that it lies on the surface; where that is too low for all rows, they
    /// scroll.
    ///
    /// `animation` tells of a picture that moves.
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

    func row(_ number: Int) -> Rect {
        Rect(
            x: rect.x, y: rect.y + Double(number) * Self.rowHeight - scroll, width: rect.width,
            height: Self.rowHeight)
    }

    /// The rows of which anything is seen.
    var visibleRows: [Int] {
        items.indices.filter { row($0).y < rect.maxY && row($0).maxY > rect.y }
    }

    /// What the item at `point` does.
    func command(at point: Point) -> KeyCommand? {
        guard rect.contains(point) else { return nil }
        return items.indices.first { row($0).contains(point) }.map { items[$0].command }
    }

    /// Moves the rows with a finger, `distance` logical pixels down.
    mutating func drag(by distance: Double) {
        let longest = Self.rowHeight * Double(items.count) - rect.height
        scroll = min(max(scroll - distance, 0), max(longest, 0))
    }

    /// Moves the keyboard's place down or up, around the ends.
    mutating func moveFocus(by step: Int) {
        let count = items.count
        let start = focus ?? (step > 0 ? -1 : count)
        let new = ((start + step) % count + count) % count
        focus = new
        drag(by: max(rect.y - row(new).y, 0) - max(row(new).maxY - rect.maxY, 0))
    }

    var focusedCommand: KeyCommand? { focus.map { items[$0].command } }
}
