import CLinux
import Glibc
import SystemCalls

/// A signalfd(2) for SIGINT, SIGTERM and SIGHUP; the initializer also ignores SIGPIPE.
final class SignalInbox {
    let descriptor: Int32
    /// The number of the signal that was received last; nil for none.
    private(set) var received: Int32?

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

    /// Reads the signal that has arrived.
    func receive() {
        // struct signalfd_siginfo has 128 bytes and begins with the number.
        var information = [UInt8](repeating: 0, count: 128)
        let hasArrived = read(descriptor, &information, information.count) == information.count
        received =
            hasArrived
            ? information.withUnsafeBytes {
                Int32(truncatingIfNeeded: $0.loadUnaligned(as: UInt32.self))
            } : nil
    }
}
