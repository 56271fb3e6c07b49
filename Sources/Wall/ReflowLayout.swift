package import Geometry

/// The default layout: square cells that flow into fewer columns as they grow, up to one column.
///
/// It rests wherever its columns fill the surface's width exactly: from scale 1, the base columns
/// (5 cells of (W − 20)/5 at a spacing of 5), to the scale with one column, the *feed*, whose cells
/// are W − 20 wide. Feed cells are square too, except where that would be higher than the surface
/// less the same 20: on a wide surface a cell is never taller than can be seen at once.
///
/// In between the arrangement is magnified, cells and spacing alike, so that cells grow with the
/// fingers and every point of the content keeps its place relative to all the others.
///
/// Source: gesture sheet §16, with the column count that is nearest instead of the one that still
/// fits, so that the wall is never far wider or narrower than the surface.
package struct ReflowLayout: ScalingLayout {
    package var scale = 1.0
    private let surface: Size
    private let stages: ScaleStages
    /// The arrangement of every stage; their rows are counted once, here.
    private var grids: [SectionedGrid]
    private var stage = 0

    /// What the feed leaves free of the surface's height, in logical pixels.
    private static let feedClearance = 20.0

    /// Lays out on a surface of logical pixels, with as many columns at scale 1.
    package init(contents: WallContents, surface: Size, columns: Int = 5) {
        self.init(
            contents: contents, surface: surface,
            stages: ScaleStages(width: surface.width, columns: columns))
    }

    init(contents: WallContents, surface: Size, stages: ScaleStages) {
        self.surface = surface
        self.stages = stages
        let index = SectionIndex(contents)
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

    private var grid: SectionedGrid { grids[stage] }

    /// How much larger the arrangement is than at rest.
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
        let next = stages.stage(for: scale, from: stage)
        guard next != stage else { return false }
        grids[stage].lead = nil
        stage = next
        // The wall is as far left of the surface as right of it when the held cell is best placed.
        let center = surface.width / 2
        let x = (cell.x - center) / magnification + center
        grids[stage].lead = grid.lead(holding: cell, nearest: x)
        return true
    }

    @discardableResult
    package mutating func settle(at scale: Double) -> Bool {
        let next = stages.nearest(to: scale)
        let changes = next != stage || grid.lead != nil
        grids[stage].lead = nil
        stage = next
        self.scale = scale
        return changes
    }
}
