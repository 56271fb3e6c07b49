package import Glibc
package import Motion

/// CLOCK_MONOTONIC, the clock of event times and deadlines.
package enum MonotonicClock {
    package static func now() -> Moment { read(CLOCK_MONOTONIC) }

    /// Reads a system clock; zero if the clock does not exist.
    package static func read(_ clock: clockid_t) -> Moment {
        var time = timespec()
        clock_gettime(clock, &time)
        return Moment(milliseconds: Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000)
    }
}
