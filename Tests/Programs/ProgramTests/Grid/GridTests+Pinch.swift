import CompositorKit
import Geometry
import Glibc
import Input
import TestKit
import Testing

/// Two fingers that scale the grid.
extension HeadlessGridTests {
    /// A pinch that lands in the middle of a gradient of picture 7, and changes the number of columns
    /// three times.
    private static let growing = EvenPinch(
        midpoints: (Point(x: 304.5, y: 175.5), Point(x: 424, y: 95)), spreads: (80, 290))
    private static let shrinking = EvenPinch(
        midpoints: (Point(x: 330, y: 210), Point(x: 250, y: 150)), spreads: (300, 120))

    private func play(
        _ pinch: EvenPinch, steps: Int, shotTimes: [Double] = []
    ) -> HeadlessGrid.Run {
        HeadlessGrid().play(shotTimes: shotTimes) { hand in
            for _ in 0..<steps { hand.key("plus") }
            hand.rest(pinch.start - Double(steps) * 40)
            pinch.play(&hand)
            hand.rest(100)
            hand.lift(1, 2)
        }
    }

    @Test(arguments: [false, true])
    func theHeldPointIsUnderTheFingersInEveryFrame(_ shrinks: Bool) throws {
        var pinch = shrinks ? Self.shrinking : Self.growing
        if shrinks { pinch.start = 1204 }
        let run = play(pinch, steps: shrinks ? 3 : 0)
        let frames = run.pinch.filter { $0.time < pinch.end }
        #expect(frames.count > 15)
        let first = try #require(frames.first?.anchor)
        var farthest = 0.0
        for frame in frames {
            let anchor = try #require(frame.anchor)
            // The anchor is chosen once.
            #expect(anchor.index == first.index && anchor.fraction == first.fraction)
            farthest = max(farthest, (anchor.point - pinch.midpoint(at: frame.time)).length)
        }
        #expect(farthest < 0.5)
        #expect(Set(frames.compactMap(\.columns)).count >= 3)
        // The grid settles on whole columns.
        let last = try run.last
        #expect(last.phase == "idle" && last.columns == (shrinks ? 5 : 2))
    }

    /// The same checked by pixels: the anchor point of picture 7 is shown under the fingers.
    @Test func thePixelsUnderTheFingersAreThoseOfTheAnchor() throws {
        let pinch = Self.growing
        let numbers = Array(stride(from: 10, through: 29, by: 1))
        let times = numbers.map { Double($0) * 1000 / 60 }
        let run = play(pinch, steps: 0, shotTimes: times.map { $0 - 1 })
        let held = try #require(run.pinch.first?.anchor)
        #expect(held.index == 7)
        try #require(run.shots.count == numbers.count + 1)
        for (number, shot) in zip(numbers, run.shots) {
            let frame = run.frames[number]
            let place = pinch.midpoint(at: frame.time)
            let (x, y) = (Int(place.x), Int(place.y))
            let color = shot.color(x, y)
            #expect(abs(color.b - 7 * 8) <= 2, "\(color) at \(frame.time)")
            // Pixels of the picture per logical pixel.
            let density = 128 / (124 * frame.gridScale)
            func check(_ level: Int, _ fraction: Double, _ place: Double) {
                let pixel = fraction * 128 + (place.rounded(.down) + 0.5 - place) * density - 0.5
                let off = abs(Double(level) - HeadlessGrid.wave(pixel)) / 8 / density
                // The second term is the rounding of colours, in logical pixels.
                #expect(off < 0.5 + 1 / 8 / density, "\(off) px at \(frame.time) ms")
            }
            check(color.r, held.fraction.x, place.x)
            check(color.g, held.fraction.y, place.y)
        }
    }

    /// A pinch, and the cells that the grid settles on.
    struct Settling {
        var from: Double
        var to: Double
        var columns: Int
        /// The width of a cell, in logical pixels.
        var width: Double
        /// Whether a limit is passed on the way.
        var stretches: Bool
    }

    /// Past both limits the grid stretches, and comes to rest on whole columns.
    @Test(arguments: [
        Settling(from: 80, to: 600, columns: 1, width: 620, stretches: true),
        Settling(from: 600, to: 80, columns: 12, width: 48.75, stretches: true),
        Settling(from: 150, to: 80, columns: 6, width: 102.5, stretches: false),
        Settling(from: 80, to: 150, columns: 2, width: 317.5, stretches: false),
        Settling(from: 80, to: 110, columns: 3, width: 210, stretches: false),
    ])
    func theGridStretchesAndSettlesOnWholeColumns(_ settling: Settling) throws {
        let middle = Point(x: 320, y: 200)
        let pinch = EvenPinch(midpoints: (middle, middle), spreads: (settling.from, settling.to))
        let run = HeadlessGrid().play(["grid.columns=3"]) { hand in
            hand.rest(pinch.start)
            pinch.play(&hand)
            hand.rest(150)
            hand.lift(1, 2)
        }
        let scales = run.pinch.map(\.gridScale)
        let (low, high) = (scales.min() ?? 1, scales.max() ?? 1)
        // The years, and the feed.
        let (least, most) = (48.75 / 210, 620.0 / 210)
        #expect((low < least * 0.95 || high > most * 1.05) == settling.stretches)
        #expect(low > least * 0.5 && high < most * 2)
        let last = try run.last
        #expect(last.columns == settling.columns)
        #expect(abs(last.gridScale - settling.width / 210) < 1e-6)
        #expect(last.phase == "idle")
        // The scroll position is within its limits.
        #expect(abs(last.scroll.x) < 0.01)
        #expect(last.scroll.y >= 0 && last.scroll.y <= max(last.content.height - 400, 0))
    }

    @Test func theSameInputGivesTheSameTraceAndPixels() throws {
        let grid = HeadlessGrid()
        let runs = (0..<2).map { _ in
            let run = grid.play { hand in
                hand.rest(100)
                Self.growing.play(&hand)
                hand.lift(1, 2)
            }
            return (run.frames.map(\.line), TestFile.read(grid.folder / "shot-0.png"))
        }
        #expect(runs[0].0 == runs[1].0)
        #expect(runs[0].1 == runs[1].1 && runs[0].1 != nil)
    }
}
