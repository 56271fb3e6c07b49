import Browser
import Commands
import Control
import Desktop
import EventLoop
import Folders
import Glibc
import Input
import JSON
import Kiosk
import Localization
import Motion
import SceneModel
import Settings
import SystemCalls
import Viewer
import WaylandClient

/// The control socket of a run in a window, and its reports to the service manager.
///
/// Every message is handled in the loop of the run, between input and frames.
final class RemoteControl {
    unowned let run: WaylandRun
    var server: ControlServer?
    private let notifier: ServiceNotifier?
    let backgroundJobs: BackgroundJobs
    /// The window that the message being handled names; nil if it names none.
    private var addressed: WindowController?
    var player: ScriptPlayer?
    /// The window that a script is played to.
    var stage: WindowController?
    let sources: EventSources
    var scriptSource: EventSources.Source?
    /// Whether a screenshot is being written: each takes the memory of a frame.
    private var isWriting = false
    /// The peer whose script is being read.
    var reading: ControlServer.Peer?

    /// The window that the message being handled is for.
    var target: WindowController { addressed ?? run.first }
    var session: Session { target.session }
    /// The seat of scripts, which no seat of a compositor has.
    static let seat = 1 << 20
    /// The longest script in a file, in bytes.
    static let longestScript = 64 << 20

    /// Nil without a socket and a service manager.
    init?(_ run: WaylandRun) throws(RunFailure) {
        let options = run.options
        let socket = try Self.socket(options)
        sources = run.sources
        notifier = ServiceNotifier(options.control.service, sources, now: run.clock)
        self.run = run
        backgroundJobs = BackgroundJobs(sources)
        switch consume socket {
        case .none: if notifier == nil { return nil }
        case .some(let socket):
            server = ControlServer(
                socket, sources, now: run.clock,
                onLeave: { [unowned self] in leave($0) },
                onMessage: { [unowned self] in handle($0, from: $1) })
        }
        scriptSource = sources.add(deadline: { [unowned self] in player?.deadline }) {
            [unowned self] in play()
        }
        run.onFrame = { [unowned self] in show($1, in: $0, at: $2) }
    }

    deinit { if let scriptSource { sources.remove(scriptSource) } }

    /// Makes the socket; nil if there is none by option, or no place for it.
    private static func socket(_ options: Options) throws(RunFailure) -> ControlSocket? {
        guard options.control.hasSocket else { return nil }
        if options.control.socket == nil, let inherited = options.control.service.socket {
            return ControlSocket(inherited: inherited)
        }
        guard let path = options.control.socket ?? MessageProgram.usualSocket(of: getpid()) else {
            Diagnostics.info("no control socket: XDG_RUNTIME_DIR is not set")
            return nil
        }
        do throws(ControlSocket.Failure) {
            return try ControlSocket(path: path.bytes)
        } catch {
            let reason = text(of: error)
            guard options.control.socket == nil else { throw RunFailure(path, reason) }
            Diagnostics.warning(
                localized("vitrine msg cannot reach this viewer: \(path): \(reason)"))
            return nil
        }
    }

    private static func text(of failure: ControlSocket.Failure) -> String {
        switch failure {
        case .inUse: localized("another program listens there; choose another --socket")
        case .occupied: localized("it is not a socket of yours; choose another --socket")
        case .system(let error) where error.code == ENAMETOOLONG: ControlSocket.tooLong
        case .system(let error): localized("no socket can be made there: \(error)")
        }
    }

    // MARK: Following the run

    private func show(_ frame: BrowserFrame, in window: WindowController, at moment: Moment) {
        notifier?.ready()
        let session = window.session
        let path = session.path(at: frame.viewer.index)
        if frame.mode == .viewer, frame.viewer.picture != nil {
            window.report.history.note(path, at: time(nil))
        }
        window.report.state.follow(frame, path: path)
        window.report.state.slideshow = session.playsSlideshow
        if window === run.first {
            notifier?.setStatus(
                frame.mode == .viewer && frame.viewer.count > 0
                    ? localized(
                        "\(session.title), \(frame.viewer.index + 1) of \(frame.viewer.count)")
                    : localized(
                        "\(frame.viewer.count) picture", many: "\(frame.viewer.count) pictures",
                        count: frame.viewer.count))
        }
        publish(window)
    }

    /// Notes that there is no screen for any window: the service works, and waits for one.
    func noteMissingScreen() {
        notifier?.ready()
        notifier?.setStatus(localized("waiting for a screen"))
    }

