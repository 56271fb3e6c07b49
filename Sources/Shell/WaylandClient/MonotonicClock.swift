import Glibc
package import Motion

/// The system's CLOCK_MONOTONIC, which event times and deadlines are on.
package enum MonotonicClock {
    package static func now() -> Moment { read(CLOCK_MONOTONIC) }

    /// Another of the system's clocks; zero where there is none of that number.
    static func read(_ clock: clockid_t) -> Moment {
        var time = timespec()
        clock_gettime(clock, &time)
        return Moment(milliseconds: Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000)
    }
}
