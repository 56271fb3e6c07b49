/// The order of a slideshow: which picture follows.
struct SlideOrder: Hashable, Sendable {
    private var order: SlideshowSettings.Order
    private let seed: UInt64
    /// The pictures in the order of the slideshow, if that is not the one of the listing; empty while
    /// they are being sorted, and in other orders.
    private var sequence: [Int] = []
    var deck: SlideDeck

    init(_ settings: SlideshowSettings) {
        order = settings.order
        seed = settings.seed
        deck = SlideDeck(seed: settings.seed)
    }

    func isOrder(of settings: SlideshowSettings) -> Bool {
        order == settings.order && seed == settings.seed
    }

    /// Changes to another order; with the same seed a shuffle goes on where it was.
    mutating func set(_ settings: SlideshowSettings) {
        sequence = []
        if seed == settings.seed { order = settings.order } else { self = SlideOrder(settings) }
    }

    /// Sets the pictures in the order of the slideshow; none for that of the listing.
    mutating func set(sequence: [Int]) { self.sequence = sequence }

    /// The picture after `index` of `count` pictures, without those of `skipped`; nil if there is none.
    mutating func next(after index: Int, count: Int, skipping skipped: Set<Int>) -> Int? {
        if order == .shuffle { return deck.next(after: index, count: count, skipping: skipped) }
        guard sequence.count == count, let place = sequence.firstIndex(of: index) else {
            return (1..<max(count, 1)).lazy.map { (index + $0) % count }.first {
                !skipped.contains($0)
            }
        }
        return (1..<max(count, 1)).lazy.map { [sequence] in sequence[(place + $0) % count] }.first {
            !skipped.contains($0)
        }
    }

    /// Notes that a picture was shown, by the slideshow or by hand.
    mutating func show(_ index: Int) { if order == .shuffle { deck.show(index) } }
}

/// Random numbers that are the same for the same state: SplitMix64 (Steele, Lea and Flood, 2014).
struct RandomNumbers: RandomNumberGenerator, Hashable, Sendable {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.finalized(state)
    }

    /// A hash of a number: its first random number.
    static func mixed(_ number: UInt64) -> UInt64 { finalized(number &+ 0x9E37_79B9_7F4A_7C15) }

    private static func finalized(_ number: UInt64) -> UInt64 {
        var mixed = number
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
