import CLinux
import Glibc

/// A flag that any thread raises and a poll loop waits for: an eventfd(2).
package final class Wakeup: Sendable {
    /// Readable while the flag is raised; closed by `deinit`.
    package let descriptor: Int32

    /// Creates a lowered flag.
    ///
    /// If the process has no descriptor left, `descriptor` is -1 and never becomes readable.
    package init() {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    package func raise() {
        var one: UInt64 = 1
        // If the write fails because the counter is full, the flag is raised already.
        while write(descriptor, &one, 8) < 0 && errno == EINTR {}
    }

    package func lower() {
        var count: UInt64 = 0
        while read(descriptor, &count, 8) < 0 && errno == EINTR {}
    }
}
