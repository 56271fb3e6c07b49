import Browser
import Desktop
import EventLoop
import Folders
import Glibc
import Input
import Interface
import Kiosk
import Localization
import Motion
import SceneModel
import SystemCalls
import WaylandClient

/// Runs the viewer in a window, or in one on each output: one poll loop on one thread.
final class WaylandRun {
    var options: Options
    /// The errors of the settings files at the last reading.
    var settingsProblems: Set<String> = []
    private(set) var connection: Connection
    /// Whether the run has a compositor; false while it waits for one.
    private(set) var isConnected = true
    /// The windows in the order in which they were made; there is always a first one.
    var windows: [WindowController] = []
    /// Makes the sessions of further windows; nil if there is one window only.
    let sessionFactory: SessionFactory?
    let clock: () -> Moment
    let sources: EventSources
    private let connectionSource: EventSources.Source
    private let timerSource: EventSources.Source
    /// Nil if the process belongs to somebody else.
    private var signals: SignalInbox?
    /// The signal that has ended the run; nil for none.
    private var signal: Int32?
    private var timer: DeadlineTimer
    /// Remembers what a person chooses in the menus; nil where that is for this run only.
    private(set) var choices: ChosenSettings?
    /// The windows that show parts of one picture; nil before the first of their outputs is there.
    var canvas: CanvasRun?
    /// Whether somebody uses the devices elsewhere, by the numbers of the seats.
    var presences: [Int: SeatPresence] = [:]
    /// Whether the compositor tells idle times by input alone.
    var ignoresIdleInhibitors = false
    /// Which outputs a kiosk has.
    var outputs = OutputWatch()
    /// Nil if the process belongs to somebody else.
    let desktop: DesktopServices?
    /// What the desktop is set to; the usual settings until it has answered.
    var desktopSettings = DesktopSettings()
    /// The open file chooser.
    var chooser: DesktopServices.Request?
    /// Whether what the first picture does not need has been opened.
    private var hasOpenedLibraries = false
    /// When the libraries are opened even if no picture has come, in milliseconds after the start: well
    /// before the first message about the wait, which would open them on the input thread.
    private static let longestWaitForPicture = 1000.0
    /// When they are opened at the latest after the preview of a picture, in milliseconds: opening them
    /// takes two processors from the decoder for as long as two frames.
    private static let longestWaitForWhole = 300.0
    private var librariesDue: Moment?
    private var hasShownPreview = false
    private(set) lazy var backgroundJobs = BackgroundJobs(sources)
    /// The styles whose fonts were looked for last.
    private var preparedStyles: [TextStyle] = []
    /// Whether fonts and the memory of frames, which other threads prepare, are awaited.
    ///
    /// Tests on a clock that stands still do without, because threads take real time.
    var waitsForThreads = true
    private var hasFonts = false
    /// Whether pointers are held back until the fonts are there.
    var holdsPointers: Bool { waitsForThreads && !hasFonts }
    /// Whether touch, keys and pointer are ignored.
    var isLocked = false
    /// The control socket and the reports to the service manager; nil before the start, and without
    /// either.
    private(set) var remote: RemoteControl?
    /// The slideshow as a media player of the desktop.
    private lazy var mediaControls = MediaControls(self)
    /// The interface for assistive technology.
    private(set) lazy var accessibility = Accessibility(self)
    /// Why the run has ended with an error; nil after a normal end.
    private var failure: RunFailure?
    /// When the socket was last read; events read later did not arrive before this moment.
    private(set) var lastRead = Moment.zero

    /// Called with every frame that is written to the trace, its window and its moment.
    var onFrame: ((WindowController, BrowserFrame, Moment) -> Void)?

    /// Waits for the compositor's globals unless `connection` is ready; `clock` is the connection's clock.
    init(
        _ session: Session, _ options: Options, connection: Connection,
        sessionFactory: SessionFactory? = nil,
        desktop: DesktopServices? = nil, clock: @escaping () -> Moment
    ) throws(RunFailure) {
        self.desktop = desktop
        self.options = options
        self.connection = connection
        self.sessionFactory = sessionFactory
        self.clock = clock
        choices = ChosenSettings(options, session)
        sources = session.sources
        do throws(SystemError) {
            timer = try DeadlineTimer()
        } catch { throw Self.failure(error) }
        connectionSource = sources.add(descriptor: connection.fileDescriptor)
        timerSource = sources.add(descriptor: timer.descriptor)
        registerSources()
        windows = [try WindowController(session, of: self, isFirst: true)]
        connection.loadCursors(in: sources)
        followPens()
        do throws(ConnectionError) {
            if !connection.isReady { try connection.waitUntilReady() }
            if options.isKiosk { followOutputs() } else { try first.open(on: nil, connection) }
        } catch { throw Self.failure(error) }
    }

    private func registerSources() {
        _ = sources.add(deadline: { [unowned self] in self.connection.deadline }) {
            [unowned self] in self.connection.handleDeadline(now: clock())
        }
        _ = sources.add(deadline: { [unowned self] in outputs.patience }) { [unowned self] in
            outputs.endPatience()
        }
        _ = sources.add(deadline: { [unowned self] in hasOpenedLibraries ? nil : librariesDue }) {
            [unowned self] in openLibraries()
        }
    }

    /// The window that messages mean: the first one that is on an output.
    var first: WindowController { windows.first { $0.window != nil } ?? windows[0] }

    var session: Session { first.session }

    /// Makes the signals that end a process end the run.
    private func receiveSignals() throws(RunFailure) {
        do throws(SystemError) {
            let inbox = try SignalInbox()
            let descriptor = inbox.descriptor
            _ = sources.add(descriptor: descriptor) { [unowned self] in
                signal = SignalInbox.receive(from: descriptor)
                end()
            }
            signals = consume inbox
        } catch { throw Self.failure(error) }
    }

