package import Geometry

/// Justified rows: every picture keeps its aspect ratio, and every row fills the surface's width.
///
/// The layout has the same stages as `ReflowLayout`: from rows of about five pictures, by default,
/// to rows of one. A picture of unknown size counts as 3 : 2.
///
/// Pictures are grouped into *blocks* of some dozens. No row spans two blocks, and each block but the
/// last one of a section fills its rows evenly. Therefore a size that becomes known moves the rows of
/// one block only, and the position of a block is a prefix sum. The sums are kept up to date for every
/// stage, so that a change of the arrangement costs nothing in the frame in which it happens.
package struct JustifiedLayout: ScalingLayout {
    package var scale = 1.0
    let surface: Size
    let stages: ScaleStages
    let index: SectionIndex
    private var aspects: [Float]
    /// The first picture of every block.
    private let blocks: [Int]
    /// The height of every block at every stage, headers included.
    private var heights: [PrefixSums]
    var stage = 0
    /// The indent of a block's first row, which keeps a held cell at its horizontal position.
    private(set) var lead: Lead?

    struct Lead: Hashable, Sendable {
        var block: Int
        /// In logical pixels at the stage's resting scale.
        var indent: Double
    }

    /// Maximum number of pictures in a block; large enough that evenly filled rows look natural.
    private static let blockSize = 60
    /// Target height of rows, relative to the stage's cell width.
    ///
    /// With this height, a row of pictures of the assumed aspect ratio has as many pictures as the
    /// stage has columns.
    private static let rowHeight = 1 / Double(GridContents.assumedAspect)

    /// Lays out `contents` on a surface in logical pixels.
    ///
    /// At scale 1 a row has `columns` pictures of 3 : 2.
    package init(contents: GridContents, surface: Size, columns: Int = 5) {
        self.surface = surface
        stages = ScaleStages(width: surface.width, columns: columns)
        index = SectionIndex(contents)
        aspects = contents.aspects
        var blocks: [Int] = []
        for section in index.starts.indices {
            let range = index.range(of: section)
            blocks += Array(
                stride(from: range.lowerBound, to: range.upperBound, by: Self.blockSize))
        }
        self.blocks = blocks
        heights = []
        heights = (0..<stages.count).map { stage in
            PrefixSums(blocks.indices.map { height(ofBlock: $0, at: stage) })
        }
    }

    // MARK: Blocks, at the stage's resting scale

    private func metrics(at stage: Int) -> JustifiedRows.Metrics {
        JustifiedRows.Metrics(
            width: stage == stages.last ? stages.cellWidths[stage] : surface.width,
            height: min(stages.cellWidths[stage] * Self.rowHeight, max(surface.height, 1)),
            spacing: stages.spacing)
    }

    private func range(ofBlock block: Int) -> Range<Int> {
        blocks[block]..<(block + 1 < blocks.count ? blocks[block + 1] : index.count)
    }

    private func rows(ofBlock block: Int, at stage: Int) -> JustifiedRows {
        let hasLead = lead?.block == block && stage == self.stage
        return JustifiedRows(
            aspects[range(ofBlock: block)], metrics(at: stage),
            indent: hasLead ? lead?.indent ?? 0 : 0, endsShort: endsSection(block))
    }

    /// Whether a block is the last one of its section.
    private func endsSection(_ block: Int) -> Bool {
        let section = index.section(of: blocks[block])
        return index.range(of: section).upperBound == range(ofBlock: block).upperBound
    }

    /// The x of a cell's held point, at the resting scale, if its block had the given indent.
    func heldX(of cell: HeldCell, in block: Int, indent: Double) -> Double {
        let rows = JustifiedRows(
            aspects[range(ofBlock: block)], metrics(at: stage), indent: indent,
            endsShort: endsSection(block)
        ).rows
        let offset = cell.index - blocks[block]
        guard let row = rows.first(where: { $0.range.contains(offset) }) else { return 0 }
        var x = 0.0
        visit(row, ofBlock: block, below: 0) {
            if $0 == cell.index { x = $1.x + cell.fraction * $1.width }
        }
        return x
    }

    private func header(ofBlock block: Int) -> Double {
        guard index.hasHeaders else { return 0 }
        let section = index.section(of: blocks[block])
        return index.starts[section] == blocks[block] ? SectionedGrid.headerHeight : 0
    }

    private func height(ofBlock block: Int, at stage: Int) -> Double {
        header(ofBlock: block) + rows(ofBlock: block, at: stage).height
    }

    func block(of picture: Int) -> Int {
        max(firstIndex(below: blocks.count) { blocks[$0] > picture } - 1, 0)
    }

    private var margin: Double { stage == stages.last ? ScaleStages.feedMargin : 0 }
    var magnification: Double { scale / stages.scale(of: stage) }

    /// Calls `body` with each picture of a row and its rectangle at the resting scale.
    private func visit(
        _ row: JustifiedRows.Row, ofBlock block: Int, below top: Double,
        _ body: (_ picture: Int, _ rect: Rect) -> Void
    ) {
        var x = margin + row.indent
        for offset in row.range {
            let picture = blocks[block] + offset
            let width = JustifiedRows.known(aspects[picture]) * row.height
            body(picture, Rect(x: x, y: top + row.y, width: width, height: row.height))
            x += width + stages.spacing
        }
    }

    /// The y of a block's first row, at the resting scale.
    private func top(ofBlock block: Int) -> Double {
        heights[stage].sum(before: block) + header(ofBlock: block)
    }

    // MARK: ScalingLayout

    package var limits: ClosedRange<Double> { stages.limits }
    package var columns: Int { stages.columns(of: stage) }
    package func crop(of index: Int) -> CellCrop { .whole }

    package func contentSize(at scale: Double) -> Size {
        Size(width: surface.width, height: max(heights[stage].total - stages.spacing, 0))
            * (scale / stages.scale(of: stage))
    }

    package func rect(of picture: Int) -> Rect {
        var result = Rect(x: 0, y: 0, width: 0, height: 0)
        guard (0..<index.count).contains(picture) else { return result }
        let block = block(of: picture)
        let offset = picture - blocks[block]
        let rows = rows(ofBlock: block, at: stage).rows
        guard let row = rows.first(where: { $0.range.contains(offset) }) else { return result }
        visit(row, ofBlock: block, below: top(ofBlock: block)) {
            if $0 == picture { result = $1 * magnification }
        }
        return result
    }

    package func cells(in rect: Rect) -> [LaidOutCell] {
        guard index.count > 0, !rect.isEmpty else { return [] }
        let restRect = rect * (1 / magnification)
        var cells: [LaidOutCell] = []
        for block in heights[stage].number(at: restRect.y)..<blocks.count {
            let top = top(ofBlock: block)
            guard top < restRect.maxY else { break }
            for row in rows(ofBlock: block, at: stage).rows
            where top + row.y < restRect.maxY && top + row.y + row.height > restRect.y {
                visit(row, ofBlock: block, below: top) {
                    guard $1.x < restRect.maxX, $1.maxX > restRect.x else { return }
                    cells.append(LaidOutCell(index: $0, rect: $1 * magnification))
                }
            }
        }
        return cells
    }

    package func headers(in rect: Rect) -> [LaidOutHeader] {
        guard index.hasHeaders, index.count > 0 else { return [] }
        let restRect = rect * (1 / magnification)
        var headers: [LaidOutHeader] = []
        for block in heights[stage].number(at: restRect.y)..<blocks.count {
            let y = heights[stage].sum(before: block)
            guard y < restRect.maxY else { break }
            let height = header(ofBlock: block)
            guard height > 0, y + height > restRect.y else { continue }
            headers.append(
                LaidOutHeader(
                    section: index.section(of: blocks[block]),
                    rect: Rect(x: 0, y: y, width: surface.width, height: height) * magnification))
        }
        return headers
    }

    package func nearestCell(to point: Point) -> Int? {
        guard index.count > 0 else { return nil }
        let (x, y) = (point.x / magnification, point.y / magnification)
        let block = heights[stage].number(at: y)
        let top = top(ofBlock: block)
        let rows = rows(ofBlock: block, at: stage).rows
        guard let row = rows.last(where: { top + $0.y <= y }) ?? rows.first else { return nil }
        var nearest = blocks[block] + row.range.lowerBound
        visit(row, ofBlock: block, below: top) { picture, rect in
            if rect.x <= x { nearest = picture }
        }
        return nearest
    }

    package func cell(_ rows: Int, rowsBelow picture: Int) -> Int {
        guard (0..<index.count).contains(picture) else { return 0 }
        var block = block(of: picture)
        let offset = picture - blocks[block]
        var blockRows = self.rows(ofBlock: block, at: stage).rows
        guard let own = blockRows.firstIndex(where: { $0.range.contains(offset) }) else {
            return picture
        }
        var row = own + rows
        while row < 0, block > 0 {
            block -= 1
            blockRows = self.rows(ofBlock: block, at: stage).rows
            row += blockRows.count
        }
        while row >= blockRows.count, block + 1 < blocks.count {
            row -= blockRows.count
            block += 1
            blockRows = self.rows(ofBlock: block, at: stage).rows
        }
        guard blockRows.indices.contains(row) else { return picture }
        let middle = rect(of: picture).center.x / magnification
        var nearest = blocks[block] + blockRows[row].range.lowerBound
        visit(blockRows[row], ofBlock: block, below: 0) { picture, rect in
            if rect.x <= middle { nearest = picture }
        }
        return nearest
    }

    package mutating func setAspect(_ aspect: Float, of picture: Int) -> Bool {
        guard aspects.indices.contains(picture), aspects[picture] != aspect else { return false }
        changeRows(ofBlock: block(of: picture)) { $0.aspects[picture] = aspect }
        return true
    }

    /// Replaces the lead; nil removes it.
    mutating func setLead(_ new: Lead?) {
        guard new != lead else { return }
        if let old = lead { changeRows(ofBlock: old.block) { $0.lead = nil } }
        if let new { changeRows(ofBlock: new.block) { $0.lead = new } }
    }

    /// Changes one block and updates the height sums of every stage.
    private mutating func changeRows(
        ofBlock block: Int, _ change: (inout JustifiedLayout) -> Void
    ) {
        let before = heights.indices.map { height(ofBlock: block, at: $0) }
        change(&self)
        for stage in heights.indices {
            heights[stage].add(height(ofBlock: block, at: stage) - before[stage], to: block)
        }
    }
}
