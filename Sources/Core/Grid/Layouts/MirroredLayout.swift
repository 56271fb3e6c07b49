import Geometry

/// A layout whose rows begin at the right edge, for languages that are written from right to left.
///
/// Cells and headers are mirrored about the middle of the content; pictures are not.
struct MirroredLayout: AdaptedLayout {
    var layout: any ScalingLayout
    /// The width of the surface, in logical pixels.
    private let width: Double

    init(_ layout: any ScalingLayout, onWidth width: Double) {
        (self.layout, self.width) = (layout, width)
    }

    private func mirror(_ rect: Rect) -> Rect {
        Rect(
            x: contentSize(at: scale).width - rect.maxX, y: rect.y, width: rect.width,
            height: rect.height)
    }

    private func mirror(_ point: Point) -> Point {
        Point(x: contentSize(at: scale).width - point.x, y: point.y)
    }

    private func mirror(_ cell: HeldCell) -> HeldCell {
        HeldCell(index: cell.index, fraction: 1 - cell.fraction, x: width - cell.x)
    }

    func cells(in rect: Rect) -> [LaidOutCell] {
        layout.cells(in: mirror(rect)).map { LaidOutCell(index: $0.index, rect: mirror($0.rect)) }
    }

    func headers(in rect: Rect) -> [LaidOutHeader] {
        layout.headers(in: mirror(rect)).map {
            LaidOutHeader(level: $0.level, section: $0.section, rect: mirror($0.rect))
        }
    }

    func nearestCell(to point: Point) -> Int? { layout.nearestCell(to: mirror(point)) }

    func rect(of index: Int) -> Rect {
        let rect = layout.rect(of: index)
        return rect.isEmpty ? rect : mirror(rect)
    }

    mutating func arrange(holding cell: HeldCell) -> Bool { layout.arrange(holding: mirror(cell)) }

    @discardableResult
    mutating func settle(at scale: Double, holding cell: HeldCell?) -> Bool {
        layout.settle(at: scale, holding: cell.map(mirror))
    }

    func hasGap(in rect: Rect) -> Bool { layout.hasGap(in: mirror(rect)) }
}