    /// Connects to the compositor of the desktop's session; waits for one with `--reconnect`.
    static func connect(_ options: Options) throws(RunFailure) -> Connection {
        var pause = ReconnectPause()
        while true {
            do throws(ConnectionError) { return try Connection() } catch {
                guard options.reconnects else { throw failure(error) }
            }
            usleep(UInt32(pause.next() * 1000))
        }
    }

    private static func failure(_ error: SystemError) -> RunFailure {
        RunFailure(localized("cannot create a file descriptor: \(error)"))
    }

    static func failure(_ error: ConnectionError) -> RunFailure {
        switch error {
        case .noCompositor:
            RunFailure(
                localized(
                    "\(error); start it from a Wayland session, or see --headless in vitrine --help"
                ))
        case .missingGlobal: RunFailure("\(error)")
        case .protocolError, .gone: RunFailure("\(error)", code: .compositorGone)
        }
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
            throw Self.failure(error)
        }
        finish()
        if let failure { throw failure }
        return exitCode
    }

    /// The exit code after the end.
    ///
    /// A signal is a usual end for the viewer of a person, but not for a kiosk.
    var exitCode: ExitCode {
        if options.isKiosk, failure == nil, let code = signal.flatMap(ExitCode.init(signal:)) {
            return code
        }
        return failure?.code ?? windows.lazy.map(\.session.exitCode).first { $0 == .done }
            ?? first.session.exitCode
    }

    func start() {
        librariesDue = clock().advanced(byMilliseconds: Self.longestWaitForPicture)
        followDesktop()
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
        isConnected = false
        for window in windows { window.endTouches() }
        sources.setDescriptor(-1, of: connectionSource)
        sources.setWantsWrite(false, of: connectionSource)
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
        self.connection = connection
        followCursors()
        followPens()
        isConnected = true
        sources.setDescriptor(connection.fileDescriptor, of: connectionSource)
        if options.isKiosk { followOutputs() }
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
        if screensAreOff { connection.deliverLast() } else { connection.flush() }
        // Nobody sees a window that waits for a disk.
        for window in windows { window.session.disk.finish() }
        choices?.finish()
    }

    /// Opens what the first picture does not need, once the picture is whole or the wait has been long.
    func pictureShown(isWhole: Bool) {
        guard !hasOpenedLibraries else { return }
        if isWhole { return openLibraries() }
        guard !hasShownPreview else { return }
        hasShownPreview = true
        let due = clock().advanced(byMilliseconds: Self.longestWaitForWhole)
        librariesDue = [librariesDue, due].compactMap(\.self).min()
    }

    /// Opens what the first picture does not need.
    private func openLibraries() {
        guard !hasOpenedLibraries else { return }
        hasOpenedLibraries = true
        prepareFonts()
        desktop?.followSettings()
        desktop?.followAccessibility()
    }

    /// Looks for the fonts of the interface, again when the desktop has another size of text.
    func prepareFonts() {
        let styles = session.browser.layout.theme.textStyles
        guard hasOpenedLibraries, styles != preparedStyles else { return }
        preparedStyles = styles
        session.composer.prepareText(styles, by: backgroundJobs) { [unowned self] hasSubstituted in
            if hasSubstituted { relayout() }
            guard styles == preparedStyles else { return }
            hasFonts = true
            for window in windows { window.deliverHeldPointers(at: clock()) }
        }
    }

    /// Lays out and paints texts anew that were in plain letters.
    private func relayout() {
        for window in windows {
            window.session.applyLooks()
            window.frames.repaint()
        }
    }

    /// Opens the libraries for input, which may show texts and may be held back until they are there.
    func prepare(for input: InputEvent) {
        // The pointer may lie where the window appears.
        if case .pointer(.move) = input { return }
        if hasShownPreview { openLibraries() }
    }

    func noticeInput(in window: WindowController, of seat: Int) {
        remote?.noticeInput(in: window)
        presences[seat]?.received(at: clock())
    }

    // MARK: The loop

    /// When the next turn has work even without events, computed by the last turn.
    private(set) var nextTurn: Moment?

    /// Requests frames of all windows, because something has changed.
    func invalidate() { for window in windows { window.frames.invalidate() } }

    /// One turn of the loop: paints the frames that are due, waits if `waits`, and handles events.
    func turn(waits: Bool) throws(ConnectionError) {
        try arrangeWindows()
        var nextFrame: Moment?
        for window in windows {
            window.chooseSize()
            nextFrame = [nextFrame, window.paintIfDue()].compactMap(\.self).min()
        }
        nextFrame = [nextFrame, canvas?.paintIfDue()].compactMap(\.self).min()
        // After the end no event may arrive, so the wait below might never return.
        guard !isOver else { return }
        // Prepare memory for later frames only if no frame is to be painted now.
        if nextFrame == nil { for window in windows { window.prepareMemory() } }
        for window in windows { window.updateWindow() }
        if hasOpenedLibraries {
            mediaControls.update()
            accessibility.update()
        }
        nextTurn = [sources.deadline, nextFrame].compactMap(\.self).min()
        if waits { timer.set(nextTurn) }
        sources.setWantsWrite(try connection.prepareAndFlush(), of: connectionSource)
        let count = sources.wait(atMost: waits ? -1 : 0)
        // Handle pending events before deadlines: in a late turn, a finger that was lifted in time must
        // not count as a long press.
        try connection.readAndDispatch(isReadable: sources.isReadable(connectionSource))
        lastRead = clock()
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
