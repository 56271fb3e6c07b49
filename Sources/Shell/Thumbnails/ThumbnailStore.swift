import ImageTypes

/// The thumbnails in memory, as many as a budget allows; those not wanted for longest go first.
///
/// Average colours and what is known to be broken take next to nothing and stay.
struct ThumbnailStore {
    private struct Item {
        var bitmap: Bitmap
        /// For which size it does; a smaller one that is shown meanwhile does for none.
        var size: ThumbnailSize?
        /// When it was last wanted, and how urgently: what is least goes first.
        var use: Int

        var bytes: Int { bitmap.memory.bytes.count }
    }

    private struct Failure {
        var reason: String
        /// Whether the file as it is will fail again.
        var isLasting: Bool
    }

    /// In bytes of memory.
    let budget: Int
    private(set) var bytes = 0
    private var items: [ThumbnailKey: Item] = [:]
    private var failures: [ThumbnailKey: Failure] = [:]
    private var colors: [Int: UInt32] = [:]
    /// Those of whose files a part is missing.
    private var damaged: Set<ThumbnailKey> = []
    private var turn = 0
    /// No turn has so many wants.
    private static let mostWants = 1 << 20

    init(budget: Int) { self.budget = budget }

    var count: Int { items.count }

    func bitmap(_ key: ThumbnailKey) -> Bitmap? { items[key]?.bitmap }

    func reason(_ key: ThumbnailKey) -> String? { failures[key]?.reason }

    func isDamaged(_ key: ThumbnailKey) -> Bool { damaged.contains(key) }

    mutating func note(_ key: ThumbnailKey, isWhole: Bool) {
        if isWhole { damaged.remove(key) } else { damaged.insert(key) }
    }

    func color(of picture: Int) -> UInt32? { colors[picture] }

    /// Whether there is nothing to be done for the picture at this size.
    func isSettled(_ key: ThumbnailKey, _ size: ThumbnailSize) -> Bool {
        if failures[key] != nil { return true }
        guard let has = items[key]?.size else { return false }
        return has >= size
    }

    /// A new list of wants begins.
    mutating func beginTurn() { turn += 1 }

    /// A thumbnail is wanted, as number `rank` of this turn; how many bytes of the budget it has
    /// or will have.
    mutating func want(_ key: ThumbnailKey, _ size: ThumbnailSize, rank: Int) -> Int {
        let use = use(rank)
        items[key]?.use = use
        return max(items[key]?.bytes ?? 0, isSettled(key, size) ? 0 : Self.estimate(size))
    }

    private func use(_ rank: Int) -> Int {
        turn * Self.mostWants - min(rank, Self.mostWants - 1)
    }

    /// The largest thumbnail of a size: a square with its reductions.
    private static func estimate(_ size: ThumbnailSize) -> Int {
        size.side * size.side * 16 / 3 + 8192
    }

    /// Takes a thumbnail that was wanted as number `rank` of this turn; what is left over of the
    /// budget's other users goes.
    mutating func insert(
        _ key: ThumbnailKey, _ bitmap: Bitmap, for size: ThumbnailSize?, color: UInt32, rank: Int
    ) {
        colors[key.picture] = color
        // A preview is worth less than what is there.
        if size == nil, items[key] != nil { return }
        bytes -= items[key]?.bytes ?? 0
        let item = Item(bitmap: bitmap, size: size, use: use(rank))
        items[key] = item
        bytes += item.bytes
        while bytes > budget, items.count > 1,
            let last = items.min(by: { $0.value.use < $1.value.use })
        {
            bytes -= last.value.bytes
            items[last.key] = nil
        }
    }

    /// Forgets failures that may pass, so that those pictures are tried again.
    mutating func forgetPassingFailures() { failures = failures.filter(\.value.isLasting) }

    /// There is no thumbnail of this picture as it is now.
    mutating func insert(_ key: ThumbnailKey, reason: String, isLasting: Bool) {
        bytes -= items.removeValue(forKey: key)?.bytes ?? 0
        failures[key] = Failure(reason: reason, isLasting: isLasting)
    }
}
