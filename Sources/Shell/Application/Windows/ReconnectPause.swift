/// The pauses between attempts to reach a compositor: each is twice as long as the one before, up to a
/// second, so that a compositor that is back shows pictures within two seconds.
struct ReconnectPause {
    /// In milliseconds.
    private var pause = 125.0
    private static let longest = 1000.0

    /// The next pause, in milliseconds.
    mutating func next() -> Double {
        pause = min(pause * 2, Self.longest)
        return pause
    }
}
