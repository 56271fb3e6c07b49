import CLinux
import Glibc

/// A flag that any thread raises and a poll loop sees: an eventfd(2).
package final class Wakeup: Sendable {
    /// Readable while the flag is raised; closed with the object.
    package let descriptor: Int32

    /// Without a descriptor left in the process the flag is never seen to be raised.
    package init() {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    package func raise() {
        var one: UInt64 = 1
        // A counter that is full is raised already.
        while write(descriptor, &one, 8) < 0 && errno == EINTR {}
    }

    package func lower() {
        var count: UInt64 = 0
        while read(descriptor, &count, 8) < 0 && errno == EINTR {}
    }
}
