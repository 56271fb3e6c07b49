import Geometry
import Gestures
import Motion
import Testing

@testable import Grid

/// The feed: cells that open from squares to whole pictures.
@Suite struct FeedTests {
    private static let shapes = [
        PixelSize(width: 600, height: 400), PixelSize(width: 400, height: 600),
        PixelSize(width: 500, height: 500), PixelSize(width: 3000, height: 300),
        PixelSize(width: 1, height: 20000),
    ]

    private func hand(count: Int = 60, width: Double = 390, height: Double = 844) -> Hand {
        Hand(count: count, width: width, height: height) { Self.shapes[$0 % Self.shapes.count] }
    }

    private func feed() -> Hand {
        var hand = hand()
        hand.grid.zoom(to: 5, about: .zero, at: hand.now)
        hand.settle()
        #expect(hand.frame.columns == 1 && hand.frame.isRestingFeed)
        return hand
    }

    // MARK: The law

    @Test func theOpennessGrowsWithTheScaleOfASingleColumn() {
        let stages = ScaleStages(width: 390, columns: 5)
        let (two, one) = (stages.scale(of: 3), stages.scale(of: 4))
        let start = (two * one).squareRoot() * ScaleStages.hysteresis
        #expect(stages.openness(at: two) == 0 && stages.openness(at: start) == 0)
        #expect(stages.openness(at: one) == 1 && stages.openness(at: one * 1.3) == 1)
        #expect(abs(stages.openness(at: (start * one).squareRoot()) - 0.5) < 1e-9)
        #expect(ScaleStages(width: 390, columns: 1).openness(at: 1) == 1)
    }

