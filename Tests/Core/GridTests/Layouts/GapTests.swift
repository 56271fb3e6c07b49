import CoreTestKit
import Geometry
import Gestures
import Motion
import Testing

@testable import Grid

/// Fingers between two cells.
@Suite struct GapTests {
    private static func layouts() -> [GridSettings] {
        GridSettings.Layout.allCases.map { kind in
            var settings = GridSettings()
            settings.layout = kind
            return settings
        }
    }

    private func opened(_ hand: inout Hand, at point: Point) -> Int? {
        hand.requests = []
        hand.send(.tap(at: point, source: .touch))
        guard case .open(let index)? = hand.requests.first else { return nil }
        return index
    }

    /// Every point between the centres of two neighbours opens the one that is nearer.
    @Test(arguments: layouts())
    func aTapInAGapOpensTheNearestCell(_ settings: GridSettings) throws {
        var hand = Hand(count: 200, settings: settings)
        let cells = hand.frame.cells.sorted { $0.index < $1.index }.prefix(24)
        for (one, other) in zip(cells, cells.dropFirst()) where one.rect.y == other.rect.y {
            let (left, right) = one.rect.x < other.rect.x ? (one, other) : (other, one)
            let gap = right.rect.x - left.rect.maxX
            for step in 0...20 {
                let x = left.rect.maxX - 4 + (gap + 8) * Double(step) / 20
                let point = Point(x: x, y: one.rect.center.y)
                let expected = x - left.rect.maxX < right.rect.x - x ? left.index : right.index
                let isBetween = abs(x - (left.rect.maxX + gap / 2)) < 1e-6
                #expect(opened(&hand, at: point) == expected || isBetween, "\(point)")
            }
        }
    }

    /// Behind the last cell there is nothing to open.
    @Test func farFromEveryCellATapOpensNothing() throws {
        var hand = Hand(count: 3)
        let last = try #require(hand.frame.cells.map(\.rect.maxY).max())
        #expect(opened(&hand, at: Point(x: 100, y: last + 14)) == 0)
        #expect(opened(&hand, at: Point(x: 100, y: last + 16)) == nil)
        #expect(opened(&hand, at: Point(x: 1900, y: 100)) == nil)
    }
}
