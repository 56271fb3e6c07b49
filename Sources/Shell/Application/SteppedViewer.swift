package import Browser
package import Motion
package import WaylandClient

/// The viewer in a window, driven turn by turn by a caller that owns the loop and the clock.
///
/// Tests play gestures with it without waiting for real time. It runs the program's own code, from the
/// socket to the commit.
package final class SteppedViewer {
    private let run: WaylandRun

    /// The viewer could not start; `text` is the message for the user.
    package struct Failure: Error {
        package let text: String
    }

    /// Starts the viewer with arguments as on the command line.
    ///
    /// `connection` must have received the compositor's globals, and must use `clock`. `onFrame` is
    /// called with every frame and the moment that the frame shows.
    package init(
        _ arguments: [String], connection: Connection, clock: @escaping () -> Moment,
        onFrame: @escaping (BrowserFrame, Moment) -> Void
    ) throws(Failure) {
        let options: Options
        do throws(UsageError) {
            options = try Options(arguments.map { Array($0.utf8) })
        } catch { throw Failure(text: error.reason) }
        do throws(RunFailure) {
            guard let session = try Program.session(options, clock: clock) else {
                throw RunFailure("there is nothing to show")
            }
            run = try WaylandRun(session, options, connection: connection, clock: clock)
        } catch { throw Failure(text: error.text) }
        run.onFrame = onFrame
        run.start()
    }

    /// Runs one turn of the loop without waiting; returns false once the user has quit.
    package func turn() throws(ConnectionError) -> Bool {
        guard !run.isOver else { return false }
        try run.turn(waits: false)
        return !run.isOver
    }

    /// When the next turn has work even without events.
    package var nextTurn: Moment? { run.nextTurn }

    /// Whether pixels are still being loaded.
    package var isLoading: Bool { run.isLoading }
}
