import CLinux
import Glibc

/// Waits until a descriptor is ready for `events` of poll(2), or has an error or a hangup.
///
/// Returns false where that has not happened within `milliseconds`; a negative time is no limit. A signal
/// does not end the wait.
@discardableResult
package func waitUntilReady(
    _ descriptor: Int32, for events: Int32 = POLLIN, milliseconds: Int32 = -1
) -> Bool {
    var state = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return trapping("poll") { retrying { poll(&state, 1, milliseconds) } } > 0
}
