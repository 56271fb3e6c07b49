import Geometry
import Glibc
package import Motion
package import WaylandProtocol

/// The connection to the compositor: what it offers, its seats and its screens.
///
/// It belongs to one thread, which owns the loop. A turn is `prepareAndFlush`, poll, and
/// `readAndDispatch`; events reach the windows' handlers from within the latter.
package final class Connection {
    let display: Display
    /// The screens by now, in the order in which they came.
    package private(set) var outputs: [Output] = []
    private(set) var seats: [Seat] = []
    let contacts = ContactNumbers()
    let cursors: CursorTheme

    private let clock: () -> Moment
    private var eventClock = EventClock()
    private var windows: [WeakWindow] = []
    private var globalsRequest: WlCallback?
    private var nextSeat = 0
    private var offered: Globals?

    /// Connects to the session's compositor: by WAYLAND_SOCKET, else by WAYLAND_DISPLAY.
    package convenience init() throws(ConnectionError) {
        do {
            self.init(display: try Display(), clock: MonotonicClock.now)
        } catch { throw ConnectionError(error) }
    }

    /// Speaks over a connected socket, which is taken over; `clock` tells the time.
    package convenience init(
        socket: Int32, clock: @escaping () -> Moment = MonotonicClock.now
    ) throws(ConnectionError) {
        do {
            self.init(display: try Display(socket: socket), clock: clock)
        } catch { throw ConnectionError(error) }
    }

    /// Asks for the globals; they are known once `isReady`.
    package init(display: Display, clock: @escaping () -> Moment) {
        self.display = display
        self.clock = clock
        cursors = CursorTheme()
        offered = Globals(display: display) { [weak self] in self?.globalsChanged($0) }
        let request = display.sync()
        request.onEvent = { [weak self] _ in self?.globalsRequest = nil }
        globalsRequest = request
    }

    /// Whether the compositor has said what it offers.
    package var isReady: Bool { globalsRequest == nil }

    /// What to poll for input; stays the connection's.
    package var fileDescriptor: Int32 { display.fileDescriptor }

    /// The largest screen in device pixels, as a first guess at the window's; nil without screens.
    package var largestOutput: Output? {
        outputs.max { first, second in
            let (a, b) = (first.pixelSize, second.pixelSize)
            return a.width * a.height < b.width * b.height
        }
    }

    /// The time of the clock that events are on.
    var now: Moment { clock() }
}

// MARK: The loop

extension Connection {
    /// Handles what is queued, announces a read, and sends; whether POLLOUT is to be awaited too.
    ///
    /// A call of `readAndDispatch` is to follow.
    package func prepareAndFlush() throws(ConnectionError) -> Bool {
        try guarded { () throws(DisplayError) in
            try display.prepareToRead()
            endBatch()
            do throws(DisplayError) {
                return try display.flush()
            } catch {
                display.cancelRead()
                throw error
            }
        }
    }

    /// Reads, when poll said that there is something (or that the peer hung up), and hands out what
    /// has come.
    package func readAndDispatch(isReadable: Bool) throws(ConnectionError) {
        try guarded { () throws(DisplayError) in
            if isReadable { try display.readEvents() } else { display.cancelRead() }
            try display.dispatchPending()
            endBatch()
        }
    }

    /// Waits for the compositor to say what it offers, and checks that it is enough.
    ///
    /// A compositor that does not answer within `timeout` milliseconds is none.
    package func waitUntilReady(timeout: Double = 10_000) throws(ConnectionError) {
        let end = now.advanced(byMilliseconds: timeout)
        while !isReady {
            let left = end.seconds(since: now) * 1000
            guard left > 0 else { throw .noCompositor(errno: ETIMEDOUT) }
            let wantsWrite = try prepareAndFlush()
            let events = Int16(POLLIN) | (wantsWrite ? Int16(POLLOUT) : 0)
            var poll = pollfd(fd: fileDescriptor, events: events, revents: 0)
            // Interrupted or not, what is readable shows in the answer.
            let count = Glibc.poll(&poll, 1, Int32(min(left.rounded(.up), 60_000)))
            try readAndDispatch(
                isReadable: count > 0 && poll.revents & ~Int16(POLLOUT) != 0)
        }
        try globals.checkRequired()
    }

    /// When `handleDeadline` wants to be called next: while a key is held.
    package var deadline: Moment? { seats.compactMap(\.deadline).min() }

    /// Repeats the held keys that are due.
    package func handleDeadline(now: Moment) {
        for seat in seats { seat.handleDeadline(now: now) }
    }

    /// Completes what the compositor left open in the batch.
    private func endBatch() {
        for seat in seats { seat.endBatch() }
    }

    private func guarded<Result>(
        _ body: () throws(DisplayError) -> Result
    ) throws(ConnectionError) -> Result {
        do throws(DisplayError) {
            return try body()
        } catch {
            for seat in seats { seat.cancelContacts() }
            throw ConnectionError(error)
        }
    }
}

// MARK: What comes and goes

extension Connection {
    /// What the compositor offers.
    var globals: Globals {
        guard let offered else { preconditionFailure("set by the initialiser and never cleared") }
        return offered
    }

    func moment(of time: EventTime) -> Moment { eventClock.moment(of: time, now: now) }

    func add(_ window: Window) {
        windows.removeAll { $0.window == nil }
        windows.append(WeakWindow(window: window))
    }

    /// The window that shows the surface; nil for other surfaces and windows that are gone.
    func window(of surface: WlSurface?) -> Window? {
        guard let surface else { return nil }
        return windows.lazy.compactMap(\.window).first { $0.surface === surface }
    }

    func output(_ raw: WlOutput?) -> Output? {
        guard let raw else { return nil }
        return outputs.first { $0.raw === raw }
    }

    private func globalsChanged(_ change: Globals.Change) {
        switch change {
        case .seatAdded(let name, let raw):
            seats.append(Seat(name: name, number: nextSeat, raw: raw, connection: self))
            nextSeat += 1
        case .outputAdded(let name, let raw):
            outputs.append(Output(name: name, raw: raw) { [weak self] in self?.outputsChanged() })
        case .removed(let name):
            for seat in seats where seat.name == name { seat.loseCapabilities() }
            seats.removeAll { $0.name == name }
            guard let gone = outputs.first(where: { $0.name == name }) else { return }
            outputs.removeAll { $0 === gone }
            outputsChanged()
        }
    }

    private func outputsChanged() {
        for entry in windows { entry.window?.outputsChanged() }
    }
}

/// A window that the connection does not keep alive.
private struct WeakWindow {
    weak var window: Window?
}
