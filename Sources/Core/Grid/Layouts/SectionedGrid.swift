import Geometry

/// Equal cells in rows under section headers, at the resting scale.
///
/// `ReflowLayout` and `CanvasLayout` share this arrangement. A section begins a new row. Headers
/// and rows follow each other without a gap, except for the spacing below each row.
struct SectionedGrid: Sendable {
    /// Lengths in logical pixels.
    struct Metrics: Hashable, Sendable {
        var columns: Int
        var cell: Size
        var spacing: Double
        /// Free space left of the first column, and right of the last.
        var margin: Double
        var header: Double

        var pitch: Vector { Vector(dx: cell.width + spacing, dy: cell.height + spacing) }
    }

    /// Empty places at the start of a section, which keep a cell in its column.
    ///
    /// The cell keeps its column even if the number of columns has changed.
    struct Lead: Hashable, Sendable {
        var section: Int
        var places: Int
    }

    let metrics: Metrics
    let index: SectionIndex
    /// Number of rows before each section, then the total; all without a lead.
    private let rowsBefore: [Int]
    var lead: Lead?

    /// The height of a header, in logical pixels: a line of text, high enough for a finger.
    static let headerHeight = 44.0

    init(metrics: Metrics, index: SectionIndex) {
        self.metrics = metrics
        self.index = index
        var rows = [0]
        rows.reserveCapacity(index.starts.count + 1)
        for section in index.starts.indices {
            let count = index.range(of: section).count
            rows.append(rows[section] + (count + metrics.columns - 1) / metrics.columns)
        }
        rowsBefore = rows
    }

    private var sectionCount: Int { index.starts.count }

    var contentSize: Size {
        let width =
            Double(metrics.columns) * metrics.pitch.dx - metrics.spacing + 2 * metrics.margin
        guard index.count > 0 else { return Size(width: width, height: 0) }
        return Size(width: width, height: top(of: sectionCount) - metrics.spacing)
    }

    // MARK: Rows

    private func places(before section: Int) -> Int {
        lead?.section == section ? lead?.places ?? 0 : 0
    }

    private func rows(before section: Int) -> Int {
        guard let lead, lead.section < section else { return rowsBefore[section] }
        return rowsBefore[section] + rows(of: lead.section)
            - (rowsBefore[lead.section + 1] - rowsBefore[lead.section])
    }

    private func rows(of section: Int) -> Int {
        let places = index.range(of: section).count + places(before: section)
        return (places + metrics.columns - 1) / metrics.columns
    }

    /// The y of a section's header.
    private func top(of section: Int) -> Double {
        Double(section) * metrics.header + Double(rows(before: section)) * metrics.pitch.dy
    }

    private func top(ofRow row: Int, in section: Int) -> Double {
        top(of: section) + metrics.header + Double(row) * metrics.pitch.dy
    }

    /// The section at `y`, clamped to the first and the last one.
    private func section(at y: Double) -> Int {
        max(firstIndex(below: sectionCount) { top(of: $0) > y } - 1, 0)
    }

    private func row(at y: Double, in section: Int) -> Int {
        let offset = y - top(of: section) - metrics.header
        return Int(floor: offset / metrics.pitch.dy, in: 0...max(rows(of: section) - 1, 0))
    }

    private func column(at x: Double) -> Int {
        Int(
            floor: (x - metrics.margin + metrics.spacing / 2) / metrics.pitch.dx,
            in: 0...metrics.columns - 1)
    }

    /// The picture at a row and column of a section, or the nearest one if the place is empty.
    private func index(row: Int, column: Int, in section: Int) -> Int {
        let range = index.range(of: section)
        let place = row * metrics.columns + column - places(before: section)
        return range.lowerBound + min(max(place, 0), range.count - 1)
    }

    private func place(of picture: Int) -> (section: Int, row: Int, column: Int) {
        let section = index.section(of: picture)
        let place = picture - index.starts[section] + places(before: section)
        let (row, column) = place.quotientAndRemainder(dividingBy: metrics.columns)
        return (section, row, column)
    }

    // MARK: Cells

