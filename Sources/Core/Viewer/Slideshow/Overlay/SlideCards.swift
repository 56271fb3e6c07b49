/// What a shuffled slideshow knows about the pictures of a listing.
package struct SlideCards: Hashable, Sendable {
    /// What identifies each picture from one run to the next, such as a hash of its path.
    package let keys: [UInt64]
    /// How many times each picture comes in a round, 1…100; empty if each comes once.
    package let weights: [UInt8]
    /// Whether all pictures are listed, so that pictures that come later are new.
    package let isComplete: Bool

    package init(keys: [UInt64], weights: [UInt8] = [], isComplete: Bool) {
        self.keys = keys
        self.weights = weights.count == keys.count ? weights : []
        self.isComplete = isComplete
    }

    /// The cards of pictures that nothing but their index identifies.
    init(count: Int) {
        self.init(keys: (0..<max(count, 0)).map { UInt64($0) }, isComplete: false)
    }

    func weight(of index: Int) -> UInt64 { weights.isEmpty ? 1 : max(UInt64(weights[index]), 1) }
}

/// How far a shuffled slideshow has come: all that must be remembered to go on after a restart.
package struct SlideProgress: Hashable, Sendable {
    /// Chooses the orders of all rounds.
    package let seed: UInt64
    /// The number of the round.
    package var round: UInt64 = 0
    /// The cards of the round up to this rank were dealt.
    package var rank: UInt64 = 0
    /// The key of the picture that was shown last; nil before the first one.
    package var last: UInt64?
    /// The ranks of cards beside the order, by the keys of their pictures: of pictures that are new, and
    /// of cards that were held back because their picture was shown already.
    package var extras: [UInt64: [UInt64]] = [:]
    /// Pictures that a person has shown before their turn: their cards up to a rank were dealt.
    package var early: [UInt64: UInt64] = [:]

    package init(seed: UInt64) { self.seed = seed }
}
