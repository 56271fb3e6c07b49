import Browser
import EventLoop
import Folders
import Geometry
import Input
import Interface
import Localization
import Motion
import Painting
import SceneModel
import SystemCalls
import Thumbnails
import Viewer
import WaylandClient

/// Runs the viewer without a compositor: the same session, painted into memory, on a virtual clock.
struct HeadlessRun: ~Copyable {
    private let session: Session
    private let options: Options
    private let script: GestureScript?
    private var trace: OutputFile?
    private var interfaceLog: InterfaceLog?
    private let clock = VirtualClock()
    private var frame: MemoryFrame
    private var lastScene: Scene?
    private var shots: [HeadlessOptions.Shot]
    private var interfaceShots: [HeadlessOptions.Shot]
    private var nextEvent = 0
    /// How much later than its frame an event may be, in milliseconds: scripts round times to
    /// thousandths of a millisecond.
    private static let scriptPrecision = 0.0005
    /// The longest poll for an event, in milliseconds.
    private static let pause: Int32 = 250
    /// How many polls without an event end the wait for pictures; longer than the decoder's timeout.
    private static let mostIdlePolls = 60
    /// The longest run without a script, in milliseconds; it ends earlier if nothing moves.
    private static let longestRun = 60_000.0

    init(_ session: Session, _ options: Options, _ viewport: Viewport, _ script: GestureScript?)
        throws(RunFailure)
    {
        self.session = session
        self.options = options
        Self.setLooks(of: session, options)
        self.script = script
        shots = options.headless.shotsAt.sorted { $0.milliseconds < $1.milliseconds }
        interfaceShots = options.headless.interfaceAt.sorted { $0.milliseconds < $1.milliseconds }
        frame = MemoryFrame(size: PixelSize(covering: viewport.size, scale: viewport.scale))
        interfaceLog = try InterfaceLog(options.reports.interfaceLog)
        if let path = options.reports.trace { trace = try OutputFile.make(path) }
    }

    private static func setLooks(of session: Session, _ options: Options) {
        session.setLooks(
            options.values.looks.theme(
                desktop: .dark, isRightToLeft: Translation.isRightToLeft),
            windowControls: nil, reducesMotion: false)
    }

    /// Changes settings for this run.
    private func followSettings() {
        session.onSettings = { [unowned session, clock] request in
            var new = session.options
            switch request {
            case .open: return session.showSettings(new.settingsPage(.run))
            case .change(let change): _ = new.change(change, lasts: true)
            case .choose(let chosen, _): _ = new.choose(chosen)
            case .sort(let order): _ = new.sort(order)
            }
            session.apply(new, at: clock.moment)
            Self.setLooks(of: session, new)
            session.browser.updateSettings(new.settingsPage(.run))
        }
    }

    /// Plays to the end; returns the exit code.
    consuming func run() throws(RunFailure) -> ExitCode {
        followSettings()
        session.start { [clock] in clock.moment }
        session.surfaceIsKnown()
        do throws(RunFailure) { try play() } catch {
            finishChanges()
            throw error
        }
        finishChanges()
        try writeShots()
        return session.exitCode
    }

    private mutating func play() throws(RunFailure) {
        var number = 0
        while true {
            let moment = Moment(milliseconds: Double(number) * 1000 / options.headless.refresh)
            playEvents(upTo: moment)
            waitForPictures(until: moment)
            session.advance(to: moment)
            waitForPictures(until: moment)
            try show(at: moment)
            if session.hasEnded || isOver(at: moment) { return }
            number += 1
        }
    }

    /// Finishes the requested and the pending changes before the end.
    private func finishChanges() {
        session.hasEnded = true
        wait(until: clock.moment, pause: Self.pause, idlePolls: Self.mostIdlePolls) { [session] in
            session.changes.isSaving || session.changes.ownCommands.isBusy
        }
    }

    private mutating func writeShots() throws(RunFailure) {
        if let path = options.headless.shot { try write(path) }
        for shot in shots { try write(shot.path) }
        for shot in options.headless.lightShots { try write(shot) }
        for shot in interfaceShots { try writeInterface(shot.path, at: clock.moment) }
        if trace?.flush() == false { throw RunFailure(localized("the trace cannot be written")) }
    }

    private mutating func playEvents(upTo moment: Moment) {
        guard let script else { return }
        let latest = moment.advanced(byMilliseconds: Self.scriptPrecision)
        while nextEvent < script.entries.count, script.entries[nextEvent].moment <= latest {
            let entry = script.entries[nextEvent]
            waitForPictures(until: entry.moment)
            session.handle(entry.event, at: entry.moment)
            waitForPictures(until: entry.moment)
            nextEvent += 1
        }
    }

    /// A script has an end time; without a script the run ends once nothing moves any more.
    private func isOver(at moment: Moment) -> Bool {
        if let script { return moment >= script.end }
        let isWaiting = session.isLoading && !options.headless.waitsForDecoding
        return !isWaiting && !session.isAnimating(at: moment) && session.deadline == nil
            || moment.milliseconds > Self.longestRun
    }

