/// The most recent durations, in milliseconds, for an estimate of the next one.
struct RecentTimes: Hashable, Sendable {
    private let capacity: Int
    private var values: [Double] = []
    private var next = 0

    /// Keeps the last `capacity` durations, at least one.
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

    /// The longest duration; 0 if there is none.
    var longest: Double { values.max() ?? 0 }

    /// The duration that a quarter of all durations do not exceed; 0 if there is none.
    var lowerQuartile: Double { values.isEmpty ? 0 : values.sorted()[values.count / 4] }
}
