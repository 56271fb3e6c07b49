import Browser
import Desktop
import EventLoop
import Localization
import Motion
import SystemCalls
import WaylandClient

/// Runs the viewer in a window, or in one on each output: one poll loop on one thread.
final class WaylandRun {
    var options: Options
    /// The errors of the settings files at the last reading.
    var settingsProblems: Set<String> = []
    let compositor: CompositorLink
    /// The windows in the order in which they were made; there is always a first one.
    var windows: [WindowController] = []
    /// Nil unless this is a kiosk.
    private(set) var kioskWindows: KioskWindows?
    let clock: () -> Moment
    let sources: EventSources
    private let timerSource: EventSources.Source
    private var timer: DeadlineTimer
    /// Nil if the process belongs to somebody else.
    private var signals: SignalInbox?
    /// Remembers what a person chooses in the menus; nil where that is for this run only.
    private(set) var choices: ChosenSettings?
    let desktop: DesktopIntegration
    private(set) lazy var libraries = DeferredLibraries(self)
    private(set) lazy var backgroundJobs = BackgroundJobs(sources)
    /// Whether fonts and the memory of frames, which other threads prepare, are awaited.
    ///
    /// Tests on a clock that stands still do without, because threads take real time.
    var waitsForThreads = true
    /// Whether touch, keys and pointer are ignored.
    var isLocked = false
    /// The control socket and the reports to the service manager; nil before the start, and without
    /// either.
    private(set) var remote: RemoteControl?
    /// Why the run has ended with an error; nil after a normal end.
    private var failure: RunFailure?
    /// When the next turn has work even without events, computed by the last turn.
    private(set) var nextTurn: Moment?
    /// Called with every frame that is written to the trace, its window and its moment.
    var onFrame: ((WindowController, BrowserFrame, Moment) -> Void)?

    /// Waits for the compositor's globals unless `connection` is ready; `clock` is the connection's clock.
    init(
        _ session: Session, _ options: Options, connection: Connection,
        sessionFactory: SessionFactory, desktop: DesktopServices? = nil,
        clock: @escaping () -> Moment
    ) throws(RunFailure) {
        self.desktop = DesktopIntegration(desktop)
        self.options = options
        self.clock = clock
        choices = ChosenSettings(options, session)
        sources = session.sources
        do throws(SystemError) {
            timer = try DeadlineTimer()
        } catch { throw Self.failure(error) }
        compositor = CompositorLink(connection, sources, clock)
        timerSource = sources.add(descriptor: timer.descriptor)
        _ = sources.add(deadline: { [unowned self] in libraries.due }) { [unowned self] in
            libraries.open()
        }
        windows = [try WindowController(session, of: self, isFirst: true)]
        connection.loadCursors(in: sources)
        followPens()
        do throws(ConnectionError) {
            if !connection.isReady { try connection.waitUntilReady() }
            if options.isKiosk {
                kioskWindows = KioskWindows(self, sessionFactory)
            } else {
                try first.open(on: nil, connection)
            }
        } catch { throw RunFailure(error) }
    }

    /// The window that messages mean: the first one that is on an output.
    var first: WindowController { windows.first { $0.window != nil } ?? windows[0] }

    var session: Session { first.session }

    /// Makes the signals that end a process end the run.
    private func receiveSignals() throws(RunFailure) {
        do throws(SystemError) {
            let inbox = try SignalInbox()
            _ = sources.add(descriptor: inbox.descriptor) { [unowned self] in
                signals?.receive()
                end()
            }
            signals = inbox
        } catch { throw Self.failure(error) }
    }

    private static func failure(_ error: SystemError) -> RunFailure {
        RunFailure(localized("cannot create a file descriptor: \(error)"))
    }

    /// Shows pictures until the user quits; returns the exit code.
    func run() throws(RunFailure) -> ExitCode {
        try receiveSignals()
        session.composer.limitWaitsForFonts()
        remote = try RemoteControl(self)
        start()
        do throws(ConnectionError) {
            while !isOver {
                do throws(ConnectionError) { try turn(waits: true) } catch {
                    guard options.reconnects else { throw error }
                    reconnect(after: error)
                }
            }
        } catch {
            finishChanges()
            finish()
            throw RunFailure(error)
        }
        finish()
        if let failure { throw failure }
        return exitCode
    }

    /// The exit code after the end.
    ///
    /// A signal is a usual end for the viewer of a person, but not for a kiosk.
    var exitCode: ExitCode {
        if options.isKiosk, failure == nil,
            let code = signals?.received.flatMap(ExitCode.init(signal:))
        {
            return code
        }
        return failure?.code ?? windows.lazy.map(\.session.exitCode).first { $0 == .done }
            ?? first.session.exitCode
    }

