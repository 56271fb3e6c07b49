import CLinux
import Glibc
import SystemCalls

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
        guard descriptor >= 0 else { return }
        var one: UInt64 = 1
        // If the write fails because the counter is full, the flag is raised already.
        trapping("write") { retrying { write(descriptor, &one, 8) } }
    }

    package func lower() {
        guard descriptor >= 0 else { return }
        var count: UInt64 = 0
        // If the read fails, the flag was not raised.
        trapping("read") { retrying { read(descriptor, &count, 8) } }
    }
}
