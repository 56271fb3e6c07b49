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

    /// The top left corner of the first row.
    private let origin: Point
    private let rowSize: Size
    /// The item that the keyboard is at.
    private(set) var focus: Int?

    /// A menu at `point`, moved so that it lies on the surface as far as that is large enough;
    /// `animation` tells of a picture that moves.
    init(at point: Point, on surface: Size, animation: Playback.Phase?) {
        items = Self.items(for: animation)
        let rows = Double(items.count)
        let height = min(Self.rowHeight, (surface.height - 2 * Self.margin) / rows)
        rowSize = Size(
            width: max(min(Self.width, surface.width - 2 * Self.margin), 1),
            height: max(height, 1))
        origin = Point(
            x: max(min(point.x, surface.width - rowSize.width - Self.margin), Self.margin),
            y: max(min(point.y, surface.height - rows * rowSize.height - Self.margin), Self.margin))
    }

    var rect: Rect {
        Rect(
            x: origin.x, y: origin.y, width: rowSize.width,
            height: rowSize.height * Double(items.count))
    }

    func row(_ number: Int) -> Rect {
        Rect(
            x: origin.x, y: origin.y + Double(number) * rowSize.height, width: rowSize.width,
            height: rowSize.height)
    }

    /// What the item at `point` does.
    func command(at point: Point) -> KeyCommand? {
        items.indices.first { row($0).contains(point) }.map { items[$0].command }
    }

    /// Moves the keyboard's place down or up, around the ends.
    mutating func moveFocus(by step: Int) {
        let count = items.count
        let start = focus ?? (step > 0 ? -1 : count)
        focus = ((start + step) % count + count) % count
    }

    var focusedCommand: KeyCommand? { focus.map { items[$0].command } }
}
