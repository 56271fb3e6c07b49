package import EventLoop
import Geometry
import Glibc
package import Input
package import Motion
import SystemCalls
package import WaylandProtocol

/// The connection to the compositor, with its globals, seats and screens.
///
/// A connection belongs to one thread, which owns the event loop. One iteration of the loop is
/// `prepareAndFlush`, poll(2) and `readAndDispatch`. `readAndDispatch` calls the handlers of the
/// windows.
package final class Connection {
    let display: Display
    /// The current screens, in the order in which they were announced.
    package private(set) var outputs: [Output] = []
    /// Called when screens were added, described, changed or removed, while the connection dispatches.
    package var onOutputs: (() -> Void)?
    private(set) var seats: [Seat] = []
    /// What the tip of a pen is, from its next contact on.
    package var penContact = PenContact.touch
    let contacts = ContactNumbers()
    let cursors: CursorTheme

    private let clock: () -> Moment
    /// How long the first key of a text field waits for the sequences of composed keys, in milliseconds.
    ///
    /// Reading them takes some milliseconds, but lasts where the home folder does not answer.
    package var composePatience = 50
    private var eventClock = EventClock()
    private var windows: [WeakWindow] = []
    private var globalsRequest: WlCallback?
    private var nextSeat = 0
    private var activations: [ActivationRequest] = []
    private var offered: Globals?
    private var idleWatch: IdleWatch?
    /// The clipboard, and drag and drop; nil before `startDataExchange`.
    package private(set) var data: DataExchange?

    private struct IdleWatch {
        var timeout: Double
        var handler: (Int, Bool) -> Void
    }

    /// Connects to the session's compositor: by WAYLAND_SOCKET, else by WAYLAND_DISPLAY.
    package convenience init() throws(ConnectionError) {
        do {
            self.init(display: try Display(), clock: MonotonicClock.now)
        } catch { throw ConnectionError(error) }
    }

    /// Uses a connected socket and takes ownership of it; `clock` returns the current time.
    package convenience init(
        socket: Int32, clock: @escaping () -> Moment = MonotonicClock.now
    ) throws(ConnectionError) {
        do {
            self.init(display: try Display(socket: socket), clock: clock)
        } catch { throw ConnectionError(error) }
    }

    /// Requests the globals; they are known once `isReady` is true.
    package init(display: Display, clock: @escaping () -> Moment) {
        self.display = display
        self.clock = clock
        cursors = CursorTheme()
        offered = Globals(display: display) { [weak self] in self?.globalsChanged($0) }
        let request = display.sync()
        request.onEvent = { [weak self] _ in self?.globalsRequest = nil }
        globalsRequest = request
    }

    /// Whether the compositor brings windows back to the places of a former run.
    package var keepsWindows: Bool { globals.windowSessions != nil }

    /// Whether the compositor has announced its globals.
    package var isReady: Bool { globalsRequest == nil }

    /// The descriptor to poll for input; the connection keeps its ownership.
    package var fileDescriptor: Int32 { display.fileDescriptor }

    /// The screen with the most device pixels, as a first guess at the window's screen; nil without
    /// screens.
    package var largestOutput: Output? {
        outputs.max { first, second in
            let (a, b) = (first.pixelSize, second.pixelSize)
            return a.width * a.height < b.width * b.height
        }
    }

    /// The current time, on the clock of the events.
    var now: Moment { clock() }
}

// MARK: Event loop

extension Connection {
    /// Dispatches the queued events, prepares a read and sends the requests; returns whether to
    /// poll for POLLOUT too.
    ///
    /// The caller must call `readAndDispatch` next.
    package func prepareAndFlush() throws(ConnectionError) -> Bool {
        do throws(DisplayError) {
            try display.prepareToRead()
            endBatch()
            do throws(DisplayError) {
                return try display.flush()
            } catch {
                display.cancelRead()
                throw error
            }
        } catch { throw ended(by: error) }
    }

    /// Reads the events that have arrived, and dispatches them.
    ///
    /// `isReadable` says whether poll(2) reported input or a hangup.
    package func readAndDispatch(isReadable: Bool) throws(ConnectionError) {
        do throws(DisplayError) {
            let count = try display.dispatch(reads: isReadable)
            if isReadable, count == 0 { try display.checkEnd() }
            endBatch()
        } catch { throw ended(by: error) }
    }

    /// Sends the requests so far, without waiting for the compositor.
    package func flush() {
        guard (try? prepareAndFlush()) != nil else { return }
        try? readAndDispatch(isReadable: false)
    }

    /// Waits until the compositor has announced its globals, and checks the required ones.
    ///
    /// Throws `noCompositor` if the compositor does not answer within `timeout` milliseconds.
    package func waitUntilReady(timeout: Double = 10_000) throws(ConnectionError) {
        guard try wait(atMost: timeout, until: { isReady }) else {
            throw .noCompositor(SystemError(code: ETIMEDOUT))
        }
        try globals.checkRequired()
    }

    /// Waits until the compositor has received the last requests, at most `timeout` milliseconds.
    ///
    /// A compositor does not read requests of a connection that is closed.
    package func deliverLast(timeout: Double = 500) {
        var isDelivered = false
        let request = display.sync()
        request.onEvent = { _ in isDelivered = true }
        _ = try? wait(atMost: timeout, until: { isDelivered })
    }

