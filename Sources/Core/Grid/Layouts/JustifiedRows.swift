import Geometry

/// A block of consecutive pictures, broken into rows of the same width.
///
/// In a block that others follow, every row gets about the same sum of aspect ratios, so that the last row is
/// not left short. The last block of a section breaks its rows where their heights are nearest to the target
/// height, and its last row is not enlarged to fill the width.
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

    /// Maximum height of a row that others follow, relative to the target height.
    ///
    /// A row with too few pictures gets this height and ends before the right edge.
    private static let maximumStretch = 1.5

    /// Breaks pictures of the given aspect ratios into rows.
    ///
    /// The first row starts with `indent` logical pixels of free space. `endsShort` is for the last block of
    /// a section.
    init(
        _ aspects: ArraySlice<Float>, _ metrics: Metrics, indent: Double = 0,
        endsShort: Bool = false
    ) {
        guard !aspects.isEmpty else { return }
        if endsShort {
            breakNearTarget(aspects, metrics, indent: indent)
        } else {
            breakEvenly(aspects, metrics, indent: indent)
        }
    }

    private mutating func breakNearTarget(
        _ aspects: ArraySlice<Float>, _ metrics: Metrics, indent: Double
    ) {
        var (first, rowSum) = (0, 0.0)
        for (offset, aspect) in aspects.enumerated() {
            let aspect = Self.known(aspect)
            let rowIndent = first == 0 ? indent : 0
            func fitting(_ sum: Double, _ count: Int) -> Double {
                Self.fittingHeight(sum, count: count, metrics, indent: rowIndent) / metrics.height
            }
            if offset > first {
                let without = fitting(rowSum, offset - first)
                let with = fitting(rowSum + aspect, offset - first + 1)
                // Heights are compared by ratio: a third is as far from 1 as three.
                if with < 1, without <= 1 || without * with < 1 {
                    append(first..<offset, aspects: rowSum, metrics, indent: rowIndent)
                    (first, rowSum) = (offset, 0)
                }
            }
            rowSum += aspect
        }
        append(
            first..<aspects.count, aspects: rowSum, metrics, indent: first == 0 ? indent : 0,
            largest: 1)
    }

    private mutating func breakEvenly(
        _ aspects: ArraySlice<Float>, _ metrics: Metrics, indent: Double
    ) {
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
        _ range: Range<Int>, aspects: Double, _ metrics: Metrics, indent: Double,
        largest: Double = JustifiedRows.maximumStretch
    ) {
        let fitting = Self.fittingHeight(aspects, count: range.count, metrics, indent: indent)
        let row = Row(
            range: range, y: height, height: min(fitting, metrics.height * largest), indent: indent)
        rows.append(row)
        height += row.height + metrics.spacing
    }

    /// The height at which `count` pictures with this sum of aspect ratios fill the width.
    private static func fittingHeight(
        _ aspects: Double, count: Int, _ metrics: Metrics, indent: Double
    ) -> Double {
        max(metrics.width - indent - Double(count - 1) * metrics.spacing, 1) / aspects
    }

    /// The aspect ratio of a picture, or the assumed one if unknown.
    static func known(_ aspect: Float) -> Double {
        Double(aspect > 0 ? aspect : GridContents.assumedAspect)
    }
}