    @Test func aPictureFillsItsCellUntilItIsWhole() {
        let wide = Size(width: 600, height: 400)
        // A square cell, and an open one of 300 × 200.
        #expect(
            CellCrop.fill.zoom(of: wide, in: Rect(x: 0, y: 0, width: 300, height: 300)) == 0.75)
        let open = CellCrop(wholeness: 1, aspect: 1.5)
        #expect(open.zoom(of: wide, in: Rect(x: 0, y: 0, width: 300, height: 200)) == 0.5)
        let opening = CellCrop(wholeness: 0.5, aspect: 1.5)
        #expect(opening.zoom(of: wide, in: Rect(x: 0, y: 0, width: 300, height: 250)) == 0.625)
        // A strip does not fill its cell of 1 : 4 in the end, and goes there without a jump.
        let strip = Size(width: 1, height: 20000)
        let cell = Rect(x: 0, y: 0, width: 200, height: 800)
        let zooms = [0, 0.25, 0.5, 0.75, 1].map {
            CellCrop(wholeness: $0, aspect: 0.25).zoom(of: strip, in: cell)
        }
        #expect(zooms.first == 200 && zooms.last == 0.04)
        #expect(zip(zooms, zooms.dropFirst()).allSatisfy { $0 > $1 })
    }

    // MARK: At rest

    @Test func nothingIsCut() {
        let hand = feed()
        var top = 0.0
        for index in 0..<10 {
            let rect = hand.grid.layout.rect(of: index)
            let (shape, crop) = (Self.shapes[index % 5], hand.grid.layout.crop(of: index))
            #expect(crop.isWhole && abs(rect.y - top) < 1e-6)
            let zoom = crop.zoom(of: shape.size, in: rect)
            #expect(Double(shape.width) * zoom <= rect.width + 1e-6)
            #expect(Double(shape.height) * zoom <= rect.height + 1e-6)
            #expect(abs(rect.center.x - 195) < 1e-9 && rect.height <= 824)
            top = rect.maxY + 5
        }
        #expect(abs(hand.grid.layout.rect(of: 0).height - 370 / 1.5) < 1e-6)
        // A panorama of 10 : 1 has a cell of 4 : 1.
        #expect(hand.grid.layout.rect(of: 3).height == 92.5)
    }

    // MARK: On the way

    /// Scales slowly from two columns to the feed and back: the held cell, its crop and the held
    /// point move by steps as small as the fingers'.
    @Test(arguments: [0, 1, 3, 4]) func theHeldPictureOpensWithoutAJump(_ kind: Int) throws {
        var hand = hand()
        // A phone begins with three columns.
        let stages = ScaleStages(width: 390, columns: 3)
        #expect(hand.frame.columns == 3)
        hand.grid.zoom(to: stages.scale(of: 1), about: .zero, at: hand.now)
        hand.settle()
        let held = 10 + kind
        hand.grid.bringIntoView(held, at: hand.now)
        let base = try #require(hand.frame.cell(held)).rect.center
        for scale in [2.6, 0.3] {
            var last: (rect: Rect, zoom: Double)?
            var cropped: Set<Bool> = []
            hand.send(.caught(at: base))
            hand.send(.manipulationBegan(Hand.fingers(2, base: base)))
            hand.send(
                .manipulationChanged(Hand.fingers(2, base: base, scale: scale > 1 ? 1.001 : 0.97)))
            let cell = try #require(hand.frame.held).index
            let shape = Self.shapes[cell % 5].size
            for step in 1...900 {
                hand.wait(4)
                hand.send(
                    .manipulationChanged(
                        Hand.fingers(
                            2, base: base,
                            scale: 0.97 + (scale - 0.97) * Double(step) / 900)))
                let frame = hand.frame
                let (now, grip) = (try #require(frame.cell(cell)), try #require(frame.held))
                let point = Point(
                    x: now.rect.x + grip.fraction.dx * now.rect.width,
                    y: now.rect.y + grip.fraction.dy * now.rect.height)
                #expect((point - grip.point).length < 1e-6)
                let zoom = now.crop.zoom(of: shape, in: now.rect)
                if let last {
                    let moves = [
                        now.rect.x - last.rect.x, now.rect.maxX - last.rect.maxX,
                        now.rect.y - last.rect.y, now.rect.maxY - last.rect.maxY,
                    ]
                    // A step of the fingers moves an edge by about 1 px; opening moves it by at
                    // most a few times as much.
                    #expect(moves.allSatisfy { abs($0) < 5 }, "step \(step)")
                    #expect(abs(zoom / last.zoom - 1) < 0.08, "step \(step)")
                }
                #expect(now.opacity == 1)
                last = (now.rect, zoom)
                cropped.insert(now.crop.isWhole)
            }
            #expect(cropped.contains(false) && (scale < 1 || cropped.contains(true)))
            hand.send(.manipulationEnded(Release(centroid: base)))
            hand.settle()
            #expect(scale > 1 ? hand.frame.columns == 1 : hand.frame.columns > 1)
        }
    }

    /// A release from the opening column to two columns: the held cell closes within the cross-fade.
    @Test func aReleaseTowardsTwoColumnsClosesTheCellWithoutAJump() throws {
        var hand = feed()
        let base = Point(x: 195, y: 300)
        hand.send(.caught(at: base))
        hand.send(.manipulationBegan(Hand.fingers(2, base: base)))
        for step in 1...12 {
            hand.wait(8)
            hand.send(
                .manipulationChanged(
                    Hand.fingers(2, base: base, scale: 1 - 0.014 * Double(step))))
        }
        let cell = try #require(hand.frame.held).index
        #expect(hand.frame.columns == 1)
        let before = try #require(hand.frame.cell(cell)).rect
        hand.send(.manipulationEnded(Release(centroid: base, zoomRate: -3)))
        let after = try #require(hand.frame.cell(cell))
        #expect(hand.frame.columns == 2 && after.opacity == 1)
        let edges = [
            after.rect.x - before.x, after.rect.maxX - before.maxX, after.rect.y - before.y,
            after.rect.maxY - before.maxY,
        ]
        #expect(edges.allSatisfy { abs($0) < 0.01 })
        hand.settle()
        #expect(try #require(hand.frame.cell(cell)).rect.width == 192.5)
    }

    // MARK: Sizes that become known

    @Test func sizesThatComeLaterKeepTheMiddleInPlace() throws {
        var hand = Hand(count: 60, width: 390, height: 844)
        hand.grid.zoom(to: 5, about: .zero, at: hand.now)
        hand.settle()
        hand.drag(from: Point(x: 195, y: 700), by: Vector(dx: 0, dy: -600))
        hand.settle()
        let middle = hand.grid.projection(at: hand.now).anchor(at: Point(x: 195, y: 422)).index
        let before = try #require(hand.frame.cell(middle)).rect
        hand.grid.setSizes(
            (0..<60).filter { $0 != middle }.map { ($0, PixelSize(width: 300, height: 400)) },
            at: hand.now)
        #expect(try #require(hand.frame.cell(middle)).rect.distance(to: before) < 1e-6)
        // The size of the middle picture itself: it grows about its point.
        hand.settle()
        hand.grid.setSizes([(middle, PixelSize(width: 300, height: 400))], at: hand.now)
        #expect(try #require(hand.frame.cell(middle)).rect.distance(to: before) < 1e-6)
        hand.wait(60)
        let growing = try #require(hand.frame.cell(middle))
        #expect(growing.rect.height > before.height + 10 && growing.opacity == 1)
        hand.settle()
        let grown = try #require(hand.frame.cell(middle)).rect
        #expect(abs(grown.height - 370 * 4 / 3) < 1e-9 && grown.y < 422 && grown.maxY > 422)
    }

    @Test func sizesDuringAPinchLeaveTheHeldPictureUnderTheFingers() throws {
        var hand = Hand(count: 60, width: 390, height: 844)
        hand.grid.zoom(to: 5, about: .zero, at: hand.now)
        hand.settle()
        let base = Point(x: 195, y: 300)
        hand.send(.caught(at: base))
        hand.send(.manipulationBegan(Hand.fingers(2, base: base)))
        hand.send(.manipulationChanged(Hand.fingers(2, base: base, scale: 0.9)))
        let cell = try #require(hand.frame.held).index
        let before = try #require(hand.frame.cell(cell)).rect
        hand.grid.setSizes(
            (0..<60).map { ($0, PixelSize(width: 300, height: 400)) }, at: hand.now)
        #expect(try #require(hand.frame.cell(cell)).rect.distance(to: before) < 1e-6)
    }

    @Test func aSizeDuringAPeekDoesNotMoveTheLiftedPicture() throws {
        var hand = Hand(count: 60, width: 390, height: 844)
        hand.grid.zoom(to: 5, about: .zero, at: hand.now)
        hand.settle()
        hand.pinch(at: Point(x: 195, y: 600), to: 1.4, lets: false)
        let lifted = try #require(hand.frame.lifted)
        hand.grid.setSizes(
            (0..<60).map { ($0, PixelSize(width: 300, height: 400)) }, at: hand.now)
        let now = try #require(hand.frame.lifted)
        #expect(now.index == lifted.index && now.rect.distance(to: lifted.rect) < 1e-6)
        hand.settle()
        let grown = try #require(hand.frame.lifted).rect
        #expect(abs(grown.width / grown.height - 0.75) < 1e-6)
    }

    // MARK: Many pictures

    @Test func aHundredThousandShapesAgreeWithTheirSums() throws {
        let contents = GridContents(
            count: 100_000,
            sections: [.init(title: "a", first: 0), .init(title: "b", first: 40_000)]
        ) {
            PixelSize(width: 200 + $0 % 700, height: 200 + $0 % 331)
        }
        var layout = ReflowLayout(contents: contents, surface: Size(width: 390, height: 844))
        layout.settle(at: layout.limits.upperBound)
        for scale in [1.0, 0.9, 0.8] {
            layout.scale = layout.limits.upperBound * scale
            let bottom = layout.rect(of: 99_999).maxY
            #expect(abs(layout.contentSize(at: layout.scale).height - bottom) < 1e-3)
            for index in stride(from: 0, to: 99_999, by: 777) {
                let (rect, next) = (layout.rect(of: index), layout.rect(of: index + 1))
                let header = index + 1 == 40_000 ? SectionedGrid.headerHeight : 0
                let gap = (5 + header) * layout.scale / layout.limits.upperBound
                #expect(abs(next.y - rect.maxY - gap) < 1e-3)
                #expect(layout.cell(at: rect.center) == index)
            }
        }
        // One picture changes, and all that follow move by the difference.
        layout.scale = layout.limits.upperBound
        let (before, last) = (layout.rect(of: 500), layout.rect(of: 99_999))
        let moves = layout.setAspect(0.5, of: 500)
        #expect(moves)
        let grown = layout.rect(of: 500).height - before.height
        #expect(grown > 10 && layout.rect(of: 500).y == before.y)
        #expect(abs(layout.rect(of: 99_999).y - last.y - grown) < 1e-3)
    }
}

extension Rect {
    /// The largest distance between corresponding edges.
    fileprivate func distance(to other: Rect) -> Double {
        [x - other.x, y - other.y, maxX - other.maxX, maxY - other.maxY].map(abs).max() ?? 0
    }
}
