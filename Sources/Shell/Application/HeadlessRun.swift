import CLinux
import Folders
import Browser
import Geometry
import Glibc
import Input
import Motion
import Painting
import SceneModel
import Viewer
import WaylandClient

/// Runs the viewer without a compositor: the same session, painted into memory, on a virtual
/// clock.
struct HeadlessRun: ~Copyable {
    private let session: Session
    private let options: Options
    private let script: GestureScript?
    private var trace: OutputFile?
    private var frame: MemoryFrame
    private var lastScene: Scene?
    private var shots: [Options.Shot]
    private var nextEvent = 0
    /// Times in a script are written in thousandths: an event that is meant for a frame may come out
    /// as much later than it, in milliseconds.
    private static let scriptPrecision = 0.0005
    /// How often it may be waited in vain for pictures: longer than the decoder's own patience.
    private static let longestSilence = 60
    /// A run without a script goes on until nothing moves, at most this long, in milliseconds.
    private static let longestRest = 60_000.0

    init(_ session: Session, _ options: Options, _ viewport: Viewport, _ script: GestureScript?)
        throws(RunFailure)
    {
        self.session = session
        self.options = options
        self.script = script
        shots = options.shotsAt.sorted { $0.milliseconds < $1.milliseconds }
        frame = MemoryFrame(size: PixelSize(covering: viewport.size, scale: viewport.scale))
        if let path = options.trace {
            do throws(SystemError) {
                trace = try OutputFile(path)
            } catch { throw RunFailure(path, "cannot be written: \(error)") }
        }
    }

    /// Plays to the end; what the program ends with.
    consuming func run() throws(RunFailure) -> ExitCode {
        session.start(now: .zero)
        session.surfaceIsKnown()
        var number = 0
        while true {
            let moment = Moment(milliseconds: Double(number) * 1000 / options.refresh)
            waitForPictures(until: moment)
            playEvents(upTo: moment)
            session.advance(to: moment)
            waitForPictures(until: moment)
            try show(at: moment)
            if session.hasEnded || isOver(at: moment) { break }
            number += 1
        }
        if let path = options.shot { try write(path) }
        for shot in shots { try write(shot.path) }
        if trace?.flush() == false { throw RunFailure("the trace cannot be written") }
        return session.exitCode
    }

    private mutating func playEvents(upTo moment: Moment) {
        guard let script else { return }
        let latest = moment.advanced(byMilliseconds: Self.scriptPrecision)
        while nextEvent < script.entries.count, script.entries[nextEvent].moment <= latest {
            let entry = script.entries[nextEvent]
            session.handle(entry.event, at: entry.moment)
            waitForPictures(until: entry.moment)
            nextEvent += 1
        }
    }

    /// A script says when it ends; without one the run ends once nothing moves any more.
    private func isOver(at moment: Moment) -> Bool {
        if let script { return moment >= script.end }
        let waits = session.isLoading && !options.waitsForDecoding
        return !waits && !session.isAnimating(at: moment) && session.deadline == nil
            || moment.milliseconds > Self.longestRest
    }

    /// Serves the decoder: until nothing is left to come, or, where decoding is not waited for, for
    /// the time of a frame of the real clock; false when it was waited in vain.
    @discardableResult
    private func waitForPictures(until moment: Moment) -> Bool {
        let patience = options.waitsForDecoding ? Int32(250) : Int32(1000 / options.refresh)
        var silence = 0
        while session.isLoading {
            var polls = session.descriptors.map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let count = poll(&polls, nfds_t(polls.count), patience)
            // What comes happens at this moment of the virtual clock; how long the decoder may
            // take is a matter of the real one.
            for poll in polls where poll.revents != 0 {
                session.handleReadable(poll.fd, now: moment)
            }
            session.handleLoaderDeadline(now: moment)
            silence = count == 0 ? silence + 1 : 0
            if count == 0 && !options.waitsForDecoding || silence > Self.longestSilence {
                return false
            }
        }
        return true
    }

    private mutating func show(at moment: Moment) throws(RunFailure) {
        var shown = session.frame(at: moment)
        // Cells come into sight with the frame that shows them.
        while options.waitsForDecoding, session.isLoading {
            guard waitForPictures(until: moment) else { break }
            shown = session.frame(at: moment)
        }
        let scene = shown.scene
        if frame.size != scene.pixelSize {
            frame = MemoryFrame(size: scene.pixelSize)
            lastScene = nil
        }
        let damage = scene.damage(since: lastScene)
        let start = MonotonicClock.now()
        if !damage.isEmpty {
            frame.withCanvas { session.paint(scene, into: $0, damage: damage) }
        }
        let paint = MonotonicClock.now().seconds(since: start) * 1000
        lastScene = scene
        let line = TraceLine.text(
            shown, path: session.path(at:), at: moment.milliseconds, buffer: frame.size,
            damage: damage, timings: options.hasTimings ? .init(paint: paint) : nil)
        if trace?.write(line) == false { throw RunFailure("the trace cannot be written") }
        while let shot = shots.first, shot.milliseconds <= moment.milliseconds {
            try write(shot.path)
            shots.removeFirst()
        }
    }

    private func write(_ path: FilePath) throws(RunFailure) {
        if let reason = frame.writePNG(to: path) {
            throw RunFailure(path, "cannot be written: \(reason)")
        }
    }
}

/// Why a run ended before its end.
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
