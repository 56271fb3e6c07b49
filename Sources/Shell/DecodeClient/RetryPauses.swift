package import Motion

/// The pauses before attempts are repeated whose failure may not be the fault of the file.
///
/// Pauses grow, because a system that lacks memory gets no better by more decoders.
package struct RetryPauses<Key: Hashable & Sendable>: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        /// How often the attempt has failed.
        var failures = 0
        /// The end of the pause; nil after the pause.
        var end: Moment?
    }

    private var entries: [Key: Entry] = [:]

    /// In seconds; the last one repeats.
    private static var pauses: [Double] { [2, 8, 30, 120] }

    package init() {}

    /// Starts the pause after a failure.
    package mutating func pause(_ key: Key, from now: Moment) {
        var entry = entries[key] ?? Entry()
        let pause = Self.pauses[min(entry.failures, Self.pauses.count - 1)]
        entry.failures += 1
        entry.end = now.advanced(byMilliseconds: pause * 1000)
        entries[key] = entry
    }

    /// Forgets the failures of a key.
    package mutating func forget(_ key: Key) { entries[key] = nil }

    package mutating func forgetAll() { entries = [:] }

    /// Forgets the failures of all keys but these.
    package mutating func forgetAll(except keys: Set<Key>) {
        entries = entries.filter { keys.contains($0.key) }
    }

    /// Whether the pause of a key is over, so that it can be tried again.
    package func isOver(_ key: Key) -> Bool { entries[key].map { $0.end == nil } ?? false }

    /// When the first pause of a wanted key ends; nil without a pause.
    package func deadline(isWanted: (Key) -> Bool) -> Moment? {
        entries.compactMap { key, entry in isWanted(key) ? entry.end : nil }.min()
    }

    /// Ends the pauses of wanted keys that last until `now` at most; returns these keys.
    @discardableResult
    package mutating func endPauses(at now: Moment, isWanted: (Key) -> Bool) -> [Key] {
        let over = entries.filter { key, entry in
            entry.end.map { $0 <= now } ?? false && isWanted(key)
        }.map(\.key)
        for key in over { entries[key]?.end = nil }
        return over
    }
}
