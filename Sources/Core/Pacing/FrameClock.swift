import CMath
package import Motion

/// Decides when to paint: as late as is safe, so that a frame shows the newest input.
///
/// The compositor reports when it is ready for a frame (the frame callback) and, with
/// wp_presentation, when frames were on the screen and how long the refresh period is. No protocol
/// reports the compositor's deadline. However, all known compositors take commits at the same point
/// of each period and send the callbacks right after that. The deadline is therefore one period
/// after the earliest point of the period at which callbacks come, less a margin. A frame begins
/// before the deadline by the longest duration among the recent frames. A frame is painted at once
/// where any of this is unknown (no presentation times, a screen without a fixed period, no frames
/// to learn from), or where a frame takes about as long as a period.
///
/// All moments are on one clock; durations are milliseconds.
package struct FrameClock: Hashable, Sendable {
    /// The refresh period; nil where the screen has no fixed one, or where it is unknown.
    package private(set) var refresh: Double?
    /// The number of frames that directly followed another one and reached the screen late.
    package private(set) var lateFrames = 0
    /// How long before the compositor takes a frame the commit is planned.
    package private(set) var margin = FrameClock.leastMargin

    /// The margin shrinks to this while frames are in time.
    private var floor = FrameClock.leastMargin
    /// When the last frame callback came.
    private var callback: Moment?
    /// When the last frame was on the screen; sets the phase of the period.
    private var shown: Shown?
    /// The earliest offset of callbacks within the period, relative to `shown`.
    private var phase: Double?
    /// Times from the planned beginning of a frame to its commit.
    private var durations = RecentTimes(60)
    /// Commits that are not on the screen yet.
    private var pending: [Commit] = []
    private var lastCommit: Moment?

    private struct Shown: Hashable, Sendable {
        var commit: Int
        var moment: Moment
    }

    private struct Commit: Hashable, Sendable {
        var number: Int
        /// Whether the frame was due one period after the previous one.
        var isDirect: Bool
        /// Whether the frame began later than at the frame callback.
        var wasHeld: Bool
    }

    /// The smallest margin: compositors need time to read the message and to take over the pixels.
    private static let leastMargin = 2.0
    /// Growth of the margin after a frame was held back and came late, as a fraction of the period.
    private static let penalty = 0.25
    /// How far the floor rises above a margin that was too small, so that such a margin is not
    /// tried again soon.
    private static let step = 1.0
    /// Factors per frame in time, for the margin above its floor and for the floor above the least
    /// margin: half-lives of 20 seconds and 10 minutes at 60 Hz.
    private static let decay = (margin: 0.99942, floor: 0.99998)
    /// The fraction of the difference that the phase follows when callbacks come later than before.
    private static let drift = 0.02
    /// The number of frames that are measured before the first one is held back.
    private static let leastFrames = 8
    /// After a longer pause, earlier durations are discarded: frames may be of another kind.
    private static let pause = 250.0
    /// A callback that is early by less than this fraction of a period counts for the coming point
    /// of the period, not for the previous one: presentation times jitter too.
    private static let tolerance = 0.15
    /// Plausible refresh periods of a screen.
    private static let periods = 1.0...200.0
    private static let mostPending = 16
    /// A presentation is used for at most this many periods, because the period is only roughly
    /// known.
    private static let memory = 60.0
    /// The smallest budget for painting, as a fraction of the period.
    private static let leastBudget = 0.6

    package init() {}

    // MARK: Observations

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
    /// With `isDirect`, content was ready at that moment, so the frame was due right after the previous
    /// one.
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

    /// The frame of commit `number` was on the screen at `moment`.
    ///
    /// `refresh` is the screen's period in milliseconds, nil where the screen has no fixed one.
    package mutating func presented(_ number: Int, at moment: Moment, refresh: Double?) {
        updateRefresh(refresh.flatMap { Self.periods.contains($0) ? $0 : nil })
        defer { shown = Shown(commit: number, moment: moment) }
        guard let index = pending.firstIndex(where: { $0.number == number }) else { return }
        let commit = pending[index]
        pending.removeSubrange(...index)
        guard let period = self.refresh, let shown, commit.isDirect, shown.commit == number - 1
        else { return }
        if moment.seconds(since: shown.moment) * 1000 > period * 1.5 {
            lateFrames += 1
            if commit.wasHeld { widenMargin(period) }
        } else {
            floor = Self.leastMargin + (floor - Self.leastMargin) * Self.decay.floor
            margin = floor + (margin - floor) * Self.decay.margin
        }
    }

    private mutating func widenMargin(_ period: Double) {
        floor = min(max(floor, margin + Self.step), period)
        margin = min(margin + period * Self.penalty, period)
    }

    private mutating func updateRefresh(_ period: Double?) {
        if let period, let refresh, abs(period - refresh) < refresh * 0.01 {
            self.refresh = period
            return
        }
        guard refresh != period else { return }
        // Another screen: earlier measurements do not hold.
        refresh = period
        phase = nil
        (margin, floor) = (Self.leastMargin, Self.leastMargin)
        durations.removeAll()
    }

    // MARK: Decisions

    /// How long painting may take without making a frame late, in milliseconds.
    ///
    /// `assumed` is the screen's period where the compositor reports none.
    package func budget(assuming assumed: Double) -> Double {
        let period = refresh ?? assumed
        return max(period - Self.leastMargin, period * Self.leastBudget)
    }

    /// When to begin the frame after the last callback; nil means at once.
    package var start: Moment? {
        guard let callback, let deadline, durations.count >= Self.leastFrames else { return nil }
        let start = deadline.advanced(byMilliseconds: -margin - durations.longest)
        return start > callback ? start : nil
    }

    /// The earliest moment at which the compositor takes the frame after the last callback.
    package var deadline: Moment? {
        guard let refresh, let shown, let callback, let phase else { return nil }
        let first = shown.moment.milliseconds + phase
        let since = callback.milliseconds - first
        guard abs(since) < Self.memory * refresh else { return nil }
        let periods = (since / refresh + Self.tolerance).rounded(.down)
        return Moment(milliseconds: first + (periods + 1) * refresh)
    }

    /// `distance` modulo `period`, in −period/2…period/2.
    private static func wrapped(_ distance: Double, _ period: Double) -> Double {
        distance - (distance / period).rounded() * period
    }
}
