/// Takes elements of a set that changes, a few at a time, so that no element waits for ever.
struct RoundRobin<Element: Hashable> {
    /// The elements that are still to be taken in this round.
    private var waiting: [Element] = []

    /// At most `count` elements of `all`; the next round begins when this one is over.
    mutating func next(_ count: Int, of all: Set<Element>) -> [Element] {
        waiting.removeAll { !all.contains($0) }
        if waiting.isEmpty { waiting = Array(all) }
        let taken = Array(waiting.suffix(count))
        waiting.removeLast(taken.count)
        return taken
    }
}
