package import Motion

/// How long nothing is decoded ahead after the system has reported that memory is short.
///
/// Pictures decoded ahead may be the reason, so pauses grow while a shortage returns.
package struct ShortagePause: Hashable, Sendable {
    /// When the pause ends; nil without a pause.
    package private(set) var end: Moment?
    private var lastEnd: Moment?
    private var length = shortest

    /// In seconds.
    package static let shortest = 10.0
    package static let longest = 160.0
    /// A shortage that comes this much later, in seconds, is another one.
    package static let memory = 60.0

    package init() {}

    /// Starts a pause, or extends the current one.
    package mutating func begin(at now: Moment) {
        if end == nil {
            let returns = lastEnd.map { now.seconds(since: $0) < Self.memory } ?? false
            length = returns ? min(length * 2, Self.longest) : Self.shortest
        }
        let new = now.advanced(byMilliseconds: length * 1000)
        end = max(end ?? new, new)
    }

    /// Ends a pause that lasts until `now` at most; returns whether it has ended.
    package mutating func finish(at now: Moment) -> Bool {
        guard let end, end <= now else { return false }
        lastEnd = now
        self.end = nil
        return true
    }
}
