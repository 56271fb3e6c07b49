/// When to post a listing, so that many changes do not lead to many listings.
///
/// Times are in milliseconds of the system's monotonic clock.
struct ListingPace {
    private var lastPost: Double
    /// Time that the last listing took.
    private var cost = 0.0
    /// Number of pictures in the last listing.
    private var posted = 0
    /// The first change that is in no listing yet.
    private var firstChange: Double?

    /// Changes in shorter intervals than this lead to a single listing.
    private static let debounceTime = 40
    /// Maximum age of a listing while changes continue.
    private static let maximumAge = 250.0
    /// The least time between two listings, as a multiple of the time that a listing takes.
    private static let costRatio = 4.0
    /// Number of pictures in the first listing while the first scan continues.
    private static let firstCount = 256

    init(now: Double) { lastPost = now }

    var hasChanges: Bool { firstChange != nil }

    /// How long to wait for further input; nil without a limit.
    var longestWait: Int? { hasChanges ? Self.debounceTime : nil }

    mutating func noteChange(at now: Double) { firstChange = firstChange ?? now }

    /// Whether to post the changes, which count as posted then; `hasInput` says whether changes continue.
    mutating func takeDue(at now: Double, hasInput: Bool) -> Bool {
        guard let first = firstChange, now - lastPost >= Self.costRatio * cost,
            !hasInput || now - first >= Self.maximumAge
        else { return false }
        firstChange = nil
        return true
    }

    /// Whether to post an intermediate listing of `count` pictures during the first scan.
    ///
    /// A listing is posted whenever the number of pictures has quadrupled, or after a delay on a
    /// slow disk.
    func isProgressDue(_ count: Int, at now: Double) -> Bool {
        guard count > posted else { return false }
        return count >= max(Self.firstCount, 4 * posted)
            || now - lastPost >= max(Self.maximumAge, Self.costRatio * cost)
    }

    /// Notes a listing of `count` pictures that was made from `start` on and posted at `end`.
    mutating func notePost(_ count: Int, from start: Double, to end: Double) {
        (posted, lastPost, cost) = (count, end, end - start)
    }
}
