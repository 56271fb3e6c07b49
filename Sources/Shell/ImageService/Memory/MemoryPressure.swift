package import EventLoop
import Glibc
import SystemCalls

/// Reports that the machine, or the control group of this process, is short of memory.
///
/// The system measures for how long programs wait for memory (pressure stall information), and wakes
/// the event loop up; nothing is asked in intervals.
package final class MemoryPressure {
    private let sources: EventSources
    private let descriptor: Int32
    private var source: EventSources.Source?

    /// Programs wait for memory for 15 % of two seconds, the shortest time that the kernel measures
    /// for a program without privileges.
    private static let trigger = Array("some 300000 2000000\0".utf8)

    /// Starts watching; nil if the system has no such measure, or refuses it.
    package static func watch(
        _ sources: EventSources, onPressure: @escaping () -> Void
    ) -> MemoryPressure? {
        let group = SystemMemory.controlGroups.pressureFile
        for path in ["/proc/pressure/memory", group].compactMap(\.self) {
            if let descriptor = open(path) {
                return MemoryPressure(descriptor, sources, onPressure: onPressure)
            }
        }
        return nil
    }

    private static func open(_ path: String) -> Int32? {
        guard
            let descriptor = try? reporting({ Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC) })
        else { return nil }
        do throws(SystemError) {
            try writeAll(trigger, to: descriptor)
            return descriptor
        } catch {
            close(descriptor)
            return nil
        }
    }

    /// Watches a descriptor, which is closed with this object, for urgent data.
    package init(_ descriptor: Int32, _ sources: EventSources, onPressure: @escaping () -> Void) {
        self.descriptor = descriptor
        self.sources = sources
        source = sources.add(urgentDescriptor: descriptor) { [unowned self] in
            if !endIfBroken() { onPressure() }
        }
    }

    deinit {
        if let source { sources.remove(source) }
        close(descriptor)
    }

    /// Stops watching a descriptor with an error, such as that of a removed control group: the
    /// descriptor would wake the event loop up without end.
    private func endIfBroken() -> Bool {
        var poll = pollfd(fd: descriptor, events: 0, revents: 0)
        let isBroken =
            Glibc.poll(&poll, 1, 0) > 0
            && poll.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
        guard isBroken, let source else { return false }
        sources.remove(source)
        self.source = nil
        return true
    }
}
