import Desktop
import Browser
import EventLoop
import Folders
import Geometry
import Input
import Interface
import Motion
import Pacing
import Threads
import Viewer
import WaylandClient

/// One window of a run, with its session: receives its events, and paints its frames.
///
/// A kiosk has one for each output. While the output is away there is no window, and the session keeps
/// its place.
final class WindowController {
    unowned let run: WaylandRun
    let session: Session
    /// The name of the output that the window belongs to; nil where the compositor chooses.
    private(set) var place: String?
    /// Nil while there is no output for the window.
    private(set) var window: Window?
    var frames: FramePacing
    /// Since when there is no window.
    private(set) var restsSince: Moment?
    /// What peers of the control socket hear of the window.
    var report = WindowReport()
    var presence = PresenceFilter()
    /// The canvas of which the window shows a part; nil for a window with a session of its own.
    weak var canvas: CanvasRun?
    var interfaceLog: InterfaceLog?
    var recorder: Recorder?
    private(set) var recall: WindowRecall
    var idlePointer = IdlePointer()
    /// The events of pointers that are held back until the fonts are there.
    var heldPointers: [HeldPointer] = []
    var memory = FrameMemoryState()
    /// The number of the seat of the last input.
    var lastSeat = 0
    /// The window's current title.
    var title: String
    /// The latest moment that was reported to the session.
    var latest = Moment.zero

    var options: Options { run.options }

    /// The window is opened later.
    ///
    /// The files of the options are written by the first one only.
    init(_ session: Session, of run: WaylandRun, isFirst: Bool) throws(RunFailure) {
        self.run = run
        self.session = session
        let options = run.options
        title = session.title
        recall = WindowRecall(options, isFirst: isFirst)
        frames = FramePacing(
            try FrameTrace(isFirst ? options.reports.trace : nil), options.values.frames,
            upscaler: .painter,
            hasDisplay: options.reports.showsTimes, clock: run.clock)
        interfaceLog = try InterfaceLog(isFirst ? options.reports.interfaceLog : nil)
        hasRecorder = isFirst
        frames.onFrame = { [unowned self] in self.run.onFrame?(self, $0, $1) }
        registerSources()
    }

    /// Whether the input is recorded with `--record`.
    let hasRecorder: Bool

    private func registerSources() {
        _ = run.sources.add(deadline: { [unowned self] in sessionDeadline }) { [unowned self] in
            session.advance(to: passingTime())
        }
        _ = run.sources.add(quietDeadline: { [unowned self] in pointerDeadline }) {}
        _ = run.sources.add(quietDeadline: { [unowned self] in excessMemoryDeadline }) {
            [unowned self] in giveBackExcessMemory()
        }
        _ = run.sources.add(deadline: { [unowned self] in frames.deadline }) { [unowned self] in
            frames.invalidate()
        }
    }

    /// The next deadline of the interaction and of an animation.
    private var sessionDeadline: Moment? {
        guard let window, actsForSession else { return nil }
        // A hidden window gets no frame callbacks: do not advance its animation.
        let animation = window.isFrameCallbackPending ? nil : session.animationDeadline
        return [session.deadline, animation].compactMap(\.self).min()
    }

    /// Whether the window advances its session: one of those of a canvas does.
    private var actsForSession: Bool {
        guard let canvas else { return true }
        return canvas.leader === self
    }

    func start() {
        session.window = self
        session.onSettings = { [unowned self] in run.handle($0, in: self) }
        session.start { [unowned self] in passingTime() }
    }

    // MARK: The window

    /// Opens a window with the state of the previous one: on an output, or in a place that the compositor
    /// chooses.
    func open(on output: Output?, _ connection: Connection) throws(ConnectionError) {
        let former = window
        let window = try Window(
            connection: connection,
            options: WindowOptions(
                title: title, appID: ApplicationInterface.identifier,
                size: former?.ownSize ?? recall.initial.size,
                minimumSize: Size(width: 120, height: 80),
                isFullscreen: options.isKiosk || (former?.isFullscreen ?? options.isFullscreen),
                isMaximized: former?.wasMaximized ?? recall.initial.isMaximized,
                iconName: "vitrine",
                activationToken: former == nil ? options.desktop.activationToken : nil,
                tag: options.isKiosk ? "kiosk" : "viewer",
                session: recall.session(of: former, connection)),
            on: output)
        self.window = window
        restsSince = nil
        (memory.lacksSecondFrame, memory.lacksGivenBackMemory) = (false, false)
        frames.windowIsNew(upscaler: window.canEnlarge ? .compositor : .painter)
        window.handler = { [unowned self] in receive($0) }
        if !options.isKiosk {
            session.use(
                Clipboard(
                    connection.startDataExchange(run.sources), window, session.environment
                ) { [unowned self] in lastSeat })
        }
        if let output { belong(to: output) }
        followLight()
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
        guard canvas == nil, options.paths != session.options.paths else { return }
        session.apply(options, at: passingTime())
        session.open(options.paths, in: nil)
    }

    /// Closes the window, because its output has gone.
    func close() {
        guard window != nil else { return }
        window = nil
        heldPointers = []
        frames.windowIsNew(upscaler: .painter)
        restsSince = run.clock()
    }

    /// Lets the session rest until there is another window.
    func rest() {
        guard canvas?.leader == nil else { return }
        session.rest(from: lastSeat, at: passingTime())
    }

    /// Applies options that may differ in live settings only.
    func apply(_ new: Options) {
        let options = new.adapted(to: canvas?.members.first?.place ?? place)
        let paths = session.options.paths
        session.apply(options, at: passingTime())
        frames.settings = new.values.frames
        followLight()
        updateLooks()
        frames.invalidate()
        if options.paths != paths { session.open(options.paths, in: nil) }
    }

    /// Ends what fingers do on a window that has gone with its compositor.
    func endTouches() {
        heldPointers = []
        session.cancelTouches(at: passingTime())
    }

    /// Whether pixels are still being loaded; false while decoding waits for the size of the surface.
    var isLoading: Bool { window?.state != nil && session.isLoading }

    /// Ends the session and closes the window; state may still be on its way to the disk.
    func finish() {
        session.slideshow.recall.finish()
        if let window {
            if session.screenIsOn == false { window.setScreensOn(true) }
            recall.remember(window, on: session.disk)
            // The session has ended: events have no receiver any more.
            window.handler = { _ in }
        }
        window = nil
        recorder?.finish(at: run.clock())
        frames.finish()
    }

    /// Gives the very first window the size of its picture.
    func chooseSize() {
        if let window { recall.chooseSize(of: window, for: session.firstPictureSize) }
    }

    /// Asks the compositor for what the session needs now.
    func updateWindow() {
        guard let window else { return }
        followPointer()
        session.allowDragOut()
        window.setTextInput(session.textInput(at: latest))
        window.setIdleInhibited(session.keepsScreenOn)
        if let isOn = session.screenIsOn {
            window.inhibitShortcuts()
            window.setScreensOn(isOn)
            run.remote?.reportScreen(of: self)
        }
    }

    /// Returns the current time and stores it in `latest`, before the session is called with it.
    func passingTime() -> Moment {
        latest = run.clock()
        return latest
    }
}
