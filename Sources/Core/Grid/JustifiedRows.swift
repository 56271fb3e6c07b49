import Geometry

/// A block of neighbouring pictures, cut into rows that all fill the same width.
///
/// The rows take about equal parts of the block's shapes, so that none at its end is left over.
struct JustifiedRows {
    struct Row {
        /// The row's pictures, counted from the block's first.
        var range: Range<Int>
        /// Of the row's upper edge, in logical pixels from the block's.
        var y: Double
        var height: Double
        /// What is left free before its first picture, in logical pixels.
        var indent: Double
    }

    /// Lengths in logical pixels.
    struct Metrics: Hashable, Sendable {
        var width: Double
        /// The height that rows come as near to as their pictures allow.
        var height: Double
        var spacing: Double
    }

    private(set) var rows: [Row] = []
    /// Of all rows, with the spacing below each.
    private(set) var height = 0.0

    /// A row that is not full enough grows to this times the height aimed at, and then ends early.
    private static let mostStretch = 1.5

    /// Cuts the rows; the first one leaves `indent` logical pixels free before its first picture.
    init(_ aspects: ArraySlice<Float>, _ metrics: Metrics, indent: Double = 0) {
        guard !aspects.isEmpty else { return }
        let start = indent / metrics.height
        let total = aspects.reduce(start) { $0 + Self.known($1) }
        let natural = total * metrics.height + Double(aspects.count - 1) * metrics.spacing
        let wanted = (natural / (metrics.width + metrics.spacing)).rounded()
        let share = total / min(max(wanted, 1), Double(aspects.count))
        var (first, sum, row, rowSum) = (0, start, 0.0, 0.0)
        for (offset, aspect) in aspects.enumerated() {
            let aspect = Self.known(aspect)
            let middle = ((sum + aspect / 2) / share).rounded(.down)
            if middle > row, offset > first {
                append(first..<offset, aspects: rowSum, metrics, indent: first == 0 ? indent : 0)
                (first, rowSum) = (offset, 0)
            }
            row = max(row, middle)
            sum += aspect
            rowSum += aspect
        }
        append(first..<aspects.count, aspects: rowSum, metrics, indent: first == 0 ? indent : 0)
    }

    private mutating func append(
        _ range: Range<Int>, aspects: Double, _ metrics: Metrics, indent: Double
    ) {
        let free = metrics.width - indent - Double(range.count - 1) * metrics.spacing
        let fitting = max(free, 1) / aspects
        let row = Row(
            range: range, y: height, height: min(fitting, metrics.height * Self.mostStretch),
            indent: indent)
        rows.append(row)
        height += row.height + metrics.spacing
    }

    /// A picture's shape, or what is assumed of it.
    static func known(_ aspect: Float) -> Double {
        Double(aspect > 0 ? aspect : GridContents.assumedAspect)
    }
}
