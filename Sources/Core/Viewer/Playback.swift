package import Motion

/// The timing of an animation: when its next frame is due, in presentation time.
package struct Playback: Hashable, Sendable {
    package enum Phase: Hashable, Sendable { case playing, paused }

    package private(set) var phase: Phase
    /// When the duration of the displayed frame ends; nil before the first frame.
    private var due: Moment?
    /// The remaining duration of the displayed frame when the animation pauses, in milliseconds.
    private var remaining = 0.0
    private var isStepping = false

    /// Frames shorter than `shortest` are shown for `substitute`, both in milliseconds, as browsers
    /// do: files with such durations were made when no program was that fast.
    private static let shortest = 20.0
    private static let substitute = 100.0
    /// A frame that is later than this, in milliseconds, delays all following frames; a smaller
    /// delay is made up for.
    private static let largestDelay = 100.0

    package init(_ phase: Phase = .playing) { self.phase = phase }

    /// When the next frame is due; nil before the first frame and while the animation is paused.
    package var deadline: Moment? { phase == .playing ? due : nil }

    /// Whether the next frame should be shown at `moment`.
    package func isDue(at moment: Moment) -> Bool {
        isStepping || phase == .playing && due.map { moment >= $0 } ?? true
    }

    /// Reports that the next frame is shown from `moment` on; `duration` is its duration in the
    /// file, in milliseconds.
    package mutating func show(duration: Double, at moment: Moment) {
        let time = duration >= Self.shortest ? duration : Self.substitute
        isStepping = false
        remaining = time
        guard phase == .playing else { return }
        let isLate = due.map { moment.seconds(since: $0) * 1000 > Self.largestDelay } ?? true
        due = (isLate ? moment : due ?? moment).advanced(byMilliseconds: time)
    }

    /// Pauses at the displayed frame.
    package mutating func pause(at moment: Moment) {
        guard phase == .playing else { return }
        phase = .paused
        remaining = due.map { max(0, $0.seconds(since: moment) * 1000) } ?? 0
    }

    package mutating func resume(at moment: Moment) {
        guard phase == .paused else { return }
        phase = .playing
        due = moment.advanced(byMilliseconds: remaining)
    }

    /// Shows the next frame and pauses there.
    package mutating func step(at moment: Moment) {
        pause(at: moment)
        isStepping = true
    }
}
