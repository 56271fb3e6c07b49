/// The order of a slideshow: which picture follows.
struct SlideOrder: Hashable, Sendable {
    private let order: SlideshowSettings.Order
    private let seed: UInt64
    /// The pictures that are still to come in a random order, the next one last.
    private var rest: [Int] = []
    private var random: RandomNumbers

    init(_ settings: SlideshowSettings) {
        order = settings.order
        seed = settings.seed
        random = RandomNumbers(state: settings.seed)
    }

    func isOrder(of settings: SlideshowSettings) -> Bool {
        order == settings.order && seed == settings.seed
    }

    /// The picture after `index` of `count` pictures, without those of `skipped`; nil if there is none.
    ///
    /// Every picture comes once before any comes again.
    mutating func next(after index: Int, count: Int, skipping skipped: Set<Int>) -> Int? {
        switch order {
        case .listing:
            return (1..<max(count, 1)).lazy.map { (index + $0) % count }.first {
                !skipped.contains($0)
            }
        case .shuffle:
            while let last = rest.last, last == index || skipped.contains(last) || last >= count {
                rest.removeLast()
            }
            if rest.isEmpty {
                rest = (0..<count).filter { $0 != index && !skipped.contains($0) }
                rest.shuffle(using: &random)
            }
            return rest.last
        }
    }

    /// Notes that a picture was shown, by the slideshow or by hand.
    mutating func show(_ index: Int) { rest.removeAll { $0 == index } }

    /// Follows a change of the listing to `count` pictures; new pictures come at random places.
    mutating func update(count: Int, from earlier: Int, mapping: (_ old: Int) -> Int?) {
        guard order == .shuffle, !rest.isEmpty else { return }
        let known = Set((0..<earlier).compactMap(mapping))
        rest = rest.compactMap(mapping)
        for new in 0..<count where !known.contains(new) {
            rest.insert(new, at: Int.random(in: 0...rest.count, using: &random))
        }
    }
}

/// Random numbers that are the same for the same state: SplitMix64 (Steele, Lea and Flood, 2014).
struct RandomNumbers: RandomNumberGenerator, Hashable, Sendable {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