    /// Tells the watchers of a window that its screen goes off or on: after that, the compositor may ask
    /// for no more frames.
    ///
    /// The state is not complete before the first frame.
    func reportScreen(of window: WindowController) {
        guard let published = window.report.published else { return }
        if published.screenIsOn != window.session.screenIsOn { publish(window) }
    }

    /// Tells the watchers of a window about a change.
    private func publish(_ window: WindowController) {
        window.report.state.output = window.place
        window.report.state.isFullscreen = window.window?.isFullscreen ?? false
        window.report.state.isLocked = run.isLocked
        window.report.state.screenIsOn = window.session.screenIsOn
        guard window.report.publish(), let server, server.hasWatchers else { return }
        server.publish(window.report.state.line, of: window.place, isFirst: window === run.first)
    }

    /// Notes that a person does something, which watchers hear with the next frame.
    func noticeInput(in window: WindowController) { window.report.state.touched = Int(time(nil)) }

    func finish() {
        notifier?.stopping()
        // The file of the socket is removed.
        server = nil
    }

    // MARK: Messages

    private func handle(_ message: Message, from peer: ControlServer.Peer) -> Reply? {
        defer { addressed = nil }
        do throws(MessageError) {
            var message = message
            if case .addressed(let output, let inner) = message {
                addressed = try window(on: output)
                message = inner
            }
            switch message {
            case .screenshot(let path): return try shoot(Self.file(path), for: peer)
            case .play(let script): return try play(script, for: peer)
            default: break
            }
            if let reply = try answer(message) { return reply }
            try perform(message)
            run.invalidate()
            return .done
        } catch { return .error(error.reason) }
    }

    private func window(on output: String) throws(MessageError) -> WindowController {
        guard let window = run.windows.first(where: { $0.window != nil && $0.place == output })
        else {
            throw MessageError("no window is on an output “\(output)”; see vitrine msg outputs")
        }
        return window
    }

    /// The answer to a question; nil for a message that is not one.
    private func answer(_ message: Message) throws(MessageError) -> Reply? {
        switch message {
        case .hello: return .line(RemoteTables.hello)
        case .state:
            guard let line = target.frames.lastLine(path: session.path(at:)) else {
                throw MessageError("no frame has been shown yet")
            }
            return .line(adding(target.window?.isFullscreen ?? false, run.isLocked, to: line))
        case .outputs: return .line(RemoteTables.outputs(of: run))
        case .watch: return .line(target.report.state.line)
        case .ui: return .line(InterfaceTree.text(session.interface(at: target.passingTime())))
        case .commands: return .line(RemoteTables.commands(run.options))
        case .settings: return .line(RemoteTables.settings(run.options))
        case .history: return .line(target.report.history.line)
        default: return nil
        }
    }

    /// Adds the state of the window to a line of the trace.
    private func adding(_ isFullscreen: Bool, _ isLocked: Bool, to line: String) -> String {
        var end = ",\"fullscreen\":\(isFullscreen),\"locked\":\(isLocked)"
        if let place = target.place { end += ",\"output\":\(JSONLine.quoted(place))" }
        return line.dropLast(2) + end + "}\n"
    }

    private func perform(_ message: Message) throws(MessageError) {
        let now = target.passingTime()
        switch message {
        case .open(let paths): session.open(try Self.paths(paths), in: nil)
        case .next: session.perform(session.showsGrid ? .right : .next, at: now)
        case .previous: session.perform(session.showsGrid ? .left : .previous, at: now)
        case .goto(let number): try goto(number, at: now)
        case .zoom(let zoom): try self.zoom(zoom, at: now)
        case .rotate(let turns): try rotate(turns, at: now)
        case .grid: if !session.showsGrid { session.perform(.grid, at: now) }
        case .viewer:
            guard session.album.count > 0 else { throw MessageError("there is no picture") }
            if session.showsGrid { session.perform(.open, at: now) }
        case .slideshow(let slideshow):
            guard session.album.count > 0 else { throw MessageError("there is no picture") }
            if case .every(let seconds) = slideshow {
                try set("slideshow.interval", "\(seconds)")
            }
            session.setSlideshow(slideshow != .off, at: now)
        case .fullscreen(let isOn): target.window?.setFullscreen(isOn)
        case .reload:
            guard session.reload(at: now) else { throw MessageError("no picture is shown") }
            target.frames.repaint()
        case .lock(let isOn): lock(isOn)
        case .clean:
            guard session.kiosk != nil else { throw MessageError("this is not a kiosk") }
            forEachTarget { window, now in
                window.session.kiosk?.clean(at: now)
                window.session.advanceKiosk(to: now)
            }
        case .screen(let isOn):
            guard session.kiosk != nil else { throw MessageError("this is not a kiosk") }
            forEachTarget { $0.session.switchScreen(isOn: isOn, at: $1) }
        case .perform(let name):
            guard let command = Command(rawValue: name) else {
                throw MessageError("unknown command “\(name)”; see vitrine msg commands")
            }
            session.perform(command, at: now)
        case .set(let key, let value): try set(key, value)
        case .quit: run.end()
        case .hello, .state, .outputs, .watch, .ui, .commands, .settings, .history, .screenshot,
            .play, .addressed:
            break
        }
    }

