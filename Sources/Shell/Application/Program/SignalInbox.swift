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

    /// Reads the number of the signal that has arrived; nil if none has.
    static func receive(from descriptor: Int32) -> Int32? {
        // struct signalfd_siginfo has 128 bytes and begins with the number.
        var information = [UInt8](repeating: 0, count: 128)
        guard read(descriptor, &information, information.count) == information.count else {
            return nil
        }
        return information.withUnsafeBytes {
            Int32(truncatingIfNeeded: $0.loadUnaligned(as: UInt32.self))
        }
    }
}
