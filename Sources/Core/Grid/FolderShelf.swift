import Geometry

/// The folders before the pictures: tiles in rows, whose size no zoom of the grid changes.
///
/// Rectangles are in the content of the grid, in logical pixels.
package struct FolderShelf: Hashable, Sendable {
    package let count: Int
    /// The top of the first row.
    private let top: Double
    private let width: Double
    private let isMirrored: Bool
    private let columns: Int
    private let tile: Size

    private static let spacing = 12.0
    /// The width of a tile for which the number of columns is chosen.
    private static let usualWidth = 190.0
    /// The height of the cover relative to its width.
    private static let coverShape = 0.66
    /// The height of the texts below a cover.
    package static let textHeight = 48.0

    /// The shelf for a surface of this width, below a strip that is `top` high.
    ///
    /// `textScale` is the scale of texts, by which the place of the texts grows.
    init(count: Int, width: Double, below top: Double, isMirrored: Bool, textScale: Double = 1) {
        self.count = max(count, 0)
        (self.width, self.top, self.isMirrored) = (width, top, isMirrored)
        let free = width - Self.spacing
        columns = max(Int(clamping: (free / (Self.usualWidth + Self.spacing)).rounded()), 1)
        let side = max((free / Double(columns)).rounded(.down) - Self.spacing, 1)
        tile = Size(
            width: side,
            height: (side * Self.coverShape).rounded() + Self.textHeight * max(textScale, 1))
    }

    private var pitch: Vector {
        Vector(dx: tile.width + Self.spacing, dy: tile.height + Self.spacing)
    }

    private var rows: Int { (count + columns - 1) / columns }

    /// The height of all rows with the space around them; 0 without folders.
    var height: Double { rows == 0 ? 0 : Double(rows) * pitch.dy + Self.spacing }

    func rect(of index: Int) -> Rect {
        let (row, column) = index.quotientAndRemainder(dividingBy: columns)
        let x = Self.spacing + Double(column) * pitch.dx
        return Rect(
            x: isMirrored ? width - x - tile.width : x,
            y: top + Self.spacing + Double(row) * pitch.dy, width: tile.width, height: tile.height)
    }

    /// The folders whose rows intersect a range of heights.
    func indices(from start: Double, to end: Double) -> Range<Int> {
        guard count > 0 else { return 0..<0 }
        func row(_ y: Double) -> Int {
            Int(floor: (y - top - Self.spacing) / pitch.dy, in: 0...rows)
        }
        let first = row(start) * columns
        return min(first, count)..<min(max((row(end) + 1) * columns, first), count)
    }

    /// The folder at a point; nil in a gap.
    func index(at point: Point) -> Int? {
        indices(from: point.y, to: point.y).first { rect(of: $0).contains(point) }
    }

    /// The folder that a key leads to; nil where the key leads out of the shelf, downwards.
    func index(_ step: Step, from index: Int) -> Int? {
        switch step {
        case .previous: return max(index - 1, 0)
        case .next: return min(index + 1, count - 1)
        case .up: return index >= columns ? index - columns : index
        case .down:
            if index + columns < count { return index + columns }
            return index / columns < rows - 1 ? count - 1 : nil
        }
    }

    enum Step { case previous, next, up, down }

    /// The folder of the last row that is nearest to a place of the surface.
    func last(near x: Double) -> Int? {
        guard count > 0 else { return nil }
        return ((rows - 1) * columns..<count).min {
            abs(rect(of: $0).center.x - x) < abs(rect(of: $1).center.x - x)
        }
    }
}
