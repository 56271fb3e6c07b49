/// A shuffled deck with as many cards of each picture as its weight.
///
/// Every card has a rank, which is a hash of seed, round, picture and number of the card; the cards are
/// dealt by their ranks. So the order is known without a list: what was dealt is a single rank, and
/// pictures that come or go do not change the order of the others. The cards of a picture with weight n
/// lie in n equal parts of the range of ranks, one in each, so that they are spread over the round.
///
/// In a round every card comes once. A picture does not come twice in a row while there is another one:
/// its card is held back until another picture was shown, if need be into the next round.
struct SlideDeck: Hashable, Sendable {
    private(set) var cards: SlideCards
    private(set) var progress: SlideProgress
    /// The cards of the round up to this rank were dealt before the run, or are of a former round.
    private var floor: UInt64 = 0
    /// The card that `next` has chosen.
    private var chosen: Choice?

    private struct Choice: Hashable, Sendable {
        var index: Int
        var rank: UInt64
        var isExtra: Bool
        /// The picture that is shown before the card.
        var previous: Int
    }

    init(seed: UInt64) {
        cards = SlideCards(count: 0)
        progress = SlideProgress(seed: seed)
    }

    // MARK: Pictures

    /// Goes on where another run has ended.
    mutating func restore(_ progress: SlideProgress) {
        self.progress = progress
        (floor, chosen) = (progress.rank, nil)
    }

    /// Follows the listing: a new picture comes in this round, at a random place.
    mutating func setCards(_ new: SlideCards) {
        let known = Set(cards.keys)
        let bottom = cards.isComplete ? 0 : floor
        (cards, chosen) = (new, nil)
        guard progress.rank > 0 else { return }
        for (index, key) in new.keys.enumerated() where !known.contains(key) {
            let weight = new.weight(of: index)
            guard rank(of: key, weight, above: progress.rank) == nil, progress.extras[key] == nil,
                rank(of: key, weight, above: bottom) != nil
            else { continue }
            let place = RandomNumbers.mixed(key ^ progress.rank)
            let width = UInt64.max - progress.rank
            progress.extras[key] = [progress.rank + place.multipliedFullWidth(by: width).high]
        }
        prune()
    }

    /// More exceptions than these are kept only for pictures that are listed.
    private static let mostExceptions = 1000

    private mutating func prune() {
        progress.early = progress.early.filter { $0.value > progress.rank }
        guard progress.extras.count + progress.early.count > Self.mostExceptions else { return }
        let keys = Set(cards.keys)
        progress.extras = progress.extras.filter { keys.contains($0.key) }
        progress.early = progress.early.filter { keys.contains($0.key) }
    }

    // MARK: Dealing

    /// The picture after `index`, without those of `skipped`; nil if there is no other one.
    mutating func next(after index: Int, count: Int, skipping skipped: Set<Int>) -> Int? {
        if cards.keys.count != count { cards = SlideCards(count: count) }
        guard cards.keys.indices.contains(index) else { return nil }
        show(index)
        for _ in 0..<2 {
            let (choice, hasOther) = choose(after: index, skipping: skipped)
            chosen = choice
            guard choice == nil, hasOther else { break }
            beginRound(after: index)
        }
        return chosen?.index
    }

    private func choose(
        after index: Int, skipping skipped: Set<Int>
    ) -> (choice: Choice?, hasOther: Bool) {
        let regular = firstRegular(after: index, skipping: skipped)
        var best = regular.map {
            Choice(index: $0.index, rank: $0.rank, isExtra: false, previous: index)
        }
        var hasOther = best != nil
        guard best == nil || !progress.extras.isEmpty else { return (best, hasOther) }
        for (other, key) in cards.keys.enumerated()
        where other != index && !skipped.contains(other) {
            hasOther = true
            guard let rank = progress.extras[key]?.min(), rank < best?.rank ?? .max else {
                continue
            }
            best = Choice(index: other, rank: rank, isExtra: true, previous: index)
        }
        return (best, hasOther)
    }

