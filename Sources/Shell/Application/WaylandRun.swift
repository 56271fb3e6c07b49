import Browser
import Desktop
import EventLoop
import Folders
import Geometry
import Glibc
import Input
import Interface
import Motion
import Pacing
import Painting
import SceneModel
import SystemCalls
import Threads
import Viewer
import WaylandClient

/// Runs the viewer in a window: one poll loop on one thread.
final class WaylandRun {
    let session: Session
    var options: Options
    /// What was wrong with the settings files when they were read last.
    var settingsProblems: Set<String> = []
    private var connection: Connection
    private(set) var window: Window
    let clock: () -> Moment
    let sources: EventSources
    private let connectionSource: EventSources.Source
    private let timerSource: EventSources.Source
    /// Nil if the process belongs to somebody else.
    private var signals: SignalInbox?
    private var timer: DeadlineTimer
    var frames: FramePacing
    private var interfaceLog: InterfaceLog?
    private var recorder: Recorder?
    private var recall: WindowRecall
    var idlePointer = IdlePointer()
    /// Remembers what a person chooses in the menus; nil where that is for this run only.
    private(set) var choices: ChosenSettings?
    /// Nil if the process belongs to somebody else.
    let desktop: DesktopServices?
    /// What the desktop is set to; the usual settings until it has answered.
    var desktopSettings = DesktopSettings()
    /// The open file chooser.
    var chooser: DesktopServices.Request?
    /// Whether the memory of the second frame is not prefaulted yet.
    ///
    /// Only motion needs the second frame. Prefaulting takes a processor from the decoder, so it waits
    /// until nothing is being decoded or input arrives.
    private var lacksSpareFrame = false
    /// Whether the first picture was shown; whatever the picture does not need is opened then.
    private var hasOpenedLibraries = false
    private var hasEnded = false
    /// Whether touch, keys and pointer are ignored.
    var isLocked = false
    /// The control socket and the reports to the service manager; nil before the start, and without
    /// either.
    private var remote: RemoteControl?
    /// The slideshow as a media player of the desktop.
    private lazy var mediaControls = MediaControls(self)
    /// The number of the seat of the last input.
    private var lastSeat = 0
    /// Why the run has ended with an error; nil after a normal end.
    private var failure: RunFailure?
    /// The window's current title.
    private var title: String
    /// The latest moment that was reported to the session.
    private var latest = Moment.zero
    /// When the socket was last read; events read later did not arrive before this moment.
    private var lastRead = Moment.zero

    /// Called with every frame that is written to the trace, and its moment.
    var onFrame: ((BrowserFrame, Moment) -> Void)? {
        get { frames.onFrame }
        set { frames.onFrame = newValue }
    }

    /// Waits for the compositor's globals unless `connection` is ready; `clock` is the connection's clock.
    init(
        _ session: Session, _ options: Options, connection: Connection,
        desktop: DesktopServices? = nil, clock: @escaping () -> Moment
    ) throws(RunFailure) {
        self.desktop = desktop
        self.session = session
        self.options = options
        self.connection = connection
        self.clock = clock
        title = session.title
        recall = WindowRecall(options)
        choices = ChosenSettings(options, session)
        sources = session.sources
        do throws(SystemError) {
            timer = try DeadlineTimer()
        } catch { throw Self.failure(error) }
        connectionSource = sources.add(descriptor: connection.fileDescriptor)
        timerSource = sources.add(descriptor: timer.descriptor)
        let trace = try FrameTrace(options.trace)
        interfaceLog = try InterfaceLog(options.interfaceLog)
        do throws(ConnectionError) {
            if !connection.isReady { try connection.waitUntilReady() }
            window = try Window(
                connection: connection,
                options: WindowOptions(
                    title: session.title, appID: "vitrine",
                    size: recall.initial.size, minimumSize: Size(width: 120, height: 80),
                    isFullscreen: options.isFullscreen, isMaximized: recall.initial.isMaximized,
                    iconName: "vitrine", activationToken: options.activationToken))
        } catch { throw Self.failure(error) }
        frames = FramePacing(
            trace, options.frames, upscaler: window.canEnlarge ? .compositor : .painter,
            hasDisplay: options.showsTimes, clock: clock)
        registerSources()
    }

