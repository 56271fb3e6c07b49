import SeededRandom
import Geometry
import Testing

@testable import Grid

/// Cell positions in all layouts.
@Suite struct LayoutTests {
    private static let surface = Size(width: 1920, height: 1080)
    private static let sections = [
        GridSection(title: "a", first: 0), GridSection(title: "b", first: 7),
        GridSection(title: "c", first: 8), GridSection(title: "d", first: 111),
    ]

    private static func contents(_ count: Int, headers: Bool) -> GridContents {
        GridContents(count: count, sections: headers ? sections : []) { index in
            index.isMultiple(of: 7)
                ? nil : PixelSize(width: 400 + index % 5 * 900, height: 300 + index % 3 * 1200)
        }
    }

    private static func layouts(_ contents: GridContents) -> [any ScalingLayout] {
        [
            ReflowLayout(contents: contents, surface: surface),
            CanvasLayout(contents: contents, surface: surface),
            JustifiedLayout(contents: contents, surface: surface),
        ]
    }

    private func expect(_ value: Double, _ expected: Double, _ id: String) {
        #expect(abs(value - expected) < 6e-5, "\(id): \(value), expected \(expected)")
    }

    // MARK: Reference values

    @Test func aScrollViewZoomKeepsTheFocalPoint() {
        // L1: scroll (−10, 1200), focal point (195, 500), zoom 1 → 1.5, in the canvas layout.
        let layout = CanvasLayout(
            contents: GridContents(count: 500), surface: Size(width: 390, height: 844))
        let focal = Point(x: 195, y: 500)
        let point = Point(x: -10 + 195, y: 1200 + 500)
        let index = layout.nearestCell(to: point) ?? 0
        let anchor = Anchor(index: index, at: point, in: layout.rect(of: index))
        let origin = ScrollState(anchor: anchor, focal: focal, scale: 1.5).origin(in: layout)
        expect(origin.x, 82.5, "L1 x")
        expect(origin.y, 2050, "L1 y")
    }

    /// Width 800, base cell 150, gap 4; at scale 1 five columns of 156.8.
    private func vectorLayout() -> ReflowLayout {
        ReflowLayout(
            contents: GridContents(count: 100), surface: Size(width: 800, height: 600),
            stages: ScaleStages(width: 800, columns: 5, spacing: 4))
    }

    @Test(arguments: [(1.0, 5, 156.8, 864.8), (1.3, 4, 197.0, 1558.25)])
    func columnsFillTheWidth(zoom: Double, columns: Int, cell: Double, scroll: Double) {
        // `zoom` is relative to cells of 150; the layout's scale is relative to cells of 156.8.
        var layout = vectorLayout()
        layout.settle(at: layout.restScale(near: zoom * 150 / 156.8))
        #expect(layout.columns == columns)
        expect(layout.rect(of: 0).width, cell, "L2")
        let anchor = Anchor(index: 37, fraction: Vector(dx: 0, dy: 0.25))
        let scrollState = ScrollState(
            anchor: anchor, focal: Point(x: 0, y: 300), scale: layout.scale)
        expect(scrollState.origin(in: layout).y, scroll, "L3")
    }

    @Test func theBaseAndTheFeedHaveTheirCellSizes() {
        var layout = ReflowLayout(contents: GridContents(count: 9), surface: Self.surface)
        #expect(layout.columns == 5)
        #expect(layout.rect(of: 0) == Rect(x: 0, y: 0, width: 380, height: 380))
        #expect(layout.rect(of: 6).x == 385)
        layout.settle(at: layout.limits.upperBound)
        #expect(layout.columns == 1)
        #expect(layout.limits == 1...5)
        // A whole cell of 3 : 2 would be higher than the surface: the feed limits its height.
        #expect(layout.rect(of: 1) == Rect(x: 165, y: 1065, width: 1590, height: 1060))
    }

    @Test func theFeedFillsTheWidthIfTheSurfaceIsHighEnough() {
        let sizes = [(200, 100), (100, 100), (100, 200), (1, 20000)]
        let contents = GridContents(count: 4) {
            PixelSize(width: sizes[$0].0, height: sizes[$0].1)
        }
        var layout = ReflowLayout(contents: contents, surface: Size(width: 390, height: 844))
        layout.settle(at: layout.limits.upperBound)
        #expect(layout.rect(of: 0) == Rect(x: 10, y: 0, width: 370, height: 185))
        #expect(layout.rect(of: 1) == Rect(x: 10, y: 190, width: 370, height: 370))
        #expect(layout.rect(of: 2) == Rect(x: 10, y: 565, width: 370, height: 740))
        // As high as the surface allows, and 1 : 4.
        #expect(layout.rect(of: 3) == Rect(x: 92, y: 1310, width: 206, height: 824))
        #expect(layout.contentSize(at: layout.scale) == Size(width: 390, height: 1310 + 824))
    }

