/// When to look at what the system does not tell of.
///
/// Times are in milliseconds of the system's monotonic clock.
struct LookSchedule: Hashable {
    enum Reason: CaseIterable {
        /// Given paths that could not be read.
        case unread
        /// Ways of paths that are not watched.
        case ways
        /// New files that may still be written.
        case arrivals
        /// Pictures whose files have changed, and may change again.
        case restless
        /// Folders that are not watched, or that other computers may change.
        case folders
    }

    /// The pauses between looks at paths that could not be read; the last one repeats.
    var unreadPauses: [Double] = [2000, 8000, 30_000, 60_000]
    /// The time between two looks at ways.
    var wayPause = 5000.0
    /// The time between two looks at folders.
    var folderPause = 30_000.0
    /// The time in which a new file must not change.
    var restPause = 2000.0
    /// How long the last look at folders took: looks take a twentieth of the time at most.
    var folderCost = 0.0

    private var times: [Reason: Double] = [:]
    /// How often there was a look for a reason, since the reason began.
    private var looks: [Reason: Int] = [:]

    private static let costRatio = 20.0
    /// A look may have taken days, because the machine slept meanwhile.
    private static let longestPause = 3_600_000.0

    /// The next look; nil without a reason for one.
    var time: Double? { times.values.min() }

    func time(of reason: Reason) -> Double? { times[reason] }

    /// Plans looks for these reasons, and none for others; a look that is planned stays.
    mutating func plan(_ reasons: Set<Reason>, now: Double) {
        for reason in Reason.allCases {
            if !reasons.contains(reason) {
                (times[reason], looks[reason]) = (nil, nil)
            } else if times[reason] == nil {
                times[reason] = now + pause(reason)
            }
        }
    }

    private func pause(_ reason: Reason) -> Double {
        let looks = looks[reason, default: 0]
        switch reason {
        case .unread: return unreadPauses[min(looks, unreadPauses.count - 1)]
        case .ways: return wayPause
        case .folders: return max(folderPause, min(Self.costRatio * folderCost, Self.longestPause))
        case .arrivals: return restPause
        // A file that grows for long is read less and less often.
        case .restless: return min(restPause * Double(1 << min(looks, 16)), folderPause)
        }
    }

    /// The looks that are due, which count as taken.
    mutating func takeDue(at now: Double) -> Set<Reason> {
        let due = Set(times.filter { $0.value <= now }.keys)
        for reason in due {
            times[reason] = nil
            looks[reason, default: 0] += 1
        }
        return due
    }
}
