import Application
import CompositorKit
import Browser
import Geometry
import Glibc
import Input
import Motion
import TestKit
import Viewer
import WaylandClient

/// The viewer in a window of the test compositor, in this process and on a manual clock.
///
/// Touches, frames and timers happen at their exact times on this clock, as fast as the processor
/// allows. Only decoding takes real time, during which the clock stands still.
final class FeelStage {
    struct Frame {
        var moment: Moment
        var frame: BrowserFrame
    }

    /// The reason why the viewer could not start.
    struct Failure: Error {
        let text: String
    }

    private final class Clock {
        var now = Moment(milliseconds: 1_000_000)
        /// Runs the due work of the client and returns the time of its next work.
        var turn: () -> Moment? = { nil }
    }

    let compositor: TestCompositor
    private let clock = Clock()
    private let connection: Connection
    private var viewer: SteppedViewer?
    /// The frames since the last call of `drainFrames`.
    private(set) var frames: [Frame] = []
    private(set) var last: Frame?
    /// Whether the program has ended.
    private(set) var hasEnded = false

    static let size = Size(width: 800, height: 500)
    /// The time limit of decoding, in seconds of real time.
    private static let patience = 20.0

    init(_ arguments: [String]) throws {
        var setup = Setup()
        setup.windowSize = Self.size
        setup.checksPixels = false
        let clock = clock
        compositor = try TestCompositor(
            setup,
            time: Timekeeper(now: { clock.now }) { _, end in
                let next = clock.turn()
                // The clock always advances; otherwise the work that is due now would never run.
                let soon = clock.now.advanced(byMilliseconds: 0.25)
                clock.now = max(clock.now, min(end, max(next ?? end, soon)))
            })
        let socket = try compositor.socketForClient()
        connection = try Connection(socket: socket, clock: { clock.now })
        let connection = connection
        clock.turn = {
            try? Self.pump(connection)
            return nil
        }
        compositor.run(seconds: 5) { connection.isReady }
        let viewer = try SteppedViewer(
            arguments, connection: connection, clock: { clock.now },
            onFrame: { [unowned self] in frames.append(Frame(moment: $1, frame: $0)) })
        self.viewer = viewer
        clock.turn = { [unowned self] in
            turn(viewer)
            return viewer.nextTurn
        }
        settle()
        guard last != nil else { throw Failure(text: "the viewer shows nothing") }
    }

    private static func pump(_ connection: Connection) throws {
        _ = try connection.prepareAndFlush()
        var poll = pollfd(fd: connection.fileDescriptor, events: Int16(POLLIN), revents: 0)
        let count = Glibc.poll(&poll, 1, 0)
        try connection.readAndDispatch(isReadable: count > 0)
    }

    /// Runs two turns, so that the second paints the input of the first, and waits for decoders.
    private func turn(_ viewer: SteppedViewer) {
        var waited = 0.0
        var turns = 0
        repeat {
            guard !hasEnded, (try? viewer.turn()) == true else {
                hasEnded = true
                return
            }
            turns += 1
            if viewer.isLoading, turns > 2 {
                usleep(200)
                waited += 0.0002
            }
        } while turns < 2 || viewer.isLoading && waited < Self.patience
        last = frames.last ?? last
    }

    var now: Moment { clock.now }

    func drainFrames() -> [Frame] {
        defer { frames = [] }
        return frames
    }

    // MARK: Time

    func rest(_ milliseconds: Double) { compositor.run(seconds: milliseconds / 1000) }

    /// Waits until all motion has ended and returns the duration in milliseconds.
    @discardableResult
    func settle() -> Double {
        let start = clock.now
        var still = start
        for _ in 0..<400 {
            let count = frames.count
            rest(20)
            if hasEnded { break }
            if frames.count != count || last?.frame.isAnimating != false { still = clock.now }
            // The limit covers the double-tap delay and the delay after a pinch's first lift.
            if clock.now.seconds(since: still) > 0.34 { break }
        }
        return (frames.last ?? last).map { $0.moment.seconds(since: start) * 1000 } ?? 0
    }

    // MARK: Input

    /// Plays events whose times count from now.
    func play(_ events: [(time: Double, event: InputEvent)]) {
        let end = events.last?.time ?? 0
        compositor.play(
            GestureScript(
                entries: events.map {
                    .init(moment: Moment(milliseconds: $0.time), event: $0.event)
                }, end: Moment(milliseconds: end)))
    }

    func press(_ keys: String...) {
        for key in keys { play([(0, .key(KeyEvent(name: key)))]) }
    }
}
