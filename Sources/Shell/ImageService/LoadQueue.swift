import DecodeClient
package import Motion

/// Which pictures are to be decoded, and in which order; pictures are identified by their ids.
///
/// One picture is decoded at a time, the most urgent first. A more urgent picture cancels the current
/// one, which is decoded again later. Which pictures are completely decoded is known to the caller
/// (`isComplete`).
package struct LoadQueue: Hashable, Sendable {
    /// The requested pictures, the most urgent first.
    package private(set) var wanted: [Int] = []
    /// The picture that is being decoded.
    package private(set) var current: Int?
    /// The requested pictures that cannot be decoded.
    private var failed: Set<Int> = []
    /// The pauses of pictures whose failure may pass.
    private var retries = RetryPauses<Int>()
    /// The earliest moment at which the current picture may be cancelled.
    private var nextCancel = Moment.zero

    /// The shortest time between two cancellations, in milliseconds.
    ///
    /// While a key is held down, requests change faster than pictures are decoded; if each change
    /// cancelled the current picture, none would ever be finished.
    package static let cancelInterval = 400.0

    package init() {}

    /// Requests `ids`, the most urgent first, instead of the pictures requested before; returns the
    /// ids that were not requested before.
    package mutating func want(_ ids: [Int]) -> [Int] {
        let added = ids.filter { !wanted.contains($0) }
        wanted = ids
        failed.formIntersection(ids)
        retries.forgetAll(except: Set(ids))
        return added
    }

    /// Drops the current picture if another one is more urgent; returns whether it was dropped.
    package mutating func cancelOutranked(at now: Moment, isComplete: (Int) -> Bool) -> Bool {
        guard let current, mostUrgent(isComplete) != current, now >= nextCancel else {
            return false
        }
        self.current = nil
        nextCancel = now.advanced(byMilliseconds: Self.cancelInterval)
        return true
    }

    /// The picture to decode next; nil while another one is being decoded, or if nothing is left.
    package func next(isComplete: (Int) -> Bool) -> Int? {
        current == nil ? mostUrgent(isComplete) : nil
    }

    private func mostUrgent(_ isComplete: (Int) -> Bool) -> Int? {
        wanted.first { !failed.contains($0) && !isComplete($0) }
    }

    /// Makes `id` the current picture.
    package mutating func begin(_ id: Int) { current = id }

    /// Drops the current picture, which is decoded later.
    package mutating func postpone() { current = nil }

    /// Ends the current picture.
    package mutating func end() {
        if let current { retries.forget(current) }
        current = nil
    }

    /// Ends `id` with a failure; it is decoded again after it was requested anew or changed.
    package mutating func fail(_ id: Int) {
        failed.insert(id)
        if current == id { current = nil }
    }

    /// Ends `id` with a failure that may pass; it is decoded again after a pause, too.
    package mutating func fail(_ id: Int, retryingFrom now: Moment) {
        fail(id)
        retries.pause(id, from: now)
    }

    /// When to call `retry`; nil while the most urgent picture waits for no other attempt.
    ///
    /// Nothing is retried ahead: a neighbour that has failed waits until it is the most urgent one.
    package var retryDeadline: Moment? { retries.deadline { $0 == wanted.first } }

    /// Ends the pause of the most urgent picture, if the pause lasts until `now` at most; returns
    /// the picture.
    package mutating func retry(at now: Moment) -> Int? {
        let over = retries.endPauses(at: now) { [first = wanted.first] in $0 == first }.first
        if let over { failed.remove(over) }
        return over
    }

    /// Drops pictures whose files have changed; returns whether the current one is among them.
    package mutating func forget(_ ids: Set<Int>) -> Bool {
        failed.subtract(ids)
        for id in ids { retries.forget(id) }
        wanted.removeAll { ids.contains($0) }
        guard let current, ids.contains(current) else { return false }
        self.current = nil
        return true
    }
}
