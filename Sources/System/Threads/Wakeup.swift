import CLinux
import Glibc
import SystemCalls

/// A flag that any thread raises and a poll loop waits for: an eventfd(2).
package final class Wakeup: Sendable {
    /// Readable while the flag is raised; closed by `deinit`.
    package let descriptor: Int32

    /// Creates a lowered flag.
    ///
    /// Ends the process with a line and exit code 1 if it has no descriptor left: whoever waits for a
    /// flag that is never raised would wait for ever.
    package init() {
        do throws(SystemError) {
            descriptor = try reporting { eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)) }
        } catch {
            let line = Array("vitrine: cannot create a file descriptor: \(error)\n".utf8)
            line.withUnsafeBytes { buffer in
                clinux_write_error(buffer.baseAddress.unsafelyUnwrapped, buffer.count)
            }
            exit(1)
        }
    }

    deinit { close(descriptor) }

    package func raise() {
        var one: UInt64 = 1
        // If the write fails because the counter is full, the flag is raised already.
        trapping("write") { retrying { write(descriptor, &one, 8) } }
    }

    package func lower() {
        var count: UInt64 = 0
        // If the read fails, the flag was not raised.
        trapping("read") { retrying { read(descriptor, &count, 8) } }
    }
}
