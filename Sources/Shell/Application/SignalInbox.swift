import CLinux
import Glibc
import SystemCalls

/// A signalfd(2) for SIGINT, SIGTERM and SIGHUP; the initializer also ignores SIGPIPE.
struct SignalInbox: ~Copyable {
    let descriptor: Int32

    init() throws(SystemError) {
        signal(SIGPIPE, SIG_IGN)
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
        sigprocmask(SIG_BLOCK, &signals, nil)
        descriptor = try reporting {
            signalfd(-1, &signals, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        }
    }

    deinit { close(descriptor) }
}
