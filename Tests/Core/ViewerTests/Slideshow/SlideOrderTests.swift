import CoreTestKit
import SeededRandom
import Testing

@testable import Viewer

@Suite struct SlideOrderTests {
    private func order(_ order: SlideshowSettings.Order, seed: UInt64 = 1) -> SlideOrder {
        var settings = SlideshowSettings()
        settings.order = order
        settings.seed = seed
        return SlideOrder(settings)
    }

    /// Plays slides from a picture on, which is the first of them.
    private func play(
        _ order: inout SlideOrder, _ slides: Int, count: Int, from first: Int = 0,
        skipping skipped: Set<Int> = []
    ) -> [Int] {
        var index = first
        order.show(index)
        return [first]
            + (1..<max(slides, 1)).map { _ in
                index = order.next(after: index, count: count, skipping: skipped) ?? -1
                order.show(index)
                return index
            }
    }

    /// A deck of pictures whose keys are far from their indices.
    private func deck(
        _ weights: [UInt8], seed: UInt64 = 1, isComplete: Bool = true
    ) -> SlideOrder {
        var order = order(.shuffle, seed: seed)
        order.deck.setCards(
            SlideCards(keys: keys(0..<weights.count), weights: weights, isComplete: isComplete))
        return order
    }

    private func keys(_ numbers: some Sequence<Int>) -> [UInt64] {
        numbers.map { RandomNumbers.mixed(UInt64($0) &+ 1_000_000) }
    }

    private func plain(_ count: Int) -> [UInt8] { Array(repeating: 1, count: count) }

    @Test func theListingGoesRound() {
        var order = order(.listing)
        #expect(play(&order, 6, count: 3) == [0, 1, 2, 0, 1, 2])
        #expect(order.next(after: 0, count: 4, skipping: [1, 2]) == 3)
        #expect(order.next(after: 0, count: 1, skipping: []) == nil)
        #expect(order.next(after: 0, count: 0, skipping: []) == nil)
        #expect(order.next(after: 0, count: 3, skipping: [1, 2]) == nil)
    }

    @Test func anotherOrderGoesRoundInItsSequence() {
        for kind in [SlideshowSettings.Order.name, .date] {
            var order = order(kind)
            // Until the pictures are sorted, the order is that of the listing.
            #expect(play(&order, 3, count: 4) == [0, 1, 2])
            order.set(sequence: [2, 0, 3, 1])
            #expect(play(&order, 6, count: 4) == [0, 3, 1, 2, 0, 3])
            #expect(play(&order, 4, count: 4, skipping: [1, 2]) == [0, 3, 0, 3])
            #expect(play(&order, 3, count: 5) == [0, 1, 2])
        }
    }

    @Test func aShuffleShowsEachPictureOnceInARound() {
        for seed in 0..<50 as Range<UInt64> {
            var order = deck(plain(10), seed: seed)
            let slides = play(&order, 100, count: 10)
            #expect(zip(slides, slides.dropFirst()).allSatisfy { $0 != $1 })
            for round in stride(from: 0, to: 100, by: 10) {
                #expect(Set(slides[round..<round + 10]) == Set(0..<10), "\(seed): \(slides)")
            }
        }
    }

    @Test func theSeedDecides() {
        var (first, same, other) = (
            deck(plain(12)), deck(plain(12)), deck(plain(12), seed: 2)
        )
        let slides = play(&first, 20, count: 12)
        #expect(slides == play(&same, 20, count: 12))
        #expect(slides != play(&other, 20, count: 12))
    }

    /// Over many seeds every picture is equally often the one after the first one.
    @Test func everyOrderIsAsLikely() {
        var counts = [Int](repeating: 0, count: 6)
        for seed in 0..<6000 as Range<UInt64> {
            var order = deck(plain(6), seed: seed)
            counts[play(&order, 2, count: 6)[1]] += 1
        }
        #expect(counts[0] == 0)
        // 1,200 each; four standard deviations are 124.
        #expect(counts[1...].allSatisfy { (1076...1324).contains($0) }, "\(counts)")
    }