    /// Calls `body` with the window that the message names, or with every window.
    private func forEachTarget(_ body: (WindowController, Moment) -> Void) {
        for window in addressed.map({ [$0] }) ?? run.windows { body(window, window.passingTime()) }
    }

    /// The file at an absolute path: a descriptor of the sender is none, and would be one of this process.
    static func file(_ text: String) throws(MessageError) -> FilePath {
        let path = FilePath(text)
        guard path.descriptor == nil else {
            throw MessageError("“\(text)” is not a file of this computer")
        }
        return path
    }

    /// The paths of absolute paths and of `file:` URIs.
    static func paths(_ texts: [String]) throws(MessageError) -> [FilePath] {
        var paths: [FilePath] = []
        for text in texts {
            if text.hasPrefix("/") {
                paths.append(try file(text))
            } else if let path = LocalFileURI.path(of: text) {
                paths.append(path)
            } else {
                throw MessageError("“\(text)” is not a file of this computer")
            }
        }
        return paths
    }

    private func goto(_ number: Int, at now: Moment) throws(MessageError) {
        let count = session.album.count
        guard count > 0, (1...count).contains(number) || (-count ... -1).contains(number) else {
            throw MessageError("there is no picture \(number), there are \(count)")
        }
        session.show(number > 0 ? number - 1 : count + number, at: now)
    }

    private func zoom(_ zoom: Message.Zoom, at now: Moment) throws(MessageError) {
        try requirePicture()
        switch zoom {
        case .factor(let factor): session.zoom(to: factor, at: now)
        case .fit: session.perform(.fit, at: now)
        case .fill: session.perform(.fill, at: now)
        case .oneToOne: session.perform(.oneToOne, at: now)
        }
    }

    private func rotate(_ turns: Int, at now: Moment) throws(MessageError) {
        try requirePicture()
        for _ in 0..<abs(turns) {
            session.perform(turns > 0 ? .rotateClockwise : .rotateAnticlockwise, at: now)
        }
    }

    private func requirePicture() throws(MessageError) {
        guard !session.showsGrid, session.hasContent, session.album.count > 0 else {
            throw MessageError("no picture is shown; see vitrine msg viewer")
        }
    }

    private func set(_ key: String, _ value: String) throws(MessageError) {
        let setting = Setting(key, written: value)
        var options = run.options
        do throws(SettingRefusal) { try options.values.set(setting) } catch {
            throw MessageError(error.reason)
        }
        guard SettingValues.isLive(key) else {
            throw MessageError("\(key) counts from the start of the viewer on: see --set")
        }
        options.settingSources.override(setting)
        run.apply(options)
    }

    // MARK: Lock

    /// Locks all windows.
    private func lock(_ isLocked: Bool) {
        if isLocked, !run.isLocked {
            end(player)
            // Fingers that are down let go as if the compositor had taken them.
            for window in run.windows {
                window.heldPointers = []
                window.session.cancelTouches(at: window.passingTime())
            }
        }
        run.isLocked = isLocked
        for window in run.windows { publish(window) }
    }

    // MARK: Screenshot

    private func shoot(
        _ path: FilePath, for peer: ControlServer.Peer
    ) throws(MessageError) -> Reply? {
        guard let scene = target.frames.shownScene else {
            throw MessageError("no frame has been shown yet")
        }
        guard !isWriting else { throw MessageError("another screenshot is being written") }
        let shot = FrameShot(scene, session.composer)
        isWriting = backgroundJobs.run({ shot.write(to: path) }) { [unowned self] reason in
            isWriting = false
            server?.reply(
                reason.map { .error("\(path): cannot be written: \($0)") } ?? .done, to: peer)
        }
        guard isWriting else { throw MessageError("there is no thread left") }
        return nil
    }
}

extension Session {
    fileprivate var showsGrid: Bool { browser.mode == .grid }
}
