package import Geometry

/// A layout with a fixed number of columns, magnified like a zooming scroll view.
///
/// Cells and spacing grow together from scale 1 to 4. The grid scrolls in both directions.
package struct CanvasLayout: ScalingLayout {
    package var scale = 1.0
    /// The arrangement at scale 1.
    private let grid: SectionedGrid

    /// The largest scale; the smallest is 1.
    package static let largestScale = 4.0
    /// Zoom factor of one press of a zoom key.
    private static let zoomStep = 1.5

    /// Lays out `contents` on a surface in logical pixels, with `columns` columns at every scale.
    package init(contents: GridContents, surface: Size, columns: Int = 5) {
        let stages = ScaleStages(width: surface.width, columns: columns)
        let index = SectionIndex(contents)
        let width = stages.cellWidths[0]
        grid = SectionedGrid(
            metrics: .init(
                columns: max(columns, 1), cell: Size(width: width, height: width),
                spacing: stages.spacing, margin: columns > 1 ? 0 : ScaleStages.feedMargin,
                header: index.hasHeaders ? SectionedGrid.headerHeight : 0),
            index: index)
    }

    package var limits: ClosedRange<Double> { 1...Self.largestScale }
    package var columns: Int { grid.metrics.columns }
    package func crop(of index: Int) -> CellCrop { .fill }
    package var hasSteps: Bool { false }

    package func contentSize(at scale: Double) -> Size { grid.contentSize * scale }

    package func rect(of index: Int) -> Rect { grid.rect(of: index) * scale }

    package func cells(in rect: Rect) -> [LaidOutCell] {
        grid.cells(in: rect * (1 / scale)).map {
            LaidOutCell(index: $0.index, rect: $0.rect * scale)
        }
    }

    package func headers(in rect: Rect) -> [LaidOutHeader] {
        grid.headers(in: rect * (1 / scale)).map {
            LaidOutHeader(section: $0.section, rect: $0.rect * scale)
        }
    }

    package func nearestCell(to point: Point) -> Int? {
        grid.nearestCell(to: Point(x: point.x / scale, y: point.y / scale))
    }

    package func cell(_ rows: Int, rowsBelow index: Int) -> Int {
        grid.cell(rows, rowsBelow: index)
    }

    package func restScale(near scale: Double) -> Double {
        min(max(scale, limits.lowerBound), limits.upperBound)
    }

    package func nextScale(after scale: Double, up: Bool) -> Double {
        restScale(near: up ? scale * Self.zoomStep : scale / Self.zoomStep)
    }

    package mutating func arrange(holding cell: HeldCell) -> Bool { false }

    @discardableResult
    package mutating func settle(at scale: Double, holding cell: HeldCell?) -> Bool {
        self.scale = scale
        return false
    }
}
