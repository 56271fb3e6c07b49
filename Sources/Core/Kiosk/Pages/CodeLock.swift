import Motion

/// Refuses all codes for a while after too many wrong ones.
///
/// The lock belongs to the kiosk and outlives the keypad: who closes the keypad and opens it anew gets no
/// further codes.
struct CodeLock: Hashable, Sendable {
    private var misses = 0
    /// Until when codes are refused; nil before too many were wrong.
    private(set) var end: Moment?

    private static let mostMisses = 5
    /// In milliseconds.
    private static let duration = 60_000.0

    func isClosed(at moment: Moment) -> Bool { end.map { moment < $0 } ?? false }

    /// Counts a wrong code.
    mutating func countMiss(at moment: Moment) {
        misses += 1
        guard misses >= Self.mostMisses else { return }
        misses = 0
        end = moment.advanced(byMilliseconds: Self.duration)
    }
}