    // MARK: Invariants of all layouts

    @Test(arguments: [false, true], [1.0, 1.1, 1.7, 3.3, 4.0])
    func cellsInARectangleAgreeWithCellRects(headers: Bool, scale: Double) {
        for var layout in Self.layouts(Self.contents(300, headers: headers)) {
            layout.settle(at: layout.restScale(near: scale))
            layout.scale *= 1.07
            let height = layout.contentSize(at: layout.scale).height
            for step in 0..<12 {
                let rect = Rect(
                    x: Double(step) * 90 - 200, y: height * Double(step) / 10 - 500, width: 900,
                    height: 777)
                let expected = (0..<300).filter { layout.rect(of: $0).intersects(rect) }
                let cells = layout.cells(in: rect)
                #expect(cells.map(\.index) == expected)
                #expect(cells.allSatisfy { $0.rect == layout.rect(of: $0.index) })
            }
        }
    }

    @Test(arguments: [false, true])
    func everyCellIsFoundAtItsPoints(headers: Bool) {
        for var layout in Self.layouts(Self.contents(200, headers: headers)) {
            for scale in [1, 1.6, 5] {
                layout.settle(at: layout.restScale(near: scale))
                layout.scale *= 0.9
                for index in 0..<200 {
                    #expect(layout.cell(at: layout.rect(of: index).center) == index)
                }
                #expect(layout.cell(at: Point(x: -50, y: -50)) == nil)
                #expect(layout.nearestCell(to: Point(x: 1e9, y: 1e9)) == 199)
                #expect(layout.nearestCell(to: Point(x: -1e9, y: -1e9)) == 0)
                #expect(layout.nearestCell(to: Point(x: .nan, y: .nan)) != nil)
            }
        }
    }

    @Test func cellsAndHeadersNeverOverlap() {
        for layout in Self.layouts(Self.contents(150, headers: true)) {
            let all = Rect(x: -1, y: -1, width: 1e5, height: 1e6)
            let headers = layout.headers(in: all)
            #expect(headers.map(\.section) == [0, 1, 2, 3])
            let rects = layout.cells(in: all).map(\.rect) + headers.map(\.rect)
            for (number, rect) in rects.enumerated() {
                for other in rects[..<number] {
                    let gap = Rect(
                        x: rect.x + 1e-6, y: rect.y + 1e-6, width: rect.width - 2e-6,
                        height: rect.height - 2e-6)
                    #expect(!gap.intersects(other))
                }
            }
            let bottom = rects.map(\.maxY).max() ?? 0
            #expect(abs(layout.contentSize(at: 1).height - bottom) < 1e-6)
        }
    }

    @Test func rowsDownAndUpReturnToTheStart() {
        for layout in Self.layouts(Self.contents(150, headers: true)) {
            var index = 0
            var rows = 0
            while layout.cell(1, rowsBelow: index) != index {
                let next = layout.cell(1, rowsBelow: index)
                #expect(layout.rect(of: next).y > layout.rect(of: index).y)
                index = next
                rows += 1
            }
            for _ in 0..<rows { index = layout.cell(-1, rowsBelow: index) }
            #expect(layout.rect(of: index).y == layout.rect(of: 0).y)
        }
    }

    @Test func anEmptyGridHasNoCells() {
        for layout in Self.layouts(.empty) {
            #expect(layout.cells(in: Rect(x: 0, y: 0, width: 9, height: 9)).isEmpty)
            #expect(layout.headers(in: Rect(x: 0, y: 0, width: 9, height: 9)).isEmpty)
            #expect(layout.nearestCell(to: .zero) == nil)
            #expect(layout.contentSize(at: 1).height == 0)
            #expect(layout.rect(of: 0).isEmpty)
        }
    }

    // MARK: Justified rows

