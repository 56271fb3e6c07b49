import CLinux
import Glibc
import Motion

/// A timerfd on CLOCK_MONOTONIC: readable once its moment has come, silent while it is not set.
struct DeadlineTimer: ~Copyable {
    let descriptor: Int32
    private var setTo: Moment?

    init() throws(SystemError) {
        descriptor = timerfd_create(
            CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        guard descriptor >= 0 else { throw SystemError(code: errno) }
    }

    deinit { close(descriptor) }

    /// Sets the timer to `moment`, or stops it; nothing is called when it stands so already.
    mutating func set(_ moment: Moment?) {
        guard moment != setTo else { return }
        setTo = moment
        var time = itimerspec()
        if let moment {
            // Zero would stop it; a moment in the past fires at once.
            let nanoseconds = max(1, Int((moment.milliseconds * 1_000_000).rounded(.up)))
            time.it_value.tv_sec = nanoseconds / 1_000_000_000
            time.it_value.tv_nsec = nanoseconds % 1_000_000_000
        }
        timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &time, nil)
    }

    /// Takes note that it fired.
    mutating func acknowledge() {
        var expirations: UInt64 = 0
        read(descriptor, &expirations, MemoryLayout<UInt64>.size)
        setTo = nil
    }
}
