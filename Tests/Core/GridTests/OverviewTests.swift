import Geometry
import Glibc
import SeededRandom
import Testing

@testable import Grid

/// The overviews of months and years beyond the most columns.
@Suite struct OverviewTests {
    private static let months = (0..<36).map {
        GridSection(title: "Month \($0)", first: $0 * 30)
    }
    private static let years = (0..<3).map { GridSection(title: "\(2024 + $0)", first: $0 * 360) }

    private func hand(width: Double = 1280, isDated: Bool = true) -> Hand {
        Hand(
            count: 1080, width: width, height: 800,
            overviews: isDated ? (Self.months, Self.years) : ([], []))
    }

    /// A pinch goes on from the columns to months and years, and back; a grid without overviews ends before.
    @Test func aPinchShowsMonthsThenYears() {
        var hand = hand()
        var seen: [Int] = []
        hand.pinch(at: Point(x: 640, y: 400), to: 0.2, steps: 90) {
            if seen.last != $0.frame.columns { seen.append($0.frame.columns) }
        }
        hand.settle()
        #expect(hand.frame.columns == 20 && hand.frame.scroll.x == 0)
        #expect(hand.frame.headers.first?.title == "2024")
        hand.press("plus")
        hand.settle()
        #expect(hand.frame.columns == 10 && hand.frame.headers.first?.title == "Month 0")
        hand.press("0")
        hand.settle()
        #expect(hand.frame.columns == 5 && hand.frame.headers.isEmpty && hand.frame.scale == 1)

        var plain = Hand(count: 1080, width: 1280, height: 800)
        plain.pinch(at: Point(x: 640, y: 400), to: 0.2)
        plain.settle()
        #expect(plain.frame.columns == 5)
    }

    /// The picture under the fingers stays under them from the columns through both overviews, and on the way back.
    @Test func theHeldPointStaysUnderTheFingers() {
        var numbers = SeededGenerator(seed: 11)
        var (checked, columns): (Int, Set<Int>) = (0, [])
        for _ in 0..<20 {
            var hand = hand()
            hand.grid.present(500, at: hand.now)
            for factor in [0.15, 8] {
                let base = Point(
                    x: .random(in: 100...1180, using: &numbers),
                    y: .random(in: 200...700, using: &numbers))
                hand.pinch(at: base, to: factor, steps: 60) { hand in
                    guard let held = hand.frame.held,
                        let rect = hand.grid.cellRect(of: held.index, at: hand.now)
                    else { return }
                    let point = Point(
                        x: rect.x + held.fraction.dx * rect.width,
                        y: rect.y + held.fraction.dy * rect.height)
                    #expect((point - held.point).length < 1e-6)
                    checked += 1
                    columns.insert(hand.frame.columns)
                }
                hand.settle()
            }
        }
        #expect(checked > 1000 && columns.isSuperset(of: [20, 10, 5, 4]))
    }

    /// Cells stay large enough to be told apart, also on a phone; without dates there are no headings.
    @Test(
        arguments: [(1280.0, [10, 20]), (400, [6, 12]), (320, [5, 9]), (100, [])]
            as [(Double, [Int])])
    func overviewsFitTheSurface(width: Double, columns: [Int]) {
        var hand = hand(width: width, isDated: false)
        for expected in columns {
            hand.press("minus")
            hand.settle()
            #expect(hand.frame.columns == expected && hand.frame.headers.isEmpty)
            #expect((hand.frame.cells.first?.rect.width ?? 0) >= 28)
        }
        let least = hand.frame.columns
        hand.press("minus")
        hand.settle()
        #expect(hand.frame.columns == least)
    }

    /// The heading of the first month is not left above the surface.
    @Test func theTopStaysTheTop() {
        var hand = hand()
        for key in ["minus", "minus", "plus", "plus"] {
            hand.press(key)
            hand.settle()
            #expect(hand.frame.scroll == .zero)
        }
    }

    /// Other pictures leave the grid in its overview.
    @Test func newPicturesKeepTheOverview() {
        var hand = hand()
        hand.press("minus")
        hand.settle()
        hand.grid.update(
            to: GridContents(count: 1081, overviews: (Self.months, Self.years)), mapping: { $0 },
            at: hand.now)
        hand.settle()
        #expect(hand.frame.columns == 10 && hand.frame.headers.first?.title == "Month 0")
    }
}
