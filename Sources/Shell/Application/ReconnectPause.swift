/// The pauses between attempts to reach a compositor: each is twice as long as the one before.
struct ReconnectPause {
    /// In milliseconds.
    private var pause = 125.0
    private static let longest = 4000.0

    /// The next pause, in milliseconds.
    mutating func next() -> Double {
        pause = min(pause * 2, Self.longest)
        return pause
    }
}
