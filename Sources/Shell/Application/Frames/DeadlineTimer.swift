import CLinux
import Geometry
import Glibc
import Motion
import SystemCalls

/// A timerfd(2) on CLOCK_MONOTONIC that becomes readable at the set moment.
struct DeadlineTimer: ~Copyable {
    let descriptor: Int32
    private var current: Moment?

    init() throws(SystemError) {
        descriptor = try reporting {
            timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        }
    }

    deinit { close(descriptor) }

    /// Sets the timer to `moment`, or stops it if `moment` is nil; skips the system call if nothing
    /// changes.
    mutating func set(_ moment: Moment?) {
        guard moment != current else { return }
        current = moment
        var time = itimerspec()
        if let moment {
            // Zero would stop the timer; a moment in the past fires immediately.
            let nanoseconds = max(1, Int(clamping: (moment.milliseconds * 1_000_000).rounded(.up)))
            time.it_value.tv_sec = nanoseconds / 1_000_000_000
            time.it_value.tv_nsec = nanoseconds % 1_000_000_000
        }
        trapping("timerfd_settime") {
            timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &time, nil)
        }
    }

    /// Reads the expiration count after the timer fired, so that it can be set again.
    mutating func acknowledge() {
        var expirations: UInt64 = 0
        read(descriptor, &expirations, MemoryLayout<UInt64>.size)
        current = nil
    }
}
