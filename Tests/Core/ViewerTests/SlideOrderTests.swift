import Testing

@testable import Viewer

@Suite struct SlideOrderTests {
    private func order(_ order: SlideshowSettings.Order, seed: UInt64 = 1) -> SlideOrder {
        var settings = SlideshowSettings()
        settings.order = order
        settings.seed = seed
        return SlideOrder(settings)
    }

    /// Plays slides from picture 0 on.
    private func play(_ order: inout SlideOrder, _ slides: Int, count: Int) -> [Int] {
        var index = 0
        return (0..<slides).map { _ in
            index = order.next(after: index, count: count, skipping: []) ?? -1
            order.show(index)
            return index
        }
    }

    @Test func theListingGoesRound() {
        var order = order(.listing)
        #expect(play(&order, 5, count: 3) == [1, 2, 0, 1, 2])
        #expect(order.next(after: 0, count: 4, skipping: [1, 2]) == 3)
        #expect(order.next(after: 0, count: 1, skipping: []) == nil)
        #expect(order.next(after: 0, count: 0, skipping: []) == nil)
        #expect(order.next(after: 0, count: 3, skipping: [1, 2]) == nil)
    }

    @Test func aShuffleShowsEachPictureOnceInARound() {
        for seed in 0..<20 as Range<UInt64> {
            var order = order(.shuffle, seed: seed)
            let slides = play(&order, 99, count: 10)
            // The first round begins with picture 0 on the screen.
            #expect(Set(slides[..<9]) == Set(1..<10))
            #expect(zip(slides, slides.dropFirst()).allSatisfy { $0 != $1 })
            for round in stride(from: 9, to: 99, by: 9) {
                #expect(Set(slides[round..<round + 9]).count == 9)
            }
        }
    }

    @Test func theSeedDecides() {
        var (first, same, other) = (
            order(.shuffle), order(.shuffle), order(.shuffle, seed: 2)
        )
        let slides = play(&first, 20, count: 12)
        #expect(slides == play(&same, 20, count: 12))
        #expect(slides != play(&other, 20, count: 12))
    }

    @Test func picturesThatComeAndGoTakePart() {
        var order = order(.shuffle)
        let before = play(&order, 3, count: 8)
        // Picture 0 goes, and two come at the end.
        order.update(count: 9, from: 8) { $0 == 0 ? nil : $0 - 1 }
        var index = before[2] - 1
        var later: [Int] = []
        for _ in 0..<6 {
            index = order.next(after: index, count: 9, skipping: []) ?? -1
            order.show(index)
            later.append(index)
        }
        #expect(Set(later).isDisjoint(with: before.map { $0 - 1 }))
        #expect(Set(later).isSuperset(of: [7, 8]))
    }
}
