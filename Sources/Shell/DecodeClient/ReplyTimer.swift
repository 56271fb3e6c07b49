package import Motion

/// The time limits of a request to a decoder; reads no clock.
///
/// A file that does not arrive is reported once after `silentWait`. The request ends after `patience`
/// without progress, and after `limit` even with progress.
package struct ReplyTimer: Sendable {
    /// What is waited for.
    package enum Phase: Sendable {
        /// The decoder gets its file only after the report of its sandbox.
        case sandboxReport
        case reply
    }

    /// What a deadline that is handled means.
    package enum Outcome: Hashable, Sendable {
        /// The deadline is still ahead.
        case early
        /// The poll loop was stopped itself, and perhaps the decoder with it: the time limits are moved
        /// by the pause.
        case paused
        /// A person is to be told that the file is waited for.
        case waiting
        case noSandboxReport
        case stalled
        case limitReached
    }

    /// How long a decoder does nothing, in milliseconds, before a person is told that the file is
    /// waited for.
    package static let silentWait = 2000.0
    /// The longest time, in milliseconds, until a decoder reports its sandbox.
    package static let longestReport = 5000.0
    /// A loop that handles a deadline this much too late, in milliseconds, was stopped itself: by
    /// Ctrl+Z, by the sleep of the machine, or by the freezer of a phone.
    package static let longestDelay = 500.0

    /// The longest time without progress of the decoder, in milliseconds.
    private let patience: Double
    /// The longest time for a reply even with progress, in milliseconds.
    private let limit: Double
    /// When the decoder last reported progress, or got a request.
    package private(set) var lastProgress = Moment.zero
    /// When the time limit for the reply that is due began.
    private var start = Moment.zero
    /// Whether it was reported that the file of the request is waited for.
    private var hasReportedWait = false

    package init(patience: Double, limit: Double) {
        self.patience = patience
        self.limit = limit
    }

    /// Begins the request for another file.
    package mutating func beginFile(now: Moment) {
        begin(now: now)
        hasReportedWait = false
    }

    /// Begins a request of the same file, for which the decoder has its full time.
    package mutating func begin(now: Moment) {
        (lastProgress, start) = (now, now)
    }

    /// The decoder has sent something.
    package mutating func noteProgress(now: Moment) { lastProgress = now }

    /// One of several replies has arrived: the limit counts for the next one.
    package mutating func noteReply(now: Moment) { start = now }

    /// When `expire` has an outcome.
    package func deadline(_ phase: Phase) -> Moment {
        switch phase {
        case .sandboxReport: return lastProgress.advanced(byMilliseconds: Self.longestReport)
        case .reply:
            let silence = hasReportedWait ? patience : min(patience, Self.silentWait)
            return min(lastProgress.advanced(byMilliseconds: silence), end)
        }
    }

    /// When a reply has taken too long, even if the decoder reports progress.
    private var end: Moment { start.advanced(byMilliseconds: limit) }

    /// Handles the deadline; returns what it means.
    package mutating func expire(_ phase: Phase, now: Moment) -> Outcome {
        let delay = now.seconds(since: deadline(phase)) * 1000
        if delay < 0 { return .early }
        guard delay < Self.longestDelay else {
            let pause = delay + Self.longestDelay
            lastProgress = lastProgress.advanced(byMilliseconds: pause)
            start = start.advanced(byMilliseconds: pause)
            return .paused
        }
        if phase == .sandboxReport { return .noSandboxReport }
        // Without any progress the file has not arrived, even if the time limit is reached, too.
        guard now < lastProgress.advanced(byMilliseconds: patience) else { return .stalled }
        if now >= end { return .limitReached }
        hasReportedWait = true
        return .waiting
    }
}
