import CompositorKit
import Browser
import Geometry
import Input
import Motion
import Viewer
import ViewerKit

/// The viewer on a manual clock, with the frames that it shows.
final class FeelStage {
    struct Frame {
        var moment: Moment
        var frame: BrowserFrame
    }

    /// The reason why the viewer could not start.
    struct Failure: Error {
        let text: String
    }

    let compositor: TestCompositor
    private let time = ManualTime()
    private var client: SteppedClient?
    /// The frames since the last call of `drainFrames`.
    private(set) var frames: [Frame] = []
    private(set) var last: Frame?
    /// Whether the program has ended.
    var hasEnded: Bool { client?.exitCode != nil }

    static let size = Size(width: 800, height: 500)

    init(_ arguments: [String]) throws {
        var setup = Setup()
        setup.windowSize = Self.size
        setup.checksPixels = false
        compositor = try TestCompositor(setup, time: time.timekeeper)
        client = try SteppedClient(arguments, on: compositor, time) { [unowned self] in
            let frame = Frame(moment: $1, frame: $0)
            frames.append(frame)
            last = frame
        }
        settle()
        guard last != nil else { throw Failure(text: "the viewer shows nothing") }
    }

    var now: Moment { time.now }

    func drainFrames() -> [Frame] {
        defer { frames = [] }
        return frames
    }

    // MARK: Time

    func rest(_ milliseconds: Double) { compositor.run(seconds: milliseconds / 1000) }

    /// Waits until all motion has ended and returns the duration in milliseconds.
    @discardableResult
    func settle() -> Double {
        let start = time.now
        var still = start
        for _ in 0..<400 {
            let count = frames.count
            rest(20)
            if hasEnded { break }
            if frames.count != count || last?.frame.isAnimating != false { still = time.now }
            // The limit covers the double-tap delay and the delay after a pinch's first lift.
            if time.now.seconds(since: still) > 0.34 { break }
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
