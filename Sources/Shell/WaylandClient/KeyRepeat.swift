package import Motion

/// The repetition of a held key, on whatever clock it is given.
package struct KeyRepeat {
    /// From press to first repetition, in milliseconds; the usual default until the compositor says.
    private var delay = 600.0
    /// Between repetitions, in milliseconds; nil: keys do not repeat.
    private var interval: Double? = 40
    private var held: (key: UInt32, due: Moment)?

    package init() {}

    /// The key that repeats.
    package var key: UInt32? { held?.key }
    /// When it repeats next.
    package var deadline: Moment? { held?.due }

    /// What the compositor says: `rate` repetitions a second, none for zero, after `delay` ms.
    package mutating func configure(rate: Int32, delay: Int32) {
        interval = rate > 0 ? 1000 / Double(rate) : nil
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

    /// The key, if it is due.
    ///
    /// A program that comes late gets one repetition, not all it missed.
    package mutating func fire(now: Moment) -> UInt32? {
        guard let interval, let (key, due) = held, due <= now else { return nil }
        let next = due.advanced(byMilliseconds: interval)
        held = (key, next > now ? next : now.advanced(byMilliseconds: interval))
        return key
    }
}
