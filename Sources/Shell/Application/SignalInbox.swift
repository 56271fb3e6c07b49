import CLinux
import Glibc

/// SIGINT, SIGTERM and SIGHUP as a descriptor to poll, and SIGPIPE out of the way.
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
