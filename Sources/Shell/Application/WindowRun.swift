import Browser
import EventLoop
import Folders
import Geometry
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

/// One window of a run, with its session: receives its events, and paints its frames.
///
/// A kiosk has one for each output. While the output is away there is no window, and the session keeps
/// its place.
final class WindowRun {
    unowned let run: WaylandRun
    let session: Session
    /// The name of the output that the window belongs to; nil where the compositor chooses.
    private(set) var place: String?
    /// Nil while there is no output for the window.
    private(set) var window: Window?
    var frames: FramePacing
    /// Since when there is no window.
    private(set) var restsSince: Moment?
    /// What peers of the control socket watch, and what they know.
    var watched = WatchedState()
    var published: WatchedState?
    private var interfaceLog: InterfaceLog?
    private var recorder: Recorder?
    private var recall: WindowRecall
    var idlePointer = IdlePointer()
    /// Whether the memory of the second frame is not prefaulted yet.
    ///
    /// Only motion needs the second frame. Prefaulting takes a processor from the decoder, so it waits
    /// until nothing is being decoded or input arrives.
    private var lacksSpareFrame = false
    /// The number of the seat of the last input.
    private(set) var lastSeat = 0
    /// The window's current title.
    private var title: String
    /// The latest moment that was reported to the session.
    private var latest = Moment.zero

    private var options: Options { run.options }

    /// The window is opened later.
    ///
    /// The files of the options are written by the first one only.
    init(_ session: Session, of run: WaylandRun, isFirst: Bool) throws(RunFailure) {
        self.run = run
        self.session = session
        let options = run.options
        title = session.title
        recall = WindowRecall(options)
        frames = FramePacing(
            try FrameTrace(isFirst ? options.trace : nil), options.frames, upscaler: .painter,
            hasDisplay: options.showsTimes, clock: run.clock)
        interfaceLog = try InterfaceLog(isFirst ? options.interfaceLog : nil)
        hasRecorder = isFirst
        frames.onFrame = { [unowned self] in self.run.onFrame?(self, $0, $1) }
        registerSources()
    }

    private let hasRecorder: Bool

    private func registerSources() {
        _ = run.sources.add(deadline: { [unowned self] in sessionDeadline }) { [unowned self] in
            session.advance(to: passingTime())
        }
        _ = run.sources.add(quietDeadline: { [unowned self] in pointerDeadline }) {}
        _ = run.sources.add(deadline: { [unowned self] in frames.deadline }) { [unowned self] in
            frames.invalidate()
        }
    }

    /// The next deadline of the interaction and of an animation.
    private var sessionDeadline: Moment? {
        guard let window else { return nil }
        // A hidden window gets no frame callbacks: do not advance its animation.
        let animation = window.isFrameCallbackPending ? nil : session.animationDeadline
        return [session.deadline, animation].compactMap(\.self).min()
    }

    func start() {
        session.onToggleFullscreen = { [unowned self] in
            guard let window else { return }
            window.setFullscreen(!window.isFullscreen)
        }
        session.onWindowRequest = { [unowned self] in perform($0) }
        session.onOpenFiles = { [unowned self] in run.openFiles($0, for: self) }
        session.lastInputElsewhere = { [unowned run] in run.lastInputElsewhere(at: $0) }
        session.start { [unowned self] in passingTime() }
    }

    // MARK: The window

    /// Opens a window, with the state of the one before: on an output, or where the compositor likes.
    func open(on output: Output?, _ connection: Connection) throws(ConnectionError) {
        let former = window
        let window = try Window(
            connection: connection,
            options: WindowOptions(
                title: title, appID: "vitrine", size: former?.ownSize ?? recall.initial.size,
                minimumSize: Size(width: 120, height: 80),
                isFullscreen: options.isKiosk || (former?.isFullscreen ?? options.isFullscreen),
                isMaximized: former?.wasMaximized ?? recall.initial.isMaximized,
                iconName: "vitrine",
                activationToken: former == nil ? options.activationToken : nil),
            on: output)
        self.window = window
        restsSince = nil
        lacksSpareFrame = false
        frames.windowIsNew(upscaler: window.canEnlarge ? .compositor : .painter)
        window.handler = { [unowned self] in receive($0) }
        if let output { belong(to: output) }
        session.resume(at: passingTime())
    }

    /// Gives a window that the compositor has placed its output.
    func move(to output: Output) {
        belong(to: output)
        window?.show(on: output)
    }

    private func belong(to output: Output) {
        place = output.label
        let options = options.adapted(to: place)
        guard options.paths != session.options.paths else { return }
        session.apply(options, at: passingTime())
        session.open(options.paths, in: nil)
    }

    /// Closes the window, because its output has gone.
    func close() {
        guard window != nil else { return }
        window = nil
        frames.windowIsNew(upscaler: .painter)
        restsSince = run.clock()
    }

    /// Lets the session rest until there is another window.
    func rest() { session.rest(from: lastSeat, at: passingTime()) }

    /// Applies options of which only live settings may differ.
    func apply(_ new: Options) {
        let options = new.adapted(to: place)
        let paths = session.options.paths
        session.apply(options, at: passingTime())
        frames.settings = new.frames
        updateLooks()
        frames.invalidate()
        if options.paths != paths { session.open(options.paths, in: nil) }
    }

    /// Ends what fingers do on a window that has gone with its compositor.
    func endTouches() {
        for event in ScriptPlayer.ending { session.handle(event, of: lastSeat, at: passingTime()) }
    }

