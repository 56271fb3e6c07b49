package import Geometry

/// The default layout: square cells that flow into fewer columns as they grow, down to one column.
///
/// The layout rests at the scales at which its columns fill the surface's width W exactly. At scale
/// 1 it has the base columns (5 cells of (W − 20)/5 at a spacing of 5). At the largest scale it has
/// one column, the *feed*, whose cells are W − 20 wide. Feed cells are square too, but no higher
/// than the surface's height − 20, so that a whole cell is visible on a wide surface.
///
/// At other scales the arrangement is magnified, cells and spacing alike, so that cells grow with
/// the fingers. The arrangement then has as many columns as cover the surface's width around the
/// held cell. The held cell keeps its row and its neighbours; the rows above and below shift around
/// it.
package struct ReflowLayout: ScalingLayout {
    package var scale = 1.0
    private let surface: Size
    private let stages: ScaleStages
    /// The arrangement of every stage at its resting scale; the rows are counted once, here.
    private var grids: [SectionedGrid]
    private var stage = 0
    /// The arrangement around a held cell, nil without one.
    private var held: SectionedGrid?
    private let index: SectionIndex

    /// The part of the surface's height that a feed cell leaves free, in logical pixels.
    private static let feedClearance = 20.0

    /// Lays out `contents` on a surface in logical pixels, with `columns` columns at scale 1.
    package init(contents: GridContents, surface: Size, columns: Int = 5) {
        self.init(
            contents: contents, surface: surface,
            stages: ScaleStages(width: surface.width, columns: columns))
    }

    init(contents: GridContents, surface: Size, stages: ScaleStages) {
        self.surface = surface
        self.stages = stages
        let index = SectionIndex(contents)
        self.index = index
        grids = (0..<stages.count).map { stage in
            SectionedGrid(
                metrics: Self.metrics(of: stage, stages, surface, index.hasHeaders), index: index)
        }
    }

    private static func metrics(
        of stage: Int, _ stages: ScaleStages, _ surface: Size, _ hasHeaders: Bool
    ) -> SectionedGrid.Metrics {
        let width = stages.cellWidths[stage]
        let isFeed = stage == stages.last
        let visible = max(
            surface.height - feedClearance, stages.cellWidths[max(stage - 1, 0)])
        return SectionedGrid.Metrics(
            columns: stages.columns(of: stage),
            cell: Size(
                width: width, height: isFeed && stage > 0 ? min(width, visible) : width),
            spacing: stages.spacing, margin: isFeed ? ScaleStages.feedMargin : 0,
            header: hasHeaders ? SectionedGrid.headerHeight : 0)
    }

    private var grid: SectionedGrid { held ?? grids[stage] }

    /// The present scale divided by the stage's resting scale.
    private var magnification: Double { scale / stages.scale(of: stage) }

    package var limits: ClosedRange<Double> { stages.limits }
    package var columns: Int { stages.columns(of: stage) }
    package var crop: CellCrop { .fill }

    package func contentSize(at scale: Double) -> Size {
        grid.contentSize * (scale / stages.scale(of: stage))
    }

    package func rect(of index: Int) -> Rect { grid.rect(of: index) * magnification }

    package func cells(in rect: Rect) -> [LaidOutCell] {
        let magnification = magnification
        return grid.cells(in: rect * (1 / magnification)).map {
            LaidOutCell(index: $0.index, rect: $0.rect * magnification)
        }
    }

    package func headers(in rect: Rect) -> [LaidOutHeader] {
        let magnification = magnification
        return grid.headers(in: rect * (1 / magnification)).map {
            LaidOutHeader(section: $0.section, rect: $0.rect * magnification)
        }
    }

    package func nearestCell(to point: Point) -> Int? {
        grid.nearestCell(to: Point(x: point.x / magnification, y: point.y / magnification))
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
        var grid = SectionedGrid(metrics: metrics, index: index)
        grid.lead = grid.lead(putting: cell.index, in: column)
        held = grid
        return true
    }

    /// Numbers of columns left and right of a held cell, so that cells reach both surface edges.
    ///
    /// A column beyond an edge is kept until it is clearly outside.
    private func sides(of cell: HeldCell, at stage: Int) -> (left: Int, right: Int) {
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