    /// Waits until nothing is being loaded; returns false after a timeout.
    ///
    /// With `--async-decode` it waits at most one frame of real time for the next event.
    @discardableResult
    private func waitForPictures(until moment: Moment) -> Bool {
        let isPatient = options.headless.waitsForDecoding
        return wait(
            until: moment,
            pause: isPatient ? Self.pause : Int32(clamping: 1000 / options.headless.refresh),
            idlePolls: isPatient ? Self.mostIdlePolls : 0
        ) { [session] in session.isLoading }
    }

    /// Handles events while something is busy; returns false after more than `idlePolls` polls without
    /// an event.
    ///
    /// Events happen at `moment` of the virtual clock, before which the deadlines of the run are
    /// handled; decoders have deadlines of the real clock.
    @discardableResult
    private func wait(
        until moment: Moment, pause: Int32, idlePolls most: Int, while isBusy: () -> Bool
    ) -> Bool {
        var idlePolls = 0
        clock.moment = moment
        session.sources.handleDeadlines(at: moment, by: .run)
        while isBusy() {
            let count = session.sources.wait(atMost: pause)
            session.sources.handleReady()
            session.sources.handleDeadlines(at: MonotonicClock.now(), by: .system)
            idlePolls = count == 0 ? idlePolls + 1 : 0
            if idlePolls > most { return false }
        }
        return true
    }

    private func nextFrame(at moment: Moment) -> BrowserFrame {
        var frame = session.frame(at: moment)
        session.prepareToPaint(&frame, at: moment)
        return frame
    }

    private mutating func show(at moment: Moment) throws(RunFailure) {
        var shown = nextFrame(at: moment)
        // Thumbnails of newly visible cells may have been requested: wait for them and compute it again.
        while options.headless.waitsForDecoding, session.isLoading {
            guard waitForPictures(until: moment) else { break }
            shown = nextFrame(at: moment)
        }
        let scene = shown.scene
        if frame.size != scene.pixelSize {
            frame = MemoryFrame(size: scene.pixelSize)
            lastScene = nil
        }
        let damage = scene.damage(since: lastScene)
        let start = MonotonicClock.now()
        if !damage.isEmpty {
            frame.withCanvas { session.composer.paint(scene, into: $0, damage: damage) }
        }
        let paint = MonotonicClock.now().seconds(since: start) * 1000
        lastScene = scene
        let line = TraceLine.text(
            shown, path: session.path(at:), at: moment.milliseconds, buffer: frame.size,
            damage: damage, timings: options.headless.hasTimings ? .init(paint: paint) : nil)
        if trace?.write(line) == false {
            throw RunFailure(localized("the trace cannot be written"))
        }
        if interfaceLog?.write(session.interface(at: moment)) == false {
            throw RunFailure(localized("the interface cannot be written"))
        }
        while let shot = shots.first, shot.milliseconds <= moment.milliseconds {
            try write(shot.path)
            shots.removeFirst()
        }
        while let shot = interfaceShots.first, shot.milliseconds <= moment.milliseconds {
            try writeInterface(shot.path, at: moment)
            interfaceShots.removeFirst()
        }
    }

    private func writeInterface(_ path: FilePath, at moment: Moment) throws(RunFailure) {
        var file = try OutputFile.make(path)
        guard file.write(InterfaceTree.text(session.interface(at: moment))), file.flush() else {
            throw RunFailure(path, localized("cannot be written"))
        }
    }

    /// Writes the last frame as a screen with headroom gets it.
    private func write(_ shot: HeadlessOptions.LightShot) throws(RunFailure) {
        guard let scene = lastScene else { return }
        let deep = MemoryFrame(size: frame.size)
        deep.withCanvas(headroom: shot.headroom) { canvas in
            session.composer.paint(scene, into: canvas, damage: [PixelRect(frame.size)])
        }
        var file = try OutputFile.make(shot.path)
        let bytes = deep.withCanvas(headroom: shot.headroom) { canvas in
            PNGFile.light(canvas.size, LightRows(canvas).bytes)
        }
        guard file.write(bytes: bytes), file.flush() else {
            throw RunFailure(shot.path, localized("cannot be written"))
        }
    }

    private func write(_ path: FilePath) throws(RunFailure) {
        if let reason = frame.writePNG(to: path) {
            throw RunFailure(path, localized("cannot be written: \(reason)"))
        }
    }
}

/// The clock of a run without a compositor, which the run advances.
private final class VirtualClock {
    var moment = Moment.zero
}

/// A failure that ends the run; `text` is the message for the user.
struct RunFailure: Error {
    var text: String
    var code = ExitCode.nothingShown

    init(_ text: String, code: ExitCode = .nothingShown) {
        self.text = text
        self.code = code
    }

    init(_ path: FilePath, _ text: String) {
        self.init("\(path): \(text)")
    }
}
