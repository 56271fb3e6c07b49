import Geometry
import Synchronization

@testable import Grid

/// A layout that counts the requested cells and headers.
struct CountingLayout: ScalingLayout {
    /// Shared by all copies of the layout.
    final class Tally: Sendable {
        private let number = Atomic(0)

        func add(_ cells: Int) { number.add(cells, ordering: .relaxed) }
        /// Returns the count since the last call and resets it.
        func drain() -> Int { number.exchange(0, ordering: .relaxed) }
    }

    var base: any ScalingLayout
    let tally: Tally

    var scale: Double {
        get { base.scale }
        set { base.scale = newValue }
    }
    var limits: ClosedRange<Double> { base.limits }
    var columns: Int { base.columns }
    func crop(of index: Int) -> CellCrop { base.crop(of: index) }
    var hasSteps: Bool { base.hasSteps }

    func contentSize(at scale: Double) -> Size { base.contentSize(at: scale) }
    func cells(in rect: Rect) -> [LaidOutCell] {
        let cells = base.cells(in: rect)
        tally.add(cells.count)
        return cells
    }
    func headers(in rect: Rect) -> [LaidOutHeader] {
        let headers = base.headers(in: rect)
        tally.add(headers.count)
        return headers
    }
    func nearestCell(to point: Point) -> Int? {
        tally.add(1)
        return base.nearestCell(to: point)
    }
    func rect(of index: Int) -> Rect {
        tally.add(1)
        return base.rect(of: index)
    }
    func cell(_ rows: Int, rowsBelow index: Int) -> Int {
        tally.add(1)
        return base.cell(rows, rowsBelow: index)
    }
    func restScale(near scale: Double) -> Double { base.restScale(near: scale) }
    func nextScale(after scale: Double, up: Bool) -> Double {
        base.nextScale(after: scale, up: up)
    }
    mutating func arrange(holding cell: HeldCell) -> Bool { base.arrange(holding: cell) }
    @discardableResult
    mutating func settle(at scale: Double, holding cell: HeldCell?) -> Bool {
        base.settle(at: scale, holding: cell)
    }
    func hasGap(in rect: Rect) -> Bool { base.hasGap(in: rect) }
    mutating func closeGap() -> Bool { base.closeGap() }
    mutating func setAspect(_ aspect: Float, of index: Int) -> Bool {
        base.setAspect(aspect, of: index)
    }
}
