package import Motion

/// The repetition of a held key, on the clock of the caller.
package struct KeyRepeat {
    /// The time from the press to the first repetition, in milliseconds; the usual default until
    /// the compositor sends its own.
    private var delay = 600.0
    /// The time between repetitions, in milliseconds; nil if keys do not repeat.
    private var interval: Double? = 40
    private var held: (key: UInt32, due: Moment)?

    /// The shortest time between repetitions, in milliseconds; a shorter one would keep the loop busy.
    private static let shortestInterval = 5.0

    package init() {}

    /// The held key; nil if none repeats.
    package var key: UInt32? { held?.key }
    /// The time of the next repetition.
    package var deadline: Moment? { held?.due }

    /// Sets the compositor's values: `rate` repetitions a second, 0 for none, after `delay`
    /// milliseconds.
    package mutating func configure(rate: Int32, delay: Int32) {
        interval = rate > 0 ? max(1000 / Double(rate), Self.shortestInterval) : nil
        self.delay = Double(max(0, delay))
        if interval == nil { stop() }
    }

    package mutating func press(_ key: UInt32, now: Moment) {
        held = interval == nil ? nil : (key, now.advanced(byMilliseconds: delay))
    }

    package mutating func release(_ key: UInt32) {
        if held?.key == key { held = nil }
    }

    package mutating func stop() {
        held = nil
    }

    /// Returns the held key if a repetition is due.
    ///
    /// A late call returns one repetition, not all that were missed.
    package mutating func fire(now: Moment) -> UInt32? {
        guard let interval, let (key, due) = held, due <= now else { return nil }
        let next = due.advanced(byMilliseconds: interval)
        held = (key, next > now ? next : now.advanced(byMilliseconds: interval))
        return key
    }
}
