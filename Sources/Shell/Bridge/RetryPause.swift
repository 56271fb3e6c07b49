/// The pauses between attempts: each is twice as long as the one before.
struct RetryPause {
    private let first: Double
    private let longest: Double
    private var pause: Double

    /// In milliseconds.
    init(from first: Double, to longest: Double) {
        (self.first, self.longest, pause) = (first, longest, first)
    }

    /// The next pause, in milliseconds.
    mutating func next() -> Double {
        defer { pause = min(pause * 2, longest) }
        return pause
    }

    mutating func reset() { pause = first }
}