    func start() {
        libraries.start(at: clock())
        desktop.follow(self)
        followSettingsFiles()
        for window in windows { window.start() }
    }

    /// Waits for a compositor, and goes on in new windows with the same pictures in the same places.
    ///
    /// Messages, decoders and folders are served meanwhile.
    private func reconnect(after error: ConnectionError) {
        Diagnostics.warning(localized("\(error); waiting for a compositor"))
        disconnect()
        var pause = ReconnectPause()
        var next = clock()
        while !isOver {
            turnWithoutCompositor(until: next)
            guard next <= clock() else { continue }
            do throws(ConnectionError) { return try openConnection() } catch {
                next = clock().advanced(byMilliseconds: pause.next())
            }
        }
    }

    private func disconnect() {
        compositor.disconnect()
        for window in windows { window.endTouches() }
    }

    /// Waits for an event or a deadline, at most until `latest`, and handles what is due.
    private func turnWithoutCompositor(until latest: Moment?) {
        timer.set([sources.deadline, latest].compactMap(\.self).min())
        _ = sources.wait(atMost: -1)
        sources.handleReady()
        if sources.isReadable(timerSource) {
            timer.acknowledge()
            sources.handleDeadlines(at: clock())
        }
    }

    /// Makes the changes of files that were asked for, after the compositor has gone.
    func finishChanges() {
        disconnect()
        end()
        while !isOver { turnWithoutCompositor(until: nil) }
    }

    /// Opens windows like those before on a new connection.
    private func openConnection() throws(ConnectionError) {
        let connection = try Connection()
        connection.loadCursors(in: sources)
        try connection.waitUntilReady(timeout: 2000)
        if !options.isKiosk { try first.open(on: nil, connection) }
        compositor.connect(connection)
        desktop.showCursors(on: connection)
        followPens()
        kioskWindows?.followOutputs()
        Diagnostics.warning(localized("the compositor is back"))
    }

    /// Ends the run once the changes of files that were asked for are made.
    func end() {
        for window in windows { window.session.hasEnded = true }
    }

    /// Ends the run with an error, once the changes of files that were asked for are made.
    func fail(_ failure: RunFailure) {
        self.failure = failure
        end()
    }

    /// Whether the user has quit or the run has failed, and nothing is left to be done.
    var isOver: Bool {
        let ended = windows.filter(\.session.hasEnded)
        return !ended.isEmpty && ended.allSatisfy { $0.session.isOver(at: clock()) }
    }

    /// Whether pixels are still being loaded; false while decoding waits for the size of the surface.
    var isLoading: Bool { windows.contains(where: \.isLoading) }

    func finish() {
        remote?.finish()
        let screensAreOff = windows.contains { $0.session.screenIsOn == false }
        for window in windows { window.finish() }
        compositor.finish(mustArrive: screensAreOff)
        // Nobody sees a window that waits for a disk.
        for window in windows { window.session.disk.finish() }
        choices?.finish()
    }

    func noticeInput(in window: WindowController, of seat: Int) {
        remote?.noticeInput(in: window)
        kioskWindows?.noticeInput(of: seat)
    }

    // MARK: The loop

    /// Requests frames of all windows, because something has changed.
    func invalidate() { for window in windows { window.frames.invalidate() } }

    /// One turn of the loop: paints the frames that are due, waits if `waits`, and handles events.
    func turn(waits: Bool) throws(ConnectionError) {
        try kioskWindows?.arrange()
        var nextFrame: Moment?
        for window in windows {
            window.chooseSize()
            nextFrame = [nextFrame, window.paintIfDue()].compactMap(\.self).min()
        }
        nextFrame = [nextFrame, kioskWindows?.canvas?.paintIfDue()].compactMap(\.self).min()
        // After the end no event may arrive, so the wait below might never return.
        guard !isOver else { return }
        // Prepare memory for later frames only if no frame is to be painted now.
        if nextFrame == nil { for window in windows { window.prepareMemory() } }
        for window in windows { window.updateWindow() }
        if libraries.areOpen { desktop.update() }
        nextTurn = [sources.deadline, nextFrame].compactMap(\.self).min()
        if waits { timer.set(nextTurn) }
        try compositor.prepareAndFlush()
        let count = sources.wait(atMost: waits ? -1 : 0)
        // Handle pending events before deadlines: in a late turn, a finger that was lifted in time must
        // not count as a long press.
        try compositor.readAndDispatch()
        guard count > 0 || !waits else { return }
        if sources.handleReady() > 0 { invalidate() }
        // Deadlines that passed since the wait are handled after the events of the next turn.
        if sources.isReadable(timerSource) || !waits { timerFired() }
    }

    private func timerFired() {
        timer.acknowledge()
        // The timer may have fired only for the next frame.
        if sources.handleDeadlines(at: clock()) > 0 { invalidate() }
    }
}