    private func registerSources() {
        _ = sources.add(deadline: { [unowned self] in connection.deadline }) { [unowned self] in
            connection.handleDeadline(now: passingTime())
        }
        _ = sources.add(deadline: { [unowned self] in sessionDeadline }) { [unowned self] in
            session.advance(to: passingTime())
        }
        _ = sources.add(quietDeadline: { [unowned self] in pointerDeadline }) {}
        _ = sources.add(deadline: { [unowned self] in frames.deadline }) { [unowned self] in
            frames.invalidate()
        }
    }

    /// Makes the signals that end a process end the run.
    private func receiveSignals() throws(RunFailure) {
        do throws(SystemError) {
            let inbox = try SignalInbox()
            _ = sources.add(descriptor: inbox.descriptor) { [unowned self] in hasEnded = true }
            signals = consume inbox
        } catch { throw Self.failure(error) }
    }

    /// The next deadline of the interaction and of an animation.
    private var sessionDeadline: Moment? {
        // A hidden window gets no frame callbacks: do not advance its animation.
        let animation = window.isFrameCallbackPending ? nil : session.animationDeadline
        return [session.deadline, animation].compactMap(\.self).min()
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
        RunFailure("cannot create a file descriptor: \(error)")
    }

    static func failure(_ error: ConnectionError) -> RunFailure {
        switch error {
        case .noCompositor:
            RunFailure(
                "\(error); start it from a Wayland session, or see --headless in vitrine --help")
        case .missingGlobal: RunFailure("\(error)")
        case .protocolError, .gone: RunFailure("\(error)", code: .compositorGone)
        }
    }

