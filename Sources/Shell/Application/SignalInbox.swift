import CLinux
import Glibc

/// A signalfd(2) for SIGINT, SIGTERM and SIGHUP; the initializer also ignores SIGPIPE.
struct SignalInbox: ~Copyable {
    let descriptor: Int32

    init() throws(SystemError) {
        signal(SIGPIPE, SIG_IGN)
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
        sigprocmask(SIG_BLOCK, &signals, nil)
        descriptor = signalfd(
            -1, &signals, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        guard descriptor >= 0 else { throw SystemError(code: errno) }
    }

    deinit { close(descriptor) }
}