    @Test func fewPicturesAlternateOrStay() {
        var two = deck(plain(2))
        #expect(play(&two, 6, count: 2) == [0, 1, 0, 1, 0, 1])
        var one = deck(plain(1))
        #expect(one.next(after: 0, count: 1, skipping: []) == nil)
        var none = deck([])
        #expect(none.next(after: 0, count: 0, skipping: []) == nil)
        var three = deck(plain(3))
        #expect(three.next(after: 0, count: 3, skipping: [1, 2]) == nil)
        #expect(play(&three, 5, count: 3, skipping: [1]) == [0, 2, 0, 2, 0])
    }

    // MARK: Weights

    /// In every round each picture comes as often as its weight says, and none twice in a row.
    @Test func aRoundHasAsManyCardsAsTheWeights() {
        let weights: [UInt8] = [1, 3, 1, 2, 1, 1, 4, 1, 2, 1]
        let cards = weights.map(Int.init).reduce(0, +)
        for seed in 0..<200 as Range<UInt64> {
            var order = deck(weights, seed: seed)
            let slides = play(&order, cards * 5, count: weights.count)
            #expect(zip(slides, slides.dropFirst()).allSatisfy { $0 != $1 }, "\(seed)")
            // A card that would repeat its picture at the end of a round comes in the next one.
            for index in weights.indices {
                let seen = slides.count { $0 == index }
                #expect(abs(seen - 5 * Int(weights[index])) <= 1, "\(seed): \(index) \(seen)")
            }
        }
    }

    /// The cards of a picture are spread over the round.
    @Test func theCardsOfAPictureAreSpread() {
        var order = deck(plain(300).enumerated().map { $0.offset < 3 ? 5 : 1 })
        let slides = play(&order, 312, count: 300)
        for index in 0..<3 {
            let places = slides.indices.filter { slides[$0] == index }
            #expect(places.count == 5)
            for (part, place) in places.enumerated().dropFirst() {
                // In the fifth of the round that belongs to the card, give or take the random places.
                let middle = 62.4 * (Double(part) + 0.5)
                #expect(abs(Double(place) - middle) < 62, "\(index) \(places)")
            }
        }
    }

    /// One picture with more cards than all others together comes every other time.
    @Test func aPictureThatOutweighsTheOthersAlternates() {
        var order = deck([100, 1, 1])
        let slides = play(&order, 400, count: 3)
        #expect(zip(slides, slides.dropFirst()).allSatisfy { $0 != $1 })
        #expect(slides.count { $0 == 0 } == 200)
        // What has to wait does not grow without end.
        #expect((order.deck.progress.extras.values.map(\.count).max() ?? 0) <= 200)
    }

    // MARK: Restarts

    /// A round goes on after a restart as if there had been none, however often.
    @Test func aRestartRepeatsNothing() {
        for weights in [plain(9), [1, 3, 1, 2, 1, 1, 4, 1, 2]] {
            var whole = deck(weights, seed: 7)
            let expected = play(&whole, 60, count: 9)
            var progress = SlideProgress(seed: 7)
            var slides: [Int] = []
            while slides.count < 60 {
                var order = deck(weights, seed: UInt64(slides.count) + 100)
                order.deck.restore(progress)
                var run = play(&order, 8, count: 9, from: slides.last ?? 0)
                if !slides.isEmpty { run.removeFirst() }
                slides += run
                progress = order.deck.progress
            }
            #expect(Array(slides.prefix(60)) == expected)
        }
    }

