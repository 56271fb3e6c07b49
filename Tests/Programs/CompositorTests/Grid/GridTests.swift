import CompositorKit
import Geometry
import Glibc
import TestKit
import Testing

extension LiveTests {
    /// Gestures on the grid.
    ///
    /// The surface has 640 × 400 logical pixels: five columns are cells of 124 px at a pitch of 129 px.
    /// Sixty pictures are twelve rows, which scroll by 1143 px.
    @Suite struct GridTests {
        static let maximumScroll: Double = 12 * 124 + 11 * 5 - 400

        /// A picture in a colour of its own; pictures that tests add have numbers from 60.
        static func picture(_ number: Int) -> [UInt8] {
            let color = color(number)
            return TestPicture(size: PixelSize(width: 180, height: 120)) { _, _ in
                (UInt8(color.r), UInt8(color.g), UInt8(color.b))
            }.png()
        }

        static func color(_ number: Int) -> (r: Int, g: Int, b: Int) {
            (number * 3, 240 - number * 3, 40 + number % 5 * 10)
        }

        private static let sixty = (0..<60).map { picture($0) }

        /// The grid with its pictures in their cells.
        static func filled(
            _ settings: String..., count: Int = 60, in place: Stage.Place = .here
        ) throws -> Stage {
            let stage = try Stage.shown(
                in: place, options: settings.flatMap { ["--set", $0] },
                pictures: Array(sixty.prefix(count)), onGrid: true)
            stage.compositor.run {
                stage.number(at: 578, 62) == 4 && stage.number(at: 62, 320) == 10
            }
            #expect(stage.number(at: 578, 62) == 4)
            stage.untilSeen()
            return stage
        }

        /// A fling upwards or downwards.
        static func fling(_ hand: inout Hand, up: Bool = true) {
            hand.drag(
                through: Point(x: 320, y: up ? 275 : 175),
                by: Vector(dx: 0, dy: up ? -150 : 150), in: 100)
            hand.lift(1)
        }
    }
}

extension Stage {
    /// The number of the picture at a place on the surface; nil where there is none.
    func number(at x: Int, _ y: Int) -> Int? {
        guard let seen = compositor.surface?.pixels?.color(x, y) else { return nil }
        return (0..<80).first {
            let color = LiveTests.GridTests.color($0)
            return abs(color.r - seen.r) < 2 && abs(color.g - seen.g) < 2
                && abs(color.b - seen.b) < 2
        }
    }

    /// Waits until so many pictures are listed, and shown.
    func untilCount(is count: Int) {
        until { $0.number("count") == Double(count) }
        untilSeen()
    }

    /// The pictures at these heights, in the middle of each of five columns.
    func numbers(atHeights heights: [Int]) -> [Int?] {
        heights.flatMap { y in (0..<5).map { number(at: 62 + $0 * 129, y) } }
    }
}

extension LiveTests.GridTests {
    @Test func aFlingScrollsOnAndBouncesAtTheEnds() throws {
        let stage = try Self.filled()
        stage.play { Self.fling(&$0) }
        let position = try stage.last.scroll.y
        // The finger moved by 150 px.
        #expect(position > 250 && position < Self.maximumScroll)
        let back = stage.play {
            Self.fling(&$0, up: false)
            $0.rest(200)
            Self.fling(&$0, up: false)
        }
        #expect(back.contains { $0.scroll.y < -5 })
        #expect(try stage.last.scroll.y == 0)
        // Beyond its end the grid resists.
        stage.play {
            $0.touch([1: (320, 100)])
            $0.move([1: (320, 300)], in: 200)
        }
        let held = try stage.last.scroll.y
        #expect(held < -50 && held > -150)
        stage.play {
            $0.rest(100)
            $0.lift(1)
        }
        #expect(try stage.last.scroll.y == 0)
        try stage.expectGoodEnd()
    }

    @Test func aTapOnAMovingGridStopsItAndOpensNothing() throws {
        let stage = try Self.filled()
        let frames = stage.play {
            Self.fling(&$0)
            $0.rest(80)
            $0.tap(320, 200)
            $0.rest(300)
        }
        #expect(frames.allSatisfy { $0.showsGrid })
        let stopped = try stage.last
        #expect(stopped.phase == "idle" && stopped.scroll.y > 150 && stopped.scroll.y < 600)
        stage.play { $0.tap(320, 200) }
        stage.until { !$0.showsGrid && $0.phase == "idle" }
        try stage.expectGoodEnd()
    }

    @Test func aLongPressSelectsAndThenTapsSelect() throws {
        let stage = try Self.filled()
        stage.play {
            $0.touch([1: (191, 62)])
            $0.rest(900)
            $0.lift(1)
        }
        // The mark in the upper right corner of a cell; the picture keeps its colour.
        func isMarked(_ cell: Int) -> Bool {
            guard let pixels = stage.compositor.surface?.pixels else { return false }
            let mark = pixels.color(124 - 8 - 5 + cell * 129, 8 + 14)
            #expect(abs(pixels.color(62 + cell * 129, 62).b - Self.color(cell).b) < 8)
            return mark.b > mark.r + 80
        }
        #expect((0..<5).map(isMarked) == [false, true, false, false, false])
        stage.play { $0.tap(449, 62) }
        #expect((0..<5).map(isMarked) == [false, true, false, true, false])
        #expect(stage.trace.allSatisfy { $0.showsGrid })
        stage.play { $0.key("Escape") }
        #expect(!(0..<5).contains(where: isMarked))
        try stage.expectGoodEnd()
    }

    @Test func theHandleScrollsThroughEverything() throws {
        let stage = try Self.filled()
        stage.play {
            $0.touch([1: (320, 250)])
            $0.move([1: (320, 200)], in: 150)
            $0.rest(100)
            $0.lift(1)
        }
        // The handle is 102 px high and near the top.
        stage.play {
            $0.touch([1: (632, 60)])
            $0.move([1: (632, 390)], in: 250)
        }
        #expect(abs(try stage.last.scroll.y - Self.maximumScroll) < 0.01)
        stage.play { $0.move([1: (632, 205)], in: 200) }
        let middle = try stage.last.scroll.y
        #expect(middle > 350 && middle < 800)
        stage.play {
            $0.rest(100)
            $0.lift(1)
        }
        #expect(try stage.last.scroll.y == middle)
        #expect(stage.trace.allSatisfy { $0.showsGrid })
        try stage.expectGoodEnd()
    }
}
