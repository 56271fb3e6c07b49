package import Geometry

/// The rows of a source after its first rows, which are skipped.
package final class RemainingRows: RowSource {
    package let size: PixelSize
    package var layout: SampleLayout { rows.layout }
    package var color: ColorSource { rows.color }
    package var isGray: Bool { rows.isGray }
    package var peak: Float { rows.peak }
    package var isComplete: Bool { rows.isComplete }
    private let rows: any RowSource
    /// The number of rows still to be skipped.
    private var skipped: Int

    /// Skips `skipped` rows of `rows`; `height` rows follow.
    package init(_ rows: any RowSource, leaving skipped: Int, _ height: Int) {
        self.rows = rows
        self.skipped = skipped
        size = PixelSize(width: rows.size.width, height: height)
    }

    package func read(_ targets: [UnsafeMutableRawPointer]) -> Int {
        // Skipped rows are decoded to the first target, which is overwritten afterwards.
        while skipped > 0 {
            guard let target = targets.first, rows.read([target]) == 1 else { return 0 }
            skipped -= 1
        }
        return rows.read(targets)
    }
}
