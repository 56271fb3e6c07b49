import CMath
package import Motion

/// When to paint: as late as is safe, so that a frame shows the newest there is of the fingers.
///
/// The compositor says when it is ready for a frame (the frame callback), and, where it has
/// wp_presentation, when frames were on the screen and how far those moments are apart. No protocol
/// tells its deadline. But all compositors known take what has been committed at the same point of
/// each period, and send the callbacks right after it: so the deadline is one period after the
/// earliest point of the period at which callbacks come, less a margin. A frame is then begun as much
/// ahead of that as the slowest of the last ones took. Where anything of this is unknown (no
/// presentation times, a screen without a fixed period, no frames to learn from), or a frame takes
/// about as long as a period, it is painted at once.
///
/// All moments are on one clock; durations are milliseconds.
package struct FrameClock: Hashable, Sendable {
    /// From frame to frame; nil where the screen has no fixed period, or none is known.
    package private(set) var refresh: Double?
    /// How many frames that followed another one directly came to the screen later than they should.
    package private(set) var lateFrames = 0
    /// How long before the compositor takes it a frame is to be there.
    package private(set) var margin = FrameClock.leastMargin

    /// What the margin shrinks to while frames are in time.
    private var floor = FrameClock.leastMargin
    /// When the last frame callback came.
    private var callback: Moment?
    /// When the last frame was on the screen: the period's phase.
    private var shown: Shown?
    /// When in the period, after `shown`, callbacks come at the earliest.
    private var phase: Double?
    /// From the planned beginning of a frame to its commit.
    private var durations = RecentTimes(60)
    /// What was committed and not shown yet.
    private var pending: [Commit] = []
    private var lastCommit: Moment?

    private struct Shown: Hashable, Sendable {
        var commit: Int
        var moment: Moment
    }

    private struct Commit: Hashable, Sendable {
        var number: Int
        /// Whether it had to come one period after the one before.
        var isDirect: Bool
        /// Whether it waited for its time.
        var wasHeld: Bool
    }

    /// Compositors need some of it for themselves: to read the message and take over the pixels.
    private static let leastMargin = 2.0
    /// After a frame that waited and came late the margin is so much larger, as a part of the period.
    private static let penalty = 0.25
    /// A margin that was too small is not tried again soon, nor one that is larger by less than this.
    private static let step = 1.0
    /// What of the margin beyond its floor, and of the floor beyond the least margin, is left after
    /// another frame that was in time: half of it after twenty seconds and ten minutes, at 60 Hz.
    private static let relief = (margin: 0.99942, floor: 0.99998)
    /// What of the difference is taken over when callbacks come later in the period than before.
    private static let drift = 0.02
    /// Frames that are watched before the first one is held back.
    private static let leastFrames = 8
    /// After a pause as long as this frames may be of another kind, in milliseconds.
    private static let pause = 250.0
    /// A callback that comes before its point of the period by less than this part of it is none of
    /// the period before: presentation times tremble too.
    private static let tolerance = 0.15
    /// What is a period of a screen, in milliseconds.
    private static let periods = 1.0...200.0
    private static let mostPending = 16
    /// A presentation that is more periods past says little of a period that is only roughly known.
    private static let memory = 60.0
    /// The margin leaves at least this part of a period for painting.
    private static let leastBudget = 0.6

    package init() {}

    // MARK: What is seen

    /// The compositor is ready for the next frame.
    package mutating func frameDone(at moment: Moment) {
        callback = moment
        guard let refresh, let shown else { return }
        let since = moment.milliseconds - shown.moment.milliseconds
        guard abs(since) < Self.memory * refresh else { return }
        guard let known = phase else {
            phase = Self.wrapped(since, refresh)
            return
        }
        let deviation = Self.wrapped(since - known, refresh)
        phase = known + (deviation < 0 ? deviation : deviation * Self.drift)
    }

    /// A frame was committed whose painting was planned to begin at `start`.
    ///
    /// `isDirect` says that there was something to show when it was to begin, so that it had to come
    /// right after the frame before.
    package mutating func committed(
        _ number: Int, at moment: Moment, start: Moment, isDirect: Bool
    ) {
        if let lastCommit, moment.seconds(since: lastCommit) * 1000 > Self.pause {
            durations.removeAll()
        }
        lastCommit = moment
        durations.add(max(0, moment.seconds(since: start) * 1000))
        let wasHeld = callback.map { start > $0 } ?? false
        pending.append(Commit(number: number, isDirect: isDirect, wasHeld: wasHeld))
        if pending.count > Self.mostPending { pending.removeFirst() }
    }

    /// The frame of a commit was on the screen at `moment`; `refresh` is the screen's period, nil
    /// where it has no fixed one.
    package mutating func presented(_ number: Int, at moment: Moment, refresh: Double?) {
        take(refresh.flatMap { Self.periods.contains($0) ? $0 : nil })
        defer { shown = Shown(commit: number, moment: moment) }
        guard let index = pending.firstIndex(where: { $0.number == number }) else { return }
        let commit = pending[index]
        pending.removeSubrange(...index)
        guard let period = self.refresh, let shown, commit.isDirect, shown.commit == number - 1
        else { return }
        if moment.seconds(since: shown.moment) * 1000 > period * 1.5 {
            lateFrames += 1
            if commit.wasHeld { widen(period) }
        } else {
            floor = Self.leastMargin + (floor - Self.leastMargin) * Self.relief.floor
            margin = floor + (margin - floor) * Self.relief.margin
        }
    }

    private mutating func widen(_ period: Double) {
        floor = min(max(floor, margin + Self.step), period)
        margin = min(margin + period * Self.penalty, period)
    }

    private mutating func take(_ period: Double?) {
        if let period, let refresh, abs(period - refresh) < refresh * 0.01 {
            self.refresh = period
            return
        }
        guard refresh != period else { return }
        // Another screen: nothing that was learned holds for it.
        refresh = period
        phase = nil
        (margin, floor) = (Self.leastMargin, Self.leastMargin)
        durations.removeAll()
    }

    // MARK: What follows

    /// How long painting may take without a frame being late, on a screen whose period is `assumed`
    /// where the compositor tells none.
    package func budget(assuming assumed: Double) -> Double {
        let period = refresh ?? assumed
        return max(period - Self.leastMargin, period * Self.leastBudget)
    }

    /// When the frame after the last callback is to be begun; nil: at once.
    package var start: Moment? {
        guard let callback, let deadline, durations.count >= Self.leastFrames else { return nil }
        let start = deadline.advanced(byMilliseconds: -margin - durations.longest)
        return start > callback ? start : nil
    }

    /// When the compositor takes the frame after the last callback, at the earliest.
    package var deadline: Moment? {
        guard let refresh, let shown, let callback, let phase else { return nil }
        let first = shown.moment.milliseconds + phase
        let since = callback.milliseconds - first
        guard abs(since) < Self.memory * refresh else { return nil }
        let periods = (since / refresh + Self.tolerance).rounded(.down)
        return Moment(milliseconds: first + (periods + 1) * refresh)
    }

    /// The distance between two moments of a period, from half of it back to half of it ahead.
    private static func wrapped(_ distance: Double, _ period: Double) -> Double {
        distance - (distance / period).rounded() * period
    }
}
