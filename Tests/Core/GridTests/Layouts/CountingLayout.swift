import Geometry
import Synchronization

@testable import Grid

/// A layout that counts the requested cells and headers.
struct CountingLayout: AdaptedLayout {
    /// Shared by all copies of the layout.
    final class Tally: Sendable {
        private let number = Atomic(0)

        func add(_ cells: Int) { number.add(cells, ordering: .relaxed) }
        /// Returns the count since the last call and resets it.
        func drain() -> Int { number.exchange(0, ordering: .relaxed) }
    }

    var layout: any ScalingLayout
    let tally: Tally

    func cells(in rect: Rect) -> [LaidOutCell] {
        let cells = layout.cells(in: rect)
        tally.add(cells.count)
        return cells
    }
    func headers(in rect: Rect) -> [LaidOutHeader] {
        let headers = layout.headers(in: rect)
        tally.add(headers.count)
        return headers
    }
    func nearestCell(to point: Point) -> Int? {
        tally.add(1)
        return layout.nearestCell(to: point)
    }
    func rect(of index: Int) -> Rect {
        tally.add(1)
        return layout.rect(of: index)
    }
    func cell(_ rows: Int, rowsBelow index: Int) -> Int {
        tally.add(1)
        return layout.cell(rows, rowsBelow: index)
    }
    func hasGap(in rect: Rect) -> Bool { layout.hasGap(in: rect) }
}
