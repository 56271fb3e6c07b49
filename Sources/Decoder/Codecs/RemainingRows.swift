import Geometry

/// The rows of a source after its first rows, which are skipped.
final class RemainingRows: RowSource {
    let size: PixelSize
    var layout: SampleLayout { rows.layout }
    var color: ColorSource { rows.color }
    var isComplete: Bool { rows.isComplete }
    private let rows: any RowSource
    /// The number of rows still to be skipped.
    private var skipped: Int

    /// Skips `skipped` rows of `rows`; `height` rows follow.
    init(_ rows: any RowSource, leaving skipped: Int, _ height: Int) {
        self.rows = rows
        self.skipped = skipped
        size = PixelSize(width: rows.size.width, height: height)
    }

    func read(_ targets: [UnsafeMutableRawPointer]) -> Int {
        // Skipped rows are decoded to the first target, which is overwritten afterwards.
        while skipped > 0 {
            guard let target = targets.first, rows.read([target]) == 1 else { return 0 }
            skipped -= 1
        }
        return rows.read(targets)
    }
}
