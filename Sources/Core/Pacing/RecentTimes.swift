/// The last so many durations, in milliseconds: what the next one will be like.
struct RecentTimes: Hashable, Sendable {
    private let capacity: Int
    private var values: [Double] = []
    private var next = 0

    /// Keeps the last `capacity` of them, at least one.
    init(_ capacity: Int) {
        self.capacity = max(capacity, 1)
        values.reserveCapacity(self.capacity)
    }

    mutating func add(_ duration: Double) {
        if values.count < capacity {
            values.append(duration)
        } else {
            values[next] = duration
        }
        next = (next + 1) % capacity
    }

    mutating func removeAll() {
        values.removeAll(keepingCapacity: true)
        next = 0
    }

    var count: Int { values.count }

    /// The longest of them; 0 where there is none.
    var longest: Double { values.max() ?? 0 }
}