    /// The picture with the lowest card of the order that was not dealt.
    ///
    /// A loop without a call or a copy for each picture: a hundred thousand must not take a frame's time.
    private func firstRegular(
        after index: Int, skipping skipped: Set<Int>
    ) -> (index: Int, rank: UInt64)? {
        let weights = cards.weights
        let seed = progress.seed &+ progress.round &* 100
        let (floor, early) = (progress.rank, progress.early)
        var best: (index: Int, rank: UInt64)?
        var lowest = UInt64.max
        for (other, key) in cards.keys.enumerated() where other != index {
            let dealt = early.isEmpty ? floor : max(floor, early[key] ?? 0)
            let weight = weights.isEmpty ? 1 : UInt64(max(weights[other], 1))
            guard let rank = Self.rank(of: key, weight, above: dealt, seed), rank < lowest,
                skipped.isEmpty || !skipped.contains(other)
            else { continue }
            (best, lowest) = ((other, rank), rank)
        }
        return best
    }

    /// The next card of a picture in this round.
    private func card(of index: Int) -> (rank: UInt64, isExtra: Bool)? {
        let key = cards.keys[index]
        let regular = rank(of: key, cards.weight(of: index), above: dealt(key))
        guard !progress.extras.isEmpty, let extra = progress.extras[key]?.min() else {
            return regular.map { ($0, false) }
        }
        if let regular, regular < extra { return (regular, false) }
        return (extra, true)
    }

    /// Notes that a picture was shown, by the slideshow or by a person.
    mutating func show(_ index: Int) {
        guard cards.keys.indices.contains(index), cards.keys[index] != progress.last else { return }
        let key = cards.keys[index]
        progress.last = key
        defer { chosen = nil }
        guard let chosen, chosen.index == index else { return showEarly(index) }
        if chosen.isExtra { return removeExtra(of: key) }
        holdBack(chosen.previous, before: chosen.rank)
        progress.rank = chosen.rank
    }

    /// Counts the next card of a picture as dealt, because a person shows the picture.
    private mutating func showEarly(_ index: Int) {
        guard let card = card(of: index) else { return }
        let key = cards.keys[index]
        if card.isExtra { removeExtra(of: key) } else { progress.early[key] = card.rank }
        prune()
    }

    private mutating func removeExtra(of key: UInt64) {
        var ranks = (progress.extras[key] ?? []).sorted()
        if !ranks.isEmpty { ranks.removeFirst() }
        progress.extras[key] = ranks.isEmpty ? nil : ranks
    }

    /// Keeps the cards of the shown picture that another card has overtaken.
    private mutating func holdBack(_ index: Int, before rank: UInt64) {
        let (key, weight) = (cards.keys[index], cards.weight(of: index))
        var place = dealt(key)
        while let next = self.rank(of: key, weight, above: place), next < rank {
            progress.extras[key, default: []].append(next)
            place = next
        }
    }

    /// Begins the next round, which also gets the remaining cards of the shown picture.
    private mutating func beginRound(after index: Int) {
        let (key, weight) = (cards.keys[index], cards.weight(of: index))
        var left = progress.extras[key]?.count ?? 0
        var place = dealt(key)
        while let next = rank(of: key, weight, above: place) { (left, place) = (left + 1, next) }
        progress.round &+= 1
        (progress.rank, floor) = (0, 0)
        progress.early = [:]
        // More than the cards of a round would only grow.
        left = min(left, Int(weight))
        progress.extras = left == 0 ? [:] : [key: Array(repeating: 0, count: left)]
    }

    // MARK: Ranks

    /// The cards of a picture up to this rank were dealt.
    private func dealt(_ key: UInt64) -> UInt64 {
        progress.early.isEmpty ? progress.rank : max(progress.rank, progress.early[key] ?? 0)
    }

    /// The lowest rank of the cards of a picture above a rank; nil if there is none.
    private func rank(of key: UInt64, _ weight: UInt64, above floor: UInt64) -> UInt64? {
        Self.rank(of: key, weight, above: floor, progress.seed &+ progress.round &* 100)
    }

    /// `seed` is that of the round.
    private static func rank(
        of key: UInt64, _ weight: UInt64, above floor: UInt64, _ seed: UInt64
    ) -> UInt64? {
        let width = UInt64.max / weight
        var card = min(floor / width, weight - 1)
        while card < weight {
            let chance = RandomNumbers.mixed(key ^ RandomNumbers.mixed(seed &+ card))
            let rank = card * width + chance.multipliedFullWidth(by: width).high
            if rank > floor { return rank }
            card += 1
        }
        return nil
    }
}
