package import Geometry

/// The default layout: square cells that flow into fewer columns as they grow, down to one column.
///
/// The layout rests at the scales at which its columns fill the surface's width W exactly. At scale
/// 1 it has the base columns (5 cells of (W − 20)/5 at a spacing of 5). At the largest scale it has
/// one column, the *feed*, whose cells are W − 20 wide and have the shapes of their pictures: nothing
/// is cut. A feed cell is no higher than the surface's height − 20, and then less wide, so that a
/// whole cell is visible on a wide surface. Between the last two stages the single column opens from
/// squares to its final cells.
///
/// At scales below 1, where the contents have overviews, there are more columns of smaller cells: first under the months
/// of the pictures, then under their years.
///
/// At other scales the arrangement is magnified, cells and spacing alike, so that cells grow with
/// the fingers. The arrangement then has as many columns as cover the surface's width around the
/// held cell. The held cell keeps its row and its neighbours; the rows above and below shift around
/// it.
package struct ReflowLayout: ScalingLayout {
    package var scale = 1.0 { didSet { openness = stages.openness(at: scale) } }
    /// How far the cells of a single column are open at the present scale, 0…1.
    private var openness: Double
    private let surface: Size
    private let stages: ScaleStages
    /// The arrangement of every stage at its resting scale; the rows are counted once, here.
    private var grids: [SectionedGrid]
    /// The single column of the last stage, which opens.
    private var feed: FeedColumn
    private var stage: Int
    /// The arrangement around a held cell, nil without one.
    private var held: SectionedGrid?
    private let index: SectionIndex
    /// The sections of the overviews, by stage.
    private let overviews: [SectionIndex]

    /// The part of the surface's height that a feed cell leaves free, in logical pixels.
    private static let feedClearance = 20.0

    /// Lays out `contents` on a surface in logical pixels, with `columns` columns at scale 1.
    package init(contents: GridContents, surface: Size, columns: Int = 5) {
        self.init(
            contents: contents, surface: surface,
            stages: ScaleStages(
                width: surface.width, columns: columns, hasOverviews: contents.hasOverviews))
    }

    init(contents: GridContents, surface: Size, stages: ScaleStages) {
        self.surface = surface
        self.stages = stages
        let index = SectionIndex(contents)
        self.index = index
        let overviews = (0..<stages.base).map { SectionIndex(contents, stages.level(of: $0)) }
        self.overviews = overviews
        stage = stages.base
        openness = stages.openness(at: 1)
        grids = (0..<stages.count).map { stage in
            let index = stage < stages.base ? overviews[stage] : index
            return SectionedGrid(
                metrics: Self.metrics(of: stage, stages, index.hasHeaders), index: index)
        }
        feed = FeedColumn(
            contents, index: index,
            metrics: FeedColumn.Metrics(
                width: stages.cellWidths[stages.last],
                maximumHeight: max(
                    surface.height - Self.feedClearance,
                    stages.cellWidths[max(stages.last - 1, 0)]),
                spacing: stages.spacing, margin: ScaleStages.feedMargin,
                header: index.hasHeaders ? SectionedGrid.headerHeight : 0))
    }

    /// The metrics of a stage's squares.
    private static func metrics(
        of stage: Int, _ stages: ScaleStages, _ hasHeaders: Bool
    ) -> SectionedGrid.Metrics {
        let width = stages.cellWidths[stage]
        return SectionedGrid.Metrics(
            columns: stages.columns(of: stage), cell: Size(width: width, height: width),
            spacing: stages.spacing, margin: stage == stages.last ? ScaleStages.feedMargin : 0,
            header: hasHeaders ? SectionedGrid.headerHeight : 0)
    }

    private var grid: SectionedGrid { held ?? grids[stage] }

    /// Whether the arrangement is the single column that opens.
    private var isFeed: Bool { stage == stages.last && grid.metrics.columns == 1 }

    /// The present scale divided by the stage's resting scale.
    private var magnification: Double { scale / stages.scale(of: stage) }

    package var limits: ClosedRange<Double> { stages.limits }
    package var columns: Int { stages.columns(of: stage) }
    package var level: SectionLevel { stages.level(of: stage) }

    package func contentSize(at scale: Double) -> Size {
        let size = isFeed ? feed.contentSize(stages.openness(at: scale)) : grid.contentSize
        return size * (scale / stages.scale(of: stage))
    }

    package func rect(of index: Int) -> Rect {
        (isFeed ? feed.rect(of: index, openness) : grid.rect(of: index)) * magnification
    }

    package func crop(of index: Int) -> CellCrop {
        guard isFeed else { return .fill }
        return CellCrop(wholeness: openness, aspect: feed.aspect(of: index))
    }

    package func cells(in rect: Rect) -> [LaidOutCell] {
        let magnification = magnification
        let restRect = rect * (1 / magnification)
        let cells = isFeed ? feed.cells(in: restRect, openness) : grid.cells(in: restRect)
        return cells.map { LaidOutCell(index: $0.index, rect: $0.rect * magnification) }
    }

    package func headers(in rect: Rect) -> [LaidOutHeader] {
        let magnification = magnification
        let restRect = rect * (1 / magnification)
        let headers = isFeed ? feed.headers(in: restRect, openness) : grid.headers(in: restRect)
        return headers.map {
            LaidOutHeader(level: level, section: $0.section, rect: $0.rect * magnification)
        }
    }

    package func nearestCell(to point: Point) -> Int? {
        let point = Point(x: point.x / magnification, y: point.y / magnification)
        return isFeed ? feed.nearestCell(to: point, openness) : grid.nearestCell(to: point)
    }

    package mutating func setAspect(_ aspect: Float, of index: Int) -> Bool {
        feed.setAspect(aspect, of: index) && isFeed && openness > 0
    }

    package func cell(_ rows: Int, rowsBelow index: Int) -> Int {
        grid.cell(rows, rowsBelow: index)
    }

    // MARK: Scaling

    package func restScale(near scale: Double) -> Double {
        stages.scale(of: stages.nearest(to: scale))
    }

    package func nextScale(after scale: Double, up: Bool) -> Double {
        stages.scale(of: stages.next(after: scale, up: up))
    }

    package mutating func arrange(holding cell: HeldCell) -> Bool {
        guard (0..<index.count).contains(cell.index) else { return false }
        let next = stages.stage(for: scale, from: stage)
        let sides = sides(of: cell, at: next)
        let (column, columns) = (sides.left, sides.left + 1 + sides.right)
        let now = (column: grid.column(of: cell.index), columns: grid.metrics.columns)
        guard next != stage || now != (column, columns) else { return false }
        stage = next
        var metrics = grids[stage].metrics
        if columns != metrics.columns { (metrics.columns, metrics.margin) = (columns, 0) }
        var grid = SectionedGrid(
            metrics: metrics, index: next < stages.base ? overviews[next] : index)
        grid.lead = grid.lead(putting: cell.index, in: column)
        held = grid
        return true
    }

    /// Numbers of columns left and right of a held cell, so that cells reach both surface edges.
    ///
    /// A column beyond an edge is kept until it is clearly outside.
    private func sides(of cell: HeldCell, at stage: Int) -> (left: Int, right: Int) {
        // A column that opens stands alone: rows of open cells would have different heights.
        guard stage < stages.last || openness == 0 else { return (0, 0) }
        let metrics = grids[stage].metrics
        let magnification = scale / stages.scale(of: stage)
        let (pitch, width) = (metrics.pitch.dx * magnification, metrics.cell.width * magnification)
        let spacing = metrics.spacing * magnification
        let left = cell.x - cell.fraction * width
        let free = (left: left - spacing, right: surface.width - left - width - spacing)
        let column = grid.column(of: cell.index)
        return (
            Self.columns(over: free.left, pitch: pitch, now: column),
            Self.columns(over: free.right, pitch: pitch, now: grid.metrics.columns - 1 - column)
        )
    }

    /// Distance beyond the edge at which a column is removed, relative to the column pitch.
    private static let retention = 0.15
    /// Maximum number of columns on one side of a held cell.
    private static let maximumColumns = 60

    private static func columns(over length: Double, pitch: Double, now: Int) -> Int {
        let minimum = Int(floor: (length / pitch).rounded(.up), in: 0...maximumColumns)
        let maximum = Int(floor: (length / pitch + retention).rounded(.up), in: 0...maximumColumns)
        return min(max(now, minimum), maximum)
    }

    @discardableResult
    package mutating func settle(at scale: Double, holding cell: HeldCell?) -> Bool {
        let next = stages.nearest(to: scale)
        let old = (grid.metrics, grid.lead)
        var lead = grids[next].lead
        if let cell { lead = grids[next].lead(holding: cell, nearest: cell.x) }
        for stage in grids.indices { grids[stage].lead = nil }
        grids[next].lead = lead
        (stage, held, self.scale) = (next, nil, scale)
        return old != (grid.metrics, lead)
    }

    package func hasGap(in rect: Rect) -> Bool {
        guard held == nil, let top = grid.leadTop else { return false }
        let (start, end) = (top * magnification, (top + grid.metrics.cell.height) * magnification)
        return start < rect.maxY && end > rect.y
    }

    package mutating func closeGap() -> Bool {
        guard grids[stage].lead != nil else { return false }
        grids[stage].lead = nil
        return true
    }
}
