import Glibc
package import Motion

/// The event sources of one thread: descriptors and deadlines, each with a handler.
///
/// A source is registered once and stays until `remove`. The owner of the loop calls `wait`, then
/// `handleReady`, then `handleDeadlines`. Handlers run in the order of registration, and may
/// register and remove sources. All calls must be made on the same thread.
package final class EventSources {
    /// A registered source.
    package struct Source: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct Descriptor {
        let source: Source
        let isQuiet: Bool
        let handler: (() -> Void)?
    }

    /// The clock that a deadline is compared with.
    ///
    /// A run in a window has the system's clock. A script without a compositor has a clock of its own,
    /// which stands still while the run waits for files and decoders.
    package enum Clock {
        case system, run
    }

    private struct Deadline {
        let source: Source
        let clock: Clock
        /// When the handler is due; nil while there is no deadline.
        let moment: () -> Moment?
        let isQuiet: Bool
        let handler: () -> Void
    }

    /// What poll(2) waits for: one element for each element of `descriptors`, in the same order.
    private var polls: [pollfd] = []
    private var descriptors: [Descriptor] = []
    private var deadlines: [Deadline] = []
    private var lastNumber = 0

    package init() {}

    // MARK: Registration

    /// Registers a descriptor, which the caller keeps open until `remove` or `setDescriptor`.
    ///
    /// poll(2) ignores a negative descriptor. `handler` is called when the descriptor is readable,
    /// or has an error. Without a handler, the owner of the loop asks `isReadable` after `wait`.
    package func add(descriptor: Int32, handler: (() -> Void)? = nil) -> Source {
        add(descriptor, events: POLLIN, handler)
    }

    /// Registers a descriptor like `add(descriptor:)`, whose handler is called for urgent data
    /// (`POLLPRI`) instead, as triggers of the system report.
    package func add(urgentDescriptor descriptor: Int32, handler: @escaping () -> Void) -> Source {
        add(descriptor, events: POLLPRI, handler)
    }

    /// Registers a descriptor like `add(descriptor:)`, whose handler `handleReady` does not count: it
    /// changes nothing that is shown, or says so itself.
    package func add(quietDescriptor descriptor: Int32, handler: @escaping () -> Void) -> Source {
        add(descriptor, events: POLLIN, isQuiet: true, handler)
    }

    private func add(
        _ descriptor: Int32, events: Int32, isQuiet: Bool = false, _ handler: (() -> Void)?
    ) -> Source {
        let source = makeSource()
        polls.append(pollfd(fd: descriptor, events: Int16(events), revents: 0))
        descriptors.append(Descriptor(source: source, isQuiet: isQuiet, handler: handler))
        return source
    }

    /// Registers a deadline of the system's clock; `moment` returns when it is due, or nil while there
    /// is none.
    package func add(
        deadline moment: @escaping () -> Moment?, handler: @escaping () -> Void
    ) -> Source {
        add(moment, isQuiet: false, handler)
    }

    /// Registers a deadline of the run's clock like `add(deadline:)`, as that of a person's act.
    package func add(
        runDeadline moment: @escaping () -> Moment?, handler: @escaping () -> Void
    ) -> Source {
        add(moment, .run, isQuiet: false, handler)
    }

    /// Registers a deadline whose handler `handleDeadlines` does not count, as `add(quietDescriptor:)`.
    package func add(
        quietDeadline moment: @escaping () -> Moment?, handler: @escaping () -> Void
    ) -> Source {
        add(moment, isQuiet: true, handler)
    }

    private func add(
        _ moment: @escaping () -> Moment?, _ clock: Clock = .system, isQuiet: Bool,
        _ handler: @escaping () -> Void
    ) -> Source {
        let source = makeSource()
        deadlines.append(
            Deadline(
                source: source, clock: clock, moment: moment, isQuiet: isQuiet, handler: handler))
        return source
    }

    /// Removes a source; its handler is not called any more, not even for events of this turn.
    package func remove(_ source: Source) {
        deadlines.removeAll { $0.source == source }
        guard let index = index(of: source) else { return }
        polls.remove(at: index)
        descriptors.remove(at: index)
    }

    /// Replaces the descriptor of a source; the source keeps its place in the order.
    package func setDescriptor(_ descriptor: Int32, of source: Source) {
        guard let index = index(of: source), polls[index].fd != descriptor else { return }
        polls[index].fd = descriptor
        polls[index].revents = 0
    }

    /// Sets whether `wait` also returns when data can be written to the descriptor.
    package func setWantsWrite(_ wantsWrite: Bool, of source: Source) {
        guard let index = index(of: source) else { return }
        polls[index].events = Int16(POLLIN) | (wantsWrite ? Int16(POLLOUT) : 0)
    }

    /// Sets whether `wait` returns when data can be read from the descriptor, and when data can be
    /// written; it returns for an error and for the end of a connection in any case.
    package func setWants(read: Bool, write: Bool, of source: Source) {
        guard let index = index(of: source) else { return }
        polls[index].events = (read ? Int16(POLLIN) : 0) | (write ? Int16(POLLOUT) : 0)
    }

    private func makeSource() -> Source {
        lastNumber += 1
        return Source(number: lastNumber)
    }

    private func index(of source: Source) -> Int? {
        descriptors.firstIndex { $0.source == source }
    }

    // MARK: Events

    /// The earliest deadline of a run in a window; nil if there is none.
    package var deadline: Moment? {
        var earliest: Moment?
        for deadline in deadlines {
            guard let moment = deadline.moment() else { continue }
            earliest = min(earliest ?? moment, moment)
        }
        return earliest
    }

    /// Waits until a descriptor is ready, for at most `milliseconds`, or without limit if -1.
    ///
    /// Returns the number of ready descriptors; 0 after the time limit or a signal.
    package func wait(atMost milliseconds: Int32) -> Int {
        let count = poll(&polls, nfds_t(polls.count), milliseconds)
        // After a signal, poll(2) leaves the results of the call before.
        if count < 0 { for index in polls.indices { polls[index].revents = 0 } }
        return max(0, Int(count))
    }

    /// Whether the last `wait` found the source readable, or with an error.
    package func isReadable(_ source: Source) -> Bool {
        index(of: source).map { polls[$0].revents & ~Int16(POLLOUT) != 0 } ?? false
    }

    /// Calls the handlers of the sources that the last `wait` found ready; returns how many, without
    /// those of quiet sources.
    @discardableResult
    package func handleReady() -> Int {
        var count = 0
        for source in readySources where consumeReadiness(of: source) { count += 1 }
        return count
    }

    private var readySources: [Source] {
        zip(polls, descriptors).filter { $0.revents != 0 && $1.handler != nil }.map(\.1.source)
    }

    /// Calls the handler of a source, unless a handler before has removed or replaced it; returns
    /// whether the call counts.
    private func consumeReadiness(of source: Source) -> Bool {
        guard let index = index(of: source), polls[index].revents != 0 else { return false }
        polls[index].revents = 0
        let descriptor = descriptors[index]
        descriptor.handler?()
        return !descriptor.isQuiet
    }

    /// Calls the handlers of the deadlines that are due at `now`; returns how many, without those of
    /// quiet ones.
    ///
    /// With a clock only its deadlines are handled; in a window both clocks are the same.
    @discardableResult
    package func handleDeadlines(at now: Moment, by clock: Clock? = nil) -> Int {
        let due = deadlines.filter { deadline in
            guard clock == nil || deadline.clock == clock else { return false }
            return deadline.moment().map { $0 <= now } ?? false
        }
        var count = 0
        for deadline in due where deadlines.contains(where: { $0.source == deadline.source }) {
            deadline.handler()
            if !deadline.isQuiet { count += 1 }
        }
        return count
    }
}