    @Test func justifiedRowsFillTheWidthAndKeepAspectRatios() {
        let contents = Self.contents(300, headers: false)
        let layout = JustifiedLayout(contents: contents, surface: Self.surface)
        let cells = layout.cells(in: Rect(x: 0, y: 0, width: 1920, height: 1e6))
        let rows = Dictionary(grouping: cells, by: \.rect.y)
        let last = rows.keys.max()
        for (y, row) in rows where y != last {
            let right = row.map(\.rect.maxX).max() ?? 0
            #expect(abs(right - 1920) < 1e-6 || row.allSatisfy { $0.rect.height > 300 }, "at \(y)")
        }
        for cell in cells {
            let aspect = JustifiedRows.known(contents.aspects[cell.index])
            #expect(abs(cell.rect.width / cell.rect.height - aspect) < 1e-6)
        }
    }

    /// Rows of the last block of a section are as high as the pictures allow, and the last row is not
    /// enlarged: eight pictures do not end in one low row.
    @Test(arguments: 1...60) func rowsAreNearTheTargetHeight(count: Int) {
        let metrics = JustifiedRows.Metrics(width: 1280, height: 170, spacing: 5)
        var numbers = SeededGenerator(seed: UInt64(count))
        let aspects = (0..<count).map { _ in Float.random(in: 0.4...3, using: &numbers) }
        func height(_ range: Range<Int>) -> Double {
            let sum = aspects[range].reduce(0) { $0 + Double($1) }
            return (metrics.width - Double(range.count - 1) * metrics.spacing) / sum
        }
        func distance(_ height: Double) -> Double {
            max(height / metrics.height, metrics.height / height)
        }
        let rows = JustifiedRows(aspects[...], metrics, endsShort: true).rows
        #expect(rows.map(\.range).joined().elementsEqual(0..<count))
        for row in rows.dropLast() {
            let whole = height(row.range)
            #expect(row.height == min(whole, 1.5 * metrics.height))
            for end in [row.range.upperBound - 1, row.range.upperBound + 1]
            where end > row.range.lowerBound && end <= count {
                #expect(distance(whole) <= distance(height(row.range.lowerBound..<end)) + 1e-9)
            }
        }
        let last = rows[rows.count - 1]
        #expect(last.height == min(height(last.range), metrics.height))
        // Eight pictures of 3 : 2 need 1.6 rows.
        let eight = JustifiedRows(
            ArraySlice(repeating: Float(1.5), count: 8), metrics, endsShort: true
        ).rows
        #expect(eight.map(\.range) == [0..<5, 5..<8])
    }

    @Test func incrementalSizesGiveTheSameLayoutAsInitialSizes() {
        var numbers = SeededGenerator(seed: 1)
        var sizes = [PixelSize?](repeating: nil, count: 400)
        var layout = JustifiedLayout(
            contents: GridContents(count: 400, sections: Self.sections), surface: Self.surface)
        for _ in 0..<300 {
            let index = Int.random(in: 0..<400, using: &numbers)
            let size = PixelSize(
                width: .random(in: 1...9000, using: &numbers),
                height: .random(in: 1...9000, using: &numbers))
            sizes[index] = size
            let one = GridContents(count: 1) { _ in size }
            _ = layout.setAspect(one.aspects[0], of: index)
        }
        let fresh = JustifiedLayout(
            contents: GridContents(count: 400, sections: Self.sections) { sizes[$0] },
            surface: Self.surface)
        for index in 0..<400 {
            let (a, b) = (layout.rect(of: index), fresh.rect(of: index))
            #expect(abs(a.y - b.y) < 1e-6 && a.x == b.x && a.width == b.width)
        }
    }

    @Test func invalidSectionsAreDropped() {
        let contents = GridContents(
            count: 10,
            sections: [
                .init(title: "late", first: 99), .init(title: "b", first: 5),
                .init(title: "a", first: 2), .init(title: "again", first: 5),
            ])
        #expect(contents.sections.map(\.first) == [0, 5])
        #expect(GridContents(count: -3, sections: [.init(title: "", first: 0)]).sections.isEmpty)
    }

    @Test func prefixSumsFindIndicesOfSums() {
        var lengths = (0..<100).map { Double($0 % 7 + 1) }
        var sums = PrefixSums(lengths)
        lengths[40] += 5
        sums.add(5, to: 40)
        var sum = 0.0
        for (number, length) in lengths.enumerated() {
            #expect(sums.sum(before: number) == sum)
            #expect(sums.number(at: sum) == number)
            #expect(sums.number(at: sum + length - 0.01) == number)
            sum += length
        }
        #expect(sums.total == sum)
        #expect(sums.number(at: sum + 1) == 99)
        #expect(sums.number(at: -1) == 0)
        #expect(PrefixSums([]).number(at: 3) == 0)
    }
}