    private func perform(_ request: WindowRequest) {
        guard let window else { return }
        switch request {
        case .move: window.beginMove(seat: lastSeat)
        case .menu(let point): window.showWindowMenu(seat: lastSeat, at: point)
        case .minimize: window.minimize()
        case .toggleMaximized: window.setMaximized(!(window.state?.isMaximized ?? false))
        }
    }

    /// Whether pixels are still being loaded; false while decoding waits for the size of the surface.
    var isLoading: Bool { window?.state != nil && session.isLoading }

    func finish(_ connection: Connection) {
        if session.screenIsOn == false, let window {
            window.setScreensOn(true)
            // The session has ended: events have no receiver any more.
            window.handler = { _ in }
            connection.deliverLast()
        }
        session.slides.finish()
        if let window { recall.remember(window) }
        recorder?.finish(at: run.clock())
        frames.finish()
    }

    /// Gives the very first window the size of its picture.
    func chooseSize() {
        if let window { recall.chooseSize(of: window, for: session.firstPictureSize) }
    }

    /// Prepares memory for later frames; called when no frame is to be painted now.
    func prepareMemory() {
        guard !session.isDecoding else { return }
        session.prefaultPictures()
        if lacksSpareFrame { prefaultSpareFrame() }
    }

    /// Asks the compositor for what the session needs now.
    func updateWindow() {
        guard let window else { return }
        followPointer()
        window.setTextInput(session.textInput(at: latest))
        window.setIdleInhibited(session.keepsScreenOn)
        if let isOn = session.screenIsOn {
            window.inhibitShortcuts()
            window.setScreensOn(isOn)
        }
    }

    private func prefaultSpareFrame() {
        lacksSpareFrame = false
        if let size = window?.state?.bufferSize { prefault(size, frames: 2) }
    }

    // MARK: Events

    private func receive(_ event: WindowEvent) {
        switch event {
        case .input(let input, let moment, _) where run.isLocked:
            idlePointer.handle(input, at: moment)
        case .input(let input, let moment, let seat):
            idlePointer.handle(input, at: moment)
            receive(input, at: moment, of: seat)
        case .configured(let state): configure(state)
        case .scaleChanged(let scale): apply(.scale(scale))
        case .frameDone: frames.frameDone(at: run.clock())
        case .bufferReleased: break
        case .presented(let commit, let moment, let refresh):
            frames.presented(commit, at: moment, refresh: refresh)
        case .closeRequested: if !options.isKiosk { run.end() }
        case .keymapRefused:
            Diagnostics.error(
                "keys do nothing, because the compositor's keyboard layout cannot be read; choose the "
                    + "layout again in the desktop's settings")
        case .outputsChanged: break
        }
    }

    private func receive(_ input: InputEvent, at moment: Moment, of seat: Int) {
        if lacksSpareFrame { prefaultSpareFrame() }
        run.noticeInput(in: self, of: seat)
        // Do not record ignored events, because a replay might not ignore them.
        lastSeat = seat
        if session.handle(input, of: seat, at: moment) {
            recorder?.record(input, at: moment)
        }
        let now = run.clock()
        latest = max(latest, min(moment, now))
        frames.inputArrived(at: min(max(moment, run.lastRead), now))
    }

    private func configure(_ state: WindowState) {
        guard let window else { return }
        updateLooks(state)
        frames.cornerRadius = state.cornerRadius
        apply(state)
        if options.isKiosk, !state.isFullscreen { window.setFullscreen(true) }
        if hasRecorder, recorder == nil, let path = options.record { startRecording(path, state) }
        frames.surfaceIsKnown(at: run.clock())
        session.surfaceIsKnown()
        if !window.isMapped { prefault(state.bufferSize, frames: 1) }
    }

    /// Returns the current time and stores it in `latest`, before the session is called with it.
    func passingTime() -> Moment {
        latest = run.clock()
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
                path, start: run.clock(), size: state.size, scale: state.scale)
        } catch {
            Diagnostics.error(path, "cannot be written: \(error)")
        }
    }

    /// Prefaults the memory of the first `frames` frames on another thread.
    private func prefault(_ size: PixelSize, frames: Int) {
        guard let memory = try? window?.reserveMemory(for: size) else { return }
        Thread.start { memory.prefault(frames: frames) }
    }

    // MARK: Painting

    /// Paints the next frame if it is due; otherwise returns when it will be due, or nil.
    func paintIfDue() -> Moment? {
        guard let window, window.state != nil, !window.isFrameCallbackPending else { return nil }
        let now = run.clock()
        if session.isAnimating(at: now) || frames.showsMotion { frames.invalidate() }
        guard let start = frames.start(hasContent: session.hasContent, at: now) else { return nil }
        guard start <= now else { return start }
        paint(window, start: start, at: max(FramePacing.moment(of: start, at: now), latest))
        return nil
    }

    private func writeInterface(at moment: Moment) {
        guard interfaceLog?.write(session.interface(at: moment)) == false else { return }
        Diagnostics.error("the interface cannot be written any more")
        interfaceLog = nil
    }

    private func paint(_ window: Window, start: Moment, at moment: Moment) {
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
            if session.hasShownPicture { run.openLibraries(session) }
            session.prefaultPictures()
            Diagnostics.debug("frame \(commit) painted in \(frame.paintTime) ms")
            if title != session.title {
                title = session.title
                window.setTitle(title)
            }
        } catch {
            run.fail(RunFailure("cannot allocate memory for a frame: \(error)"))
        }
    }
}
