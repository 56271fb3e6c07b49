package import Motion

/// When an animation's next frame is due, on the clock of presentation.
package struct Playback: Hashable, Sendable {
    package enum Phase: Hashable, Sendable { case playing, paused }

    package private(set) var phase: Phase
    /// When the time of the frame on the surface is over; nil before the first.
    private var due: Moment?
    /// How much of its time is left when it is paused, in milliseconds.
    private var left = 0.0
    private var isStepping = false

    /// Frames shorter than this are shown for `unhurried` instead, as browsers do: files that say so
    /// were made when no program was that fast.
    private static let shortest = 20.0
    private static let unhurried = 100.0
    /// One that comes later than this, in milliseconds, puts off all that follow, instead of being
    /// made up for.
    private static let patience = 100.0

    package init(_ phase: Phase = .playing) { self.phase = phase }

    /// When the next frame is due; nil while it waits for a person.
    package var deadline: Moment? { phase == .playing ? due : nil }

    /// Whether the next frame is to be shown at `moment`.
    package func isDue(at moment: Moment) -> Bool {
        isStepping || phase == .playing && due.map { moment >= $0 } ?? true
    }

    /// The next frame is shown from `moment` on; `duration` is what the file says, in milliseconds.
    package mutating func show(duration: Double, at moment: Moment) {
        let time = duration >= Self.shortest ? duration : Self.unhurried
        isStepping = false
        left = time
        guard phase == .playing else { return }
        let isLate = due.map { moment.seconds(since: $0) * 1000 > Self.patience } ?? true
        due = (isLate ? moment : due ?? moment).advanced(byMilliseconds: time)
    }

    /// It stays at the frame on the surface.
    package mutating func pause(at moment: Moment) {
        guard phase == .playing else { return }
        phase = .paused
        left = due.map { max(0, $0.seconds(since: moment) * 1000) } ?? 0
    }

    package mutating func resume(at moment: Moment) {
        guard phase == .paused else { return }
        phase = .playing
        due = moment.advanced(byMilliseconds: left)
    }

    /// It goes on by one frame and stays there.
    package mutating func step(at moment: Moment) {
        pause(at: moment)
        isStepping = true
    }
}
