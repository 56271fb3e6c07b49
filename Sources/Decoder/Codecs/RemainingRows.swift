import Geometry

/// The rows of a decoder without the first ones.
final class RemainingRows: RowSource {
    let size: PixelSize
    var layout: SampleLayout { rows.layout }
    var color: ColorSource { rows.color }
    var isComplete: Bool { rows.isComplete }
    private let rows: any RowSource
    /// So many rows are still to be left out.
    private var left: Int

    init(_ rows: any RowSource, leaving left: Int, _ height: Int) {
        self.rows = rows
        self.left = left
        size = PixelSize(width: rows.size.width, height: height)
    }

    func read(_ targets: [UnsafeMutableRawPointer]) -> Int {
        // Where the first of its own rows will be there is room for the others.
        while left > 0 {
            guard let target = targets.first, rows.read([target]) == 1 else { return 0 }
            left -= 1
        }
        return rows.read(targets)
    }
}