    func rect(of picture: Int) -> Rect {
        guard (0..<index.count).contains(picture) else {
            return Rect(x: 0, y: 0, width: 0, height: 0)
        }
        let place = place(of: picture)
        return Rect(
            x: left(of: place.column), y: top(ofRow: place.row, in: place.section),
            width: metrics.cell.width, height: metrics.cell.height)
    }

    private func left(of column: Int) -> Double {
        metrics.margin + Double(column) * metrics.pitch.dx
    }

    func nearestCell(to point: Point) -> Int? {
        guard index.count > 0 else { return nil }
        let section = section(at: point.y)
        return index(
            row: row(at: point.y, in: section), column: column(at: point.x), in: section)
    }

    func cells(in rect: Rect) -> [LaidOutCell] {
        guard index.count > 0, !rect.isEmpty else { return [] }
        var cells: [LaidOutCell] = []
        let columns = column(at: rect.x)...max(column(at: rect.x), column(at: rect.maxX))
        for section in section(at: rect.y)..<sectionCount {
            guard top(of: section) < rect.maxY else { break }
            for row in row(at: rect.y, in: section)..<rows(of: section) {
                let y = top(ofRow: row, in: section)
                guard y < rect.maxY else { break }
                guard y + metrics.cell.height > rect.y else { continue }
                append(row, columns, in: section, at: y, within: rect, to: &cells)
            }
        }
        return cells
    }

    private func append(
        _ row: Int, _ columns: ClosedRange<Int>, in section: Int, at y: Double, within rect: Rect,
        to cells: inout [LaidOutCell]
    ) {
        let range = index.range(of: section)
        for column in columns {
            let place = row * metrics.columns + column - places(before: section)
            let x = left(of: column)
            guard (0..<range.count).contains(place), x < rect.maxX,
                x + metrics.cell.width > rect.x
            else { continue }
            cells.append(
                LaidOutCell(
                    index: range.lowerBound + place,
                    rect: Rect(
                        x: x, y: y, width: metrics.cell.width, height: metrics.cell.height)))
        }
    }

    func headers(in rect: Rect) -> [LaidOutHeader] {
        guard index.hasHeaders, index.count > 0 else { return [] }
        var headers: [LaidOutHeader] = []
        for section in section(at: rect.y)..<sectionCount {
            let y = top(of: section)
            guard y < rect.maxY else { break }
            guard y + metrics.header > rect.y else { continue }
            headers.append(
                LaidOutHeader(
                    section: section,
                    rect: Rect(x: 0, y: y, width: contentSize.width, height: metrics.header)))
        }
        return headers
    }

    func cell(_ rows: Int, rowsBelow picture: Int) -> Int {
        guard (0..<index.count).contains(picture) else { return 0 }
        var (section, row, column) = place(of: picture)
        row += rows
        while row < 0, section > 0 {
            section -= 1
            row += self.rows(of: section)
        }
        while row >= self.rows(of: section), section + 1 < sectionCount {
            row -= self.rows(of: section)
            section += 1
        }
        // There is no row before the first and after the last one.
        guard row >= 0, row < self.rows(of: section) else { return picture }
        return index(row: row, column: column, in: section)
    }

    func column(of picture: Int) -> Int {
        (0..<index.count).contains(picture) ? place(of: picture).column : 0
    }

    /// The y of the row with the lead, nil without a lead.
    var leadTop: Double? { lead.map { top(ofRow: 0, in: $0.section) } }

    /// The lead that puts a held cell into the column where its held point is nearest to `x`.
    func lead(holding cell: HeldCell, nearest x: Double) -> Lead? {
        let heldOffset = cell.fraction * metrics.cell.width
        return lead(
            putting: cell.index,
            in: Int(
                floor: (x - metrics.margin - heldOffset) / metrics.pitch.dx + 0.5,
                in: 0...metrics.columns - 1))
    }

    /// The lead that puts a cell into a column; nil if the whole section is a single row.
    func lead(putting picture: Int, in column: Int) -> Lead? {
        guard (0..<index.count).contains(picture) else { return nil }
        let section = index.section(of: picture)
        guard index.range(of: section).count > metrics.columns else { return nil }
        let natural = (picture - index.starts[section]) % metrics.columns
        let places = (column - natural + metrics.columns) % metrics.columns
        return places == 0 ? nil : Lead(section: section, places: places)
    }
}