    /// Shows pictures until the user quits; returns the exit code.
    func run() throws(RunFailure) -> ExitCode {
        try receiveSignals()
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
            finish()
            throw Self.failure(error)
        }
        finish()
        if let failure { throw failure }
        return session.exitCode
    }

    /// The exit code after the end.
    var exitCode: ExitCode { failure?.code ?? session.exitCode }

    func start() {
        followWindow()
        session.onToggleFullscreen = { [unowned self] in
            window.setFullscreen(!window.isFullscreen)
        }
        session.onWindowRequest = { [unowned self] in perform($0) }
        followDesktop()
        followSettingsFiles()
        session.start { [unowned self] in passingTime() }
    }

    private func followWindow() { window.handler = { [unowned self] in receive($0) } }

    /// Waits for a compositor, and goes on in a new window with the same picture in the same place.
    ///
    /// Messages, decoders and folders are served meanwhile.
    private func reconnect(after error: ConnectionError) {
        Diagnostics.warning("\(error); waiting for a compositor")
        for event in ScriptPlayer.ending { session.handle(event, of: lastSeat, at: passingTime()) }
        sources.setDescriptor(-1, of: connectionSource)
        sources.setWantsWrite(false, of: connectionSource)
        var pause = ReconnectPause()
        var next = clock()
        while !isOver {
            timer.set([sources.deadline, next].compactMap(\.self).min())
            _ = sources.wait(atMost: -1)
            sources.handleReady()
            if sources.isReadable(timerSource) {
                timer.acknowledge()
                sources.handleDeadlines(at: clock())
            }
            guard next <= clock() else { continue }
            do throws(ConnectionError) { return try openWindow() } catch {
                next = clock().advanced(byMilliseconds: pause.next())
            }
        }
    }

    /// Opens a window like the one before on a new connection.
    private func openWindow() throws(ConnectionError) {
        let connection = try Connection()
        try connection.waitUntilReady(timeout: 2000)
        let window = try Window(
            connection: connection,
            options: WindowOptions(
                title: title, appID: "vitrine", size: self.window.ownSize,
                minimumSize: Size(width: 120, height: 80),
                isFullscreen: options.isKiosk || self.window.isFullscreen,
                isMaximized: self.window.wasMaximized, iconName: "vitrine"))
        self.window = window
        self.connection = connection
        sources.setDescriptor(connection.fileDescriptor, of: connectionSource)
        frames.windowIsNew(upscaler: window.canEnlarge ? .compositor : .painter)
        followWindow()
        Diagnostics.warning("the compositor is back")
    }

    private func perform(_ request: WindowRequest) {
        switch request {
        case .move: window.beginMove(seat: lastSeat)
        case .menu(let point): window.showWindowMenu(seat: lastSeat, at: point)
        case .minimize: window.minimize()
        case .toggleMaximized: window.setMaximized(!(window.state?.isMaximized ?? false))
        }
    }

    /// Ends the run with the current turn of the loop.
    func end() { hasEnded = true }

    /// Whether the user has quit or the run has failed.
    var isOver: Bool { hasEnded || session.hasEnded }

    /// Whether pixels are still being loaded; false while decoding waits for the size of the surface.
    var isLoading: Bool { window.state != nil && session.isLoading }

    func finish() {
        remote?.finish()
        if session.screenIsOn == false {
            window.setScreensOn(true)
            // The session has ended: events have no receiver any more.
            window.handler = { _ in }
            connection.deliverLast()
        }
        session.slides.finish()
        choices?.finish()
        recall.remember(window)
        recorder?.finish(at: clock())
        frames.finish()
    }

    // MARK: The loop

    /// When the next turn has work even without events, computed by the last turn.
    private(set) var nextTurn: Moment?

    /// One turn of the loop: paints the frame that is due, waits if `waits`, and handles events.
    func turn(waits: Bool) throws(ConnectionError) {
        recall.chooseSize(of: window, for: session.firstPictureSize)
        let nextFrame = paintIfDue()
        // After the end no event may arrive, so the wait below might never return.
        guard !isOver else { return }
        // Prepare memory for later frames only if no frame is to be painted now.
        if nextFrame == nil, !session.isDecoding {
            session.prefaultPictures()
            if lacksSpareFrame { prefaultSpareFrame() }
        }
        followPointer()
        choices?.store(&options)
        window.setTextInput(session.textInput(at: latest))
        window.setIdleInhibited(session.keepsScreenOn)
        if hasOpenedLibraries { mediaControls.update() }
        if let isOn = session.screenIsOn {
            window.inhibitShortcuts()
            window.setScreensOn(isOn)
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
        if sources.handleReady() > 0 { frames.invalidate() }
        // Deadlines that passed since the wait are handled after the events of the next turn.
        if sources.isReadable(timerSource) || !waits { timerFired() }
    }

    private func prefaultSpareFrame() {
        lacksSpareFrame = false
        if let size = window.state?.bufferSize { prefault(size, frames: 2) }
    }

    private func timerFired() {
        timer.acknowledge()
        // The timer may have fired only for the next frame.
        if sources.handleDeadlines(at: clock()) > 0 { frames.invalidate() }
    }

    private func receive(_ event: WindowEvent) {
        switch event {
        case .input(let input, let moment, _) where isLocked:
            idlePointer.handle(input, at: moment)
        case .input(let input, let moment, let seat):
            idlePointer.handle(input, at: moment)
            if lacksSpareFrame { prefaultSpareFrame() }
            remote?.noticeInput()
            // Do not record ignored events, because a replay might not ignore them.
            lastSeat = seat
            if session.handle(input, of: seat, at: moment) {
                recorder?.record(input, at: moment)
            }
            let now = clock()
            latest = max(latest, min(moment, now))
            frames.inputArrived(at: min(max(moment, lastRead), now))
        case .configured(let state):
            updateLooks(state)
            frames.cornerRadius = state.cornerRadius
            apply(state)
            if options.isKiosk, !state.isFullscreen { window.setFullscreen(true) }
            if recorder == nil, let path = options.record { startRecording(path, state) }
            frames.surfaceIsKnown(at: clock())
            session.surfaceIsKnown()
            if !window.isMapped { prefault(state.bufferSize, frames: 1) }
        case .scaleChanged(let scale): apply(.scale(scale))
        case .frameDone: frames.frameDone(at: clock())
        case .bufferReleased: break
        case .presented(let commit, let moment, let refresh):
            frames.presented(commit, at: moment, refresh: refresh)
        case .closeRequested: if !options.isKiosk { hasEnded = true }
        case .keymapRefused:
            Diagnostics.error(
                "keys do nothing, because the compositor's keyboard layout cannot be read; choose the "
                    + "layout again in the desktop's settings")
        case .outputsChanged: break
        }
    }

    /// Returns the current time and stores it in `latest`, before the session is called with it.
    func passingTime() -> Moment {
        latest = clock()
        return latest
    }

    private func apply(_ event: InputEvent) {
        let now = passingTime()
        recorder?.record(event, at: now)
        session.handle(event, at: now)
        frames.invalidate()
    }

    /// Applies a configure event, which may change size and scale at once.
    private func apply(_ state: WindowState) {
        let now = passingTime()
        recorder?.record(.scale(state.scale), at: now)
        recorder?.record(.resize(state.size), at: now)
        session.resize(to: state.size, scale: state.scale, at: now)
        frames.invalidate()
    }

    private func startRecording(_ path: FilePath, _ state: WindowState) {
        do throws(SystemError) {
            recorder = try Recorder(
                path, start: clock(), size: state.size, scale: state.scale)
        } catch {
            Diagnostics.error(path, "cannot be written: \(error)")
        }
    }

    /// Prefaults the memory of the first `frames` frames on another thread.
    private func prefault(_ size: PixelSize, frames: Int) {
        guard let memory = try? window.reserveMemory(for: size) else { return }
        Thread.start { memory.prefault(frames: frames) }
    }

    // MARK: Painting

    /// Paints the next frame if it is due; otherwise returns when it will be due, or nil.
    private func paintIfDue() -> Moment? {
        guard window.state != nil, !window.isFrameCallbackPending else { return nil }
        let now = clock()
        if session.isAnimating(at: now) || frames.showsMotion { frames.invalidate() }
        guard let start = frames.start(hasContent: session.hasContent, at: now) else { return nil }
        guard start <= now else { return start }
        paint(start: start, at: max(FramePacing.moment(of: start, at: now), latest))
        return nil
    }

    private func writeInterface(at moment: Moment) {
        guard interfaceLog?.write(session.interface(at: moment)) == false else { return }
        Diagnostics.error("the interface cannot be written any more")
        interfaceLog = nil
    }

    private func paint(start: Moment, at moment: Moment) {
        session.advance(to: moment)
        guard !session.hasEnded else { return }
        // Before the trace: a reader of a line of the trace finds the interface of that frame.
        writeInterface(at: moment)
        do throws(FrameError) {
            guard let plan = frames.plan(session, start: start, at: moment),
                let buffer = try window.acquireFrame(resolution: plan.bufferResolution)
            else { return }
            let refresh = window.assumedRefresh
            let frame = frames.paint(plan, session, into: buffer, refresh: refresh)
            let isFirst = !window.isMapped
            let commit = window.commit(
                buffer, damage: frame.damage, isOpaque: plan.frame.scene.backdrop >= 1,
                requestFrameCallback: true)
            frames.committed(
                frame, commit, refresh: refresh, path: session.path(at:))
            if isFirst { lacksSpareFrame = true }
            if session.hasShownPicture, !hasOpenedLibraries {
                hasOpenedLibraries = true
                session.composer.prepareText()
                desktop?.followSettings()
            }
            session.prefaultPictures()
            Diagnostics.debug("frame \(commit) painted in \(frame.paintTime) ms")
            if title != session.title {
                title = session.title
                window.setTitle(title)
            }
        } catch {
            failure = RunFailure("cannot allocate memory for a frame: \(error)")
            hasEnded = true
        }
    }
}
