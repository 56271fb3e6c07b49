import Geometry
import CMath

/// The scales at which a layout has whole columns, and the number of columns for a scale.
///
/// The base stage has scale 1 and the base number of columns. Each further stage has one column less. The
/// last stage, a single column, is the feed. Stages before the base stage are overviews with more columns. A scale
/// between two stages belongs to the one that is nearer in log space.
struct ScaleStages: Hashable, Sendable {
    /// The width of a cell at each stage, in logical pixels, ascending.
    let cellWidths: [Double]
    /// The number of columns at each stage, descending to 1.
    private let columnCounts: [Int]
    /// The stage with scale 1.
    let base: Int
    /// Distance between neighbouring cells, in logical pixels.
    let spacing: Double

    /// Default distance between neighbouring cells, in logical pixels.
    static let spacing = 5.0
    /// Margin of the feed on each side, in logical pixels.
    static let feedMargin = 10.0
    /// Factor by which a scale has to pass the middle between two stages before columns change.
    static let hysteresis = 1.03

    /// The stages of a surface `width` logical pixels wide, from `columns` columns to one.
    ///
    /// At width W, 5 columns and a spacing of 5 have cells of (W − 20)/5; feed cells are W − 20.
    init(
        width: Double, columns: Int, spacing: Double = ScaleStages.spacing,
        hasOverviews: Bool = false
    ) {
        self.spacing = spacing
        let overviews = hasOverviews ? Self.overviews(width: width, columns: columns) : []
        base = overviews.count
        columnCounts = overviews + stride(from: max(columns, 1), to: 1, by: -1) + [1]
        var widths: [Double] = []
        for columns in columnCounts.dropLast() {
            widths.append(max((width - Double(columns - 1) * spacing) / Double(columns), 1))
        }
        widths.append(max(width - 2 * Self.feedMargin, widths.last ?? 1))
        cellWidths = widths
    }

    /// The least width of a cell in the overviews of months and of years, in logical pixels.
    private static let leastOverviewCells = (months: 56.0, years: 28.0)

    /// The numbers of columns of the overviews, the most first: four times and twice as many as the base stage, as
    /// long as the cells are large enough to be told apart.
    private static func overviews(width: Double, columns: Int) -> [Int] {
        func most(_ least: Double) -> Int {
            Int(floor: (width + spacing) / (least + spacing), in: 0...1000)
        }
        let months = min(2 * columns, most(leastOverviewCells.months))
        let years = min(4 * columns, most(leastOverviewCells.years))
        guard months > columns else { return [] }
        return years > months ? [years, months] : [months]
    }

    /// The sections of a stage.
    func level(of stage: Int) -> SectionLevel {
        stage >= base ? .own : stage == base - 1 ? .months : .years
    }

    var count: Int { cellWidths.count }
    var last: Int { count - 1 }
    var limits: ClosedRange<Double> { scale(of: 0)...scale(of: last) }

    func columns(of stage: Int) -> Int { columnCounts[stage] }

    func scale(of stage: Int) -> Double { cellWidths[stage] / cellWidths[base] }

    /// The stage whose scale is nearest to `scale`.
    func nearest(to scale: Double) -> Int {
        var stage = 0
        while stage < last, scale > middle(after: stage) { stage += 1 }
        return stage
    }

    /// The stage for `scale`, which stays `stage` unless another one is clearly nearer.
    func stage(for scale: Double, from stage: Int) -> Int {
        var stage = stage
        while stage < last, scale > middle(after: stage) * Self.hysteresis { stage += 1 }
        while stage > 0, scale < middle(after: stage - 1) / Self.hysteresis { stage -= 1 }
        return stage
    }

    /// The stage one step from the one that is nearest to `scale`.
    func next(after scale: Double, up: Bool) -> Int {
        min(max(nearest(to: scale) + (up ? 1 : -1), 0), last)
    }

    /// How far the cells of a single column are open at a scale: 0 shows squares, 1 whole pictures.
    ///
    /// The cells open, evenly in log space, from the scale at which the last two columns have surely
    /// become one, to the scale of the feed. Arrangements with more columns have squares.
    func openness(at scale: Double) -> Double {
        guard last > 0 else { return 1 }
        let (start, end) = (middle(after: last - 1) * Self.hysteresis, self.scale(of: last))
        guard start < end else { return scale < end ? 0 : 1 }
        return min(max(log(scale / start) / log(end / start), 0), 1)
    }

    /// The scale halfway, in log space, between a stage and the next one.
    private func middle(after stage: Int) -> Double {
        (scale(of: stage) * scale(of: stage + 1)).squareRoot()
    }
}