    /// Handles events until `condition` holds; returns false after `timeout` milliseconds.
    private func wait(
        atMost timeout: Double, until condition: () -> Bool
    ) throws(ConnectionError) -> Bool {
        let end = now.advanced(byMilliseconds: timeout)
        while !condition() {
            let remaining = end.seconds(since: now) * 1000
            guard remaining > 0 else { return false }
            let wantsWrite = try prepareAndFlush()
            let events = Int16(POLLIN) | (wantsWrite ? Int16(POLLOUT) : 0)
            var poll = pollfd(fd: fileDescriptor, events: events, revents: 0)
            // An interrupted poll(2) returns -1, which counts as not readable.
            let count = Glibc.poll(&poll, 1, Int32(clamping: min(remaining.rounded(.up), 60_000)))
            try readAndDispatch(
                isReadable: count > 0 && poll.revents & ~Int16(POLLOUT) != 0)
            // The time is over, also where the clock stands still.
            if count == 0 { return condition() }
        }
        return true
    }

    /// When to call `handleDeadline` next; nil unless a key is held or a token is awaited.
    package var deadline: Moment? {
        let awaited = activations.lazy.filter { !$0.isFinished }.map(\.deadline)
        return (seats.compactMap(\.deadline) + awaited).min()
    }

    /// Sends the key repetitions that are due, and gives up on tokens that are late.
    package func handleDeadline(now: Moment) {
        for seat in seats { seat.handleDeadline(now: now) }
        let late = activations.filter { $0.deadline <= now }
        activations.removeAll { $0.isFinished || $0.deadline <= now }
        for request in late { request.finish(nil) }
    }

    /// Awaits the token of a request.
    func add(_ request: ActivationRequest) {
        activations.removeAll(where: \.isFinished)
        activations.append(request)
    }

    /// Completes the touch frames that the compositor left open in the batch.
    private func endBatch() {
        for seat in seats { seat.endBatch() }
    }

    /// Cancels all contacts, since no event will end them.
    private func ended(by error: DisplayError) -> ConnectionError {
        for seat in seats { seat.cancelContacts() }
        return ConnectionError(error)
    }
}

// MARK: Globals and windows

extension Connection {
    /// The globals of the compositor.
    var globals: Globals {
        guard let offered else { preconditionFailure("set by the initialiser and never cleared") }
        return offered
    }

    func moment(of time: EventTime) -> Moment { eventClock.moment(of: time, now: now) }

    func add(_ window: Window) {
        windows.removeAll { $0.window == nil }
        windows.append(WeakWindow(window: window))
    }

    /// Takes part in the exchange of data with other programs, whose transfers go on in `sources`.
    package func startDataExchange(_ sources: EventSources) -> DataExchange {
        if let data { return data }
        let new = DataExchange(self, sources)
        data = new
        return new
    }

    /// Loads cursor themes on threads, whose results arrive in `sources`.
    package func loadCursors(in sources: EventSources) {
        cursors.load(in: sources) { [unowned self] in
            for cursor in seats.flatMap(\.cursors) { cursor.update() }
        }
    }

    /// Follows the desktop's size of cursors, in logical pixels, and theme, where the environment of the
    /// session has none.
    package func followCursors(size: Int?, theme: String?) {
        guard cursors.follow(size: size, theme: theme) else { return }
        for cursor in seats.flatMap(\.cursors) { cursor.reload() }
    }

    /// The window of the surface; nil for other surfaces and for windows that no longer exist.
    func window(of surface: WlSurface?) -> Window? {
        guard let surface else { return nil }
        return windows.lazy.compactMap(\.window).first { $0.surface === surface }
    }

    /// The part of a window's border that the surface shows; nil for other surfaces.
    func borderPart(of surface: WlSurface?) -> BorderPart? {
        guard let surface else { return nil }
        return windows.lazy.compactMap(\.window).compactMap { window in
            window.border?.side(of: surface).map { BorderPart(window: window, side: $0) }
        }.first
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
            if let last = seats.last {
                watchIdleness(of: last)
                data?.add(last)
            }
        case .outputAdded(let name, let raw):
            outputs.append(
                Output(
                    global: name, raw: raw,
                    turned: { [weak self] output in
                        for entry in self?.windows ?? [] { entry.window?.outputTurned(output) }
                    }, changed: { [weak self] in self?.outputsChanged() }))
        case .removed(let name):
            for seat in seats where seat.name == name {
                data?.remove(seat)
                seat.loseCapabilities()
            }
            seats.removeAll { $0.name == name }
            guard let removed = outputs.first(where: { $0.global == name }) else { return }
            outputs.removeAll { $0 === removed }
            outputsChanged()
        }
    }

    /// Tells `handler` for each seat when it has not been used for `timeout` milliseconds, with true, and
    /// when it is used again, with false.
    ///
    /// Returns whether that goes by input alone, and not also by inhibitors; nil if the compositor does
    /// not tell.
    package func watchIdleness(
        timeout: Double, handler: @escaping (_ seat: Int, _ isIdle: Bool) -> Void
    ) -> Bool? {
        guard let notifier = globals.idleNotifier else { return nil }
        idleWatch = IdleWatch(timeout: timeout, handler: handler)
        for seat in seats { watchIdleness(of: seat) }
        return notifier.version >= 2
    }

    private func watchIdleness(of seat: Seat) {
        guard let idleWatch, let notifier = globals.idleNotifier else { return }
        let number = seat.number
        seat.watchIdleness(notifier, timeout: idleWatch.timeout) { idleWatch.handler(number, $0) }
    }

    /// Tells screens without names apart that are of the same kind; each keeps its number.
    private func numberOutputs() {
        for output in outputs where output.isKnown && output.name == nil && output.ordinal == nil {
            let used = outputs.filter { $0 !== output && $0.kind == output.kind }.map(\.ordinal)
            output.ordinal = (1...outputs.count).first { !used.contains($0) }
        }
    }

    private func outputsChanged() {
        numberOutputs()
        for entry in windows { entry.window?.outputsChanged() }
        onOutputs?()
    }
}

/// A window that the connection does not keep alive.
private struct WeakWindow {
    weak var window: Window?
}