    /// A large folder arrives in parts; what was shown before the restart does not come again.
    @Test func aRestartWhileTheFolderIsReadRepeatsNothing() {
        var first = deck(plain(200), seed: 3)
        let before = play(&first, 80, count: 200)
        var second = order(.shuffle, seed: 9)
        second.deck.restore(first.deck.progress)
        second.deck.setCards(SlideCards(keys: keys(0..<50), isComplete: false))
        let shown = before[79]
        let begun = shown < 50 ? shown : before.last { $0 < 50 } ?? 0
        let early = play(&second, 8, count: 50, from: begun)
        second.deck.setCards(SlideCards(keys: keys(0..<200), isComplete: true))
        let late = play(&second, 114, count: 200, from: early[7])
        let after = early.dropFirst() + late.dropFirst()
        #expect(Set(before).isDisjoint(with: after))
        #expect(Set(before + after) == Set(0..<200))
        #expect(after.count == Set(after).count)
    }

    // MARK: Changes of the listing

    @Test func picturesThatComeAndGoTakePart() {
        for seed in 0..<50 as Range<UInt64> {
            var order = deck(plain(8), seed: seed)
            let before = play(&order, 4, count: 8)
            // Picture 0 goes, and two come at the end.
            order.deck.setCards(SlideCards(keys: keys(1..<10), isComplete: true))
            let later = play(&order, 7, count: 9, from: before[3] - 1).dropFirst()
            #expect(later.count == 6 && Set(later).count == 6)
            #expect(Set(later).isDisjoint(with: before.map { $0 - 1 }))
            #expect(Set(later).isSuperset(of: [7, 8]))
        }
    }

    /// Another order of the listing changes nothing.
    @Test func theOrderOfTheListingDoesNotMatter() {
        var (sorted, reversed) = (deck(plain(20)), deck(plain(20)))
        let first = play(&sorted, 30, count: 20)
        let begun = play(&reversed, 10, count: 20)
        reversed.deck.setCards(SlideCards(keys: keys((0..<20).reversed()), isComplete: true))
        let rest = play(&reversed, 21, count: 20, from: 19 - begun[9]).dropFirst().map { 19 - $0 }
        #expect(first == begun + rest)
    }

    // MARK: A person

    /// What a person shows does not come again in the round.
    @Test func aPictureShownByHandHasHadItsTurn() {
        for seed in 0..<50 as Range<UInt64> {
            var order = deck(plain(10), seed: seed)
            var slides = play(&order, 3, count: 10)
            let rest = (0..<10).filter { !slides.contains($0) }
            _ = order.next(after: slides[2], count: 10, skipping: [])
            for index in [rest[1], rest[4], slides[0]] {
                order.show(index)
                if index != slides[0] { slides.append(index) }
            }
            var index = slides[0]
            while slides.count < 10 {
                index = order.next(after: index, count: 10, skipping: []) ?? -1
                order.show(index)
                slides.append(index)
            }
            #expect(Set(slides) == Set(0..<10), "\(seed): \(slides)")
        }
    }

    // MARK: Limits

    /// A hundred thousand pictures: a slide takes no list, and the state stays small.
    @Test func manyPicturesHaveASmallState() {
        var order = deck(plain(100_000))
        let slides = play(&order, 20, count: 100_000)
        #expect(Set(slides).count == 20)
        // Only the first picture was not the choice of the order.
        #expect(order.deck.progress.early.count <= 1 && order.deck.progress.extras.isEmpty)
    }

    /// A folder in which pictures come and go for long.
    @Test func exceptionsDoNotGrowWithoutEnd() {
        var order = deck(plain(50))
        var random = SeededGenerator(seed: 5)
        var first = 0
        for step in 0..<2000 {
            first += Int.random(in: 0...2, using: &random)
            order.deck.setCards(SlideCards(keys: keys(first..<first + 50), isComplete: true))
            var index = 10
            order.show(index)
            index = order.next(after: index, count: 50, skipping: []) ?? -1
            #expect(index >= 0, "\(step)")
            order.show(index)
        }
        let progress = order.deck.progress
        #expect(progress.extras.count + progress.early.count <= 1100)
    }
}
