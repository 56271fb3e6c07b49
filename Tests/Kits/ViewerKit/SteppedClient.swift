import EventLoop
import Application
package import Browser
package import CompositorKit
import Glibc
package import Motion
package import WaylandClient

/// The viewer in this process, in a window of a test compositor and on its manual clock.
///
/// Touches, frames and timers happen at their exact times on the clock, as fast as the processor
/// allows. Only decoding takes real time, during which the clock stands still.
package final class SteppedClient {
    private let connection: Connection
    private var viewer: SteppedViewer?
    /// The exit code of the viewer, once it has ended.
    package private(set) var exitCode: Int32?

    /// The longest turn of the viewer's loop so far, in milliseconds of real time.
    package private(set) var longestTurn = 0.0

    /// The time limit of decoding, in seconds of real time.
    private static let patience = 20.0
    /// The time between two looks at a decoder, in microseconds.
    private static let interval: UInt32 = 200

    /// Starts the viewer with arguments as on the command line.
    ///
    /// `time` is the clock of `compositor`. Thumbnails are stored below `cacheFolder`, or not at all,
    /// and so is state below `stateFolder`.
    /// `onFrame` is called with every frame and the moment that the frame shows.
    package init(
        _ arguments: [String], on compositor: TestCompositor, _ time: ManualTime,
        cacheFolder: String? = nil, stateFolder: String? = nil,
        onFrame: @escaping (BrowserFrame, Moment) -> Void = { _, _ in }
    ) throws {
        connection = try Connection(
            socket: try compositor.socketForClient(), clock: { time.now })
        let connection = connection
        time.turn = {
            try? Self.pump(connection)
            return nil
        }
        compositor.run(seconds: 5) { connection.isReady }
        let viewer = try SteppedViewer(
            arguments, connection: connection, cacheFolder: cacheFolder,
            stateFolder: stateFolder, clock: { time.now }, onFrame: onFrame)
        self.viewer = viewer
        time.turn = { [unowned self] in turn() }
    }

    private static func pump(_ connection: Connection) throws {
        _ = try connection.prepareAndFlush()
        try connection.readAndDispatch(isReadable: connection.hasInput)
    }

    /// Runs two turns, so that the second paints the input of the first, and waits for decoders.
    ///
    /// Returns when the viewer has work again.
    private func turn() -> Moment? {
        guard let viewer else { return nil }
        var waited = 0.0
        var turns = 0
        repeat {
            let begun = MonotonicClock.now()
            let code = viewer.turn()
            longestTurn = max(longestTurn, MonotonicClock.now().seconds(since: begun) * 1000)
            if let code {
                exitCode = code
                self.viewer = nil
                return nil
            }
            turns += 1
            if viewer.isLoading, turns > 2 {
                usleep(Self.interval)
                waited += Double(Self.interval) / 1e6
            }
        } while turns < 2 || viewer.isLoading && waited < Self.patience
        return viewer.nextTurn
    }
}

extension Connection {
    /// Whether there is data from the compositor to read.
    package var hasInput: Bool {
        var poll = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) > 0
    }
}
