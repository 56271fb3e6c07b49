import DecodeClient
import ImageTypes
import Motion

/// The thumbnails in memory, within a budget; the least recently wanted are evicted first.
///
/// Average colours and failures are small and stay until their picture changes or is gone.
struct ThumbnailStore {
    private struct Item {
        var bitmap: Bitmap
        /// The size that the bitmap satisfies; nil for a smaller preview.
        var size: ThumbnailSize?
        /// When and how urgently the item was last wanted; the lowest value is evicted first.
        var priority: Int

        var bytes: Int { bitmap.memory.bytes.count }
    }

    private struct Failure {
        var reason: String
        var policy: RetryPolicy
    }

    /// In bytes of memory.
    var budget: Int
    private(set) var bytes = 0
    private var items: [ThumbnailKey: Item] = [:]
    private var failures: [ThumbnailKey: Failure] = [:]
    private var retries = RetryPauses<ThumbnailKey>()
    private var colors: [Int: UInt32] = [:]
    /// Thumbnails of pictures whose file is incomplete.
    private var damaged: Set<ThumbnailKey> = []
    private var turn = 0
    /// An upper bound of the number of wants in a turn.
    private static let maximumWants = 1 << 20

    init(budget: Int) { self.budget = budget }

    var count: Int { items.count }

    func bitmap(_ key: ThumbnailKey) -> Bitmap? { items[key]?.bitmap }

    func reason(_ key: ThumbnailKey) -> String? { failures[key]?.reason }

    func isDamaged(_ key: ThumbnailKey) -> Bool { damaged.contains(key) }

    mutating func note(_ key: ThumbnailKey, isWhole: Bool) {
        if isWhole { damaged.remove(key) } else { damaged.insert(key) }
    }

    func color(of picture: Int) -> UInt32? { colors[picture] }

    /// Whether nothing remains to be done now for the picture at this size.
    func isSettled(_ key: ThumbnailKey, _ size: ThumbnailSize) -> Bool {
        if failures[key] != nil, !retries.isOver(key) { return true }
        guard let stored = items[key]?.size else { return false }
        return stored >= size
    }

    /// Starts a new turn, that is, a new list of wants.
    mutating func beginTurn() { turn += 1 }

    /// Notes that a thumbnail is wanted, as number `rank` of this turn.
    ///
    /// Returns how many bytes of the budget the thumbnail has or will have.
    mutating func want(
        _ key: ThumbnailKey, _ size: ThumbnailSize, proportion: Double, rank: Int
    ) -> Int {
        let priority = priority(rank)
        items[key]?.priority = priority
        return max(
            items[key]?.bytes ?? 0,
            isSettled(key, size) ? 0 : Self.estimate(size, proportion: proportion))
    }

    private func priority(_ rank: Int) -> Int {
        turn * Self.maximumWants - min(rank, Self.maximumWants - 1)
    }

    /// The bytes of the largest thumbnail of a size with its mip levels; `proportion` is the shorter
    /// side divided by the longer one.
    private static func estimate(_ size: ThumbnailSize, proportion: Double) -> Int {
        let shorter = Int((Double(size.side) * proportion).rounded(.up))
        return size.side * shorter * 16 / 3 + 8192
    }

    /// Takes the stored bitmap of a picture for one of `size`, because that one cannot be made;
    /// returns the bitmap, nil without one.
    mutating func settleForLess(_ key: ThumbnailKey, _ size: ThumbnailSize) -> Bitmap? {
        items[key]?.size = size
        return items[key]?.bitmap
    }

    /// Stores a thumbnail that was wanted as number `rank` of this turn.
    ///
    /// Evicts other thumbnails if the budget is exceeded.
    mutating func insert(
        _ key: ThumbnailKey, _ bitmap: Bitmap, for size: ThumbnailSize?, color: UInt32, rank: Int
    ) {
        colors[key.picture] = color
        // A preview does not replace a stored bitmap.
        if size == nil, items[key] != nil { return }
        if size != nil { forgetFailure(key) }
        bytes -= items[key]?.bytes ?? 0
        let item = Item(bitmap: bitmap, size: size, priority: priority(rank))
        items[key] = item
        bytes += item.bytes
        while bytes > budget, items.count > 1,
            let last = items.min(by: { $0.value.priority < $1.value.priority })
        {
            bytes -= last.value.bytes
            items[last.key] = nil
        }
    }

    /// Evicts all thumbnails but those of `keys`; average colours stay.
    mutating func evict(keeping keys: Set<ThumbnailKey>) {
        items = items.filter { keys.contains($0.key) }
        bytes = items.values.reduce(0) { $0 + $1.bytes }
    }

    /// Forgets everything about pictures that are gone or have changed.
    mutating func forget(_ pictures: Set<Int>) {
        for (key, item) in items where pictures.contains(key.picture) {
            bytes -= item.bytes
            items[key] = nil
        }
        for key in failures.keys where pictures.contains(key.picture) { forgetFailure(key) }
        for picture in pictures { colors[picture] = nil }
        damaged = damaged.filter { !pictures.contains($0.picture) }
    }

    // MARK: Failures

    /// Forgets temporary failures, so that these pictures are tried again.
    mutating func forgetTemporaryFailures() {
        failures = failures.filter { $0.value.policy == .never }
        retries.forgetAll()
    }

    /// Forgets the failures of pictures whose files may be readable by now; returns whether there were any.
    mutating func forgetFailures(thatMayBeOver keys: Set<ThumbnailKey>) -> Bool {
        let over = keys.filter { failures[$0]?.policy == .afterFolderChange }
        for key in over { forgetFailure(key) }
        return !over.isEmpty
    }

    private mutating func forgetFailure(_ key: ThumbnailKey) {
        failures[key] = nil
        retries.forget(key)
    }

    /// Notes that no thumbnail can be made of the picture's present state.
    ///
    /// A thumbnail that may succeed after a pause keeps the bitmap that is there.
    mutating func insert(
        _ key: ThumbnailKey, reason: String, _ policy: RetryPolicy, now: Moment
    ) {
        failures[key] = Failure(reason: reason, policy: policy)
        guard policy == .afterPause else {
            retries.forget(key)
            bytes -= items.removeValue(forKey: key)?.bytes ?? 0
            return
        }
        retries.pause(key, from: now)
    }

    /// When to call `endPauses`; nil while no wanted thumbnail waits for another attempt.
    func retryDeadline(isWanted: (ThumbnailKey) -> Bool) -> Moment? {
        retries.deadline(isWanted: isWanted)
    }

    /// Ends pauses that are over: these thumbnails are not settled any more.
    mutating func endPauses(at now: Moment, isWanted: (ThumbnailKey) -> Bool) {
        retries.endPauses(at: now, isWanted: isWanted)
    }
}
