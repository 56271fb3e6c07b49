import Geometry

/// A block of consecutive pictures, broken into rows of the same width.
///
/// Every row gets about the same sum of aspect ratios, so that the last row is not left short.
struct JustifiedRows {
    struct Row {
        /// The row's pictures, relative to the block's first picture.
        var range: Range<Int>
        /// The row's upper edge, in logical pixels below the upper edge of the first row.
        var y: Double
        var height: Double
        /// Free space before the row's first picture, in logical pixels.
        var indent: Double
    }

    /// Lengths in logical pixels.
    struct Metrics: Hashable, Sendable {
        var width: Double
        /// Target height; rows come as near to this height as their pictures allow.
        var height: Double
        var spacing: Double
    }

    private(set) var rows: [Row] = []
    /// Height of all rows, including the spacing below each row.
    private(set) var height = 0.0

    /// Maximum height of a row, relative to the target height.
    ///
    /// A row with too few pictures gets this height and ends before the right edge.
    private static let maximumStretch = 1.5

    /// Breaks pictures of the given aspect ratios into rows.
    ///
    /// The first row starts with `indent` logical pixels of free space.
    init(_ aspects: ArraySlice<Float>, _ metrics: Metrics, indent: Double = 0) {
        guard !aspects.isEmpty else { return }
        let start = indent / metrics.height
        let total = aspects.reduce(start) { $0 + Self.known($1) }
        let naturalWidth = total * metrics.height + Double(aspects.count - 1) * metrics.spacing
        let rowCount = (naturalWidth / (metrics.width + metrics.spacing)).rounded()
        let rowAspects = total / min(max(rowCount, 1), Double(aspects.count))
        var (first, sum, row, rowSum) = (0, start, 0.0, 0.0)
        for (offset, aspect) in aspects.enumerated() {
            let aspect = Self.known(aspect)
            let targetRow = ((sum + aspect / 2) / rowAspects).rounded(.down)
            if targetRow > row, offset > first {
                append(first..<offset, aspects: rowSum, metrics, indent: first == 0 ? indent : 0)
                (first, rowSum) = (offset, 0)
            }
            row = max(row, targetRow)
            sum += aspect
            rowSum += aspect
        }
        append(first..<aspects.count, aspects: rowSum, metrics, indent: first == 0 ? indent : 0)
    }

    private mutating func append(
        _ range: Range<Int>, aspects: Double, _ metrics: Metrics, indent: Double
    ) {
        let freeWidth = metrics.width - indent - Double(range.count - 1) * metrics.spacing
        let fitting = max(freeWidth, 1) / aspects
        let row = Row(
            range: range, y: height, height: min(fitting, metrics.height * Self.maximumStretch),
            indent: indent)
        rows.append(row)
        height += row.height + metrics.spacing
    }

    /// The aspect ratio of a picture, or the assumed one if unknown.
    static func known(_ aspect: Float) -> Double {
        Double(aspect > 0 ? aspect : GridContents.assumedAspect)
    }
}
